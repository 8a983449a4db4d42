/** Decides by robots.txt who may ask for what (RFC 9309, section 2.2). Pure. */
import type { RobotsFile, RobotsRule } from './robots-txt.ts';
import { normalised } from './robots-txt-path.ts';

/** What the rules say of one path. `rule` is the one that decides; `null`: none matches, so that it is allowed. */
export interface RobotsDecision {
  readonly allowed: boolean;
  readonly rule: RobotsRule | null;
}

const ALLOWED: RobotsDecision = { allowed: true, rule: null };

/** The rules of all groups that name the agent, or else of those for `*` (section 2.2.1). Letter case does not matter. */
export function rulesFor(file: RobotsFile, agent: string): readonly RobotsRule[] {
  const token = agent.toLowerCase();
  const named = file.groups.filter(({ agents }) => agents.includes(token));
  const groups = named.length > 0 ? named : file.groups.filter(({ agents }) => agents.includes('*'));
  return groups.flatMap(({ rules }) => rules);
}

/**
 * Judges a path with its query, as it stands in a URL. The longest pattern that matches decides, `Allow` among equals;
 * `/robots.txt` itself is always allowed (section 2.2.2).
 */
export function decide(rules: readonly RobotsRule[], path: string): RobotsDecision {
  if (path === '/robots.txt') return ALLOWED;
  const wanted = normalised(path, 'path');
  let best: RobotsRule | null = null;
  for (const rule of rules) {
    if (!isMoreSpecific(rule, best) || !matches(rule.path, wanted)) continue;
    best = rule;
  }
  return best === null ? ALLOWED : { allowed: best.allow, rule: best };
}

function isMoreSpecific(rule: RobotsRule, best: RobotsRule | null): boolean {
  if (best === null || rule.path.length > best.path.length) return true;
  return rule.path.length === best.path.length && rule.allow && !best.allow;
}

/**
 * Whether a pattern matches the beginning of a path, or all of it where the pattern ends in `$`; `*` stands for any
 * characters. The parts between stars are looked for one after the other, so nothing is tried twice.
 */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$');
  const text = anchored ? pattern.slice(0, -1) : pattern;
  const star = text.indexOf('*');
  if (star === -1) return anchored ? path === text : path.startsWith(text);
  // Most rules are about other paths: that shows before the first star.
  if (!path.startsWith(text.slice(0, star))) return false;
  const parts = text.slice(star + 1).split('*');
  const last = anchored ? (parts.pop() ?? '') : '';
  const at = endOf(parts, path, star);
  return at !== -1 && path.length - last.length >= at && path.endsWith(last);
}

/** Where the last of the parts ends that stand in the path in this order from an offset on; -1: one does not. */
function endOf(parts: readonly string[], path: string, from: number): number {
  let at = from;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found === -1) return -1;
    at = found + part.length;
  }
  return at;
}
