/**
 * The rules of SPEC's three host kinds with their traps fixed: types for Markdown, real 404s where they can be had,
 * q-values, `Vary`, an uncached configuration. What is left of the traps is in `CAUSED_BY_RULES`.
 */
import type { HostKind } from '../../src/site/host-product.ts';
import type { Codes } from './codes.ts';
import type { Deployment, HostReply, HostRequest, HostRules, Located } from './deployment.ts';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html; charset=utf-8',
  jpg: 'image/jpeg',
  js: 'application/javascript',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
};

/** SPEC's list. */
const COMPRESSED = [
  'text/plain',
  'text/css',
  'text/markdown',
  'text/html',
  'application/javascript',
  'application/json',
  'image/svg+xml',
];

export const extensionOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

/** The rules of a healthy host. A new object each time. */
export function healthyRules(kind: HostKind): HostRules {
  return {
    locate: { server: onServer, platform: onPlatform, worker: onWorker }[kind],
    wantsMarkdown: prefersMarkdown,
    variesByAccept: true,
    notFoundPage: '<!doctype html>\n<title>404</title>\n<h1>There is no such page</h1>\n',
    typeOf: (path) => TYPES[extensionOf(path)] ?? 'application/octet-stream',
    caching: cachingOf,
    validators: 'steady',
    conditional: true,
    compressed: COMPRESSED,
    variesByEncoding: true,
    forcesGzip: false,
    change: (_request, reply) => reply,
    finish: (_request, reply) => reply,
  };
}

/** SPEC's rules to the letter, traps and all, with what each kind of host does where they say nothing. */
export function plainRules(kind: HostKind): HostRules {
  const healthy = healthyRules(kind);
  if (kind === 'server') {
    return {
      ...healthy,
      // Debian's list of types has neither.
      typeOf: (path) => (/\.(?:md|webmanifest)$/.test(path) ? 'application/octet-stream' : healthy.typeOf(path)),
      caching: (path) => (path.endsWith('config.json') ? monthLong() : serverCachingOf(path)),
      variesByEncoding: false,
    };
  }
  return {
    ...healthy,
    locate: kind === 'worker' ? onPlainWorker : onPlatform,
    wantsMarkdown: asksForMarkdown,
    variesByAccept: false,
    caching: () => ({ 'cache-control': 'public, max-age=0, must-revalidate' }),
  };
}

/** Thirty days, in seconds. */
const MONTH = 30 * 24 * 60 * 60;

/** SPEC's plain web server, but for the configuration, and with a word on what it says nothing of. */
function cachingOf(path: string): HostReply['headers'] {
  if (path.endsWith('config.json')) return { 'cache-control': 'no-cache' };
  if (/\.[\da-f]{8}\.(?:js|css)$/.test(path)) return { 'cache-control': 'public, max-age=31536000, immutable' };
  const headers = serverCachingOf(path);
  return Object.keys(headers).length > 0 ? headers : { 'cache-control': 'no-cache' };
}

/** SPEC's plain web server to the letter. */
function serverCachingOf(path: string): HostReply['headers'] {
  if (path.endsWith('index.html')) return { 'cache-control': 'no-cache, must-revalidate' };
  return MONTH_LONG.test(path) ? monthLong() : {};
}

/** The extensions with a location of their own, in any letter case. */
const MONTH_LONG = /\.(?:svg|png|jpg|woff2|json)$/i;

/** As nginx sends what `expires` and `add_header` say: two lines. */
function monthLong(): HostReply['headers'] {
  const expires = new Date(Date.now() + MONTH * 1000).toUTCString();
  return { expires, 'cache-control': [`max-age=${MONTH}`, 'public, no-transform'] };
}

/** The path relative to the base; `null`: beside it. */
export function belowBase({ path }: HostRequest, { site }: Deployment): string | null {
  const base = decodeURIComponent(site.options.base);
  return path.startsWith(base) ? path.slice(base.length) : null;
}

/** The base without its final slash, as a visitor may type it. */
const asksForBareBase = ({ rawPath }: HostRequest, { site }: Deployment): boolean =>
  `${rawPath}/` === site.options.base;

const isFolder = (path: string, { files }: Deployment): boolean =>
  [...files.keys()].some((file) => file.startsWith(path.replace(/\/?$/, '/')));

const NOT_FOUND: Located = { status: 404, file: null };
const sent = (file: string, negotiable = false): Located => ({ status: 200, file, negotiable });

/** The exact file, then the folder, then the bundle. */
function onServer(request: HostRequest, deployment: Deployment): Located {
  const path = belowBase(request, deployment);
  const { files } = deployment;
  if (path === null) return asksForBareBase(request, deployment) ? movedTo(`${request.rawPath}/`, request) : NOT_FOUND;
  if (files.has(path)) return sent(path);
  // The location of these has no fallback.
  if (MONTH_LONG.test(path)) return NOT_FOUND;
  if (path === '' || isFolder(path, deployment)) {
    const index = path === '' ? 'index.html' : `${path.replace(/\/?$/, '/')}index.html`;
    return files.has(index) ? sent(index) : { status: 403, file: null };
  }
  return files.has('index.html') ? sent('index.html') : NOT_FOUND;
}

const movedTo = (path: string, { query }: HostRequest, status = 308): Located => ({
  status,
  file: null,
  location: path + query,
});

/** Slashes first, then the file system, then the rewrites: folders for agents, the base's own name for everyone. */
function onPlatform(request: HostRequest, deployment: Deployment): Located {
  const { files, rules } = deployment;
  // As `trailingSlash` has it: a name with a dot is a file's, and never a folder's.
  if (/\/[^/.]+$/.test(request.path)) return movedTo(`${request.rawPath}/`, request);
  if (/\/[^/]+\.\w+\/$/.test(request.path)) return movedTo(request.rawPath.slice(0, -1), request);
  const path = belowBase(request, deployment);
  if (path === null) return NOT_FOUND;
  if (files.has(path)) return sent(path);
  if ((path === '' || path.endsWith('/')) && files.has(`${path}index.html`)) return sent(`${path}index.html`);
  if (!path.endsWith('/') || !files.has(`${path}index.md`)) return NOT_FOUND;
  return rules.wantsMarkdown(request) ? sent(`${path}index.md`, true) : { ...NOT_FOUND, negotiable: true };
}

/** Markdown for whoever asks for it where the path has an `index.md`; the static assets otherwise. */
function onWorker(request: HostRequest, deployment: Deployment): Located {
  const { files, rules } = deployment;
  const path = belowBase(request, deployment);
  if (path === null) return NOT_FOUND;
  const markdown = path === '' || path.endsWith('/') ? `${path}index.md` : `${path}/index.md`;
  const negotiable = !path.endsWith('.md') && files.has(markdown);
  if (negotiable && rules.wantsMarkdown(request)) return sent(markdown, true);
  const asset = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  return files.has(asset) ? sent(asset, negotiable) : { ...NOT_FOUND, negotiable };
}

/** The same to the letter: whoever asks for Markdown gets nothing else, whatever the path. */
function onPlainWorker(request: HostRequest, deployment: Deployment): Located {
  const { files, rules } = deployment;
  const path = belowBase(request, deployment);
  if (path === null) return NOT_FOUND;
  const asset = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  if (path.endsWith('.md') || !rules.wantsMarkdown(request)) return files.has(asset) ? sent(asset, true) : NOT_FOUND;
  const markdown = path === '' || path.endsWith('/') ? `${path}index.md` : `${path}/index.md`;
  return files.has(markdown) ? sent(markdown, true) : NOT_FOUND;
}

/** SPEC's trigger: the header contains the type, whatever its weight. */
export const asksForMarkdown = ({ headers }: HostRequest): boolean =>
  (headers['accept'] ?? '').includes('text/markdown');

/** Whether Markdown is acceptable and no less welcome than HTML (RFC 9110, section 12.5.1). */
export function prefersMarkdown({ headers }: HostRequest): boolean {
  const weights = new Map<string, number>();
  for (const range of (headers['accept'] ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(type, weight === undefined ? 1 : Number(weight));
  }
  const markdown = weights.get('text/markdown') ?? 0;
  const html = weights.get('text/html') ?? weights.get('text/*') ?? 0;
  return markdown > 0 && markdown >= html;
}

/** Codes of errors and warnings that a healthy site has on a host whose traps are fixed, by check. */
export const CAUSED_BY_RULES: Readonly<Record<HostKind, Codes>> = {
  server: {},
  // Its file system comes before its rewrites, and the base has an index.html.
  platform: { negotiation: ['filesystem-first'] },
  worker: {},
};

/** The same for hosts that follow SPEC to the letter. */
export const CAUSED_BY_PLAIN_RULES: Readonly<Record<HostKind, Codes>> = {
  server: {
    navigation: ['media-type'],
    home: ['media-type'],
    caching: ['config-cached'],
    compression: ['vary-accept-encoding'],
  },
  platform: {
    negotiation: ['filesystem-first', 'q-values-ignored', 'vary-missing'],
    caching: ['assets-not-cached'],
  },
  worker: { negotiation: ['q-values-ignored', 'vary-missing'], caching: ['assets-not-cached'] },
};
