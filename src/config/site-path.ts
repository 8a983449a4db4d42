/** Paths of files of the site, as people write them. Pure. */

/** A path as a reference that resolves inside the base: `/x` is `x`; a colon in its first segment starts no scheme. */
export function relativePath(path: string): string {
  const bare = path.replace(/^\//, '');
  return /^[^/?#]*:/.test(bare) ? `./${bare}` : bare;
}

/** Why a text that is not empty names no file of the site: it is no relative path, or one that leads out of the base. */
export function sitePathProblem(text: string): 'path' | 'path-outside' | null {
  // Resolved as a URL would be, since that knows every way to write a step upwards.
  const base = new URL('http://site.invalid/a/b/');
  const target = URL.parse(relativePath(text), base.href);
  const isRelative = !/^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[/\\]{2}|[#\\\p{Cc}]/u.test(text);
  if (!isRelative || target === null) return 'path';
  return target.origin === base.origin && target.pathname.startsWith(base.pathname) ? null : 'path-outside';
}
