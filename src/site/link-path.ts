/** Reads the path of a link: percent-encoding, dot segments, and what is a mistake. Pure. */
import { decoded, utf8 } from '../parse/percent.ts';

/** Why a path is not followed. */
export type PathMistake = 'encoded-dot' | 'backslash';

/** One segment of a path, as it is told and as it is asked for. */
export interface Segment {
  /** Percent-decoded; a sequence that is no UTF-8 stays as it is. */
  readonly text: string;
  /** Percent-encoded, each character in one way only. */
  readonly href: string;
}

/** The segments from the root on, and whether the path ends in a folder: `/`, `.` or `..`. */
export interface WalkedPath {
  readonly segments: readonly Segment[];
  readonly folder: boolean;
  /** Whether a `..` at the root was ignored, as browsers and engines do. */
  readonly clamped: boolean;
}

/** What browsers leave as it is in a path (URL standard, path percent-encode set) and `encodeURIComponent` does not. */
const LEFT_ALONE = /%(?:2B|40|3A|2C|3B|3D|26|24)/g;

const MARKDOWN = /\.(?:md|markdown|mdown|mkdn?)$/i;
const EXTENSION = /[^/]\.[a-z][a-z\d]{0,9}$/i;

/** A link as written, taken apart. */
export interface Parts {
  readonly path: string;
  readonly query: string;
  /** Without `#`; `null`: there is none. */
  readonly fragment: string | null;
}

export function partsOf(text: string): Parts {
  const [, path = '', query = '', fragment] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/s.exec(text) ?? [];
  return { path, query, fragment: fragment ?? null };
}

/** Whether a path names a Markdown file. */
export function isMarkdownPath(path: string): boolean {
  return MARKDOWN.test(path);
}

/** Whether a path has an extension. A version number (`notes-1.2`) is none. */
export function hasExtension(path: string): boolean {
  return EXTENSION.test(path);
}

/** The path of a URL relative to the base, percent-decoded; `null`: beyond the base. */
export function pathUnder(url: URL, base: URL): string | null {
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return null;
  return decoded(url.pathname.slice(base.pathname.length));
}

/**
 * Goes from a folder along a path as written, without query and fragment. A path that begins with a slash starts at the
 * root, wherever `from` is. A `..` at the root stays there.
 */
export function walk(written: string, from: readonly Segment[]): WalkedPath | PathMistake {
  if (/\\|%5c/i.test(written)) return 'backslash';
  const parts = written.split('/');
  const absolute = parts.length > 1 && parts[0] === '';
  const segments = absolute ? [] : [...from];
  let clamped = false;
  if (absolute) parts.shift();
  for (const [index, part] of parts.entries()) {
    if (hidesDots(part)) return 'encoded-dot';
    if (part === '..') clamped = segments.pop() === undefined || clamped;
    else if (part !== '.' && !(part === '' && index === parts.length - 1)) segments.push(...segmentsOf(part));
  }
  return { segments, folder: ['', '.', '..'].includes(parts.at(-1) ?? ''), clamped };
}

/** The segments of a path that is decoded already. */
export function segmentsOfPath(path: string): readonly Segment[] {
  return path === '' ? [] : path.split('/').map((text) => ({ text, href: encodedText(text) }));
}

/** A decoded path as part of a URL. */
export function hrefOfPath(path: string): string {
  return path.split('/').map(encodedText).join('/');
}

/** Whether a dot segment, or a slash beside one, is percent-encoded, be it twice: `%2e%2e`, `.%2E`, `..%2f..`, `%252e%252e`. */
function hidesDots(part: string): boolean {
  if (!part.includes('%')) return false;
  const once = decoded(part);
  return [once, decoded(once)].some((text) => text.split(/[\\/]/).some((piece) => piece === '.' || piece === '..'));
}

/** Most servers take an encoded slash for a slash. */
function segmentsOf(part: string): readonly Segment[] {
  if (!/%2f/i.test(part)) return [segment(part)];
  return part.split(/%2f/gi).map(segment);
}

function segment(written: string): Segment {
  if (!written.includes('%')) return { text: written.toWellFormed(), href: encodedText(written) };
  const href = written
    .split(/((?:%[\da-f]{2})+)/gi)
    .map((piece, index) => (index % 2 === 0 ? encodedText(piece) : canonical(piece)))
    .join('');
  return { text: decoded(written), href };
}

/** A percent-encoded sequence, only what needs it encoded; one that is no UTF-8 is asked for as it is. */
function canonical(sequence: string): string {
  const text = utf8(sequence);
  return text === null ? sequence.toUpperCase() : encodedText(text);
}

function encodedText(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(LEFT_ALONE, (escape) => decodeURIComponent(escape));
}
