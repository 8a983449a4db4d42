/** Decides by robots.txt who may ask for what (RFC 9309, section 2.2). Pure. */
import type { RobotsFile, RobotsGroup, RobotsRule } from './robots-txt.ts';
import { normalised, type PathPattern } from './robots-txt-path.ts';

/** What the rules say of one path. `rule` is the one that decides; `null`: none matches, so that it is allowed. */
export interface RobotsDecision {
  readonly allowed: boolean;
  readonly rule: RobotsRule | null;
}

/** What decisions may cost, in characters compared. Below 0 it was used up, and the last decision is none. */
export interface Effort {
  left: number;
}

const ALLOWED: RobotsDecision = { allowed: true, rule: null };

/** To look at a rule takes as much as to compare so many characters. */
const RULE_EFFORT = 4;
/** How often the same character may be compared while a part is looked for. */
const MOST_AGAIN = 4;

/** All groups that name the agent, or else those for `*` (section 2.2.1). Letter case does not matter. */
export function groupsFor(file: RobotsFile, agent: string): readonly RobotsGroup[] {
  const token = agent.toLowerCase();
  const named = file.groups.filter(({ agents }) => agents.includes(token));
  return named.length > 0 ? named : file.groups.filter(({ agents }) => agents.includes('*'));
}

/** The rules of all groups for an agent. */
export function rulesFor(file: RobotsFile, agent: string): readonly RobotsRule[] {
  return groupsFor(file, agent).flatMap(({ rules }) => rules);
}

/** A path with its query, as it stands in a URL, in the form in which `decideComparable` takes it. */
export function comparable(path: string): string {
  return normalised(path, 'path');
}

/**
 * Judges a path with its query, as it stands in a URL. The longest pattern that matches decides, `Allow` among equals;
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
