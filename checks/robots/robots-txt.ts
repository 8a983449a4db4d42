/** Reads robots.txt as RFC 9309 says. Pure and linear. */
import { editDistance } from '../../src/parse/edit-distance.ts';

/** The part of a file that every crawler must read (RFC 9309, section 2.5). In bytes. */
export const ROBOTS_LIMIT = 500 * 1024;

export interface RobotsRule {
  readonly allow: boolean;
  readonly pattern: string;
  /** In the form in which it is compared. */
  readonly path: string;
  readonly matched: PathPattern;
  readonly line: number;
}

export interface RobotsGroup {
  /** Product tokens in lower case; `*` for all others. */
  readonly agents: readonly string[];
  readonly rules: readonly RobotsRule[];
}

/**
 * What is wrong with a line so that crawlers do not read it as it was meant: a misspelt name, no colon, a rule that no
 * `User-agent` line precedes, a path that begins with neither `/` nor `*`, an agent without a name.
 */
export type RobotsProblemKind = 'misspelt' | 'no-colon' | 'outside-group' | 'relative-path' | 'no-agent';

export interface RobotsProblem {
  readonly kind: RobotsProblemKind;
  readonly line: number;
  readonly text: string;
}

export interface RobotsFile {
  readonly groups: readonly RobotsGroup[];
  readonly problems: readonly RobotsProblem[];
  readonly sitemaps: number;
  readonly cut: boolean;
}

const MOST_PROBLEMS = 100;
const SHOWN = 200;

type Report = (kind: RobotsProblemKind) => void;

/** Reads a file's bytes. Whatever it holds, what can be read of it counts (section 2.2.4). */
export function parseRobots(bytes: Uint8Array): RobotsFile {
  const groups: { agents: string[]; rules: RobotsRule[] }[] = [];
  const problems: RobotsProblem[] = [];
  let sitemaps = 0;
  /** Whether a `User-agent` line would join the group that is open; other records do not end a group's first part. */
  let isOpening = false;
  const addAgent = (value: string, problem: Report): void => {
    const token = (/^[^\s/]*/.exec(value)?.[0] ?? '').toLowerCase();
    if (!isOpening) groups.push({ agents: [], rules: [] });
    isOpening = true;
    if (token === '') problem('no-agent');
    else groups.at(-1)?.agents.push(token);
  };
  const addRule = (allow: boolean, pattern: string, line: number, problem: Report): void => {
    const group = groups.at(-1);
    if (group === undefined) return problem('outside-group');
    isOpening = false;
    if (pattern === '') return;
    if (!/^[/*]/.test(pattern)) problem('relative-path');
    const path = normalised(pattern, 'pattern');
    group.rules.push({ allow, pattern, path, matched: patternOf(path), line });
  };
  const cut = bytes.length > ROBOTS_LIMIT;
  // A BOM is dropped by the decoder.
  const lines = new TextDecoder('utf-8').decode(bytes.subarray(0, ROBOTS_LIMIT)).split(/\r\n|\r|\n/);
  // Half a rule is another rule.
  for (const [index, whole] of (cut ? lines.slice(0, -1) : lines).entries()) {
    const text = (/^[^#]*/.exec(whole)?.[0] ?? '').trim();
    if (text === '') continue;
    const line = index + 1;
    const problem: Report = (kind) => {
      if (problems.length < MOST_PROBLEMS) problems.push({ kind, line, text: text.slice(0, SHOWN) });
    };
    const colon = text.indexOf(':');
    const name = text.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = text.slice(colon + 1).trim();
    if (colon === -1) problem('no-colon');
    else if (name === 'user-agent') addAgent(value, problem);
    else if (name === 'allow' || name === 'disallow') addRule(name === 'allow', value, line, problem);
    else if (name === 'sitemap') sitemaps++;
    else if (isMisspelt(name)) problem('misspelt');
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
 * case, everything that a URL may not hold escaped. `*` and `$` of a path are escaped, so that the pattern's `%2A` and `%24`
 * match them; so is a `$` of a pattern that is not its end. `:` and `/` in a query match with and without escapes.
 */
function normalised(text: string, kind: 'pattern' | 'path'): string {
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

/** A pattern, ready to be matched: the parts between its stars, in order. */
export type PathPattern = ReturnType<typeof patternOf>;

function patternOf(path: string) {
  const anchored = path.endsWith('$');
  const text = anchored ? path.slice(0, -1) : path;
  const parts = text.split(/\*+/);
  return { parts, anchored, least: parts.reduce((sum, part) => sum + part.length, 0) };
}

/** What the rules say of one path. `rule` is the one that decides; `null`: none matches, so that it is allowed. */
export interface RobotsDecision {
  readonly allowed: boolean;
  readonly rule: RobotsRule | null;
}

/** What decisions may cost, in characters compared. Below 0 it is used up, and the last decision is invalid. */
export interface Effort {
  left: number;
}

const ALLOWED: RobotsDecision = { allowed: true, rule: null };

/** Reading a rule costs as much as comparing so many characters. */
const RULE_EFFORT = 4;
/** How often the same character may be compared while a part is looked for. */
const MOST_AGAIN = 4;

/** All groups that name the agent, or else those for `*` (section 2.2.1). Letter case does not matter. */
export function groupsFor(file: RobotsFile, agent: string): readonly RobotsGroup[] {
  const token = agent.toLowerCase();
  const named = file.groups.filter(({ agents }) => agents.includes(token));
  return named.length > 0 ? named : file.groups.filter(({ agents }) => agents.includes('*'));
}

export function rulesFor(file: RobotsFile, agent: string): readonly RobotsRule[] {
  return groupsFor(file, agent).flatMap(({ rules }) => rules);
}

/** A path with its query, as written in a URL, in the form in which `decideComparable` takes it. */
export function comparable(path: string): string {
  return normalised(path, 'path');
}

/**
 * Evaluates a path with its query, as written in a URL. The longest pattern that matches decides, `Allow` among equals;
 * `/robots.txt` itself is always allowed (section 2.2.2).
 */
export function decide(rules: readonly RobotsRule[], path: string): RobotsDecision {
  return decideComparable(rules, comparable(path), { left: Infinity });
}

/** As `decide`, as far as the effort allows: the time is in proportion to what is taken from it. */
export function decideComparable(rules: readonly RobotsRule[], path: string, effort: Effort): RobotsDecision {
  if (path === '/robots.txt') return ALLOWED;
  let best: RobotsRule | null = null;
  for (const rule of rules) {
    effort.left -= RULE_EFFORT;
    if (effort.left < 0) break;
    if (!isMoreSpecific(rule, best) || !matches(rule.matched, path, effort)) continue;
    best = rule;
  }
  return best === null ? ALLOWED : { allowed: best.allow, rule: best };
}

function isMoreSpecific(rule: RobotsRule, best: RobotsRule | null): boolean {
  if (best === null || rule.path.length > best.path.length) return true;
  return rule.path.length === best.path.length && rule.allow && !best.allow;
}

/**
 * Whether a pattern matches the beginning of a path, or all of it where the pattern is anchored. The parts between stars
 * are looked for one after the other, so nothing is tried twice.
 */
function matches({ parts, anchored, least }: PathPattern, path: string, effort: Effort): boolean {
  const [first = ''] = parts;
  if (least > path.length) return false;
  // Most rules are about other paths: that shows before the first star.
  effort.left -= first.length;
  if (!path.startsWith(first)) return false;
  if (parts.length === 1) return !anchored || path.length === first.length;
  const last = anchored ? (parts.at(-1) ?? '') : '';
  if (!path.endsWith(last)) return false;
  let at = first.length;
  for (let index = 1; index < parts.length - (anchored ? 1 : 0); index++) {
    const part = parts[index] ?? '';
    const found = path.indexOf(part, at);
    const end = found === -1 ? path.length : found + part.length;
    effort.left -= 1 + (end - at) * Math.min(Math.max(part.length, 1), MOST_AGAIN);
    if (found === -1) return false;
    at = end;
  }
  return path.length - last.length >= at;
}
