/** Reads robots.txt as RFC 9309 says. Pure and linear. */
import { editDistance } from './edit-distance.ts';
import { normalised, patternOf, type PathPattern } from './robots-txt-path.ts';

/** The part of a file that every crawler must read (RFC 9309, section 2.5). In bytes. */
export const ROBOTS_LIMIT = 500 * 1024;

/** A line of a group that allows or disallows paths. An empty pattern is no rule. */
export interface RobotsRule {
  readonly allow: boolean;
  /** As written. */
  readonly pattern: string;
  /** In the form in which it is compared. */
  readonly path: string;
  readonly matched: PathPattern;
  readonly line: number;
}

/** Agents and the rules for them. */
export interface RobotsGroup {
  /** Product tokens in lower case; `*` for all others. */
  readonly agents: readonly string[];
  readonly rules: readonly RobotsRule[];
}

/**
 * What is wrong with a line so that crawlers do not read it as it was meant: a misspelt name, no colon, a rule that no
 * `User-agent` line stands above, a path that begins with neither `/` nor `*`, an agent without a name.
 */
export type RobotsProblemKind = 'misspelt' | 'no-colon' | 'outside-group' | 'relative-path' | 'no-agent';

export interface RobotsProblem {
  readonly kind: RobotsProblemKind;
  readonly line: number;
  /** The line without its comment, at most 200 UTF-16 code units. */
  readonly text: string;
}

export interface RobotsFile {
  readonly groups: readonly RobotsGroup[];
  /** The first hundred. */
  readonly problems: readonly RobotsProblem[];
  readonly sitemaps: number;
  /** Longer than the limit: the rest was not read. */
  readonly cut: boolean;
}

const MOST_PROBLEMS = 100;
const SHOWN = 200;

/** Reads a file's bytes. Whatever it holds, what can be read of it counts (section 2.2.4). */
export function parseRobots(bytes: Uint8Array): RobotsFile {
  const reader = new Reader();
  const cut = bytes.length > ROBOTS_LIMIT;
  // A BOM is dropped by the decoder.
  const lines = new TextDecoder('utf-8').decode(bytes.subarray(0, ROBOTS_LIMIT)).split(/\r\n|\r|\n/);
  // Half a rule is another rule.
  for (const [index, line] of (cut ? lines.slice(0, -1) : lines).entries()) reader.read(line, index + 1);
  return { ...reader.done(), cut };
}

class Reader {
  readonly #groups: { agents: string[]; rules: RobotsRule[] }[] = [];
  readonly #problems: RobotsProblem[] = [];
  #sitemaps = 0;
  /** Whether a `User-agent` line would join the group that is open; other records do not end a group's first part. */
  #opening = false;

  read(whole: string, line: number): void {
    const text = withoutComment(whole).trim();
    if (text === '') return;
    const problem = (kind: RobotsProblemKind): void => {
      if (this.#problems.length < MOST_PROBLEMS) this.#problems.push({ kind, line, text: text.slice(0, SHOWN) });
    };
    const colon = text.indexOf(':');
    if (colon === -1) return problem('no-colon');
    const name = text.slice(0, colon).trim().toLowerCase();
    const value = text.slice(colon + 1).trim();
    if (name === 'user-agent') return this.#agent(value, problem);
    if (name === 'allow' || name === 'disallow') return this.#rule(name === 'allow', value, line, problem);
    if (name === 'sitemap') this.#sitemaps++;
    else if (isMisspelt(name)) problem('misspelt');
  }

  done(): Omit<RobotsFile, 'cut'> {
    return { groups: this.#groups, problems: this.#problems, sitemaps: this.#sitemaps };
  }

  #agent(value: string, problem: (kind: RobotsProblemKind) => void): void {
    const token = productToken(value);
    if (!this.#opening) this.#groups.push({ agents: [], rules: [] });
    this.#opening = true;
    if (token === '') problem('no-agent');
    else this.#groups.at(-1)?.agents.push(token);
  }

  #rule(allow: boolean, pattern: string, line: number, problem: (kind: RobotsProblemKind) => void): void {
    const group = this.#groups.at(-1);
    if (group === undefined) return problem('outside-group');
    this.#opening = false;
    if (pattern === '') return;
    if (!/^[/*]/.test(pattern)) problem('relative-path');
    const path = normalised(pattern, 'pattern');
    group.rules.push({ allow, pattern, path, matched: patternOf(path), line });
  }
}

function withoutComment(line: string): string {
  const hash = line.indexOf('#');
  return hash === -1 ? line : line.slice(0, hash);
}

/** The product token of a `User-agent` value, its version left out as crawlers do (section 2.2.1). */
function productToken(value: string): string {
  return (/^[^\s/]*/.exec(value)?.[0] ?? '').toLowerCase();
}

/** Names with a rule's meaning, letters only; those that other records have are never taken for misspelt. */
const NAMES = ['useragent', 'disallow', 'allow'];
const LONGEST_NAME = 20;

/** A name that is no record's but nearly one of those that count: `Disalow`, `User agent`, `Useragent`. */
function isMisspelt(name: string): boolean {
  const letters = name.replaceAll(/[^a-z]/g, '');
  if (letters.length > LONGEST_NAME) return false;
  return NAMES.some((known) => editDistance(letters, known) <= (known === 'allow' ? 1 : 2));
}
