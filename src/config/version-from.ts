import type { VersionLocation } from '../check.ts';
import { relativePath, sitePathProblem } from './site-path.ts';

/** Why a text names no place of a version: its path, its JSON Pointer or its regular expression is none. */
export type VersionFromProblem = 'path' | 'path-outside' | 'pointer' | 'regex';

/** The longest text that is read, in UTF-16 code units. */
const LONGEST = 2_000;

/**
 * Reads where a site tells its version: `<path>`, `<path>#<JSON Pointer>` or `<path>#<regular expression>`. The path is
 * relative to the site's base, be there a leading slash or none. What follows the `#` is a JSON Pointer (RFC 6901) where
 * it begins with a slash and does not end with one (`build.json#/git/commit`), else a regular expression, between slashes
 * or bare (`app.txt#/rev: (\w+)/`, `app.txt#rev: (\w+)`). Its `^` and `$` are the ends of lines. Never throws.
 */
export function parseVersionFrom(
  text: string,
):
  | { readonly ok: true; readonly place: VersionLocation }
  | { readonly ok: false; readonly problem: VersionFromProblem } {
  const trimmed = text.trim();
  const hash = trimmed.indexOf('#');
  const path = hash === -1 ? trimmed : trimmed.slice(0, hash);
  if (path === '' || path === '/' || text.length > LONGEST) return { ok: false, problem: 'path' };
  const problem = sitePathProblem(path);
  if (problem !== null) return { ok: false, problem };
  const pick = hash === -1 ? null : parsePick(trimmed.slice(hash + 1));
  return typeof pick === 'string'
    ? { ok: false, problem: pick }
    : { ok: true, place: { path: relativePath(path), pick } };
}

function parsePick(text: string): VersionLocation['pick'] | 'pointer' | 'regex' {
  if (text === '') return null;
  if (text.startsWith('/') && !(text.length > 2 && text.endsWith('/'))) {
    // RFC 6901, section 3: a tilde is written `~0`, a slash `~1`.
    return /~(?![01])/.test(text) ? 'pointer' : { pointer: text };
  }
  try {
    return { pattern: new RegExp(text.startsWith('/') ? text.slice(1, -1) : text, 'm') };
  } catch {
    return 'regex';
  }
}
