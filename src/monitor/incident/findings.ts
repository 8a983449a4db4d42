/**
 * The errors of full checks, and of pages in the browser, that take nothing down: a dead link is not an outage. No incident
 * is about them. They are listed at the site, counted, and notified once each. Pure.
 */
import { createHash } from 'node:crypto';
import type { CheckResult } from '../../core/check.ts';
import type { Evidence } from '../../core/answer.ts';
import type { Finding } from '../../core/finding.ts';
import { isFailed } from '../../core/verdict.ts';
import { DAY_MS } from '../../core/time.ts';
import { ruleName } from './document.ts';
import type { IncidentFinding, ListedFinding, Observation } from './incident.ts';
import type { IncidentPolicy, Run } from './run.ts';
import { DEEP_SCOPES, ofEachScope, type KnownFinding, type KnownFindings, type SiteState } from './state.ts';

/** Findings of a site that are remembered: each site's state is written after each run. */
const MOST_KNOWN = 500;
/** So many runs in a row confirm a finding, unless fewer confirm a failure. */
const CONFIRMED_BY = 2;
/** A finding that comes back within this time is not new: links to other sites fail at times. */
const REMEMBERED_MS = DAY_MS;

/** What identifies a finding from run to run: its rule, where it is, and what it is about. Times and sizes are not part of it. */
export function fingerprintOf({
  rule,
  evidence,
  location,
}: Pick<IncidentFinding, 'rule' | 'evidence' | 'location'>): string {
  const { target, path, page, link, url, anchor, setting, route, value, agent, language, prefix }: Evidence = evidence;
  const identity = [target, path, page, link, url, anchor, setting, route, value, agent, language, prefix];
  const name = JSON.stringify([rule, location?.path ?? null, identity.map((part) => part ?? null)]);
  return createHash('sha256').update(name).digest('hex').slice(0, 16);
}

/** What failed a check, without the effects of other findings. */
export function errorsOf(
  { id: check, findings }: Pick<CheckResult, 'id' | 'findings'>,
  strict: boolean,
): readonly IncidentFinding[] {
  const isError = ({ severity, cause }: Finding): boolean =>
    cause === undefined && (severity === 'error' || (strict && severity === 'warning'));
  return findings.filter(isError).map(({ rule, evidence, location = null, excerpt }) => {
    return { check, rule: `${check}/${rule}`, evidence, location, ...(excerpt === undefined ? {} : { excerpt }) };
  });
}

/** The known findings after a run. Nothing is new during maintenance, and of a site that is down nothing is known. */
export function findingsAfter(before: KnownFindings = {}, run: Run): KnownFindings {
  const { observation, policy } = run;
  const { maintenance, report, endedAt: now } = observation;
  const declared = new Set(policy.declared.map(({ id }) => id));
  const kept = Object.entries(before).filter(
    ([, { check, goneAt }]) => declared.has(check) && (goneAt === undefined || now - goneAt < REMEMBERED_MS),
  );
  if (maintenance || run.isDown()) return Object.fromEntries(kept);
  const results = new Map(
    report.checks.filter((result) => isNews(result, observation, policy)).map((one) => [one.id, one]),
  );
  const found = [...results.values()]
    .filter((result) => isFailed(result, policy))
    .flatMap((result) => errorsOf(result, policy.strict));
  const present = new Map(found.map((finding) => [fingerprintOf(finding), finding.check]));
  const after = new Map(
    kept.map(([key, known]): [string, KnownFinding] => {
      if (!results.has(known.check) || present.has(key)) return [key, known];
      return [key, { ...known, goneAt: known.goneAt ?? now }];
    }),
  );
  for (const [key, check] of present) after.set(key, seenAgain(after.get(key), check, now));
  return Object.fromEntries(bounded([...after]));
}

const beyondIds = ({ beyond }: IncidentPolicy): ReadonlySet<string> =>
  new Set(DEEP_SCOPES.flatMap((scope) => beyond[scope]));

/** Whether a result shows which errors a check has now. */
function isNews({ id, status, skipped }: CheckResult, { scope }: Observation, policy: IncidentPolicy): boolean {
  return scope !== 'core' && beyondIds(policy).has(id) && status !== 'unknown' && skipped?.rule !== 'no-answer';
}

function seenAgain(known: KnownFinding | undefined, check: string, now: number): KnownFinding {
  if (known === undefined) return { check, since: now, times: 1 };
  const { goneAt, since, times } = known;
  // One that vanished before it was confirmed was a failure of the network.
  const isOther = goneAt !== undefined && times < CONFIRMED_BY;
  return isOther ? { check, since: now, times: 1 } : { check, since, times: Math.min(CONFIRMED_BY, times + 1) };
}

function bounded(all: readonly (readonly [string, KnownFinding])[]): typeof all {
  const isOpen = ([, { goneAt }]: (typeof all)[number]): boolean => goneAt === undefined;
  return [...all.filter(isOpen), ...all.filter((one) => !isOpen(one))].slice(0, MOST_KNOWN);
}

const isConfirmed = ({ times }: KnownFinding, { confirm }: Pick<IncidentPolicy, 'confirm'>): boolean =>
  times >= Math.min(CONFIRMED_BY, confirm.times);

/** Whether the run had a finding that one more run would confirm. */
export function isFindingUnconfirmed(known: KnownFindings = {}, { observation, policy }: Run): boolean {
  return Object.values(known).some(
    (one) => one.goneAt === undefined && one.since === observation.endedAt && !isConfirmed(one, policy),
  );
}

/** The fingerprints of the confirmed findings of a site; `isOpen`: without those that are gone for now. */
export function confirmedFindings(
  state: Pick<SiteState, 'findings'> | null,
  policy: Pick<IncidentPolicy, 'confirm'>,
  isOpen: boolean,
) {
  const all = Object.entries(state?.findings ?? {});
  return all.flatMap(([key, one]) => (isConfirmed(one, policy) && (!isOpen || one.goneAt === undefined) ? [key] : []));
}

interface Listing {
  readonly state: SiteState | null;
  /** The last results since the start. */
  readonly results?: ReadonlyMap<string, CheckResult>;
  readonly strict: boolean;
}

/** The open findings of a site with what is known of each: after a restart, of each rule the first ones. */
export function listedFindings({ state, results, strict }: Listing): readonly ListedFinding[] {
  const { findings: known = {}, checks = {} } = state ?? {};
  const ids = new Set(Object.values(known).map(({ check }) => check));
  const all = [...ids].flatMap((id) => {
    const result = results?.get(id);
    return result === undefined ? (checks[id]?.findings ?? []) : errorsOf(result, strict);
  });
  const listed = all.flatMap((finding): [string, ListedFinding][] => {
    const key = fingerprintOf(finding);
    const one = known[key];
    return one === undefined || one.goneAt !== undefined ? [] : [[key, { ...finding, key, since: one.since }]];
  });
  return [...new Map(listed).values()];
}

/** How many there are, also of those of which nothing more is known. */
export const countFindings = ({ findings = {} }: Pick<SiteState, 'findings'>): number =>
  Object.values(findings).filter(({ goneAt }) => goneAt === undefined).length;

/** A state without what earlier versions kept: degradations that full checks or the browser opened, or would have opened. */
export function withoutDeepDegradation(stored: SiteState, policy: IncidentPolicy) {
  const scopes = ofEachScope((scope) => {
    const known = stored.scopes[scope];
    return scope === 'core' || known.suspicion?.outage === true ? known : { ...known, suspicion: null };
  });
  const state = { ...stored, scopes };
  const { incident } = state.degradation;
  const deep = beyondIds(policy);
  const isCore = (id: string): boolean => !deep.has(id);
  if (incident === null || incident.checks.every(isCore)) return { state, closed: null };
  const checks = incident.checks.filter(isCore);
  const findings = incident.findings.filter(({ check }) => isCore(check));
  const rules = incident.rules.filter((rule) => isCore(rule.slice(0, -ruleName(rule).length - 1)));
  const kept = checks.length === 0 ? null : { ...incident, checks, findings, rules };
  const degradation = { ...state.degradation, incident: kept, good: kept === null ? null : state.degradation.good };
  return { state: { ...state, degradation }, closed: kept === null ? incident : null };
}
