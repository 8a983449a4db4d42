/** Tells the transitions of incidents a story: looks at a site at given seconds, and what happened in it, as short texts. */
import { checks, defaultChecks } from '../../../checks/index.ts';
import type { CheckResult } from '../../../src/core/check.ts';
import { ruleName } from '../../../src/monitor/incident/document.ts';
import type { IncidentEvent, Observation } from '../../../src/monitor/incident/incident.ts';
import { DEEP_SCOPES, type SiteState } from '../../../src/monitor/incident/state.ts';
import { policyOf, type IncidentPolicy } from '../../../src/monitor/incident/run.ts';
import { transitionOf } from '../../../src/monitor/incident/transition.ts';
import type { MonitoredSite } from '../../../src/monitor/settings.ts';
import { resultOf } from '../../../src/core/run.ts';
import { verdictOf } from '../../../src/core/verdict.ts';
import { reportOf } from '../../reports.ts';

/** The first second of all stories: 2026-11-20T00:00:00Z. */
const EPOCH = Date.parse('2026-11-20T00:00:00Z');

/** One look at a site. Whatever is not told is well. */
export interface Looked {
  /** Second at which the round ended. */
  readonly at: number;
  /** Seconds that it took; 0.1 by default. */
  readonly took?: number;
  /** `core` by default. */
  readonly scope?: Observation['scope'];
  /** By check: the rules that failed it. */
  readonly fails?: Readonly<Record<string, string | readonly string[]>>;
  /** Checks that warn. */
  readonly warns?: readonly string[];
  /** Checks of which nothing is known. */
  readonly unknown?: readonly string[];
  /** Checks that had nothing to look at, because another one failed. */
  readonly unanswered?: readonly string[];
  /** Second at which the maintenance ends that goes on; `true`: not known when. */
  readonly maintenance?: number | true;
  readonly ours?: true;
  readonly version?: string;
  /** What its files hold, by the check that asks for each. */
  readonly contents?: Readonly<Record<string, string>>;
}

/** What a story needs to know of the site; the defaults of docvitals.yaml by default. */
export type Told = Partial<
  Pick<MonitoredSite, 'confirm' | 'recover' | 'recoveryTimeObjectiveMs' | 'schedule' | 'full' | 'browser'>
> & {
  readonly strict?: boolean;
  /** Ids of the checks that are left out. */
  readonly without?: readonly string[];
};

export function policy({ strict = false, without = [], ...site }: Told = {}): IncidentPolicy {
  const kept = (all: typeof checks): typeof checks => all.filter(({ id }) => !without.includes(id));
  const asConfigured = {
    id: 'docs',
    recoveryTimeObjectiveMs: 60_000,
    confirm: { afterMs: 2_000, times: 3 },
    recover: { times: 2 },
    schedule: { kind: 'every', everyMs: 10_000, jitterMs: 0 },
    full: { kind: 'every', everyMs: 3_600_000, jitterMs: 0 },
    browser: null,
    checking: { strict },
    ...site,
  };
  const inBrowser = site.browser ? checks.filter(({ role, full }) => !full || role === 'browser') : [];
  return policyOf(asConfigured as unknown as MonitoredSite, {
    core: kept(defaultChecks),
    full: kept(checks.filter(({ role }) => role !== 'browser' || !site.browser)),
    browser: kept(inBrowser),
  });
}

/** What a look saw. */
export function observed(looked: Looked, { strict, declared, beyond }: IncidentPolicy): Observation {
  const { at, took = 0.1, scope = 'core', maintenance } = looked;
  const left = new Set(DEEP_SCOPES.filter((one) => one !== scope).flatMap((one) => beyond[one]));
  const run = declared.filter(({ id }) => !left.has(id));
  const results = run.map(({ id }) => resultFor(id, looked));
  const endedAt = EPOCH + Math.round(at * 1_000);
  return {
    report: reportOf(results, { verdict: verdictOf(results, declared, strict), strict }),
    scope,
    startedAt: endedAt - Math.round(took * 1_000),
    endedAt,
    maintenance: maintenance !== undefined,
    ...(typeof maintenance === 'number' ? { maintenanceUntil: EPOCH + maintenance * 1_000 } : {}),
    probeSide: looked.ours ? 'machine' : null,
    version: looked.version ?? null,
    ...(looked.contents === undefined ? {} : { contents: looked.contents }),
  };
}

function resultFor(id: string, looked: Looked): CheckResult {
  const { fails = {}, warns = [], unknown = [], unanswered = [] } = looked;
  const failed = [fails[id] ?? []].flat();
  const findings = [
    ...failed.map((rule) => ({ rule })),
    ...(warns.includes(id) ? [{ rule: 'media-type' }] : []),
    ...(unknown.includes(id) ? [{ rule: 'internal-error' }] : []),
    ...(unanswered.includes(id) ? [{ rule: 'no-answer' }] : []),
  ];
  const declared = checks.find((check) => check.id === id);
  if (declared === undefined) throw new Error(`no check ${id}`);
  const rules = new Map(warns.map((warned) => [`${warned}/media-type`, 'warning' as const]));
  const done = { gathered: { answer: null }, findings, base: new URL('https://docs.test/'), durationMs: 1 };
  return { ...resultOf(declared, done, { rules }), ...(failed.length === 0 ? {} : { status: 'fail' }) };
}

/** What came of a story. */
export interface Outcome {
  /** `14 opened down bundle/refused since 0`: the second, what happened, and what is told of it. */
  readonly events: readonly string[];
  /** Of the last look: what is to be checked next: `core in 2`, `full in 300`. */
  readonly next: readonly string[];
  /** Of the last look: seconds after which an open incident is checked at the latest; `null`: as scheduled. */
  readonly openIn: number | null;
  readonly state: SiteState;
  readonly all: readonly IncidentEvent[];
}

/** Goes through the looks. The state is written and read as text between them, as a database does. */
export function story(
  looks: readonly Looked[],
  told: IncidentPolicy = policy(),
  before: SiteState | null = null,
): Outcome {
  let state = before;
  const all: IncidentEvent[] = [];
  const events: string[] = [];
  let next: readonly string[] = [];
  let openIn: number | null = null;
  for (const looked of looks) {
    const observation = observed(looked, told);
    const transition = transitionOf(state, observation, told);
    state = JSON.parse(JSON.stringify(transition.state)) as SiteState;
    all.push(...transition.events);
    events.push(...transition.events.map(shown));
    if (transition.suspicion !== null) events.push(`${seconds(observation.endedAt)} ${transition.suspicion}`);
    const { recheck, dueWithinMs } = transition;
    openIn = dueWithinMs.core === null ? null : dueWithinMs.core / 1_000;
    next = [
      ...(recheck === null ? [] : [`${recheck.scope} in ${recheck.afterMs / 1_000}`]),
      ...(dueWithinMs.browser === null ? [] : [`browser again in ${dueWithinMs.browser / 1_000}`]),
      ...(dueWithinMs.full === null ? [] : [`whole in ${dueWithinMs.full / 1_000}`]),
    ];
  }
  if (state === null) throw new Error('a story has looks');
  return { events, next, openIn, state, all };
}

export const seconds = (ms: number): number => (ms - EPOCH) / 1_000;

function shown(event: IncidentEvent): string {
  const at = seconds(event.at);
  const { verdict, checks: ids, rules, startedAt, recoveredAt, flapping } = event.incident;
  const what = `${verdict} ${ids.join('+')}/${[...new Set(rules.map(ruleName))].join('+')}${flapping ? ' flapping' : ''}`;
  const clock = recoveredAt === null ? `since ${seconds(startedAt)}` : `for ${(recoveredAt - startedAt) / 1_000}`;
  return `${at} ${event.kind} ${what} ${clock}`;
}
