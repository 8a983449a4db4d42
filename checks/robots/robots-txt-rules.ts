/** Judges what robots.txt allows to whom. Pure. */
import type { RawFinding, Evidence, Location } from '../../src/check.ts';
import type { RobotsFile, RobotsRule } from '../../src/parse/robots-txt.ts';
import { AGENTS, READERS } from './agents.ts';
import type { RobotsTxtRule } from './rules.ts';
import { Matcher, readable, type Blocked } from './matcher.ts';
import type { Role, Target } from './targets.ts';

type RobotsTxtFinding = RawFinding<RobotsTxtRule>;

/** What the rules are held against. */
export interface RuleFacts {
  readonly file: RobotsFile;
  readonly targets: readonly Target[];
  /** Whether the site's address is that of a preview. */
  readonly preview: boolean;
  /** Where the file is, for locations. */
  readonly path: string;
  /** Most characters that are compared; otherwise as many as take about a second. */
  readonly most?: number;
}

/** Named in evidence. */
const MOST_SHOWN = 20;

/** The findings about the rules, the gravest first. */
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
  const lineLocation = (rule: RobotsRule | undefined): Location | undefined =>
    rule === undefined ? undefined : { path, line: rule.line, column: 1 };
  const findings = [...ofAll, ...forAgents(matcher, everybody, ofAll)].map(
    ({ robotsRule, ...finding }): RobotsTxtFinding => {
      const location = lineLocation(robotsRule);
      return location === undefined ? finding : { ...finding, location };
    },
  );
  return [...findings, ...badLines(file, path), ...leftOut(matcher.targets.length, targets.length)];
}

/** Where the rules are too many, or too long, for all targets to be held against them. */
function leftOut(checked: number, all: number): readonly RobotsTxtFinding[] {
  return checked === all ? [] : [{ rule: 'too-many-rules', evidence: { paths: checked, of: all } }];
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
  // What one rule shuts is told once: a rule against all pages shuts the home page with them.
  const rules = new Set(pages.map(({ rule }) => rule));
  const [withPages, alone] = [true, false].map((wanted) => engine.filter(({ rule }) => rules.has(rule) === wanted));
  return [
    ...indexReported,
    ...(alone?.length ? [reported('engine-blocked', alone)] : []),
    ...(pages.length > 0 ? [reported('pages-blocked', [...(withPages ?? []), ...pages])] : []),
  ];
}

/** `Disallow: /` or what comes to the same. */
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
  const count = blocked.length > MOST_SHOWN ? { count: blocked.length } : {};
  return { rule, evidence: { agent: '*', ...rulesOf(blocked), paths, ...count }, robotsRule: blocked[0]?.rule };
}

/** The rules that decide, as they are written. */
function rulesOf(blocked: readonly Blocked[]): Evidence {
  const rules = [...new Map(blocked.map(({ rule }) => [rule.line, rule])).values()];
  return {
    rules: rules.slice(0, MOST_SHOWN).map(({ pattern, line }) => `${line}: Disallow: ${pattern.slice(0, 200)}`),
  };
}

function badLines({ problems, cut }: RobotsFile, path: string): readonly RobotsTxtFinding[] {
  const [first] = problems;
  const long: readonly RobotsTxtFinding[] = cut ? [{ rule: 'too-long' }] : [];
  if (first === undefined) return long;
  const locations = problems.map(({ line }) => ({ path, line, column: 1 }));
  const lines = problems.slice(0, MOST_SHOWN).map(({ kind, line, text }) => ({ line, kind, text }));
  return [
    { rule: 'bad-line', evidence: { lines }, location: { path, line: first.line, column: 1 }, locations },
    ...long,
  ];
}
