/** One run of a site: what it showed, and what its checks mean. Pure. */
import type { Check, CheckResult, Verdict } from '../../core/check.ts';
import type { Severity } from '../../core/finding.ts';
import { firstOfEach } from '../../../checks/full-check.ts';
import { isFailed, verdictOf } from '../../core/verdict.ts';
import type { IncidentVerdict, MonitoredSite, Schedule } from '../settings.ts';
import { ruleName } from './document.ts';
import type { DeepScope, Incident, IncidentFinding, Observation, Scope } from './incident.ts';
import { DEEP_SCOPES, ofEachScope, SCOPES, type CheckState, type CheckStates, type SiteState } from './state.ts';

/** What transitions depend on, by the configuration. */
export interface IncidentPolicy extends Readonly<ReturnType<typeof policyOf>> {
  /** Runs that are further apart do not confirm each other; absent: as for scheduled runs. */
  readonly apartMs?: number;
}

/** The policy of a site by the checks of its runs, with the core checks. */
export function policyOf(site: MonitoredSite, { core, ...deep }: Readonly<Record<Scope, readonly Check[]>>) {
  const coreIds = new Set(core.map(({ id }) => id));
  const beyond = (scope: DeepScope): readonly Check[] => deep[scope].filter(({ id }) => !coreIds.has(id));
  const idsOf = (scope: DeepScope): readonly string[] => beyond(scope).map(({ id }) => id);
  const everyMs = (schedule: Schedule | null): number | null => (schedule?.kind === 'every' ? schedule.everyMs : null);
  return {
    site: site.id,
    rtoMs: site.recoveryTimeObjectiveMs,
    confirm: site.confirm,
    recover: site.recover,
    strict: site.checking.strict,
    /** All checks that the site's runs run. Results of others are forgotten. */
    declared: [...core, ...DEEP_SCOPES.flatMap(beyond)],
    /** Ids of those that only these runs run. */
    beyond: { full: idsOf('full'), browser: idsOf('browser') },
    /** Intervals; `null`: by a cron expression, or never. */
    everyMs: { core: everyMs(site.schedule), full: everyMs(site.full), browser: everyMs(site.browser) },
  };
}

const RANK = { stale: 1, degraded: 2, down: 3 } as const satisfies Record<IncidentVerdict, number>;

export function isWorse(one: IncidentVerdict, other: IncidentVerdict): boolean {
  return RANK[one] > RANK[other];
}

const MOST_MOMENTS = 50;

/** The moments that are not longer ago than `ms`: oldest first, a bounded number. */
export function lately(moments: readonly number[], ms: number, now: number): readonly number[] {
  // Moments in the future were recorded before the clock was set back.
  return moments.filter((at) => at <= now && now - at <= ms).slice(-MOST_MOMENTS);
}

/** Runs that are further apart are not in a row: the monitor was away meanwhile. Full checks may have to wait for each other. */
const APART_MS = { core: 60_000, full: 15 * 60_000, browser: 15 * 60_000 } as const satisfies Record<Scope, number>;

type Outlook = 'good' | 'bad' | 'not enough' | 'nothing';

/** What is known of the checks after a run, and what the run itself showed. */
export class Run {
  readonly observation: Observation;
  readonly policy: IncidentPolicy;
  /** The known results with those of the run. Results of checks that are not declared any more are removed. */
  readonly checks: CheckStates;
  readonly outlook: Readonly<Record<Scope, Outlook>>;
  /** The id of another site's incident that has the same root cause; `null`: none. */
  readonly causeOf: (incident: Incident) => string | null;

  constructor(known: CheckStates, observation: Observation, policy: IncidentPolicy, causeOf: Run['causeOf']) {
    this.observation = observation;
    this.policy = policy;
    this.causeOf = causeOf;
    const { report, scope, startedAt } = observation;
    const before = Object.fromEntries(policy.declared.flatMap(({ id }) => (known[id] ? [[id, known[id]]] : [])));
    const isCore = (id: string): boolean => this.#scopeOf(id) === 'core';
    // A long full check has run the core checks at its begin: runs of the core checks since then know better.
    const isSuperseded =
      scope !== 'core' && Object.entries(before).some(([id, { at }]) => isCore(id) && at > startedAt);
    const core = isSuperseded ? [] : report.checks.filter(({ id }) => isCore(id));
    this.checks = { ...before, ...this.#statesOf(core) };
    // Of a site that is down, nothing beyond the core checks can be reported.
    const deep = this.isDown('core') ? [] : report.checks.filter(({ id }) => !isCore(id));
    this.checks = { ...this.checks, ...this.#statesOf(deep) };
    this.outlook = ofEachScope((one) => {
      const results = [...core, ...deep].filter(({ id }) => this.#scopeOf(id) === one);
      return this.#outlookOf(results, (id) => one === 'core' || this.#isFailing(before[id]));
    });
  }

  /** Ids of the checks that failed when they were known last, in the report's order; of those of a scope. */
  failing(scope: Scope | null = null): readonly string[] {
    return this.policy.declared.flatMap(({ id }) =>
      this.#isFailing(this.checks[id]) && (scope === null || this.#scopeOf(id) === scope) ? [id] : [],
    );
  }

  /** Ids of the checks that fail in a scope, without those that a degradation reports and that take nothing down. */
  failingBeside(degradation: Incident | null, scope: Scope): readonly string[] {
    const isReported = (id: string): boolean => {
      const known = degradation?.findings.filter(({ check }) => check === id).map(({ rule }) => rule) ?? [];
      return this.findings([id]).every(({ rule }) => known.includes(rule)) && this.failure([id]) !== 'down';
    };
    return this.grave(scope).filter((id) => !isReported(id));
  }

  /** Ids of the checks that fail in a scope and can open an incident: beyond the core checks, those that take the site down. */
  grave(scope: Scope): readonly string[] {
    const failing = this.failing(scope);
    return scope === 'core' ? failing : failing.filter((id) => this.failure([id]) === 'down');
  }

  findings(ids: readonly string[]): readonly IncidentFinding[] {
    return ids.flatMap((id) => this.checks[id]?.findings ?? []);
  }

  /** Whether visitors see a blank page, by the checks of a scope; by default of any. */
  isDown(scope: Scope | null = null): boolean {
    if (scope === null) return SCOPES.some((one) => this.isDown(one));
    return this.failure(this.failing(scope)) === 'down';
  }

  /** The verdict of some checks, as a report would have it; `unknown` where nothing is known of any. */
  verdict(ids: readonly string[]): Verdict {
    const results = ids.flatMap((id) => {
      const state = this.checks[id];
      if (state === undefined) return [];
      const { status, findings, vital } = state;
      const severity: Severity = status === 'fail' ? 'error' : 'warning';
      const rated = findings.map(({ rule, evidence }) => ({ rule: ruleName(rule), evidence, severity }));
      return [{ id, status, findings: rated, ...(vital === undefined ? {} : { vital }) }];
    });
    return results.length === 0 ? 'unknown' : verdictOf(results, this.policy.declared, this.policy.strict);
  }

  /** The same as the verdict of an incident; `null`: none of them fails. */
  failure(ids: readonly string[]): IncidentVerdict | null {
    const verdict = this.verdict(ids);
    return verdict === 'healthy' || verdict === 'unknown' ? null : verdict;
  }

  /** Whether what fails in a scope is more, or worse, than what the open incidents report. */
  isNewFailure(scope: Scope, { outage, degradation }: Pick<SiteState, 'outage' | 'degradation'>): boolean {
    const { incident } = degradation;
    if (this.isDown(scope)) {
      const known = outage.incident?.checks;
      return known === undefined || this.failingBeside(incident, scope).some((id) => !known.includes(id));
    }
    if (incident === null) return true;
    const failing = this.grave(scope);
    const verdict = this.failure(failing);
    return (
      failing.some((id) => !incident.checks.includes(id)) || (verdict !== null && isWorse(verdict, incident.verdict))
    );
  }

  /** Whether the run is too far from the one before for both to confirm the same. */
  isApart(lastAt: number, scope: Scope): boolean {
    const { confirm, apartMs = Math.max(APART_MS[scope], 10 * confirm.afterMs) } = this.policy;
    return this.observation.startedAt - lastAt > apartMs;
  }

  #scopeOf(id: string): Scope {
    return DEEP_SCOPES.find((scope) => this.policy.beyond[scope].includes(id)) ?? 'core';
  }

  #isFailing(state: CheckState | undefined): boolean {
    return state !== undefined && isFailed(state, this.policy);
  }

  /** `matters`: checks without which a run cannot be called good. */
  #outlookOf(results: readonly CheckResult[], matters: (id: string) => boolean): Outlook {
    if (results.some((result) => isFailed(result, this.policy))) return 'bad';
    if (results.length === 0) return 'nothing';
    const unknown = results.filter(isUnknown);
    return unknown.length === results.length || unknown.some(({ id }) => matters(id)) ? 'not enough' : 'good';
  }

  #statesOf(results: readonly CheckResult[]): CheckStates {
    const { endedAt: at, scope } = this.observation;
    const known = results.filter((result) => !isUnknown(result));
    return Object.fromEntries(
      known.map((result) => {
        const { id, status } = result;
        const isFailure = isFailed(result, this.policy);
        const warnings = isFailure ? [] : findingsOf(result, 'warning').slice(0, MOST_WARNINGS);
        const findings = isFailure ? findingsOf(result, status === 'fail' ? 'error' : 'warning') : [];
        const isVital = this.policy.declared.some((check) => check.id === id && check.vital !== undefined);
        const vital = result.vital === undefined || result.vital === isVital ? {} : { vital: result.vital };
        return [id, { status, at, scope, findings, ...vital, ...(warnings.length === 0 ? {} : { warnings }) }];
      }),
    );
  }
}

/** The check could not run, for reasons of this machine or because another check reports why. */
const isUnknown = ({ status, skipped }: CheckResult): boolean => status === 'unknown' || skipped?.rule === 'no-answer';

/** Findings of a rule, and warnings of a check, that are kept: each site's state is written after each run. */
const MOST_OF_A_RULE = 3;
const MOST_WARNINGS = 6;

/** The findings of a check that have a severity; of many findings of one rule the first ones. */
function findingsOf({ id: check, findings }: CheckResult, severity: Severity): readonly IncidentFinding[] {
  const wanted = findings.filter((finding) => finding.severity === severity);
  return firstOfEach(wanted, ({ rule }) => rule, MOST_OF_A_RULE).map(
    ({ item: { rule, evidence, location = null, excerpt } }) => ({
      check,
      rule: `${check}/${rule}`,
      evidence,
      location,
      ...(excerpt === undefined ? {} : { excerpt }),
    }),
  );
}
