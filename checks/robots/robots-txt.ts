/** Reads robots.txt as RFC 9309 says. Pure and linear. */
import { editDistance } from '../../src/parse/edit-distance.ts';

/** The part of a file that every crawler must read (RFC 9309, section 2.5). In bytes. */
export const ROBOTS_LIMIT = 500 * 1024;

export interface RobotsRule {
  readonly allow: boolean;
  readonly pattern: string;
  readonly path: string;
  /** What is between its stars. */
  readonly parts: readonly string[];
  readonly anchored: boolean;
  readonly line: number;
}

export type RobotsProblemKind = 'misspelt' | 'no-colon' | 'outside-group' | 'relative-path' | 'no-agent';

export interface RobotsProblem {
  readonly kind: RobotsProblemKind;
  readonly line: number;
  readonly text: string;
}

export type RobotsFile = ReturnType<typeof parseRobots>;
type RobotsGroup = RobotsFile['groups'][number];

const MOST_PROBLEMS = 100;
const SHOWN = 200;

/** Reads a file's bytes. Whatever it holds, what can be read of it counts (section 2.2.4). */
export function parseRobots(bytes: Uint8Array) {
  /** `agents`: product tokens in lower case; `*` for all others. */
  const groups: { readonly agents: string[]; readonly rules: RobotsRule[] }[] = [];
  const problems: RobotsProblem[] = [];
  let sitemaps = 0;
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
    // A `$` that is not the end is a character.
    const path = normalised(pattern, /\$(?!$)/g);
    const anchored = path.endsWith('$');
    // Stars at the end change nothing.
    const parts = (anchored ? path.slice(0, -1) : path.replace(/\*+$/, '')).split(/\*+/);
    group.rules.push({ allow, pattern, path, parts, anchored, line });
    return /^[/*]/.test(pattern) ? null : 'relative-path';
  };
  const read = (text: string, line: number): RobotsProblemKind | null => {
    const colon = text.indexOf(':');
    if (colon === -1) return 'no-colon';
    const name = text.slice(0, colon).trim().toLowerCase();
    const value = text.slice(colon + 1).trim();
    if (name === 'user-agent') return addAgent(value);
    if (name === 'allow' || name === 'disallow') return addRule(name === 'allow', value, line);
    if (name === 'sitemap') sitemaps++;
    return isMisspelt(name) ? 'misspelt' : null;
  };
  const cut = bytes.length > ROBOTS_LIMIT;
  // A BOM is dropped by the decoder.
  const lines = new TextDecoder('utf-8').decode(bytes.subarray(0, ROBOTS_LIMIT)).split(/\r\n|\r|\n/);
  // Half a rule is another rule.
  for (const [index, whole] of (cut ? lines.slice(0, -1) : lines).entries()) {
    const text = (/^[^#]*/.exec(whole)?.[0] ?? '').trim();
    const kind = text === '' ? null : read(text, index + 1);
    if (kind !== null && problems.length < MOST_PROBLEMS)
      problems.push({ kind, line: index + 1, text: text.slice(0, SHOWN) });
  }
  return { groups, problems, sitemaps, cut };
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
    .replaceAll(PART, (part, hex?: string) =>
      hex === undefined ? encodeURIComponent(part.toWellFormed()) : decoded(hex),
    )
    .replaceAll(literal, (one) => (one === '*' ? '%2A' : '%24'));
  return plain.replace(/\?.*$/s, (query) => query.replaceAll('%3A', ':').replaceAll('%2F', '/'));
}

function decoded(hex: string): string {
  const character = String.fromCodePoint(Number.parseInt(hex, 16));
  return UNRESERVED.test(character) ? character : `%${hex.toUpperCase()}`;
}

/** All groups that name the agent, or else those for `*` (section 2.2.1). Letter case does not matter. */
export function groupsFor(file: RobotsFile, agent: string): readonly RobotsGroup[] {
  const token = agent.toLowerCase();
  const named = file.groups.filter(({ agents }) => agents.includes(token));
  return named.length > 0 ? named : file.groups.filter(({ agents }) => agents.includes('*'));
}

/** The rules of groups in the order in which they count: the longest pattern first, `Allow` among equals (section 2.2.2). */
export function rulesOf(groups: readonly RobotsGroup[]): readonly RobotsRule[] {
  const rules = groups.flatMap((group) => group.rules);
  return rules.toSorted((a, b) => b.path.length - a.path.length || Number(b.allow) - Number(a.allow));
}

export function comparable(path: string): string {
  return normalised(path, /[*$]/g);
}

/** The rule that decides about a comparable path; none: it is allowed, as `/robots.txt` itself always is (section 2.2.2). */
export function ruleFor(rules: readonly RobotsRule[], path: string): RobotsRule | undefined {
  return path === '/robots.txt' ? undefined : rules.find((rule) => matches(rule, path));
}

/** The parts between stars are searched for one after the other, so nothing is tried twice. */
function matches({ parts, anchored }: RobotsRule, path: string): boolean {
  const [first = ''] = parts;
  if (!path.startsWith(first)) return false;
  if (parts.length === 1) return !anchored || path.length === first.length;
  const last = anchored ? (parts.at(-1) ?? '') : '';
  let at = first.length;
  for (let index = 1; index < parts.length - (anchored ? 1 : 0); index++) {
    const part = parts[index] ?? '';
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}
