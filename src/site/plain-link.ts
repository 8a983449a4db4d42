/** Reads the links that most pages have, in one go: paths of plain letters to Markdown files. Pure. */
import type { Link } from './link.ts';
import { isMarkdownPath } from './link-path.ts';

/** The root, or steps up and here; then names that mean what they say in a path as in a URL, and an anchor of that kind. */
const PLAIN_LINK = /^(\/|(?:\.\.?\/)*)((?:[\w~-][\w.~-]*\/)*[\w~-][\w.~-]*)(?:#([\w.~-]*))?$/;
const PLAIN_FOLDER = /^(?:[\w~-][\w.~-]*\/)*$/;

/**
 * Where a plain link of a page leads: what `resolveLink` says of it. `null`: it is not plain, or the file that holds it
 * does not lie in plain folders, or it leads beyond the base.
 */
export function plainLink(written: string, fromPath: string, base: URL): Link | null {
  const [, steps, name, anchor = null] = PLAIN_LINK.exec(written) ?? [];
  if (name === undefined || steps === undefined || !isMarkdownPath(name)) return null;
  // Below a base with a path, a leading slash means one of two.
  if (steps === '/' && base.pathname !== '/') return null;
  let folder = steps === '/' ? '' : fromPath.slice(0, fromPath.lastIndexOf('/') + 1);
  if (!PLAIN_FOLDER.test(folder)) return null;
  for (const step of steps.split('/')) {
    if (step !== '..') continue;
    if (folder === '') return null;
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  }
  const path = folder + name;
  return { kind: 'page', path, url: base.href + path, anchor };
}
