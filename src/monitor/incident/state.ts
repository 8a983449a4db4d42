/**
 * What is remembered of a site between runs, as plain JSON in the database. Times are ms since 1970.
 *
 * | field           | what it holds                                                  | what decides by it                       |
 * | :-------------- | :------------------------------------------------------------- | :--------------------------------------- |
 * | form            | 2; a state of another form is not read                         | `restored`                               |
 * | verdict         | the site's verdict, of the last known result of all its checks | status page, metrics                     |
 * | checks          | each check's last known result                                 | what fails now                           |
 * | scopes.core     | of the runs of the core checks: last run, last good, up, bad,  | confirmation; the start of an incident   |
 * | scopes.full,    | and the failure that is being confirmed; of the full checks,   | the same of what only these runs see     |
 * | scopes.browser  | and of pages in the browser                                    |                                          |
 * | outage          | the open incident while the site is down; its good runs in a   | recovery, flapping                       |
 * | degradation     | row; recent changes. Of a site that is up while core checks    | the same; suspended while there is an    |
 * |                 | fail: suspended during an outage                               | outage                                   |
 * | refusal         | while the host refuses the monitor: since when, who knows      | notification, pause until the next run   |
 * | findings        | errors of full checks and of pages in the browser that take    | what is new and notified; status page    |
 * |                 | nothing down, by their fingerprints                            |                                          |
 * | failingFrom     | locations from which it fails, too few for an incident         | verdict, status page                     |
 * | blips           | when failures were not confirmed lately                        | too many in ten minutes confirm the next |
 * | maintainedUntil | when the last maintenance ended or will end                    | no incident starts before it             |
 * | deployments     | the last deployment, the version, the hashes of the core files | the deployment that may be the cause     |
 *
 * A degradation passes from open to suspended when the site goes down, and back when it is up again. An incident passes
 * from absent to suspected (one failed run), to open (confirmed), and to absent again (as many good runs as configured).
 */
import { REASONS } from '../../http/reasons.ts';
import type { Check, Status, Verdict } from '../../core/check.ts';
import type { Evidence } from '../../core/answer.ts';
import type { HostProduct } from '../../site/host-product.ts';
import { ruleName } from './document.ts';
import type { DeepScope, Incident, IncidentFinding, Scope, SuspectedDeploy } from './incident.ts';

export const DEEP_SCOPES = ['full', 'browser'] as const satisfies readonly DeepScope[];
export const SCOPES = ['core', ...DEEP_SCOPES] as const satisfies readonly Scope[];

export function ofEachScope<T>(make: (scope: Scope) => T): Readonly<Record<Scope, T>> {
  return { core: make('core'), full: make('full'), browser: make('browser') };
}

export interface SiteState {
  readonly form: 2;
  readonly verdict: Verdict;
  readonly checks: CheckStates;
  readonly scopes: Readonly<Record<Scope, ScopeState>>;
  readonly outage: IncidentState;
  readonly degradation: IncidentState;
  /** Absent or `null`: the host answers. */
  readonly refusal?: Refusal | null;
  /** By {@link fingerprintOf}; absent: none. */
  readonly findings?: KnownFindings;
  readonly failingFrom?: readonly string[];
  readonly blips: readonly number[];
  readonly maintainedUntil: number | null;
  readonly deployments: Deployments;
}

/** Times of the ends of runs; `null`: never. */
export interface ScopeState {
  readonly at: number | null;
  /** The last run in which nothing failed. */
  readonly goodAt: number | null;
  /** The last run in which the site was not down. */
  readonly upAt: number | null;
  /** The last run in which something failed. */
  readonly badAt: number | null;
  /** Of full checks: the hash of the bundle that the core checks had seen before the last one; absent: not known. */
  readonly bundle?: string;
  /** Failed runs in a row that are not confirmed yet; while an incident is open: of what is new. */
  readonly suspicion: Suspicion | null;
}

export interface IncidentState {
  /** `null`: none is open. */
  readonly incident: Incident | null;
  readonly good: GoodRuns | null;
  /** When such incidents opened and ended lately, oldest first. */
  readonly changes: readonly number[];
}

/** Runs in a row in which an incident was over: an outage in runs that were up, a degradation in good ones. */
export interface GoodRuns {
  readonly times: number;
  /** The end of the first of them. */
  readonly since: number;
}

/** The host refuses the monitor. */
export interface Refusal {
  /** The end of the first refused run. */
  readonly since: number;
  /** How long the last refused run delays the next run of the core checks. */
  readonly pauseMs: number;
  readonly check: string;
  readonly evidence: Evidence;
  /** Under which name fixes have instructions; absent: not known. */
  readonly host?: HostProduct;
  /** The routes that know of it. */
  readonly notified: readonly string[];
}

/** The errors of a site's full checks, and of its pages in the browser, that take nothing down: no incident is about them. */
export type KnownFindings = Readonly<Record<string, KnownFinding>>;

export interface KnownFinding {
  readonly check: string;
  /** The end of the first run that had it. */
  readonly since: number;
  /** How many runs in a row had it, as far as it matters. */
  readonly times: number;
  /** The end of the first run that did not have it any more; absent: the last one had it. */
  readonly goneAt?: number;
}

export interface Suspicion {
  /** The end of the first failed run. */
  readonly since: number;
  readonly times: number;
  readonly lastAt: number;
  /** The last good run before it, as in {@link Incident.startedAt}. */
  readonly lastGoodAt: number | null;
  /** What that was instead of a good run; absent: it was one. */
  readonly lastGoodBy?: 'up-round' | 'outage-end';
  /** Of runs in a row in which the site was down: of core checks, only while an incident is open. */
  readonly outage?: true;
}

/** By the check's id. Full checks are rarer than core checks, so that results are of different times. */
export type CheckStates = Readonly<Record<Check['id'], CheckState>>;

export interface CheckState {
  readonly status: Status;
  readonly at: number;
  readonly scope: Scope;
  /** What failed it, most severe first, bounded. */
  readonly findings: readonly IncidentFinding[];
  /** Set where the site's engine decides whether a failure of the check takes the site down. */
  readonly vital?: boolean;
  /** Its warnings, bounded; absent: none. No incident is about them. */
  readonly warnings?: readonly IncidentFinding[];
}

export interface Deployments {
  readonly live: LiveDeploy | null;
  /** The version that the site reports; `null`: none ever. */
  readonly version: ObservedContent | null;
  readonly contents: Readonly<Record<string, ObservedContent>>;
}

/** The last deployment, and how the site did since. */
export interface LiveDeploy extends SuspectedDeploy {
  /** The checks whose files changed; empty where the site reported another version. */
  readonly files: readonly string[];
  /** Runs since in which the core checks passed; counted until it is trusted. */
  readonly goodRounds: number;
  /** What fails among the core checks has another cause: they passed with it for a while, or it ended an incident. */
  readonly trusted: boolean;
}

/** A file or a version, from run to run. */
export interface ObservedContent {
  /** A hash, or the version itself. */
  readonly value: string;
  /** How often in a row, as far as it matters. */
  readonly times: number;
  /** When it changed lately, oldest first. */
  readonly changes: readonly number[];
}

const NOT_RUN: ScopeState = { at: null, goodAt: null, upAt: null, badAt: null, suspicion: null };
const CLOSED: IncidentState = { incident: null, good: null, changes: [] };

export function emptyState(): SiteState {
  return {
    form: 2,
    verdict: 'unknown',
    checks: {},
    scopes: ofEachScope(() => NOT_RUN),
    outage: CLOSED,
    degradation: CLOSED,
    blips: [],
    maintainedUntil: null,
    deployments: { live: null, version: null, contents: {} },
  };
}

/** A state as it was stored. Throws for one of a form that this version does not know. */
export function restored(stored: SiteState): SiteState {
  if ((stored.form as number) !== 2) throw new Error(`unknown form of a state: ${stored.form}`);
  const empty = emptyState();
  // Before there were runs in the browser, states knew nothing of them.
  return { ...empty, ...stored, scopes: { ...empty.scopes, ...stored.scopes } };
}

/** When a run ended last, of any scope; `null`: never. */
export function lastRunAt(state: Pick<SiteState, 'scopes'> | null): number | null {
  const ends = Object.values(state?.scopes ?? {}).flatMap(({ at }) => at ?? []);
  return ends.length === 0 ? null : Math.max(...ends);
}

export function isOutage({ verdict }: Pick<Incident, 'verdict'>): boolean {
  return verdict === 'down';
}

type Open = Pick<SiteState, 'outage' | 'degradation'>;

export function currentOf({ outage, degradation }: Open): IncidentState {
  return outage.incident === null ? degradation : outage;
}

/** All open incidents of a site, the current one first. */
export function openIncidents(state: Open | null): readonly Incident[] {
  return [state?.outage.incident ?? [], state?.degradation.incident ?? []].flat();
}

export function currentIncident(state: Open | null): Incident | null {
  return openIncidents(state)[0] ?? null;
}

export function withIncidents(state: SiteState, change: (incident: Incident) => Incident): SiteState {
  const changed = (one: IncidentState): IncidentState =>
    one.incident === null ? one : { ...one, incident: change(one.incident) };
  return { ...state, outage: changed(state.outage), degradation: changed(state.degradation) };
}

/** Of some open incidents, the degradations that are suspended by an outage of their site. */
export function suspendedOf(open: readonly Incident[]): ReadonlySet<Incident['id']> {
  const down = new Set(open.filter(isOutage).map(({ site }) => site));
  return new Set(open.flatMap((incident) => (!isOutage(incident) && down.has(incident.site) ? [incident.id] : [])));
}

export interface SitedIncident {
  readonly incident: Incident;
  readonly url: string;
}

/** A site that fails, and has no incident yet. */
export interface Suspect {
  readonly site: string;
  readonly since: number;
  readonly causes: readonly string[];
}

/** Incidents of one origin that are further apart have different causes. */
const SAME_CAUSE_MS = 2 * 60_000;
/** So many sites of different origins that fail alike within so long have one cause, if they share something. */
const GROUP = { least: 3, withinMs: 60_000 } as const;

/**
 * The open incident whose root cause a new one shares, so that one alert is about both: of the same kind, failing alike
 * (without any response, or both down by the same rules), and on the same origin within two minutes, or one of three sites
 * or more within a minute that share a cause. `suspects`: sites that fail but have no incident yet. `null`: none. Never one
 * that shares another's cause itself.
 */
export function rootCause(
  one: SitedIncident,
  open: readonly SitedIncident[],
  suspects: readonly Suspect[] = [],
): string | null {
  const sharing = sharingWith(one, open, suspects);
  const same = open.filter(
    (other) =>
      isOther(one, other) &&
      other.incident.sameAs === null &&
      (isOnSameOrigin(one, other) || (sharing.isGroup && sharing.incidents.includes(other))),
  );
  const ids = same.map(({ incident: { detectedAt, id } }) => ({ detectedAt, id }));
  return ids.toSorted((a, b) => a.detectedAt - b.detectedAt || (a.id < b.id ? -1 : 1))[0]?.id ?? null;
}

/** The failing sites that share a cause with an incident. `isGroup`: with its own, they are enough to be one. */
export function sharingWith(one: SitedIncident, open: readonly SitedIncident[], suspects: readonly Suspect[]) {
  const { causes = [], detectedAt } = one.incident;
  const isNear = (at: number): boolean => Math.abs(at - detectedAt) <= GROUP.withinMs;
  const isShared = (others: readonly string[] = []): boolean => others.some((cause) => causes.includes(cause));
  const incidents = open.filter(
    (other) => isOther(one, other) && isShared(other.incident.causes) && isNear(other.incident.detectedAt),
  );
  const suspected = suspects.filter(({ since, causes: others }) => isShared(others) && isNear(since));
  const sites = new Set([...incidents.map(({ incident }) => incident.site), ...suspected.map(({ site }) => site)]);
  sites.delete(one.incident.site);
  return { incidents, sites: sites.size, isGroup: sites.size + 1 >= GROUP.least };
}

function isOther(one: SitedIncident, { incident }: SitedIncident): boolean {
  return incident.id !== one.incident.id && incident.recoveredAt === null && failsAlike(incident, one.incident);
}

function isOnSameOrigin(one: SitedIncident, other: SitedIncident): boolean {
  const apartMs = Math.abs(other.incident.detectedAt - one.incident.detectedAt);
  return new URL(other.url).origin === new URL(one.url).origin && apartMs <= SAME_CAUSE_MS;
}

function failsAlike(a: Incident, b: Incident): boolean {
  if (isOutage(a) !== isOutage(b)) return false;
  const isSilent = ({ rules }: Incident): boolean =>
    rules.length > 0 && rules.every((rule) => Object.hasOwn(REASONS, ruleName(rule)));
  const rulesOf = ({ rules }: Incident): string => [...new Set(rules.map(ruleName))].toSorted().join(' ');
  return (isSilent(a) && isSilent(b)) || (isOutage(a) && rulesOf(a) === rulesOf(b));
}
