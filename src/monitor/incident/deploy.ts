/**
 * Which version is live, and which deploy may have broken a site. Pure.
 *
 * Few sites tell their version, and most deploys change no more than a Markdown file. So a deploy is also what changes one
 * of the files that every run asks for, as long as that file does not change by itself.
 */
import { hash } from 'node:crypto';
import type {
  LiveDeploy,
  Observation,
  ObservedContent,
  SiteState,
  SuspectedDeploy,
  Suspicion,
  IncidentPolicy,
  Scope,
} from './incident.ts';
import { within, failingIn, isDown, type Outlooks, isNewFailure } from './policy.ts';
import { openOf, type Open } from './state.ts';

/** Hexadecimal digits of a hash that are reported: as Git shortens its own. */
const DIGITS = 12;

/** What was seen so often in a row is what is there; what differs from run to run never comes so far. */
const SETTLED = 2;
/** What changed more often than this within this time changes by itself. */
const VOLATILE = { times: 3, withinMs: 10 * 60_000 } as const;

/** After so many good runs, and so long, what fails has another cause than the deploy before: caches have been renewed. */
const TRUSTED = { goodRounds: 3, afterMs: 2 * 60_000 } as const;
/** A deploy that is longer ago than this, and was seen well, is not suspected. */
const SUSPECTED_MS = 15 * 60_000;

/** The hash by which content is compared, and told. */
export function contentHash(content: Uint8Array | string): string {
  return hash('sha256', content).slice(0, DIGITS);
}

type Deployed = Pick<SiteState, 'deploy' | 'version' | 'contents'>;

/** What is known of deploys after a run. `isGood`: the core checks were well in it. */
export function deployedAfter(state: Deployed, observation: Observation, isGood: boolean): Deployed {
  const { version, contents = {}, endedAt } = observation;
  if (observation.isProbeSide) return state;
  const reported = version === null ? state.version : observedAfter(state.version, version, endedAt);
  const observed = Object.entries(contents).map(([id, value]) => [
    id,
    observedAfter(state.contents[id], value, endedAt),
  ]);
  const after: Deployed = {
    version: reported,
    contents: { ...state.contents, ...(Object.fromEntries(observed) as SiteState['contents']) },
    deploy: state.deploy,
  };
  const deploy = deployAfter(state, after, endedAt);
  return { ...after, deploy: deploy === null ? null : tried(deploy, isGood, endedAt) };
}

function observedAfter(known: ObservedContent | null | undefined, value: string, at: number): ObservedContent {
  if (known === null || known === undefined) return { value, times: 1, changes: [] };
  const changes = within(known.changes, VOLATILE.withinMs, at);
  if (known.value === value) return { value, times: Math.min(SETTLED, known.times + 1), changes };
  return { value, times: 1, changes: known.times < SETTLED ? changes : [...changes, at].slice(-VOLATILE.times) };
}

/** Whether a change of it means something: it was there for a while, and does not change by itself. */
function isStable({ times, changes }: ObservedContent, at: number): boolean {
  return times >= SETTLED && within(changes, VOLATILE.withinMs, at).length < VOLATILE.times;
}

/** The deploy that was seen last, a new one included. */
function deployAfter(before: Deployed, after: Deployed, at: number): LiveDeploy | null {
  // The site's own name for it is what people know.
  const change = reportedChange(before, after, at) ?? hashedChange(before, after, at);
  if (change !== null) return { ...change, seenAt: at, goodRounds: 0, trusted: false };
  const { deploy } = before;
  const isMistaken =
    deploy !== null && deploy.files.length > 0 && deploy.files.every((id) => isRestless(id, before, after));
  return isMistaken ? null : deploy;
}

/** Whether a file has changed once more than it would by deploys. */
function isRestless(id: string, { contents: before }: Deployed, { contents: after }: Deployed): boolean {
  const [known, observed] = [before[id], after[id]];
  return known !== undefined && known.value !== observed?.value && known.changes.length >= VOLATILE.times;
}

type Change = Pick<LiveDeploy, 'version' | 'before' | 'files'>;

function reportedChange({ version: before }: Deployed, { version: after }: Deployed, at: number): Change | null {
  if (before === null || after === null || before.value === after.value || !isStable(before, at)) return null;
  return { version: after.value, before: before.value, files: [] };
}

/** Files that are new, and those that change by themselves, say nothing. */
function hashedChange({ contents: before }: Deployed, { contents: after }: Deployed, at: number): Change | null {
  const stable = Object.entries(before).flatMap(([id, observed]) => (isStable(observed, at) ? [id] : []));
  const files = stable.filter((id) => before[id]?.value !== after[id]?.value);
  if (files.length === 0) return null;
  const version = (all: SiteState['contents']): string =>
    `sha256:${contentHash(JSON.stringify(stable.toSorted().map((id) => [id, all[id]?.value])))}`;
  return { version: version(after), before: version(before), files };
}

function tried(deploy: LiveDeploy, isGood: boolean, at: number): LiveDeploy {
  if (!isGood || deploy.trusted) return deploy;
  const goodRuns = deploy.goodRounds + 1;
  const trusted = goodRuns >= TRUSTED.goodRounds && at - deploy.seenAt >= TRUSTED.afterMs;
  return { ...deploy, goodRounds: goodRuns, trusted };
}

/** The deploy after an incident that was detected then has ended: one that came while it was open has repaired the site. */
export function repairedBy(deploy: LiveDeploy | null, detectedAt: number): LiveDeploy | null {
  return deploy !== null && deploy.seenAt > detectedAt ? { ...deploy, trusted: true } : deploy;
}

/** What is to be known of a failure to tell whether a deploy caused it. */
export interface Failure {
  /** Whether one of the core checks fails, which are checked often. */
  readonly five: boolean;
  readonly suspicion: Pick<Suspicion, 'since' | 'lastGoodAt'>;
  readonly detectedAt: number;
}

/**
 * The deploy that may have caused a failure. Of the core checks: it came shortly before, without having been seen well for long.
 * Of what only runs of the whole site see: it came after the last good one of those.
 */
export function suspectedDeploy(
  { deploy }: Pick<SiteState, 'deploy'>,
  { five, suspicion: { since, lastGoodAt }, detectedAt }: Failure,
): SuspectedDeploy | null {
  if (deploy === null || deploy.seenAt > detectedAt) return null;
  const isRecent = since - deploy.seenAt <= SUSPECTED_MS;
  const isSuspect = five
    ? !deploy.trusted && (isRecent || deploy.goodRounds === 0)
    : deploy.seenAt > (lastGoodAt ?? since - SUSPECTED_MS);
  if (!isSuspect) return null;
  const { version, before, seenAt } = deploy;
  return { version, before, seenAt };
}

/* Failures that have not been confirmed yet. Pure. */

/** What a run makes of the suspicion that there was. */
export interface Suspected {
  /** `null`: there is none, or it has been confirmed. */
  readonly suspicion: Suspicion | null;
  /** What opens an incident, or changes one. */
  readonly confirmed: Suspicion | null;
  /** It came to nothing: the site was well again, or as it had been. */
  readonly isBlip: boolean;
  /** It is confirmed by those before it that came to nothing. */
  readonly isBlipping: boolean;
}

const NOTHING: Suspected = { suspicion: null, confirmed: null, isBlip: false, isBlipping: false };

/** Runs that are further apart are not in a row: the monitor was away meanwhile. Runs of the whole site may queue. */
const APART_MS = { five: 60_000, full: 15 * 60_000 } as const satisfies Record<Scope, number>;

/** A site whose failures vanish so many times within so long is not well, though none of them lasts. */
export const BLIPS = { times: 5, withinMs: 10 * 60_000 } as const;

/** Whether two runs are too far apart to confirm one another. */
export function isApart(
  lastAt: number,
  { startedAt }: Observation,
  scope: Scope,
  { confirm, apartMs }: IncidentPolicy,
): boolean {
  return startedAt - lastAt > (apartMs ?? Math.max(APART_MS[scope], 10 * confirm.afterMs));
}

/** Whether a failure is being confirmed that would open an incident. */
export function isSuspected(state: Pick<SiteState, 'suspicion' | 'fullSuspicion' | 'incident' | 'suspended'>): boolean {
  const { outage, degradation } = openOf(state);
  if (outage !== null) return false;
  const suspicions = [state.suspicion, state.fullSuspicion].filter((suspicion) => suspicion !== null);
  return suspicions.some((suspicion) => degradation === null || suspicion.outage === true);
}

/** What a run makes of the suspicion about the checks of a scope. */
export function suspect(
  scope: Scope,
  state: SiteState,
  reported: Outlooks,
  observation: Observation,
  policy: IncidentPolicy,
): Suspected {
  const before = scope === 'five' ? state.suspicion : state.fullSuspicion;
  if (observation.maintenance) return NOTHING;
  const outlook = reported[scope];
  if (outlook === 'untold' || outlook === 'unsure') {
    return { ...NOTHING, suspicion: isKept(scope, reported, observation, policy) ? before : null };
  }
  const open = openOf(state);
  const isOut = outlook === 'bad' && isDown(reported.checks, policy, scope);
  const isBlip = isGone(before, open, outlook === 'good', isOut);
  if (outlook === 'good' || !isNewFailure(scope, open, reported.checks, policy)) return { ...NOTHING, isBlip };
  const suspicion = more(scope, before, isOut, state, observation, policy);
  // While a site is down nothing else opens: what is seen of it in between is kept until that is over.
  if (open.outage !== null && !isOut) return { ...NOTHING, suspicion };
  const mayBlip = scope === 'five' && (isOut || open.degradation === null);
  const isBlipping = mayBlip && isOneBlipTooMany(suspicion, state, observation);
  return isConfirmed(suspicion, isBlipping, policy)
    ? { suspicion: null, confirmed: suspicion, isBlip, isBlipping }
    : { suspicion, confirmed: null, isBlip, isBlipping };
}

function isConfirmed({ times }: Suspicion, isBlipping: boolean, { confirm }: IncidentPolicy): boolean {
  return isBlipping || times > confirm.times;
}

/** Whether a run that shows nothing of a scope leaves a suspicion of it as it is. */
function isKept(scope: Scope, { checks }: Outlooks, observation: Observation, policy: IncidentPolicy): boolean {
  return failingIn(scope, checks, policy).length > 0 && (scope === 'five' || observation.scope === 'five');
}

/** Whether a failure that would have opened an incident was not there any more. */
function isGone(before: Suspicion | null, { outage, degradation }: Open, isGood: boolean, isOut: boolean): boolean {
  if (before === null || outage !== null) return false;
  return degradation === null ? isGood : before.outage === true && !isOut;
}

/** `isOut`: the run saw the site down. Where an incident is open, that is confirmed by such runs only. */
function more(
  scope: Scope,
  before: Suspicion | null,
  isOut: boolean,
  state: SiteState,
  observation: Observation,
  policy: IncidentPolicy,
): Suspicion {
  const { endedAt } = observation;
  const isAlike = state.incident === null || (before?.outage === true) === isOut;
  if (before !== null && isAlike && !isApart(before.lastAt, observation, scope, policy)) {
    return { ...before, times: before.times + 1, lastAt: endedAt };
  }
  const first = { since: endedAt, times: 1, lastAt: endedAt };
  const [lastGoodAt, lastUpAt] =
    scope === 'five' ? [state.lastGoodAt, state.lastUpAt] : [state.lastFullGoodAt, state.lastFullUpAt];
  if (state.incident === null || !isOut) return { ...first, lastGoodAt };
  // With nothing known of a time before, not even maintenance of long ago is one.
  const was = lastUpAt === null || lastUpAt === lastGoodAt ? {} : { lastGoodBy: 'up-round' as const };
  return { ...first, lastGoodAt: lastUpAt ?? endedAt, ...was, outage: true };
}

function isOneBlipTooMany({ times }: Suspicion, { blips }: SiteState, { endedAt }: Observation): boolean {
  return times === 1 && within(blips, BLIPS.withinMs, endedAt).length >= BLIPS.times - 1;
}
