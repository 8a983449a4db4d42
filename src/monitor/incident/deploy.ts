/**
 * Which deployment may have broken a site. Pure.
 *
 * Few sites publish their version, and most deployments change no more than a Markdown file. So a change of a file that
 * every run requests also counts as a deployment, unless that file keeps changing by itself.
 */
import { hash } from 'node:crypto';
import type { Observation, SuspectedDeploy } from './incident.ts';
import { lately } from './run.ts';
import type { Deployments, LiveDeploy, ObservedContent, Suspicion } from './state.ts';

/** Hexadecimal digits of a hash: as Git shortens its own. */
const DIGITS = 12;

/** Content that was seen so often in a row counts; what differs from run to run never does. */
const SETTLED = 2;
/** What changed more often than this within this time changes by itself. */
const VOLATILE = { times: 3, withinMs: 10 * 60_000 } as const;

/** After so many good runs, and so long, a failure has another cause than the deployment: caches have expired. */
const TRUSTED = { goodRounds: 3, afterMs: 2 * 60_000 } as const;
/** A deployment that is longer ago than this, and passed checks, is not suspected. */
const SUSPECTED_MS = 15 * 60_000;

export function contentHash(content: Uint8Array | string): string {
  return hash('sha256', content).slice(0, DIGITS);
}

/** What is known of deployments after a run. `isGood`: the core checks passed in it. */
export function deployedAfter(before: Deployments, observation: Observation, isGood: boolean): Deployments {
  const { version, contents = {}, endedAt: at } = observation;
  const observed = Object.entries(contents).map(
    ([id, value]) => [id, observedAfter(before.contents[id] ?? null, value, at)] as const,
  );
  const after = {
    version: version === null ? before.version : observedAfter(before.version, version, at),
    contents: { ...before.contents, ...Object.fromEntries(observed) },
  };
  const live = liveAfter(before, after, at);
  return { ...after, live: live !== null && isGood && !live.trusted ? passed(live, at) : live };
}

function observedAfter(known: ObservedContent | null, value: string, at: number): ObservedContent {
  if (known === null) return { value, times: 1, changes: [] };
  const changes = lately(known.changes, VOLATILE.withinMs, at);
  if (known.value === value) return { value, times: Math.min(SETTLED, known.times + 1), changes };
  return { value, times: 1, changes: known.times < SETTLED ? changes : [...changes, at].slice(-VOLATILE.times) };
}

/** Whether a change of it means something: it was the same for a while, and does not change by itself. */
function isStable({ times, changes }: ObservedContent, at: number): boolean {
  return times >= SETTLED && lately(changes, VOLATILE.withinMs, at).length < VOLATILE.times;
}

type Observed = Omit<Deployments, 'live'>;

/** The last deployment, a new one included. The site's own name for it is what people know. */
function liveAfter({ live, ...before }: Deployments, after: Observed, at: number): LiveDeploy | null {
  const change = changeOfVersion(before, after, at) ?? changeOfFiles(before, after, at);
  if (change !== null) return { ...change, seenAt: at, goodRounds: 0, trusted: false };
  // Files that changed once more than they would by deployments were no deployment.
  const isVolatile = (id: string): boolean => {
    const known = before.contents[id];
    return known !== undefined && known.value !== after.contents[id]?.value && known.changes.length >= VOLATILE.times;
  };
  return live !== null && live.files.length > 0 && live.files.every(isVolatile) ? null : live;
}

type Change = Pick<LiveDeploy, 'version' | 'before' | 'files'>;

function changeOfVersion({ version: before }: Observed, { version: after }: Observed, at: number): Change | null {
  if (before === null || after === null || before.value === after.value || !isStable(before, at)) return null;
  return { version: after.value, before: before.value, files: [] };
}

/** New files, and those that change by themselves, do not count. */
function changeOfFiles({ contents: before }: Observed, { contents: after }: Observed, at: number): Change | null {
  const stable = Object.entries(before).flatMap(([id, observed]) => (isStable(observed, at) ? [id] : []));
  const files = stable.filter((id) => before[id]?.value !== after[id]?.value);
  if (files.length === 0) return null;
  const version = (all: Observed['contents']): string => {
    const values = stable.toSorted().map((id) => [id, all[id]?.value]);
    return `sha256:${contentHash(JSON.stringify(values))}`;
  };
  return { version: version(after), before: version(before), files };
}

function passed(live: LiveDeploy, at: number): LiveDeploy {
  const goodRounds = live.goodRounds + 1;
  const trusted = goodRounds >= TRUSTED.goodRounds && at - live.seenAt >= TRUSTED.afterMs;
  return { ...live, goodRounds, trusted };
}

/** After an incident that was detected then has ended: a deployment that came while it was open has repaired the site. */
export function repairedBy(deployments: Deployments, detectedAt: number): Deployments {
  const { live } = deployments;
  return live !== null && live.seenAt > detectedAt ? { ...deployments, live: { ...live, trusted: true } } : deployments;
}

/**
 * The deployment that may have caused a failure. Of the core checks: it came shortly before, without having passed them
 * for long. Of what only full checks see: it came after the last good one of those.
 */
export function suspectedDeploy({ live }: Deployments, isCore: boolean, suspicion: Suspicion, detectedAt: number) {
  const { since, lastGoodAt } = suspicion;
  if (live === null || live.seenAt > detectedAt) return null;
  const isRecent = since - live.seenAt <= SUSPECTED_MS;
  const isSuspect = isCore
    ? !live.trusted && (isRecent || live.goodRounds === 0)
    : live.seenAt > (lastGoodAt ?? since - SUSPECTED_MS);
  if (!isSuspect) return null;
  const { version, before, seenAt } = live;
  return { version, before, seenAt } satisfies SuspectedDeploy;
}
