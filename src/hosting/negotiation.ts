/** Which file of a folder answers a request, by the rules of each kind of host. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { LONG_LIVED, type HostRules } from './rules.ts';

/** A file of the folder, a redirect to a path below the base, or an error. */
export type Outcome =
  | { readonly status: 200; readonly name: string }
  | { readonly status: 308; readonly to: string }
  | { readonly status: 400 | 403 | 404 | 405 };

const MISSING: Outcome = { status: 404 };

/** What a host answers for a decoded path without dot segments. */
export async function outcomeOf(
  pathname: string,
  accept: string,
  folder: string,
  { base, kind, improved }: HostRules,
): Promise<Outcome> {
  if (`${pathname}/` === base) return { status: 308, to: '' };
  if (!pathname.startsWith(base)) return MISSING;
  const name = pathname.slice(base.length);
  const slashed = kind === 'platform' ? trailingSlash(name, improved) : null;
  if (slashed !== null) return { status: 308, to: slashed };
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

const ASSET = new RegExp(String.raw`\.(?:${LONG_LIVED.join('|')})$`, 'i');

/** `try_files $uri $uri/ /index.html`, and a location for assets without that fallback. */
async function documentedServer(name: string, folder: string): Promise<Outcome> {
  if ((await kindOf(folder, name)) === 'folder') {
    if (asFolder(name) !== name) return { status: 308, to: `${name}/` };
    const index = await firstFile(folder, `${name}index.html`);
    return index === MISSING ? { status: 403 } : index;
  }
  return firstFile(folder, name, ...(ASSET.test(name) ? [] : ['index.html']));
}

/** The rules that pass every check: files first, then pages by the qualities of `Accept`, then 404. */
async function improvedHost(name: string, accept: string, folder: string, kind: HostRules['kind']): Promise<Outcome> {
  // Platforms do not deploy these files.
  if (kind !== 'platform' && /(?:^|\/)\.(?!well-known\/)/.test(name)) return MISSING;
  if ((await kindOf(folder, name)) === 'file') return { status: 200, name };
  const page = asFolder(name);
  const markdown = await firstFile(folder, `${page}index.md`);
  const isPage = markdown !== MISSING;
  // The rewrite of a platform does not look whether the file exists.
  const mayNegotiate = kind === 'platform' ? page === name : isPage && kind === 'worker';
  if (mayNegotiate && prefersMarkdown(accept)) return markdown;
  // A platform has no rule that shows the bundle for a page.
  const bundle = isPage && kind !== 'platform' ? ['index.html'] : [];
  const html = await firstFile(folder, `${page}index.html`, ...bundle);
  return html !== MISSING && page !== name ? { status: 308, to: page } : html;
}

/** Where a platform with `trailingSlash` redirects to. The improved rules keep the slash of `v1.2/`. */
function trailingSlash(name: string, improved: boolean): string | null {
  if (/(?:^|\/)[^/.]+$/.test(name)) return `${name}/`;
  return (improved ? /\.[a-z]\w*\/$/i : /\.\w+\/$/).test(name) ? name.slice(0, -1) : null;
}

/** Whether `Accept` names Markdown with a quality above 0 that is no lower than that of HTML (RFC 9110, section 12.5.1). */
export function prefersMarkdown(accept: string): boolean {
  const qualities = new Map<string, number>();
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    qualities.set(type, quality === undefined ? 1 : Number(quality.slice(2)) || 0);
  }
  const markdown = qualities.get('text/markdown') ?? 0;
  const html = qualities.get('text/html') ?? qualities.get('text/*') ?? qualities.get('*/*') ?? 0;
  return markdown > 0 && markdown >= html;
}

const asFolder = (name: string): string => (name === '' || name.endsWith('/') ? name : `${name}/`);

async function firstFile(folder: string, ...names: readonly string[]): Promise<Outcome> {
  const kinds = await Promise.all(names.map((name) => kindOf(folder, name)));
  const name = names[kinds.indexOf('file')];
  return name === undefined ? MISSING : { status: 200, name };
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
