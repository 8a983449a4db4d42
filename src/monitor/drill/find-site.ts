import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { lookAt } from '../../init/look.ts';

/** Where the site is in what was cloned, or why it is not known. */
export type FoundSite =
  | {
      readonly ok: true;
      /** An absolute path. */
      readonly folder: string;
      /** The same from the root of what was cloned, with forward slashes; `.` for the root itself. */
      readonly name: string;
    }
  | { readonly ok: false; readonly reason: 'no-site' | 'no-folder' };

/**
 * Finds the site's folder: the one that was named (`folder`, from `start`), else where hosts' configurations and usual
 * names say that it is. Reads only.
 *
 * @param root what was cloned; an absolute path
 * @param start the folder in it that the drill was asked for, from its root
 */
export async function findSiteIn(root: string, start: string, folder: string | null): Promise<FoundSite> {
  const top = path.join(root, start);
  if (folder !== null) return named(root, path.resolve(top, folder));
  const isThere = (await stat(top).catch(() => null))?.isDirectory() === true;
  const site = isThere ? (await lookAt(top)).site : null;
  return site === null ? { ok: false, reason: 'no-site' } : found(root, path.join(top, site.folder));
}

async function named(root: string, place: string): Promise<FoundSite> {
  const isThere = (await stat(place).catch(() => null))?.isDirectory() === true;
  // A symbolic link of the repository's may lead out of it.
  const inside = isThere ? path.relative(await realpath(root), await realpath(place)) : '..';
  const isOutside = inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside);
  return isOutside ? { ok: false, reason: 'no-folder' } : found(root, place);
}

function found(root: string, folder: string): FoundSite {
  return { ok: true, folder, name: path.relative(root, folder).replaceAll(path.sep, '/') || '.' };
}
