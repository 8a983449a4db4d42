/** Judges what robots.txt allows to whom. Pure. */
import type { Draft, Evidence, Grade, Location } from '../../src/check.ts';
import { decide, rulesFor } from '../../src/parse/robots-txt-match.ts';
import type { RobotsFile, RobotsRule } from '../../src/parse/robots-txt.ts';
import { AGENTS, READERS } from './agents.ts';
import type { Role, Target } from './targets.ts';

export const RULE_CODES = {
  'disallow-all': 'error',
  'preview-disallowed': 'info',
  'only-named': 'info',
  'llms-txt-blocked': 'error',
  'llms-txt-unread': 'warning',
  'engine-blocked': 'warning',
  'pages-blocked': 'warning',
  'agents-blocked': 'info',
  'bad-line': 'warning',
  'too-long': 'warning',
} as const satisfies Record<string, Grade>;

export type RuleCode = keyof typeof RULE_CODES;
type RuleDraft = Draft<RuleCode>;

/** What the rules are held against. */
export interface RuleFacts {
  readonly file: RobotsFile;
  readonly targets: readonly Target[];
  /** Whether the site's address is that of a preview. */
  readonly preview: boolean;
  /** Where the file is, for locations. */
  readonly path: string;
}

/** A target that an agent may not ask for, and the rule that says so. */
interface Blocked {
  readonly target: Target;
  readonly rule: RobotsRule;
}

/** Most comparisons of a rule with a path: beyond, only the first of many pages are looked at. */
const MOST_COMPARISONS = 1_000_000;
/** Named in evidence. */
const MOST_SHOWN = 20;

/** The findings about the rules, the gravest first. */
export function judgeRules({ file, targets, preview, path }: RuleFacts): readonly RuleDraft[] {
  const matcher = new Matcher(file, targets);
  const everybody = matcher.blocked('*');
  const ofAll = forEverybody(matcher, everybody, preview);
  const place = (rule: RobotsRule | undefined): Location | undefined =>
    rule === undefined ? undefined : { path, line: rule.line, column: 1 };
  const drafts = [...ofAll, ...forAgents(matcher, everybody, ofAll)].map(({ rule, ...draft }): RuleDraft => {
    const location = place(rule);
    return location === undefined ? draft : { ...draft, location };
  });
  return [...drafts, ...badLines(file, path)];
}

interface Told {
  readonly code: RuleCode;
  readonly evidence: Evidence;
  readonly rule: RobotsRule | undefined;
}

/** Knows for each agent what it may not ask for; agents with the same rules are looked at once. */
class Matcher {
  readonly targets: readonly Target[];
  /** How many of them there is something to read at. */
  readonly readable: number;
  readonly #file: RobotsFile;
  /** Every agent that has a group of its own. */
  readonly #names: ReadonlySet<string>;
  readonly #known = new Map<string, readonly Blocked[]>();

  constructor(file: RobotsFile, targets: readonly Target[]) {
    this.#file = file;
    this.#names = new Set(file.groups.flatMap(({ agents }) => agents).filter((agent) => agent !== '*'));
    const rules = file.groups.reduce((sum, group) => sum + group.rules.length * Math.max(1, group.agents.length), 1);
    this.targets = targets.slice(0, Math.max(10, Math.floor(MOST_COMPARISONS / rules)));
    this.readable = readable(this.targets).length;
  }

  named(agent: string): boolean {
    return this.#names.has(agent.toLowerCase());
  }

  blocked(agent: string): readonly Blocked[] {
    const key = this.named(agent) ? agent.toLowerCase() : '*';
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const rules = rulesFor(this.#file, key);
    const found = this.targets.flatMap((target) => {
      const { allowed, rule } = decide(rules, target.path);
      return allowed || rule === null ? [] : [{ target, rule }];
    });
    this.#known.set(key, found);
    return found;
  }

  /** Whether any group, of whatever agent, may ask for something of the site. */
  anybodyNamedMayRead(): boolean {
    const names = [...this.#names].slice(0, MOST_SHOWN);
    return names.some((agent) => readable(this.blocked(agent).map(({ target }) => target)).length < this.readable);
  }
}

/** A site is shut where its pages are; that its scripts may be loaded opens nothing. */
const readable = (targets: readonly Target[]): readonly Target[] => targets.filter(({ role }) => role !== 'part');

const withRole = (blocked: readonly Blocked[], role: Role): readonly Blocked[] =>
  blocked.filter(({ target }) => target.role === role);

function forEverybody(matcher: Matcher, blocked: readonly Blocked[], preview: boolean): readonly Told[] {
  if (blocked.length === 0) return [];
  const index = withRole(blocked, 'llms-txt');
  const engine = [...withRole(blocked, 'engine'), ...withRole(blocked, 'part')];
  const pages = withRole(blocked, 'page');
  if (readable(blocked.map(({ target }) => target)).length === matcher.readable && !matcher.anybodyNamedMayRead()) {
    return [told(preview ? 'preview-disallowed' : 'disallow-all', blocked)];
  }
  const unread = index.length > 0 && !AGENTS.some((agent) => withRole(matcher.blocked(agent), 'llms-txt').length === 0);
  const indexTold = unread ? [told('llms-txt-blocked', index)] : [];
  // Whoever names those who may come in keeps the others out on purpose.
  if (engine.length + pages.length > 0 && matcher.anybodyNamedMayRead() && blocksRoot(blocked)) {
    return [...indexTold, told('only-named', blocked)];
  }
  // What one rule shuts is told once: a rule against all pages shuts the home page with them.
  const rules = new Set(pages.map(({ rule }) => rule));
  const [withPages, alone] = [true, false].map((wanted) => engine.filter(({ rule }) => rules.has(rule) === wanted));
  return [
    ...indexTold,
    ...(alone?.length ? [told('engine-blocked', alone)] : []),
    ...(pages.length > 0 ? [told('pages-blocked', [...(withPages ?? []), ...pages])] : []),
  ];
}

/** `Disallow: /` or what comes to the same. */
function blocksRoot(blocked: readonly Blocked[]): boolean {
  return blocked.some(({ rule }) => rule.path === '/' || rule.path === '/*' || rule.path === '*');
}

function forAgents(matcher: Matcher, everybody: readonly Blocked[], others: readonly Told[]): readonly Told[] {
  if (others.some(({ code }) => code === 'disallow-all' || code === 'preview-disallowed')) return [];
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
  return [{ code: unread ? 'llms-txt-unread' : 'agents-blocked', evidence, rule: first.more[0]?.rule }];
}

function told(code: RuleCode, blocked: readonly Blocked[]): Told {
  const paths = blocked.slice(0, MOST_SHOWN).map(({ target }) => target.path);
  const count = blocked.length > MOST_SHOWN ? { count: blocked.length } : {};
  return { code, evidence: { agent: '*', ...rulesOf(blocked), paths, ...count }, rule: blocked[0]?.rule };
}

/** The rules that decide, as they are written. */
function rulesOf(blocked: readonly Blocked[]): Evidence {
  const rules = [...new Map(blocked.map(({ rule }) => [rule.line, rule])).values()];
  return {
    rules: rules.slice(0, MOST_SHOWN).map(({ pattern, line }) => `${line}: Disallow: ${pattern.slice(0, 200)}`),
  };
}

function badLines({ problems, cut }: RobotsFile, path: string): readonly RuleDraft[] {
  const [first] = problems;
  const long: readonly RuleDraft[] = cut ? [{ code: 'too-long' }] : [];
  if (first === undefined) return long;
  const places = problems.map(({ line }) => ({ path, line, column: 1 }));
  const lines = problems.slice(0, MOST_SHOWN).map(({ kind, line, text }) => ({ line, kind, text }));
  return [{ code: 'bad-line', evidence: { lines }, location: { path, line: first.line, column: 1 }, places }, ...long];
}
