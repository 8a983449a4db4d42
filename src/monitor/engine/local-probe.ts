/** Checks sites from this machine, and finds out which runs are about this machine instead of the site. */
import { isDeepStrictEqual } from 'node:util';
import type { Report } from '../../check.ts';
import { checkSite, type CheckSiteOptions } from '../../check-site.ts';
import { sharedContext, type Resolver } from '../../http/connect.ts';
import { KeptBodies, Revalidation } from '../../http/revalidation.ts';
import { messagesIn } from '../../locales/messages.ts';
import { demandBrowser } from '../../project/browser.ts';
import { openSiteSource } from '../../project/run-options.ts';
import { UsageError } from '../../project/usage-error.ts';
import type { Clock, Timers } from '../clock/clock.ts';
import {
  createConnectivity,
  hasAnswered,
  isSilent,
  probeSideReason,
  type Connectivity,
  type ProbeSideReason,
  type Reach,
} from '../connectivity/connectivity.ts';
import type { Observation, Scope } from '../incident/incident.ts';
import type { Log } from '../log/write.ts';
import type { MonitorSettings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import { collectContents } from './deployed-contents.ts';
import type { WatchedSite } from './watched-site.ts';

/** What one run measured, before it is applied to the state of its site. */
export interface Measurement extends Omit<Observation, 'scope' | 'maintenance' | 'maintenanceUntil'> {
  /** What each location measured; absent: there is only this machine. */
  readonly locations?: readonly LocationResult[];
}

export interface LocationResult extends Pick<Measurement, 'report' | 'probeSide'> {
  readonly location: string;
}

export interface MeasureOptions {
  /** Bodies that were received before are not relied on. */
  readonly isWhole: boolean;
  readonly cut: AbortSignal;
}

/** What runs the checks of a site: this machine, or the runners of all locations. */
export interface Probe {
  /** Resolves with what a run measured; `null`: it was cut off, or nothing of that scope is checked. */
  measure(watched: WatchedSite, scope: Scope, options: MeasureOptions): Promise<Measurement | null>;
  configure(settings: MonitorSettings): void;
  forget(site: string): void;
  /** Problems of this machine, or of locations. */
  troubles(): readonly string[];
  /** Resolves when nothing is being learnt of the network. */
  settled(): Promise<void>;
}

export interface LocalProbeOptions {
  /** Notes what responded, for the next start; `null`: that is learnt again. */
  readonly store: Pick<Store, 'note' | 'setNote'> | null;
  readonly log: Log;
  readonly env: NodeJS.ProcessEnv;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly resolver: Resolver;
  readonly check?: (options: CheckSiteOptions) => Promise<Report>;
  readonly connect?: Reach;
  readonly resolveName?: Reach;
}

/** The note of the database that lists what responded. */
const NOTE = 'control-reached';
/** Runs that can be trusted for so long end the trouble: sites are checked in turn. */
const CALM_MS = 5_000;

/** Opens the probe of this machine with what it knows of its network. */
export async function openLocalProbe(options: LocalProbeOptions, first: MonitorSettings): Promise<Probe> {
  const { store, timers, clock, connect, resolveName, resolver, check = checkSite } = options;
  const note = await store?.note(NOTE).catch(() => null);
  const connectivityOf = ({ control }: MonitorSettings, known: readonly string[] | null): Connectivity =>
    createConnectivity({
      control,
      known,
      connect,
      resolveName,
      clock: () => timers.monotonic(),
      // What cannot be noted is learnt again.
      onKnown: (reached) => void store?.setNote(NOTE, reached.join('\n')).catch(() => {}),
    });
  let settings = first;
  let connectivity = connectivityOf(first, note?.split('\n').filter((target) => target !== '') ?? null);
  let learning: Promise<unknown> = Promise.resolve();
  /** How many runs of any site received a response. */
  let answers = 0;
  const trouble = createTrouble(options);
  const secureContext = sharedContext();
  const keptBodies = new KeptBodies();
  const revalidations = new Map<string, { readonly runs: WatchedSite['runs']; readonly bodies: Revalidation }>();

  const bodiesOf = ({ site, runs }: WatchedSite): Revalidation => {
    const known = revalidations.get(site.id);
    if (known?.runs === runs) return known.bodies;
    known?.bodies.forget();
    const bodies = new Revalidation(keptBodies, () => performance.now());
    revalidations.set(site.id, { runs, bodies });
    return bodies;
  };
  return {
    configure(changed) {
      if (!isDeepStrictEqual(changed.control, settings.control)) connectivity = connectivityOf(changed, null);
      settings = changed;
    },
    forget(site) {
      revalidations.get(site)?.bodies.forget();
      revalidations.delete(site);
    },
    troubles: trouble.current,
    async settled() {
      await learning;
    },
    async measure(watched, scope, { isWhole, cut }) {
      const run = await optionsOf(watched, scope, settings, options);
      if (run === null) return null;
      const before = { at: clock.now(), ...clock.interruptions(), answers };
      const contents = collectContents(watched.url, watched.site.checking);
      const isCore = scope === 'five';
      const report = await check({
        ...run,
        ...(isCore ? { revalidation: { bodies: bodiesOf(watched), isWhole } } : {}),
        sharesConnection: isCore,
        resolver,
        secureContext,
        interrupt: cut,
        // A full check receives thousands of answers, which show no more of the deployment.
        onAnswer: (answer) => (isCore ? contents.add(answer) : undefined),
      });
      if (cut.aborted) return null;
      const { gaps, blocks } = clock.interruptions();
      const suspended = gaps !== before.gaps || (isSilent(report) && clock.hasJustResumed());
      const blocked = blocks !== before.blocks;
      const endedAt = Math.max(before.at, clock.now());
      const answeredMeanwhile = answers !== before.answers;
      const control = connectivity;
      if (hasAnswered(report)) {
        answers += 1;
        // What can be reached now shows later whether the network is gone.
        learning = Promise.all([learning, control.learn()]);
      }
      const probeSide = await probeSideReason(report, { suspended, blocked, answeredMeanwhile, control });
      trouble.note(probeSide);
      return { report, startedAt: before.at, endedAt, probeSide, ...contents.of(report) };
    },
  };
}

/** Reports while runs are about this machine. The clock reports that the machine slept, which is over. */
function createTrouble({ log, timers }: LocalProbeOptions) {
  let trouble: { readonly reason: ProbeSideReason; readonly since: number } | null = null;
  return {
    current: (): readonly string[] => (trouble === null ? [] : [trouble.reason]),
    note(reason: ProbeSideReason | null): void {
      const now = timers.monotonic();
      if (reason !== null && reason !== 'suspended') {
        if (trouble?.reason !== reason) log('warn', 'rounds-ours', { reason });
        trouble = { reason, since: now };
      } else if (trouble !== null && now - trouble.since >= CALM_MS) {
        log('info', 'rounds-trusted', { reason: trouble.reason });
        trouble = null;
      }
    },
  };
}

/** A browser is looked for, and a source opened, each time: what is deployed is compared with its current files. */
async function optionsOf(
  { site, runs }: WatchedSite,
  scope: Scope,
  settings: MonitorSettings,
  { env, log }: LocalProbeOptions,
): Promise<CheckSiteOptions | null> {
  const run = runs[scope];
  if (run === null || scope === 'five') return run;
  if (scope === 'browser') return { ...run, browser: await browserFor(settings, env) };
  if (site.checking.source === null) return run;
  try {
    return { ...run, requested: { ...run.requested, source: await openSiteSource(site, process.cwd()) } };
  } catch (error) {
    log('warn', 'source-unreadable', { site: site.id, error: (error as Error).message });
    return run;
  }
}

/** The browser may be gone since the start, or be new in the configuration: then its runs fail, and say why. */
function browserFor({ browser }: MonitorSettings, env: NodeJS.ProcessEnv): ReturnType<typeof demandBrowser> {
  return demandBrowser(browser, env).catch((error: unknown) => {
    throw error instanceof UsageError ? new Error(error.report(messagesIn('en'))) : error;
  });
}
