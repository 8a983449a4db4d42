/** The form in which paths of robots.txt and of URLs are compared (RFC 9309, sections 2.2.2 and 2.2.3). Pure. */

/** Octets that never need percent-encoding (RFC 3986, section 2.3). */
const UNRESERVED = /[A-Za-z0-9._~-]/;
/** An escape, or a character that a URL may not hold as it is (RFC 3986, section 2). */
const PART = /%([0-9A-Fa-f]{2})|[^!-~]|["<>\\^`{|}]/gu;

/**
 * A pattern or a path with its query, made comparable: escapes of unreserved characters undone, all others in upper
 * case, everything that a URL may not hold escaped. `*` and `$` of a path are escaped, so that the pattern's `%2A` and `%24`
 * match them; so is a `$` of a pattern that is not its end. `:` and `/` in a query match with and without escapes.
 */
export function normalised(text: string, kind: 'pattern' | 'path'): string {
  const plain = text.replaceAll(PART, (part, hex?: string) => (hex === undefined ? escaped(part) : decoded(hex)));
  const special = kind === 'path' ? /[*$]/g : /\$(?!$)/g;
  return queryDecoded(plain.replaceAll(special, (one) => (one === '*' ? '%2A' : '%24')));
}

function decoded(hex: string): string {
  const character = String.fromCodePoint(Number.parseInt(hex, 16));
  return UNRESERVED.test(character) ? character : `%${hex.toUpperCase()}`;
}

/** The UTF-8 octets of a character; a lone surrogate has none and counts as U+FFFD. */
function escaped(character: string): string {
  const octets = [...Buffer.from(character, 'utf8')];
  return octets.map((octet) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** In the RFC's own table `?baz=https://foo.bar` and `?baz=https%3A%2F%2Ffoo.bar` are the same. */
function queryDecoded(text: string): string {
  const query = text.indexOf('?');
  if (query === -1) return text;
  const rest = text.slice(query).replaceAll('%3A', ':').replaceAll('%2F', '/');
  return text.slice(0, query) + rest;
}

/** A pattern, ready to be matched: what stands between its stars, in order. */
export interface PathPattern {
  /** The first begins the path; the last ends it where the pattern is anchored. One at least. */
  readonly parts: readonly string[];
  /** The pattern ends in `$`. */
  readonly anchored: boolean;
  /** Length of all parts together: no shorter path matches. */
  readonly least: number;
}

/** Takes a pattern in comparable form apart; several stars in a row are one. */
export function patternOf(path: string): PathPattern {
  const anchored = path.endsWith('$');
  const text = anchored ? path.slice(0, -1) : path;
  const parts = text.split(/\*+/);
  return { parts, anchored, least: parts.reduce((sum, part) => sum + part.length, 0) };
}
