/** A small static server for this machine. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { weightsIn } from './accept.ts';
import mediaTypes from './media-types.json' with { type: 'json' };
import { ASSET_CACHE_CONTROL, BUNDLE_CACHE_CONTROL, GZIP_TYPES, LONG_LIFE_SECONDS, LONG_LIVED } from './rules.ts';
import type { HostRules } from './rules.ts';

const ADDRESS = '127.0.0.1';

/** Serves a folder by the rules of a host. Port 0 takes any free port. Rejects with the system's error. */
export async function startStaticServer(folder: string, rules: HostRules, port: number) {
  const server = createServer((request, response) => {
    // An unread body would block the next request of the connection.
    request.resume();
    respond(request, response, folder, rules).catch(() => response.destroy());
  });
  await once(server.listen(port, ADDRESS), 'listening');
  server.on('error', () => {});
  return {
    /** Address of the site; ends with a slash. */
    url: `http://${ADDRESS}:${(server.address() as AddressInfo).port}${rules.base}`,
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, folder: string, rules: HostRules) {
  const { method = 'GET', url = '/', headers } = request;
  const target = readTarget(url);
  const send = (status: number, fields: OutgoingHttpHeaders, body: string | Uint8Array = ''): void => {
    const length = status === 304 ? {} : { 'Content-Length': Buffer.byteLength(body) };
    response.writeHead(status, { ...fields, ...length }).end(method === 'HEAD' ? undefined : body);
  };
  if (target === null) return send(400, {});
  if (!['GET', 'HEAD'].includes(method)) return send(405, { Allow: 'GET, HEAD' });
  const outcome = await outcomeOf(target.path, headers.accept ?? '', folder, rules);
  if ('to' in outcome) {
    const encoded = encodeURI(`${rules.base}${outcome.to}`).replaceAll(/[?#]/g, encodeURIComponent);
    return send(308, { Location: `${encoded}${target.search}` });
  }
  if ('status' in outcome) {
    return send(outcome.status, { 'Content-Type': 'text/plain; charset=utf-8' }, `${outcome.status}\n`);
  }
  const bytes = await readFile(path.join(folder, outcome.name));
  const fields = {
    ...fieldsOf(outcome.name, target.path !== `${rules.base}${outcome.name}`, rules),
    ETag: `W/"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`,
  };
  if (headers['if-none-match'] === fields.ETag) return send(304, fields);
  if (!isCompressible(outcome.name, rules) || !namesGzip(headers['accept-encoding'])) return send(200, fields, bytes);
  return send(200, { ...fields, 'Content-Encoding': 'gzip' }, gzipSync(bytes));
}

/** The decoded path of a request target, without dot segments, and its query; `null` if it is malformed. */
function readTarget(target: string): { readonly path: string; readonly search: string } | null {
  const url = URL.parse(target.startsWith('/') ? `http://${ADDRESS}${target}` : target);
  try {
    return url === null ? null : { path: decodeURIComponent(url.pathname), search: url.search };
  } catch {
    return null;
  }
}

/** `isNegotiated`: the request names a page, and `Accept` decides which file it gets. */
function fieldsOf(name: string, isNegotiated: boolean, rules: HostRules): OutgoingHttpHeaders {
  const { kind, improved } = rules;
  const cacheControl = cacheControlOf(name, rules);
  const vary = [
    ...(improved && kind !== 'server' && isNegotiated ? ['Accept'] : []),
    ...(isCompressible(name, rules) && (improved || kind === 'platform') ? ['Accept-Encoding'] : []),
  ];
  return {
    'Content-Type': typeOf(name, rules),
    ...(cacheControl === null ? {} : { 'Cache-Control': cacheControl }),
    ...(vary.length === 0 ? {} : { Vary: vary.join(', ') }),
  };
}

const ASSET = new RegExp(String.raw`\.(?:${LONG_LIVED.join('|')})$`, 'i');

function cacheControlOf(name: string, { kind, improved }: HostRules): string | null {
  if (improved || kind === 'server') {
    if (name === 'index.html' || (improved && name === 'config.json')) return BUNDLE_CACHE_CONTROL;
    if (ASSET.test(name)) return `max-age=${LONG_LIFE_SECONDS}, ${ASSET_CACHE_CONTROL}`;
  }
  if (kind === 'server') return improved ? 'no-cache' : null;
  return 'public, max-age=0, must-revalidate';
}

const TYPES = new Map(Object.entries(mediaTypes));

/** nginx knows no Markdown, and sets a charset only if it is configured. */
function typeOf(name: string, { kind, improved }: HostRules): string {
  const isPlain = kind === 'server' && !improved;
  const type = TYPES.get(/\.([^./]*)$/.exec(name)?.[1]?.toLowerCase() ?? '');
  if (type === undefined || (isPlain && type === 'text/markdown')) return 'application/octet-stream';
  return type.startsWith('text/') && !isPlain ? `${type}; charset=utf-8` : type;
}

const COMPRESSED: ReadonlySet<string> = new Set(['text/html', ...GZIP_TYPES.split(' ')]);

const isCompressible = (name: string, rules: HostRules): boolean =>
  COMPRESSED.has(typeOf(name, rules).split(';')[0] ?? '');

/** As nginx has it: only by the name, not by `*`. */
const namesGzip = (header: string | string[] | undefined): boolean =>
  (weightsIn(String(header ?? '')).get('gzip') ?? 0) > 0;

/* Which file of a folder answers a request, by the rules of each kind of host. */

/** A file of the folder, a redirect to a path below the base, or an error. */
type Outcome = { readonly name: string } | { readonly to: string } | { readonly status: 403 | 404 };

const MISSING: Outcome = { status: 404 };

/** What a host answers for a decoded path without dot segments. */
async function outcomeOf(pathname: string, accept: string, folder: string, { base, kind, improved }: HostRules) {
  if (`${pathname}/` === base) return { to: '' };
  if (!pathname.startsWith(base)) return MISSING;
  const name = pathname.slice(base.length);
  const slashed = kind === 'platform' ? trailingSlash(name, improved) : null;
  if (slashed !== null) return { to: slashed };
  if (improved) return improvedHost(name, accept, folder, kind);
  if (kind === 'server') return documentedServer(name, folder);
  const wantsMarkdown = accept.includes('text/markdown');
  if (kind === 'platform') {
    const page = wantsMarkdown && asFolder(name) === name ? [`${name}index.md`] : [];
    return firstFile(folder, name, `${asFolder(name)}index.html`, ...page);
  }
  if (wantsMarkdown && !name.endsWith('.md')) return firstFile(folder, `${asFolder(name)}index.md`);
  return firstFile(folder, name === '' ? 'index.html' : name);
}

/** `try_files $uri $uri/ /index.html`, and a location for assets without that fallback. */
async function documentedServer(name: string, folder: string): Promise<Outcome> {
  if ((await kindOf(folder, name)) === 'folder') {
    if (asFolder(name) !== name) return { to: `${name}/` };
    const index = await firstFile(folder, `${name}index.html`);
    return index === MISSING ? { status: 403 } : index;
  }
  return firstFile(folder, name, ...(ASSET.test(name) ? [] : ['index.html']));
}

/** The rules that pass every check: files first, then pages by the qualities of `Accept`, then 404. */
async function improvedHost(name: string, accept: string, folder: string, kind: HostRules['kind']): Promise<Outcome> {
  // Platforms do not deploy these files.
  if (kind !== 'platform' && /(?:^|\/)\.(?!well-known\/)/.test(name)) return MISSING;
  if ((await kindOf(folder, name)) === 'file') return { name };
  const page = asFolder(name);
  const markdown = await firstFile(folder, `${page}index.md`);
  const isPage = markdown !== MISSING;
  // The rewrite of a platform does not look whether the file exists.
  const mayNegotiate = kind === 'platform' ? page === name : isPage && kind === 'worker';
  if (mayNegotiate && prefersMarkdown(accept)) return markdown;
  // A platform has no rule that shows the bundle for a page.
  const bundle = isPage && kind !== 'platform' ? ['index.html'] : [];
  const html = await firstFile(folder, `${page}index.html`, ...bundle);
  return html !== MISSING && page !== name ? { to: page } : html;
}

/** Where a platform with `trailingSlash` redirects to. The improved rules keep the slash of `v1.2/`. */
function trailingSlash(name: string, improved: boolean): string | null {
  if (/(?:^|\/)[^/.]+$/.test(name)) return `${name}/`;
  return (improved ? /\.[a-z]\w*\/$/i : /\.\w+\/$/).test(name) ? name.slice(0, -1) : null;
}

/** Whether `Accept` names Markdown with a quality above 0 not lower than that of HTML (RFC 9110, section 12.5.1). */
export function prefersMarkdown(accept: string): boolean {
  const qualities = weightsIn(accept);
  const markdown = qualities.get('text/markdown') ?? 0;
  const html = qualities.get('text/html') ?? qualities.get('text/*') ?? qualities.get('*/*') ?? 0;
  return markdown > 0 && markdown >= html;
}

const asFolder = (name: string): string => (name === '' || name.endsWith('/') ? name : `${name}/`);

async function firstFile(folder: string, ...names: readonly string[]): Promise<Outcome> {
  const kinds = await Promise.all(names.map((name) => kindOf(folder, name)));
  const name = names[kinds.indexOf('file')];
  return name === undefined ? MISSING : { name };
}

async function kindOf(folder: string, name: string): Promise<'file' | 'folder' | null> {
  const segments = name === '' ? [] : name.replace(/\/$/, '').split('/');
  // Encoded slashes and backslashes can hide these.
  if (segments.some((segment) => ['', '.', '..'].includes(segment) || /[\\\0]/.test(segment))) return null;
  const found = await stat(path.join(folder, name)).catch(() => null);
  if (found === null || !(await hasSpelling(folder, segments))) return null;
  if (found.isDirectory()) return 'folder';
  return found.isFile() ? 'file' : null;
}

/** Whether each name is spelled as in its folder: macOS and Windows ignore letter case, hosts do not. */
async function hasSpelling(folder: string, segments: readonly string[]): Promise<boolean> {
  if (process.platform === 'linux') return true;
  const parents = segments.map((_, index) => readdir(path.join(folder, ...segments.slice(0, index))));
  return (await Promise.all(parents)).every((names, index) => names.includes(segments[index] ?? ''));
}
