/** One run of all sites, for cron: failures are confirmed within it, and due alerts are sent. */
import { FULL_DEADLINE_MS } from '../../limits.ts';
import { sleep } from '../clock/clock.ts';
import type { DeepScope, Scope } from '../incident/incident.ts';
import { DEEP_SCOPES } from '../incident/state.ts';
import { ticksOf } from '../schedule/ticks.ts';
import type { SiteView } from '../view.ts';
import { openCore, viewOf, type Core, type MonitorOptions } from './core.ts';
import { prune, remind } from './housekeeping.ts';
import { closeCore } from './start.ts';
import type { WatchedSite } from './watched-site.ts';

/** How long one site may be checked again at least, to confirm a result. */
const CONFIRM_MS = 60_000;
/** Runs that are no further apart confirm what one of them could not: cron may start one a day. */
const RUNS_APART_MS = 26 * 60 * 60_000;
/** What is due so soon is done in this run. */
const SOON_MS = 2_000;
const SEND_MS = 30_000;
/** An alert that failed and is tried again so soon is waited for: the next run may be an hour away. */
const RETRY_MS = 5_000;

export type SingleRunOutcome = Awaited<ReturnType<typeof runAllOnce>>;

/** Checks every site once, with the full check where that is due. Rejects with a `StoreError` when the database cannot be read. */
export async function runAllOnce(options: MonitorOptions, interrupt?: AbortSignal) {
  const core = await openCore(options, true);
  const cut = (): void => {
    core.closing.abort();
    core.cut.abort();
  };
  interrupt?.addEventListener('abort', cut, { once: true });
  if (interrupt?.aborted) cut();
  const sites = [...core.watched.values()];
  for (const watched of sites) watched.policy = { ...watched.policy, apartMs: RUNS_APART_MS };
  const isComplete = (await Promise.all(sites.map((watched) => runSite(core, watched)))).every(Boolean);
  const isWritten = await core.writer.flush();
  await remind(core).catch(() => {});
  await prune(core).catch(() => {});
  if (!interrupt?.aborted) await core.deliverer.flush(SEND_MS, RETRY_MS);
  // The heartbeat means that this run was complete.
  if (!interrupt?.aborted && isWritten) core.pulse.beat();
  const views = viewOf(core, () => null).sites();
  const pendingAlerts = await closeCore(core, interrupt?.aborted ? 1_000 : SEND_MS);
  interrupt?.removeEventListener('abort', cut);
  return {
    status: statusOf(views, isWritten && isComplete),
    /** In the order of the configuration. */
    sites: views,
    /** Whether the results are in the database. */
    kept: isWritten,
    /** Alerts that could not be sent; the next run tries again. */
    pendingAlerts,
  };
}

async function runSite(core: Core, watched: WatchedSite): Promise<boolean> {
  const last = await runUntilConfirmed(core, watched, 'five', 1);
  for (const scope of DEEP_SCOPES) {
    // A failing full check runs sooner than by its schedule.
    const isOverdue = (last?.dueWithinMs[scope] ?? Infinity) <= SOON_MS;
    const isDue = isDeepRunDue(core, watched, scope);
    if (isDue || isOverdue) await runUntilConfirmed(core, watched, scope, isDue ? 1 : 0);
  }
  return last !== null || watched.runs.five === null;
}

/**
 * Checks a site, and again as long as something has to be confirmed; resolves with the last transition. `ticks`: moments
 * of the schedule that the first run covers; confirming runs cover none.
 */
async function runUntilConfirmed(core: Core, watched: WatchedSite, scope: Scope, ticks: number) {
  let transition = await core.run(watched, scope, false, () => ticks);
  const endsAt = core.clock.now() + confirmingMs(watched, scope);
  while (transition !== null && transition.recheck !== null) {
    const { scope: recheckScope, afterMs } = transition.recheck;
    if (core.clock.now() + afterMs > endsAt) return transition;
    await sleep(core.timers, afterMs, core.closing.signal);
    transition = await core.run(watched, recheckScope, true, () => 0);
  }
  return transition;
}

/** How long confirming takes as configured, with one run more than needed: runs may end a little after their deadline. */
function confirmingMs({ policy, runs }: WatchedSite, scope: Scope): number {
  const { confirm, recover } = policy;
  const deadlineMs = runs[scope]?.limits?.deadlineMs ?? FULL_DEADLINE_MS;
  const count = Math.max(confirm.times, recover.times) + 1;
  return Math.max(CONFIRM_MS, count * (confirm.afterMs + deadlineMs));
}

function isDeepRunDue({ clock }: Core, { site, runs, state }: WatchedSite, scope: DeepScope): boolean {
  const schedule = site[scope];
  if (runs[scope] === null || schedule === null) return false;
  const last = state?.scopes[scope].at ?? null;
  const tick = last === null ? clock.now() : ticksOf(schedule, `${site.id} ${scope}`).next(last);
  return tick !== null && tick <= clock.now();
}

/**
 * 0: all sites are healthy, 1: one is not, 3: one could not be determined, or results could not be written. Sites in
 * maintenance do not count.
 */
function statusOf(sites: readonly SiteView[], isWritten: boolean): 0 | 1 | 3 {
  const reported = sites
    .filter(({ maintenance }) => maintenance === null)
    .map(({ state }) => state?.verdict ?? 'unknown');
  if (reported.some((verdict) => verdict !== 'healthy' && verdict !== 'unknown')) return 1;
  return isWritten && !reported.includes('unknown') ? 0 : 3;
}
