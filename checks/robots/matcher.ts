/** Finds out what each agent may not ask for. */
import { setImmediate } from 'node:timers/promises';
import {
  comparable,
  decideComparable,
  groupsFor,
  type Effort,
  type RobotsDecision,
} from '../../src/parse/robots-txt-match.ts';
import type { RobotsFile, RobotsRule } from '../../src/parse/robots-txt.ts';
import { AGENTS } from './agents.ts';
import type { Target } from './targets.ts';

/** A target that an agent may not ask for, and the rule that says so. */
export interface Blocked {
  readonly target: Target;
  readonly rule: RobotsRule;
}

/** Most characters that are compared: beyond, only the first of many targets are looked at. */
export const MOST_COMPARED = 300_000_000;
/** After so many it is everybody else's turn: signals, timers, other checks. */
const COMPARED_AT_ONCE = 2_000_000;
/** How many agents that are not known are looked at. */
const MOST_OTHERS = 20;

/** Agents with the same groups, their rules, and what they may not ask for. */
interface Party {
  readonly rules: readonly RobotsRule[];
  readonly blocked: Blocked[];
}

/** Knows what each agent may not ask for, of the targets that it looked at. Agents with the same groups are one to it. */
export class Matcher {
  /** Those that were held against the rules of all agents. */
  readonly targets: readonly Target[];
  readonly #parties: ReadonlyMap<string, Party>;
  /** Agents that have a group of their own, in lower case: the known ones, and the first of all others. */
  readonly #named: ReadonlySet<string>;

  private constructor(targets: readonly Target[], parties: ReadonlyMap<string, Party>, named: ReadonlySet<string>) {
    this.targets = targets;
    this.#parties = parties;
    this.#named = named;
  }

  /** Holds the targets against the rules, one after the other, until `most` characters are compared. */
  static async of(file: RobotsFile, targets: readonly Target[], most = MOST_COMPARED): Promise<Matcher> {
    const named = agentsOf(file);
    const parties = partiesOf(file, named);
    const distinct = [...new Set(parties.values())];
    const effort: Effort = { left: most };
    let pauseAt = most - COMPARED_AT_ONCE;
    const checked: Target[] = [];
    for (const target of targets) {
      const path = comparable(target.path);
      const decisions: RobotsDecision[] = [];
      for (const { rules } of distinct) {
        decisions.push(decideComparable(rules, path, effort));
        if (effort.left > pauseAt) continue;
        pauseAt = effort.left - COMPARED_AT_ONCE;
        await setImmediate();
      }
      if (effort.left < 0) break;
      checked.push(target);
      for (const [index, { allowed, rule }] of decisions.entries()) {
        if (!allowed && rule !== null) distinct[index]?.blocked.push({ target, rule });
      }
    }
    return new Matcher(checked, parties, named);
  }

  named(agent: string): boolean {
    return this.#named.has(agent.toLowerCase());
  }

  blocked(agent: string): readonly Blocked[] {
    const token = agent.toLowerCase();
    return (this.#parties.get(token) ?? this.#parties.get('*'))?.blocked ?? [];
  }

  /** How many of the targets there is something to read at. */
  get readable(): number {
    return readable(this.targets).length;
  }

  /** Whether any group, of whatever agent, may ask for something of the site. */
  anybodyNamedMayRead(): boolean {
    const all = this.readable;
    return [...this.#named].some((agent) => readable(this.blocked(agent).map(({ target }) => target)).length < all);
  }
}

/** A site is shut where its pages are; that its scripts may be loaded opens nothing. */
export const readable = (targets: readonly Target[]): readonly Target[] =>
  targets.filter(({ role }) => role !== 'part');

function agentsOf(file: RobotsFile): ReadonlySet<string> {
  const all = new Set(file.groups.flatMap(({ agents }) => agents).filter((agent) => agent !== '*'));
  const known = AGENTS.map((agent) => agent.toLowerCase()).filter((agent) => all.has(agent));
  return new Set([...known, ...[...all].slice(0, MOST_OTHERS)]);
}

/** By agent, `*` for all that have no group of their own. */
function partiesOf(file: RobotsFile, named: ReadonlySet<string>): ReadonlyMap<string, Party> {
  const bySet = new Map<string, Party>();
  const numbers = new Map(file.groups.map((group, index) => [group, index]));
  return new Map(
    ['*', ...named].map((agent) => {
      const groups = groupsFor(file, agent);
      const key = groups.map((group) => numbers.get(group)).join(' ');
      const party = bySet.get(key) ?? { rules: groups.flatMap(({ rules }) => rules), blocked: [] };
      bySet.set(key, party);
      return [agent, party];
    }),
  );
}
