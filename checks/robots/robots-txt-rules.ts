/** Evaluates what robots.txt allows to which crawler. Pure. */
import { comparable, groupsFor, ruleFor, rulesOf, type RobotsFile, type RobotsRule } from './robots-txt.ts';
import type { Rule } from './check.ts';
import type { Role, Target } from './implementation.ts';
import type { Evidence, RawFinding } from '../../src/check.ts';
import { countOf, locatedAtAll, MOST_SHOWN } from '../shared.ts';
import { takeTurns } from '../../src/concurrency.ts';

interface Blocked {
  readonly target: Target;
  readonly rule: RobotsRule;
}

export interface RuleFacts {
  readonly file: RobotsFile;
  readonly targets: readonly Target[];
  readonly preview: boolean;
  readonly path: string;
  readonly most?: number;
}

export async function evaluateRobotsTxt(facts: RuleFacts): Promise<readonly RawFinding<Rule>[]> {
  const { file, targets, preview, path, most } = facts;
  const compared = await compareTargets(file, targets, most);
  const ofAll = forEverybody(compared, preview);
  const [paths, of] = [compared.targets.length, targets.length];
  return [
    ...[...ofAll, ...forAgents(compared, ofAll)].map(({ rule, evidence, line }) => {
      return { rule, evidence, location: { path, line, column: 1 } };
    }),
    ...badLines(file, path),
    ...(paths === of ? [] : [{ rule: 'too-many-rules' as const, evidence: { paths, of } }]),
  ];
}

interface Reported {
  readonly rule: Rule;
  readonly evidence: Evidence;
  readonly line: number;
}

const withRole = (blocked: readonly Blocked[], role: Role): readonly Blocked[] =>
  blocked.filter(({ target }) => target.role === role);

function forEverybody(compared: Comparison, preview: boolean): readonly Reported[] {
  const blocked = compared.blocked('*');
  if (blocked.length === 0) return [];
  const index = withRole(blocked, 'llms-txt');
  const engine = [...withRole(blocked, 'engine'), ...withRole(blocked, 'part')];
  const pages = withRole(blocked, 'page');
  if (compared.isShut('*') && !compared.anybodyNamedMayRead) {
    return [reported(preview ? 'preview-disallowed' : 'disallow-all', blocked)];
  }
  const unread =
    index.length > 0 && !AGENTS.some((agent) => withRole(compared.blocked(agent), 'llms-txt').length === 0);
  const indexReported = unread ? [reported('llms-txt-blocked', index)] : [];
  // Whoever names those who may come in keeps the others out on purpose.
  const isRootBlocked = blocked.some(({ rule }) => ['/', '/*', '*'].includes(rule.path));
  if (engine.length + pages.length > 0 && compared.anybodyNamedMayRead && isRootBlocked) {
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

function forAgents(compared: Comparison, others: readonly Reported[]): readonly Reported[] {
  if (others.some(({ rule }) => rule === 'disallow-all' || rule === 'preview-disallowed')) return [];
  const also = new Set(compared.blocked('*').map(({ target }) => target.path));
  const shut = AGENTS.filter((agent) => compared.isNamed(agent)).flatMap((agent) => {
    const more = compared.blocked(agent).filter(({ target }) => !also.has(target.path));
    return more.length > 0 ? [{ agent, more }] : [];
  });
  const [first] = shut;
  if (first === undefined) return [];
  const unread = READERS.every((agent) =>
    shut.some((one) => one.agent === agent && withRole(one.more, 'llms-txt').length > 0),
  );
  const evidence = { agents: shut.map(({ agent }) => agent), ...rulesIn(first.more) };
  return [{ rule: unread ? 'llms-txt-unread' : 'agents-blocked', evidence, line: lineOf(first.more) }];
}

function reported(rule: Rule, blocked: readonly Blocked[]): Reported {
  const paths = blocked.slice(0, MOST_SHOWN).map(({ target }) => target.path);
  const evidence = { agent: '*', ...rulesIn(blocked), paths, ...countOf(blocked) };
  return { rule, evidence, line: lineOf(blocked) };
}

const lineOf = ([first]: readonly Blocked[]): number => first?.rule.line ?? 1;

function rulesIn(blocked: readonly Blocked[]): Evidence {
  const rules = [...new Map(blocked.map(({ rule }) => [rule.line, rule])).values()];
  return {
    rules: rules.slice(0, MOST_SHOWN).map(({ pattern, line }) => `${line}: Disallow: ${pattern.slice(0, 200)}`),
  };
}

function badLines({ problems, cut }: RobotsFile, path: string): readonly RawFinding<Rule>[] {
  const lines = problems.slice(0, MOST_SHOWN).map(({ kind, line, text }) => ({ line, kind, text }));
  const locations = problems.map(({ line }) => ({ path, line, column: 1 }));
  return [
    ...(lines.length === 0 ? [] : [{ rule: 'bad-line' as const, evidence: { lines }, ...locatedAtAll(locations) }]),
    ...(cut ? [{ rule: 'too-long' as const }] : []),
  ];
}

/** Most characters that are compared, which takes about a second: beyond, only the first of many targets are compared. */
const MOST_COMPARED = 600_000_000;
const RULE_COST = 4;
/** How often the same character may be compared by a rule with stars. */
const MOST_AGAIN = 4;
const MOST_OTHERS = 20;

export type Comparison = Awaited<ReturnType<typeof compareTargets>>;

/** What each agent may not request, of the targets that were compared. Agents with the same groups are compared once. */
export async function compareTargets(file: RobotsFile, targets: readonly Target[], most = MOST_COMPARED) {
  const named = agentsOf(file);
  const parties = new Map<string, { readonly rules: readonly RobotsRule[]; readonly blocked: Blocked[] }>();
  const byAgent = new Map(
    ['*', ...named].map((agent) => {
      const groups = groupsFor(file, agent);
      const key = groups.map((group) => file.groups.indexOf(group)).join(' ');
      const party = parties.get(key) ?? { rules: rulesOf(groups), blocked: [] };
      parties.set(key, party);
      return [agent, party];
    }),
  );
  const rules = [...parties.values()].flatMap((party) => party.rules);
  const perCharacter = rules.reduce((sum, { parts }) => sum + (parts.length === 1 ? 1 : MOST_AGAIN), 0);
  const checked: Target[] = [];
  let left = most;
  for (const target of targets) {
    const path = comparable(target.path);
    left -= rules.length * RULE_COST + path.length * perCharacter;
    if (left < 0) break;
    checked.push(target);
    for (const { rules: own, blocked } of parties.values()) {
      const rule = ruleFor(own, path);
      if (rule?.allow === false) blocked.push({ target, rule });
      await takeTurns();
    }
  }
  const blocked = (agent: string): readonly Blocked[] =>
    (byAgent.get(agent.toLowerCase()) ?? byAgent.get('*'))?.blocked ?? [];
  const isShut = (agent: string): boolean =>
    readable(blocked(agent).map(({ target }) => target)).length === readable(checked).length;
  return {
    targets: checked,
    blocked,
    isShut,
    isNamed: (agent: string): boolean => named.has(agent.toLowerCase()),
    anybodyNamedMayRead: [...named].some((agent) => !isShut(agent)),
  };
}

/** A site is shut where its pages are; that its scripts may be loaded opens nothing. */
const readable = (targets: readonly Target[]): readonly Target[] => targets.filter(({ role }) => role !== 'part');

/** Agents that have a group of their own, in lower case: the known ones, and the first of all others. */
function agentsOf(file: RobotsFile): ReadonlySet<string> {
  const all = new Set(file.groups.flatMap(({ agents }) => agents).filter((agent) => agent !== '*'));
  const known = AGENTS.map((agent) => agent.toLowerCase()).filter((agent) => all.has(agent));
  return new Set([...known, ...[...all].slice(0, MOST_OTHERS)]);
}

/** Agents that fetch a page for a user, or that build the index of a search; product tokens as their companies name them. */
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
