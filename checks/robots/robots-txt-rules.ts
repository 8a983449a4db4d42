/** Evaluates what robots.txt allows to which crawler. Pure. */
import {
  type Effort,
  type RobotsDecision,
  type RobotsFile,
  type RobotsRule,
  comparable,
  decideComparable,
  groupsFor,
} from './robots-txt.ts';
import type { RobotsTxtRule } from './check.ts';
import type { Role, Target } from './implementation.ts';
import type { Evidence, RawFinding } from '../../src/check.ts';
import { countOf, locatedAtAll, MOST_SHOWN } from '../shared.ts';
import { takeTurns } from '../../src/take-turns.ts';

type RobotsTxtFinding = RawFinding<RobotsTxtRule>;

export interface RuleFacts {
  readonly file: RobotsFile;
  readonly targets: readonly Target[];
  readonly preview: boolean;
  readonly path: string;
  /** Most characters that are compared; otherwise as many as take about a second. */
  readonly most?: number;
}

export async function evaluateRobotsTxt({
  file,
  targets,
  preview,
  path,
  most,
}: RuleFacts): Promise<readonly RobotsTxtFinding[]> {
  const matcher = await Matcher.of(file, targets, most);
  const everybody = matcher.blocked('*');
  const ofAll = forEverybody(matcher, everybody, preview);
  const findings = [...ofAll, ...forAgents(matcher, everybody, ofAll)].map(({ robotsRule, ...finding }) => ({
    ...finding,
    ...(robotsRule === undefined ? {} : { location: { path, line: robotsRule.line, column: 1 } }),
  }));
  // Where the rules are too many, or too long, for all targets to be held against them.
  const [paths, of] = [matcher.targets.length, targets.length];
  return [
    ...findings,
    ...badLines(file, path),
    ...(paths === of ? [] : [{ rule: 'too-many-rules' as const, evidence: { paths, of } }]),
  ];
}

interface Reported {
  readonly rule: RobotsTxtRule;
  readonly evidence: Evidence;
  readonly robotsRule: RobotsRule | undefined;
}

const withRole = (blocked: readonly Blocked[], role: Role): readonly Blocked[] =>
  blocked.filter(({ target }) => target.role === role);

function forEverybody(matcher: Matcher, blocked: readonly Blocked[], preview: boolean): readonly Reported[] {
  if (blocked.length === 0) return [];
  const index = withRole(blocked, 'llms-txt');
  const engine = [...withRole(blocked, 'engine'), ...withRole(blocked, 'part')];
  const pages = withRole(blocked, 'page');
  if (readable(blocked.map(({ target }) => target)).length === matcher.readable && !matcher.anybodyNamedMayRead()) {
    return [reported(preview ? 'preview-disallowed' : 'disallow-all', blocked)];
  }
  const unread = index.length > 0 && !AGENTS.some((agent) => withRole(matcher.blocked(agent), 'llms-txt').length === 0);
  const indexReported = unread ? [reported('llms-txt-blocked', index)] : [];
  // Whoever names those who may come in keeps the others out on purpose.
  if (engine.length + pages.length > 0 && matcher.anybodyNamedMayRead() && blocksRoot(blocked)) {
    return [...indexReported, reported('only-named', blocked)];
  }
  // What one rule shuts is reported once: a rule against all pages shuts the home page with them.
  const rules = new Set(pages.map(({ rule }) => rule));
  const [withPages, alone] = [true, false].map((wanted) => engine.filter(({ rule }) => rules.has(rule) === wanted));
  return [
    ...indexReported,
    ...(alone?.length ? [reported('engine-blocked', alone)] : []),
    ...(pages.length > 0 ? [reported('pages-blocked', [...(withPages ?? []), ...pages])] : []),
  ];
}

function blocksRoot(blocked: readonly Blocked[]): boolean {
  return blocked.some(({ rule }) => rule.path === '/' || rule.path === '/*' || rule.path === '*');
}

function forAgents(matcher: Matcher, everybody: readonly Blocked[], others: readonly Reported[]): readonly Reported[] {
  if (others.some(({ rule }) => rule === 'disallow-all' || rule === 'preview-disallowed')) return [];
  const also = new Set(everybody.map(({ target }) => target.path));
  const shut = AGENTS.filter((agent) => matcher.named(agent)).flatMap((agent) => {
    const more = matcher.blocked(agent).filter(({ target }) => !also.has(target.path));
    return more.length > 0 ? [{ agent, more }] : [];
  });
  const [first] = shut;
  if (first === undefined) return [];
  const unread = READERS.every((agent) =>
    shut.some((one) => one.agent === agent && withRole(one.more, 'llms-txt').length > 0),
  );
  const evidence = { agents: shut.map(({ agent }) => agent), ...rulesOf(first.more) };
  return [{ rule: unread ? 'llms-txt-unread' : 'agents-blocked', evidence, robotsRule: first.more[0]?.rule }];
}

function reported(rule: RobotsTxtRule, blocked: readonly Blocked[]): Reported {
  const paths = blocked.slice(0, MOST_SHOWN).map(({ target }) => target.path);
  const evidence = { agent: '*', ...rulesOf(blocked), paths, ...countOf(blocked) };
  return { rule, evidence, robotsRule: blocked[0]?.rule };
}

function rulesOf(blocked: readonly Blocked[]): Evidence {
  const rules = [...new Map(blocked.map(({ rule }) => [rule.line, rule])).values()];
  return {
    rules: rules.slice(0, MOST_SHOWN).map(({ pattern, line }) => `${line}: Disallow: ${pattern.slice(0, 200)}`),
  };
}

function badLines({ problems, cut }: RobotsFile, path: string): readonly RobotsTxtFinding[] {
  const lines = problems.slice(0, MOST_SHOWN).map(({ kind, line, text }) => ({ line, kind, text }));
  const locations = problems.map(({ line }) => ({ path, line, column: 1 }));
  return [
    ...(lines.length === 0 ? [] : [{ rule: 'bad-line' as const, evidence: { lines }, ...locatedAtAll(locations) }]),
    ...(cut ? [{ rule: 'too-long' as const }] : []),
  ];
}

interface Blocked {
  readonly target: Target;
  readonly rule: RobotsRule;
}

/** Most characters that are compared: beyond, only the first of many targets are checked. */
export const MOST_COMPARED = 300_000_000;
const MOST_OTHERS = 20;

/** Agents with the same groups, their rules, and what they may not ask for. */
interface Party {
  readonly rules: readonly RobotsRule[];
  readonly blocked: Blocked[];
}

/** Knows what each agent may not ask for, of the targets that it checked. Agents with the same groups are one to it. */
export class Matcher {
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
    const checked: Target[] = [];
    for (const target of targets) {
      const path = comparable(target.path);
      const decisions: RobotsDecision[] = [];
      for (const { rules } of distinct) {
        decisions.push(decideComparable(rules, path, effort));
        await takeTurns();
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
const readable = (targets: readonly Target[]): readonly Target[] => targets.filter(({ role }) => role !== 'part');

function agentsOf(file: RobotsFile): ReadonlySet<string> {
  const all = new Set(file.groups.flatMap(({ agents }) => agents).filter((agent) => agent !== '*'));
  const known = AGENTS.map((agent) => agent.toLowerCase()).filter((agent) => all.has(agent));
  return new Set([...known, ...[...all].slice(0, MOST_OTHERS)]);
}

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

/** The product tokens under which AI companies read robots.txt, as their own pages name them. */

/** Agents that fetch a page for a user, or that build the index of a search. */
export const READERS = [
  'ChatGPT-User',
  'OAI-SearchBot',
  'Claude-User',
  'Claude-SearchBot',
  'Perplexity-User',
  'PerplexityBot',
] as const;

/** The known AI agents: the readers, smaller ones, and those that gather text for training. */
export const AGENTS = [
  ...READERS,
  'DuckAssistBot',
  'MistralAI-User',
  'meta-externalfetcher',
  'Amazonbot',
  'Applebot',
  'GPTBot',
  'ClaudeBot',
  'anthropic-ai',
  'Google-Extended',
  'Applebot-Extended',
  'CCBot',
  'Bytespider',
  'meta-externalagent',
  'cohere-ai',
  'cohere-training-data-crawler',
  'AI2Bot',
  'Diffbot',
] as const;
