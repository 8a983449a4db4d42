/** What nginx finds under the generated locations. */
import { fileAt, type FileEntry, type Files } from './exchange.ts';
import { LONG_LIVED, type HostRules } from './rules.ts';

/** A file to send, a folder to redirect to, or an error. */
export type Found =
  | { readonly kind: 'file'; readonly path: string; readonly file: FileEntry; readonly long: boolean }
  | { readonly kind: 'redirect'; readonly path: string; readonly long: boolean; readonly decidedBy: Decider }
  | { readonly kind: 'error'; readonly status: 403 | 404; readonly decidedBy: Decider };

/** nginx's rewrite rules and `try_files` answer whatever the method; its static files know only `GET`, `HEAD` and `POST`. */
type Decider = 'rules' | 'files';

const ASSET = new RegExp(String.raw`\.(?:${LONG_LIVED.join('|')})$`, 'i');

const error = (status: 403 | 404, decidedBy: Decider): Found => ({ kind: 'error', status, decidedBy });
const name = (path: string): string => path.replaceAll(/^\/|\/$/g, '');

/** `path` is decoded and has no dot segments or doubled slashes. */
export function locate(path: string, files: Files, rules: HostRules): Promise<Found> {
  return rules.improved ? inMended(path, files, rules) : inDocumented(path, files, rules);
}

/** The documented locations: the bundle's, the long-lived files', the site's, and what lies outside of the site. */
async function inDocumented(path: string, files: Files, rules: HostRules): Promise<Found> {
  const bundle = `${rules.base}index.html`;
  const isBundle = path === bundle;
  const isAsset = !isBundle && ASSET.test(path);
  const found = await staticFile(path, isAsset, files);
  if (found.kind === 'folder-index') return inDocumented(found.path, files, rules);
  const isFinal = isBundle || isAsset || !path.startsWith(rules.base);
  const isMissing = found.kind === 'error' && found.status === 404;
  return isMissing && !isFinal ? inDocumented(bundle, files, rules) : found;
}

/** The locations of the configuration that mends the traps. */
async function inMended(path: string, files: Files, rules: HostRules): Promise<Found> {
  const isConfiguration = path === `${rules.base}config.json`;
  if (isConfiguration) {
    const file = await fileAt(files, name(path));
    return file === null ? error(404, 'rules') : { kind: 'file', path, file, long: false };
  }
  if (/\/\.(?!well-known\/)/.test(path)) return error(404, 'rules');
  const isAsset = ASSET.test(path);
  if (!isAsset && !/\.md$/i.test(path) && path.startsWith(rules.base)) return inSite(path, files, rules);
  const found = await staticFile(path, isAsset, files);
  return found.kind === 'folder-index' ? inMended(found.path, files, rules) : found;
}

/** The site's own location and the named one behind it. */
async function inSite(path: string, files: Files, rules: HostRules): Promise<Found> {
  const trailing = path.endsWith('/');
  const entry = await files.entry(name(path));
  if (entry?.kind === 'file' && !trailing) return { kind: 'file', path, file: entry, long: false };
  if (entry?.kind !== 'folder') return error(404, 'rules');
  if (!trailing) return { kind: 'redirect', path: `${path}/`, long: false, decidedBy: 'rules' };
  if (await fileAt(files, name(`${path}index.html`))) return inMended(`${path}index.html`, files, rules);
  if (await fileAt(files, name(`${path}index.md`))) return inMended(`${rules.base}index.html`, files, rules);
  return error(404, 'rules');
}

/** What the static files themselves answer; a folder's index is looked up anew, as a file of its own location. */
async function staticFile(
  path: string,
  long: boolean,
  files: Files,
): Promise<Found | { readonly kind: 'folder-index'; readonly path: string }> {
  const entry = await files.entry(name(path));
  const trailing = path.endsWith('/');
  if (entry?.kind === 'file' && !trailing) return { kind: 'file', path, file: entry, long };
  if (entry?.kind !== 'folder') return error(404, 'files');
  if (!trailing) return { kind: 'redirect', path: `${path}/`, long, decidedBy: 'files' };
  const index = `${path}index.html`;
  return (await fileAt(files, name(index))) ? { kind: 'folder-index', path: index } : error(403, 'files');
}
