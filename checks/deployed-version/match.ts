/** Tells whether two names of versions mean the same, and whether they can be held against one another. Pure. */

/** The fewest digits of a commit's name that are taken for one, as Git abbreviates it. */
const SHORTEST_COMMIT = 7;
/** The digits of whole names: SHA-1 and SHA-256. */
const WHOLE = new Set([40, 64]);

const HEX = /^[\da-f]{7,64}$/i;
/** Names of commits in a text: `abc1234-dirty`, `sha-abc1234`, `v1.4.0-12-gabc1234` (git describe). */
const COMMITS = /(?<![\da-z])g?([\da-f]{7,64})(?![\da-z])/gi;

/** What kind of name a version has; those of different kinds say nothing about one another. */
export type VersionKind = 'commit' | 'numbers' | 'word';

/** Of hexadecimal digits, but of an MD5 sum. */
const MD5 = 32;
/** A name that is longer is none. */
const LONGEST_NAME = 200;

/** A name of digits only is a number, unless it has a commit's whole length. */
export function kindOf(version: string): VersionKind {
  if (version.length > LONGEST_NAME || version.length === MD5) return 'word';
  if (HEX.test(version) && (/[a-f]/i.test(version) || WHOLE.has(version.length))) return 'commit';
  return /^v?\d+(?:\.\d+)*(?:[-+.][\da-z.+-]*)?$/i.test(version) ? 'numbers' : 'word';
}

/** Whether a text tells a version: as a whole, or as one of its tokens. Commits match by their first seven digits or more. */
export function names(text: string, expected: string): boolean {
  if (isSame(text.trim(), expected)) return true;
  return tokensOf(text).some((token) => isSame(token, expected));
}

/** The name of this kind in a text that tells a version; `null`: there is none. */
export function nameIn(text: string, kind: VersionKind): string | null {
  const whole = text.trim();
  if (kind === 'word') return kindOf(whole) === kind && WORD.test(whole) ? whole : null;
  return [whole, ...tokensOf(text)].find((token) => kindOf(token) === kind) ?? null;
}

/** No address, no sentence. */
const WORD = /^[\w.+-]{1,100}$/;
/** Where names end in a text. */
const BETWEEN = /[\s,;"'()[\]{}<>=@]+/;
/** A text that is longer tells more than a version. */
const LONGEST = 1_000;

function tokensOf(text: string): readonly string[] {
  const short = text.slice(0, LONGEST);
  return [...short.split(BETWEEN), ...[...short.matchAll(COMMITS)].map((match) => match[1] ?? '')].filter(
    (token) => token !== '',
  );
}

function isSame(found: string, expected: string): boolean {
  const [one, other] = [withoutMark(found), withoutMark(expected)];
  return one === other || (!other.includes('+') && withoutBuild(one) === other) || isSameCommit(found, expected);
}

/** `2.4.0+9b1c77a` is a build of `2.4.0` (Semantic Versioning, section 10), while `2.4.0-rc.1` comes before it. */
function withoutBuild(version: string): string {
  return version.replace(/^(\d+(?:\.\d+)+(?:-[\da-z.-]+)?)\+[\da-z.-]+$/i, '$1');
}

/**
 * Whether two names are of one scheme, so that they contradict one another where they differ: two commits; `1.4.0` and
 * `1.5.0-rc.1`, but not the number of a build.
 */
export function isOneScheme(one: string, other: string): boolean {
  const kind = kindOf(one);
  return kind !== 'word' && kind === kindOf(other) && (kind === 'commit' || schemeOf(one) === schemeOf(other));
}

/** `v1.4.0-rc.1` → `0.0.0`, `2026-03-01` → `0-0-0`. */
function schemeOf(version: string): string {
  const digits = withoutMark(version).replaceAll(/\d+/g, '0');
  return /^0(?:\.0)+/.exec(digits)?.[0] ?? digits;
}

/** `v1.2.3` is `1.2.3`. */
function withoutMark(version: string): string {
  return version.replace(/^v(?=\d)/i, '');
}

function isSameCommit(one: string, other: string): boolean {
  if (!HEX.test(one) || !HEX.test(other)) return false;
  const [short = '', long = ''] = [one.toLowerCase(), other.toLowerCase()].toSorted((a, b) => a.length - b.length);
  // The number of a build may begin as another does; it is no abbreviation.
  const isCommit = WHOLE.has(long.length) || kindOf(short) === 'commit';
  return isCommit && short.length >= SHORTEST_COMMIT && long.startsWith(short);
}
