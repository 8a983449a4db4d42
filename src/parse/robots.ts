/** Reads robots.txt as RFC 9309 says. Pure and linear. */
import { editDistance } from './edit-distance.ts';

/** The part of a file that every crawler must read (RFC 9309, section 2.5). In bytes. */
export const ROBOTS_LIMIT = 500 * 1024;

type RobotsProblemKind = 'misspelt' | 'no-colon' | 'outside-group' | 'relative-path' | 'no-agent';

export type RobotsFile = ReturnType<typeof parseRobots>;
export type RobotsGroup = RobotsFile['groups'][number];

const MOST_PROBLEMS = 100;
const SHOWN = 200;

/** The text of that part. */
export function robotsText(bytes: Uint8Array) {
  // A BOM is dropped by the decoder.
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, ROBOTS_LIMIT));
  return { text, isCut: bytes.length > ROBOTS_LIMIT };
}

/** Whatever a file holds, what can be read of it counts (section 2.2.4). */
export function parseRobots(text: string, isCut: boolean) {
  /** `agents`: product tokens in lower case; `*` for all others. */
  const groups: { readonly agents: string[]; readonly rules: RobotsRule[] }[] = [];
  const problems: { readonly kind: RobotsProblemKind; readonly line: number; readonly text: string }[] = [];
  let sitemaps = 0;
  /** The lines that Cloudflare has put in front of the owner's (its managed robots.txt). */
  const managed = { from: Infinity, to: -Infinity };
  /** Whether a `User-agent` line would join the open group; other records do not end a group's first part. */
  let isOpening = false;
  const addAgent = (value: string): RobotsProblemKind | null => {
    const token = (/^[^\s/]*/.exec(value)?.[0] ?? '').toLowerCase();
    if (!isOpening) groups.push({ agents: [], rules: [] });
    isOpening = true;
    if (token !== '') groups.at(-1)?.agents.push(token);
    return token === '' ? 'no-agent' : null;
  };
  const addRule = (allow: boolean, pattern: string, line: number): RobotsProblemKind | null => {
    const group = groups.at(-1);
    if (group === undefined) return 'outside-group';
    isOpening = false;
    if (pattern === '') return null;
    group.rules.push(ruleOf(allow, pattern, line));
    return /^[/*]/.test(pattern) ? null : 'relative-path';
  };
  const read = (record: string, line: number): RobotsProblemKind | null => {
    const colon = record.indexOf(':');
    if (colon === -1) return 'no-colon';
    const name = record.slice(0, colon).trim().toLowerCase();
    const value = record.slice(colon + 1).trim();
    if (name === 'user-agent') return addAgent(value);
    if (name === 'allow' || name === 'disallow') return addRule(name === 'allow', value, line);
    if (name === 'sitemap') sitemaps++;
    return isMisspelt(name) ? 'misspelt' : null;
  };
  const lines = text.split(/\r\n|\r|\n/);
  // Half a rule is another rule.
  for (const [index, whole] of (isCut ? lines.slice(0, -1) : lines).entries()) {
    if (/^# *BEGIN Cloudflare Managed/i.test(whole)) managed.from = index + 1;
    if (/^# *END Cloudflare Managed/i.test(whole)) managed.to = index + 1;
    const record = (/^[^#]*/.exec(whole)?.[0] ?? '').trim();
    const kind = record === '' ? null : read(record, index + 1);
    if (kind !== null && problems.length < MOST_PROBLEMS)
      problems.push({ kind, line: index + 1, text: record.slice(0, SHOWN) });
  }
  return { groups, problems, sitemaps, managed, cut: isCut };
}

export type RobotsRule = ReturnType<typeof ruleOf>;

/** `parts`: what is between its stars. */
function ruleOf(allow: boolean, pattern: string, line: number) {
  // A `$` that is not the end is a character.
  const path = normalised(pattern, /\$(?!$)/g);
  const anchored = path.endsWith('$');
  // Stars at the end change nothing.
  const parts = (anchored ? path.slice(0, -1) : path.replace(/(?<!\*)\*+$/, '')).split(/\*+/);
  return { allow, pattern, path, parts, anchored, line };
}

/** Names with a rule's meaning, letters only; those that other records have are never taken for misspelt. */
const NAMES = ['useragent', 'disallow', 'allow'];
const LONGEST_NAME = 20;

/** A misspelt name of a record that counts: `Disalow`, `User agent`, `Useragent`. */
function isMisspelt(name: string): boolean {
  const letters = name.replaceAll(/[^a-z]/g, '');
  if (letters.length > LONGEST_NAME) return false;
  return NAMES.some((known) => editDistance(letters, known) <= (known === 'allow' ? 1 : 2));
}

/** Octets that never need percent-encoding (RFC 3986, section 2.3). */
const UNRESERVED = /[A-Za-z0-9._~-]/;
/** An escape, or a character that a URL may not hold as it is (RFC 3986, section 2). */
const PART = /%([0-9A-Fa-f]{2})|[^!-~]|["<>\\^`{|}]/gu;

/**
 * A pattern or a path with its query, made comparable: escapes of unreserved characters undone, all others in upper
 * case, everything that a URL may not hold escaped, and `*` and `$` where they are `literal`. In the RFC's own table
 * `?baz=https://foo.bar` and `?baz=https%3A%2F%2Ffoo.bar` are the same.
 */
function normalised(text: string, literal: RegExp): string {
  const plain = text
    .replaceAll(PART, (part, hex?: string) => {
      if (hex === undefined) return encodeURIComponent(part.toWellFormed());
      const character = String.fromCodePoint(Number.parseInt(hex, 16));
      return UNRESERVED.test(character) ? character : part.toUpperCase();
    })
    .replaceAll(literal, (one) => (one === '*' ? '%2A' : '%24'));
  return plain.replace(/\?.*$/s, (query) => query.replaceAll('%3A', ':').replaceAll('%2F', '/'));
}

/** A path of the site, comparable with patterns. */
export function comparable(path: string): string {
  return normalised(path, /[*$]/g);
}
