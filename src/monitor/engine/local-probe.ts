/**
 * Checks sites from this machine: which runs are about this machine instead of the site, and which version is live by
 * what was received.
 */
import { isDeepStrictEqual } from 'node:util';
import { defaultChecks } from '../../../checks/index.ts';
import {
  versionTextsAt,
  versionTextsInHeaders,
  versionTextsInPage,
  type VersionText,
} from '../../../checks/deployed-version/version-texts.ts';
import type { Answer, Reply } from '../../core/answer.ts';
import type { CheckResult, Report } from '../../core/check.ts';
import { checkSite, deadlineOf, type CheckSiteOptions } from '../../core/check-site.ts';
import { sharedContext, type Resolver } from '../../http/connect.ts';
import type { Control } from '../../http/control.ts';
import { KeptBodies, Revalidation } from '../../http/revalidation.ts';
import { messagesIn } from '../../locales/messages.ts';
import { isHtmlDocument } from '../../parse/html.ts';
import { demandBrowser, openSiteSource } from '../../options/run-options.ts';
import { UsageError } from '../../options/arguments.ts';
import type { Clock, Timers } from '../clock/clock.ts';
import { createConnectivity, hasAnswered, isSilent, probeSideReason } from '../connectivity/connectivity.ts';
import type { Connectivity, ProbeSideReason, Reach } from '../connectivity/connectivity.ts';
import { contentHash } from '../incident/deploy.ts';
import type { Observation, Scope } from '../incident/incident.ts';
import type { Log } from '../log/write.ts';
import type { Checking, MonitoredSite, MonitorSettings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import type { WatchedSite } from './watched-site.ts';

/** What one run measured, before it is applied to the state of its site. */
export interface Measurement extends Omit<Observation, 'scope' | 'maintenance' | 'maintenanceUntil' | 'causes'> {
  /** What each location measured; absent: there is only this machine. */
  readonly locations?: readonly LocationResult[];
  /** The results in the queue that it is made of. */
  readonly settles?: readonly string[];
}

export interface LocationResult extends Pick<Measurement, 'report' | 'probeSide'> {
  readonly location: string;
}

export interface MeasureOptions {
  /** Bodies that were received before are not relied on. */
  readonly bypassCache: boolean;
  readonly cut: AbortSignal;
  /** Of a single run. */
  readonly narrowed?: NarrowedRun;
}

/** A run in less time. */
export interface NarrowedRun {
  /** The deadline, unless the configuration sets one. */
  readonly deadlineMs: number;
  /** The checks that failed, which it confirms without retrying anything; `null`: it runs all. */
  readonly failed: readonly string[] | null;
}

/** What runs the checks of a site: this machine, or the runners of all locations. */
export interface Probe {
  /** Resolves with what a run measured; `null`: it was cut off, or nothing of that scope is checked. */
  measure(watched: WatchedSite, scope: Scope, options: MeasureOptions): Promise<Measurement | null>;
  /** A run that is in progress already, which the next call of `measure` continues; `undefined`: none. */
  begun?(watched: WatchedSite, scope: Scope): object | undefined;
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
  /** Asked in each run whether this machine is cut off; absent: by what responded before. */
  readonly control?: Control;
  readonly connect?: Reach;
  readonly resolveName?: Reach;
}

/** The note of the database that lists what responded. */
const NOTE = 'connectivity-reached';
/** Runs that can be trusted for so long end the trouble: sites are checked in turn. */
const CALM_MS = 5_000;

export async function openLocalProbe(options: LocalProbeOptions, first: MonitorSettings): Promise<Probe> {
  const { store, timers, clock, connect, resolveName, resolver, check = checkSite } = options;
  const note = await store?.note(NOTE).catch(() => null);
  const connectivityOf = ({ connectivity: targets }: MonitorSettings, known: readonly string[] | null): Connectivity =>
    createConnectivity({
      targets,
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
  const scripts = scriptSchedule(timers);
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
      if (!isDeepStrictEqual(changed.connectivity, settings.connectivity)) connectivity = connectivityOf(changed, null);
      settings = changed;
    },
    forget(site) {
      revalidations.get(site)?.bodies.forget();
      revalidations.delete(site);
      scripts.forget(site);
    },
    troubles: trouble.current,
    async settled() {
      await learning;
    },
    async measure(watched, scope, { bypassCache, cut, narrowed }) {
      const usual = await optionsOf(watched, scope, settings, { ...options, cut });
      if (usual === null) return null;
      const run = narrowed === undefined ? usual : narrow(usual, narrowed, watched.site);
      const before = { at: clock.now(), ...clock.interruptions(), answers };
      const contents = collectContents(watched.url, watched.site.checking);
      const isCore = scope === 'core';
      const report = await check({
        ...run,
        requested: { ...run.requested, scripts: !isCore || scripts.areDue(watched.site.id) },
        ...(isCore ? { revalidation: { bodies: bodiesOf(watched), bypassCache } } : {}),
        sharesConnection: isCore,
        resolver,
        control: options.control,
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
      const current = connectivity;
      if (hasAnswered(report)) {
        answers += 1;
        // What can be reached now shows later whether the network is gone.
        learning = Promise.all([learning, current.learn()]);
      }
      const probeSide = await probeSideReason(report, { suspended, blocked, answeredMeanwhile, connectivity: current });
      trouble.note(probeSide);
      const seen = contents.of(report);
      if (isCore) scripts.note(watched.site.id, report, seen.contents?.['bundle']);
      return { report, startedAt: before.at, endedAt, probeSide, ...seen };
    },
  };
}

/** While a site is healthy and its bundle the same, its scripts are requested this often. */
const SCRIPTS_MS = 5 * 60_000;

const hasBrokenScript = ({ role, findings }: CheckResult): boolean =>
  role === 'bundle' && findings.some(({ rule, severity }) => severity === 'error' && rule.startsWith('script-'));

/** When the scripts of each site have to be requested again: they are large, and there is a run every few seconds. */
function scriptSchedule(timers: Timers) {
  const known = new Map<string, { readonly at: number; readonly bundle: string | undefined }>();
  const areDue = (site: string): boolean => timers.monotonic() - (known.get(site)?.at ?? -Infinity) >= SCRIPTS_MS;
  return {
    areDue,
    forget: (site: string): void => void known.delete(site),
    /** `bundle`: the hash of the bundle in the run that ended now. */
    note(site: string, { verdict, checks }: Report, bundle: string | undefined): void {
      const before = known.get(site);
      // A CDN that fails for one site fails for others: they are all checked now, and notified together.
      if (before !== undefined && checks.some(hasBrokenScript)) known.clear();
      if (verdict !== 'healthy' || (before !== undefined && before.bundle !== bundle)) known.delete(site);
      else if (areDue(site)) known.set(site, { at: timers.monotonic(), bundle });
    },
  };
}

/** Not about all sites: the clock reports that the machine slept, which is over, and each site that it is refused. */
const NO_TROUBLE: ReadonlySet<ProbeSideReason> = new Set(['suspended', 'refused']);

/** Reports while runs are about this machine. */
function createTrouble({ log, timers }: LocalProbeOptions) {
  let trouble: { readonly reason: ProbeSideReason; readonly since: number } | null = null;
  return {
    current: (): readonly string[] => (trouble === null ? [] : [trouble.reason]),
    note(reason: ProbeSideReason | null): void {
      const now = timers.monotonic();
      if (reason !== null && !NO_TROUBLE.has(reason)) {
        if (trouble?.reason !== reason) log('warn', 'probe-failing', { reason });
        trouble = { reason, since: now };
      } else if (trouble !== null && now - trouble.since >= CALM_MS) {
        log('info', 'probe-works', { reason: trouble.reason });
        trouble = null;
      }
    },
  };
}

function narrow(
  run: CheckSiteOptions,
  { deadlineMs, failed }: NarrowedRun,
  { checking }: MonitoredSite,
): CheckSiteOptions {
  const checks = failed === null ? run.checks : run.checks.filter(({ id }) => failed.includes(id));
  const limits = { ...run.limits, ...(failed !== null && { retries: 0 }) };
  const bounded = Math.max(1, Math.min(deadlineMs, deadlineOf(run)));
  return {
    ...run,
    checks,
    limits: checking.limits.deadlineMs === undefined ? { ...limits, deadlineMs: bounded } : limits,
  };
}

/** A browser is looked for, and a source opened, each time: what is deployed is compared with its current files. */
async function optionsOf(
  { site, runs }: WatchedSite,
  scope: Scope,
  settings: MonitorSettings,
  { env, log, cut }: Pick<LocalProbeOptions, 'env' | 'log'> & { readonly cut: AbortSignal },
): Promise<CheckSiteOptions | null> {
  const run = runs[scope];
  if (run === null || scope === 'core') return run;
  if (scope === 'browser') return { ...run, browser: await browserFor(settings, env) };
  if (site.checking.source === null) return run;
  try {
    const source = await openSiteSource(site, { ...run, interrupt: cut }, process.cwd());
    return { ...run, requested: { ...run.requested, source } };
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

/* What a run of the core checks shows of the live deployment: the site's version, and hashes of its files. */

const CORE: ReadonlySet<string> = new Set(defaultChecks.map(({ id }) => id));
const BUNDLE = 'index.html';
/** The beginning of a body, in bytes, by which a page is recognised. */
const BEGINNING = 4_096;
/** A longer text is not a version. In UTF-16 code units. */
const LONGEST_VERSION = 100;
/** Answers that are checked: the core checks, and the site's own checks beside them. */
const MOST_ANSWERS = 50;

/** What was read last with the settings of a site: the same bytes come run after run, and a pattern of a user may be slow. */
const readLast = new WeakMap<VersionSettings, { readonly hash: string; readonly texts: readonly VersionText[] }>();

type VersionSettings = Pick<Checking, 'versionFrom'>;

/** `settings`: the same object as long as the configuration is the same. */
function versionTextsIn(reply: Reply, hash: string, settings: VersionSettings): readonly VersionText[] {
  const known = readLast.get(settings);
  if (known?.hash === hash) return known.texts;
  const { versionFrom: from } = settings;
  const found = from === null ? versionTextsInPage(reply, BUNDLE) : versionTextsAt(reply, from);
  const texts = typeof found === 'string' ? [] : found;
  readLast.set(settings, { hash, texts });
  return texts;
}

/** The version that the site publishes in an answer; `null`: it has none, or is not where the configuration says that it is. */
function versionIn(reply: Reply, hash: string, base: string, settings: VersionSettings): string | null {
  const { versionFrom: from } = settings;
  if (reply.requestUrl !== new URL(from?.path ?? BUNDLE, base).href) return null;
  const texts = versionTextsIn(reply, hash, settings);
  // In the bundle and its headers, what can be nothing else.
  const reported =
    from === null
      ? [...texts, ...versionTextsInHeaders(reply.headers, BUNDLE)].find(({ itself }) => itself === true)
      : texts.find(({ named }) => named);
  const version = reported?.text.trim() ?? '';
  return version === '' || version.length > LONGEST_VERSION ? null : version;
}

/** Collects what one run over the core checks sees of the site's files. `settings`: as of {@link versionTextsIn}. */
export function collectContents(base: string, settings: VersionSettings) {
  const received = new Map<string, { readonly hash: string; readonly isPage: boolean }>();
  let version: string | null = null;
  return {
    add(answer: Answer): void {
      if (!isFile(answer) || received.size >= MOST_ANSWERS) return;
      const hash = contentHash(answer.body);
      received.set(answer.requestUrl, { hash, isPage: isPageIn(answer.body) });
      version = versionIn(answer, hash, base, settings) ?? version;
    },
    /** The result of the run, once it has ended. The host's answer for everything does not count as a file. */
    of({ checks }: Pick<Report, 'checks'>): Pick<Observation, 'version' | 'contents'> {
      const files = checks.flatMap(({ id, role, url }) => {
        const file = CORE.has(id) ? received.get(url) : undefined;
        return file === undefined ? [] : [{ id, role, url, ...file }];
      });
      const isOneForAll =
        new Set(files.map(({ url }) => url)).size > 1 && new Set(files.map(({ hash }) => hash)).size === 1;
      if (isOneForAll) return { version: null, contents: {} };
      const own = files.filter(({ role, isPage }) => role === 'bundle' || !isPage);
      return { version, contents: Object.fromEntries(own.map(({ id, hash }) => [id, hash])) };
    },
  };
}

function isPageIn(body: Uint8Array): boolean {
  return isHtmlDocument(Buffer.from(body.buffer, body.byteOffset, Math.min(BEGINNING, body.length)).toString('latin1'));
}

/** Whether something came from where it was requested: no error, no other site's page to log in. */
function isFile(answer: Answer): answer is Reply {
  return (
    answer.kind === 'reply' &&
    answer.status === 200 &&
    answer.body.length > 0 &&
    (answer.url === answer.requestUrl || new URL(answer.url).origin === new URL(answer.requestUrl).origin)
  );
}
