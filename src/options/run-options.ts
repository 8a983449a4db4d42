/** What a run does: as the command line and the configuration say, or as the monitor checks its sites. */
import { echoed, known, someOf, UsageError, type CheckFlags, type ReportTarget } from './arguments.ts';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseBaseUrl, type BaseUrl } from '../core/base-url.ts';
import { hostKindOf } from '../hosting/rules.ts';
import type { Check, Report, Role } from '../core/check.ts';
import type { ExpectedVersion } from '../site/types.ts';
import { checkSite, deadlineOf, type CheckSiteOptions } from '../core/check-site.ts';
import type { BrowserSettings, Config } from '../config/config.ts';
import type { Environment } from '../config/values.ts';
import { PUBLIC_CONTROL } from '../http/control.ts';
import { ProxyError } from '../http/address.ts';
import type { Limits } from '../core/limits.ts';
import type { Scope } from '../monitor/incident/incident.ts';
import type { Checking, MonitoredSite } from '../monitor/settings.ts';
import { linkedFile } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import type { Source } from '../source/types.ts';
import type { Wait, Waiting } from '../wait/wait.ts';
import { leadsOut, proposalIn } from './proposed.ts';
import { settingsOfAddress } from './settings-of-address.ts';
import { allChecks, demandInside, loadSettings, type ProjectFlags, type ProjectSettings } from './settings.ts';

export interface RunPlan extends CheckSiteOptions {
  /** How to wait for the site; `null`: it is checked once. */
  readonly wait: Wait | null;
}

/** What a run is given by its process. */
interface Process {
  readonly env: NodeJS.ProcessEnv;
  /** Ends the reading of the source. */
  readonly interrupt?: AbortSignal;
}

/** What a run is to do, as the command line and the configuration say. Rejects with a `UsageError`. */
export async function runOptions(
  url: string | undefined,
  flags: CheckFlags,
  settings: ProjectSettings,
  { env, interrupt }: Process,
): Promise<RunPlan> {
  const { config, checks } = settings;
  demandOwnAddress(url, flags, settings);
  const full = flags.full ?? config.full;
  const source = flags.source ?? config.source;
  const browser = await browserOf(flags, settings, env);
  demandCompanions(flags, source, browser !== null, checks);
  const only = flags.only ?? config.only;
  const skip = flags.skip ?? config.skip;
  if (flags.wait !== undefined) demandCriteria(flags, skip, checks);
  await demandReportFiles(flags.report ?? [], process.cwd());
  demandPathsInside(flags, settings, env);
  const plan: RunPlan = {
    site: demandAddress(url, config),
    checks: selectChecks(checks, { full, ...criteriaOf(flags, source, browser !== null), only, skip }),
    requested: {
      // A check that is named does its whole work.
      full: full || only.length > 0,
      external: flags.external ?? config.external,
      ...hostOf(flags.host, config),
      negotiation: config.negotiation,
      engine: flags.engine ?? config.engine,
      source: null,
      expected: expectedOf(flags, config),
    },
    limits: { ...config.limits, ...limitsOf(flags) },
    headers: { ...config.headers, ...flags.header },
    resolve: [...(flags.resolve ?? []), ...config.resolve],
    family: familyOf(flags),
    rules: config.rules,
    strict: flags.strict ?? config.strict,
    ...(browser === null ? {} : { browser }),
    environment: env,
    wait: waitOf(flags),
  };
  return source === null ? plan : withSource(plan, source, interrupt);
}

/** The name that was given, else the kind of the configuration. */
function hostOf(name: string | undefined, { host }: Pick<Config, 'host'>) {
  if (name === undefined) return { host, hostByProduct: false };
  const kind = hostKindOf(name);
  return { host: kind, hostByProduct: kind !== name };
}

async function withSource(plan: RunPlan, name: string, interrupt: AbortSignal | undefined): Promise<RunPlan> {
  const source = await sourceOf(name, untilEnd(plan, plan.wait?.forMs ?? 0, interrupt));
  return { ...plan, requested: { ...plan.requested, source } };
}

/** Aborts at the end of the last run that may begin within this time. */
function untilEnd(run: CheckSiteOptions, withinMs: number, interrupt: AbortSignal | undefined): AbortSignal {
  const deadline = AbortSignal.timeout(withinMs + deadlineOf(run));
  return interrupt === undefined ? deadline : AbortSignal.any([interrupt, deadline]);
}

/** Headers of a workflow hold its secrets: what is only proposed must not choose who gets them. */
function demandOwnAddress(url: string | undefined, { header }: CheckFlags, settings: ProjectSettings): void {
  if (!settings.isProposal || header === undefined) return;
  const isOwn = url !== undefined && settings.config.resolve.length === 0;
  if (!isOwn) throw new UsageError((messages) => messages.proposedAddress());
}

/**
 * Where files are only proposed, no link of theirs leads a path of the workspace out of it, and their configuration names
 * no source outside.
 */
function demandPathsInside(
  { source, screenshots, report = [] }: CheckFlags,
  { config, isProposal }: ProjectSettings,
  env: NodeJS.ProcessEnv,
): void {
  if (proposalIn(env) === null) return;
  const given = [
    ['--source', source],
    ['--screenshots', screenshots],
    ...report.map(({ file }) => ['--report', file] as const),
  ] as const;
  const [option, file] = given.find(([, named]) => named !== undefined && leadsOut(named, env)) ?? [];
  if (option !== undefined) throw new UsageError((messages) => messages.leadsOut(option, echoed(file ?? '')));
  if (source === undefined && config.source !== null && isProposal) demandInside('source', config.source, env);
}

/** Options that say nothing by themselves are mistakes: what they were to change would not be what runs. */
function demandCompanions(
  { only = [], ...flags }: CheckFlags,
  source: string | null,
  hasBrowser: boolean,
  checks: readonly Check[],
): void {
  const { wait, expectVersion } = flags;
  const names = (role: Role): boolean => checks.some((check) => check.role === role && only.includes(check.id));
  const alone = [
    ['--stable', '--wait', flags.stable !== undefined && wait === undefined],
    ['--since now', '--wait', flags.since === 'now' && wait === undefined],
    ['--version-from', '--expect-version', flags.versionFrom !== undefined && expectVersion === undefined],
    ['--only rendered', '--browser', names('browser') && !hasBrowser],
  ] as const;
  for (const [option, needed, isAlone] of alone) {
    if (isAlone) throw new UsageError((messages) => messages.needsOption(option, needed));
  }
  // Requested by its id, a check has to have something to compare with.
  if (source === null && names('source')) throw new UsageError((messages) => messages.noSource());
  if (!expectsVersion(flags) && names('version')) throw new UsageError((messages) => messages.noVersion());
}

/** Who names what to wait for, and leaves out what knows of it, would wait for something else. */
function demandCriteria(
  { source, versionOptional, ...flags }: CheckFlags,
  skip: readonly string[],
  checks: readonly Check[],
): void {
  const version = flags.expectVersion === undefined ? '--since' : '--expect-version';
  const criteria = [
    ['--source', 'source', source !== undefined],
    [version, 'version', expectsVersion(flags) && versionOptional !== true],
  ] as const;
  for (const [option, role, isNamed] of criteria) {
    const left = isNamed ? checks.find((check) => check.role === role && skip.includes(check.id)) : undefined;
    if (left !== undefined) throw new UsageError((messages) => messages.exclusive(option, `--skip ${left.id}`));
  }
}

const expectsVersion = ({ expectVersion, since }: Pick<CheckFlags, 'expectVersion' | 'since'>): boolean =>
  expectVersion !== undefined || since !== undefined;

/** The checks that know whether the site is fresh. Who waits for a version, or names one, has it checked in any case. */
function criteriaOf(flags: CheckFlags, source: string | null, hasBrowser: boolean) {
  const named: Role[] = [];
  if (expectsVersion(flags)) named.push('version');
  if (hasBrowser) named.push('browser');
  const enabled: readonly Role[] = source === null ? named : ['source', ...named];
  return { enabled, demanded: flags.wait === undefined ? named : enabled };
}

function expectedOf(flags: CheckFlags, config: Config): ExpectedVersion | null {
  const { expectVersion, versionAlternatives, versionOptional, versionFrom, since } = flags;
  // What the bundle has now is not known yet.
  const before = since === undefined || since === 'now' ? null : since;
  if (expectVersion === undefined && before === null) return null;
  return {
    version: expectVersion ?? null,
    ...(versionAlternatives === undefined ? {} : { alternatives: versionAlternatives }),
    from: expectVersion === undefined ? null : (versionFrom ?? config.versionFrom),
    optional: versionOptional ?? false,
    since: before,
  };
}

function familyOf({ ipv4, ipv6 }: CheckFlags): 0 | 4 | 6 {
  if (ipv4) return 4;
  return ipv6 ? 6 : 0;
}

const DEFAULT_STABLE = 2;

function waitOf({ wait, stable = DEFAULT_STABLE, since }: CheckFlags): Wait | null {
  if (wait === undefined) return null;
  return { forMs: wait, stable, ...(since === 'now' ? { sinceNow: true } : {}) };
}

export type Address = Extract<BaseUrl, { ok: true }>;

/** The address that is given, else that of the configuration. Throws a `UsageError` where it is invalid or missing. */
export function demandAddress(url: string | undefined, { url: configured, monitor }: Config): Address {
  const given = url ?? configured;
  // An empty argument is a variable of a script that was not set.
  if (given === null || given.trim() === '') {
    const ids = url === undefined ? monitor.sites.map(({ id }) => id) : [];
    throw new UsageError((messages) => (ids.length > 0 ? messages.noSiteChosen(someOf(ids)) : messages.noUrl()));
  }
  const site = parseBaseUrl(given);
  if (site.ok) return site;
  // A URL of the configuration may hold what an environment variable held: it is named, not shown.
  const fromConfig = url === undefined;
  const problem = fromConfig && site.problem.startsWith('no-scheme') ? 'invalid' : site.problem;
  throw new UsageError((messages) => messages.baseUrl(problem, fromConfig ? 'url' : printable(site.given)));
}

function limitsOf({ timeout, deadline, retries, rate, maxPages, maxDepth }: CheckFlags): Partial<Limits> {
  const limits = { timeoutMs: timeout, deadlineMs: deadline, retries, rate, maxPages, maxDepth };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

async function sourceOf(name: string, signal: AbortSignal): Promise<Source> {
  const { openSource, SourceError } = await import('../source/open.ts');
  return openSource(name, process.cwd(), signal).catch((error: unknown) => {
    if (!(error instanceof SourceError)) throw error;
    throw new UsageError((messages) => messages.badSource(printable(name), printable(error.message)));
  });
}

/**
 * Checks a site once, or waits for it, for a person. A proxy variable that is unusable rejects with a `UsageError`
 * before anything is sent; everything else as `checkSite` and `waitForSite` do.
 */
export async function checked({ wait, ...plan }: RunPlan, hooks: Pick<Waiting, 'onRun'>): Promise<Report> {
  const options = { control: PUBLIC_CONTROL, ...plan };
  try {
    if (wait === null) return await checkSite(options);
    const { waitForSite } = await import('../wait/wait.ts');
    return await waitForSite(options, { ...wait, ...hooks });
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    throw new UsageError((messages) => messages.badProxy(error.variable));
  }
}

/**
 * Looks, before anything is sent, whether the reports that are requested can be written. Rejects with a `UsageError` where two
 * have one name, or where one cannot be written: its folder is missing, it is a folder itself, or this user may not write
 * it. Devices and pipes take whatever comes.
 */
export async function demandReportFiles(targets: readonly ReportTarget[], folder: string): Promise<void> {
  const files = new Map<string, string>();
  for (const { file } of targets) {
    const resolved = path.resolve(folder, file);
    const existing = await stat(resolved).catch(() => null);
    if (existing?.isDirectory() === true) throw new UsageError((messages) => messages.reportIsFolder(echoed(file)));
    if (existing !== null && !existing.isFile()) continue;
    const other = files.get(resolved);
    if (other !== undefined) throw new UsageError((messages) => messages.sameReport(echoed(other), echoed(file)));
    files.set(resolved, file);
    const target = await linkedFile(resolved);
    const parent = path.dirname(target);
    if ((await stat(parent).catch(() => null))?.isDirectory() !== true) {
      const named = target === resolved ? path.dirname(file) : parent;
      throw new UsageError((messages) => messages.noReportFolder(echoed(file), echoed(named)));
    }
    const written = existing === null ? [parent] : [parent, target];
    await Promise.all(written.map((one) => access(one, constants.W_OK))).catch((error: NodeJS.ErrnoException) => {
      throw new UsageError((messages) => messages.unwritableReport(echoed(file), error.code ?? error.message));
    });
  }
}

interface Selection {
  /** All declared checks; without it the core checks, the user's own, and those that `only` names. */
  readonly full: boolean;
  /** Roles that another option gives something to compare with: what the site is deployed from, its version. */
  readonly enabled: readonly Role[];
  /** Those among them that run even where `only` does not name their check. */
  readonly demanded: readonly Role[];
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

/** The checks that a selection leaves, in their declared order. Throws a `UsageError` for an unknown id and for none. */
function selectChecks(all: readonly Check[], { full, enabled, demanded, only, skip }: Selection) {
  for (const id of only) findCheck(all, id, '--only');
  for (const id of skip) findCheck(all, id, '--skip');
  const isPossible = (check: Check): boolean => check.role !== 'browser' || hasRole(check, enabled);
  const preset =
    only.length === 0
      ? all.filter((check) => full || !check.full || hasRole(check, enabled))
      : all.filter((check) => only.includes(check.id) || hasRole(check, demanded));
  const chosen = preset.filter((check) => isPossible(check) && !skip.includes(check.id));
  if (chosen.length === 0) throw new UsageError((messages) => messages.noChecksLeft());
  return chosen;
}

const hasRole = ({ role }: Check, roles: readonly Role[]): boolean => role !== undefined && roles.includes(role);

/** The check of an id; `asked` names where the id was given. Throws a `UsageError` that suggests the nearest one. */
export function findCheck(all: readonly Check[], id: string, asked: string): Check {
  return known(id, all, (messages, ...facts) => messages.unknownCheck(asked, ...facts));
}

/* The browser of a run is found before anything is sent. */

type BrowserFlags = Pick<CheckFlags, 'browser' | 'browserPath' | 'routes' | 'screenshots'>;

/** The browser of a run; `null`: the user asks for none. Rejects with a `UsageError` where there is none. */
async function browserOf(flags: BrowserFlags, { config }: ProjectSettings, env: NodeJS.ProcessEnv) {
  const { enabled, routes } = config.browser;
  if ((flags.browser ?? enabled) === false) {
    const others = {
      '--browser-path': flags.browserPath,
      '--routes': flags.routes,
      '--screenshots': flags.screenshots,
    };
    const [option] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
    if (option === undefined) return null;
    throw new UsageError((messages) => messages.needsOption(option, '--browser'));
  }
  return demandBrowser({ ...config.browser, routes: flags.routes ?? routes }, env, flags);
}

/** The browser of runs that need one. Rejects with a `UsageError` where there is none. */
export async function demandBrowser(config: BrowserSettings, env: NodeJS.ProcessEnv, flags: BrowserFlags = {}) {
  demandPackages();
  return {
    target: await targetOf(flags, config, env),
    routes: config.routes,
    slowMs: config.slowMs,
    // As root, the sandbox of Chromium refuses to work.
    isSandboxed: config.sandbox && process.getuid?.() !== 0,
  };
}

async function targetOf({ browser, browserPath }: BrowserFlags, config: BrowserSettings, env: NodeJS.ProcessEnv) {
  if (typeof browser !== 'string') {
    if (browserPath === undefined && config.address !== null) return { address: config.address };
    return { file: await fileOfBrowser(browserPath ?? config.path, env) };
  }
  if (browserPath === undefined) return { address: browser };
  throw new UsageError((messages) => messages.exclusive('--browser <address>', '--browser-path'));
}

function demandPackages(): void {
  const { resolve } = createRequire(import.meta.url);
  try {
    resolve('playwright-core');
    resolve('axe-core/axe.min.js');
  } catch {
    throw new UsageError((messages) => messages.noBrowserPackages());
  }
}

async function fileOfBrowser(named: string | null, env: NodeJS.ProcessEnv): Promise<string> {
  const { findBrowser, isExecutable } = await import('../browser/find.ts');
  if (named !== null) {
    if (await isExecutable(named)) return named;
    throw new UsageError((messages) => messages.badBrowserPath(echoed(named)));
  }
  const found = await findBrowser(env);
  if (found !== null) return found;
  throw new UsageError((messages) => messages.noBrowser(process.platform));
}

/* How the sites of the configuration are checked: by the monitor, and by `docvitals check --site`. */

/**
 * What bounds a run of the core checks unless the configuration says otherwise. An incident is confirmed by runs of its own,
 * so that nothing is tried again within one; and what takes longer than this would be noticed too late.
 */
const QUICK_LIMITS: Partial<Limits> = { retries: 0, deadlineMs: 15_000 };

/**
 * What a run over a site runs: `five` the quick checks and the site's own, `full` all that are not left out, `browser`
 * with the quick ones those by which a site may be down; the browser itself is added where it is known.
 * Cheap, and pure: the same options each time.
 */
export function siteRun(site: MonitoredSite, scope: Scope, env: Environment): CheckSiteOptions {
  return checkingRun(addressOf(site.url), site.checking, scope, env);
}

export function checkingRun(address: Address, checking: Checking, scope: Scope, env: Environment): CheckSiteOptions {
  const full = scope === 'full';
  const { external, host, negotiation, engine, limits, headers, resolve, rules, strict } = checking;
  return {
    site: address,
    checks: checksOf(checking, scope),
    requested: { full, external: full && external, host, negotiation, engine, source: null, expected: null },
    limits: { ...(scope === 'core' ? QUICK_LIMITS : {}), ...limits },
    headers,
    resolve,
    rules,
    strict,
    environment: env,
  };
}

/**
 * Opens what a site is deployed from, relative to `cwd`, for a run that begins now; `null`: it says nothing of it. Rejects
 * with a `SourceError`.
 */
export async function openSiteSource(
  { checking }: MonitoredSite,
  run: CheckSiteOptions,
  cwd: string,
): Promise<Source | null> {
  if (checking.source === null) return null;
  const { openSource } = await import('../source/open.ts');
  return openSource(checking.source, cwd, untilEnd(run, 0, run.interrupt));
}

type RunFlags = Pick<CheckFlags, 'full' | 'only' | 'source' | 'wait'>;

/**
 * Loads the settings of a run: those of the configuration for the address, or with `--site` of one of its sites.
 * `address`: what `option` was given. Rejects with a `ConfigError` or a `UsageError`.
 */
export async function loadRunSettings(
  { site, ...flags }: RunFlags & ProjectFlags & Pick<CheckFlags, 'site'>,
  env: NodeJS.ProcessEnv,
  option: string,
  address: string | undefined,
): Promise<ProjectSettings> {
  const settings = await loadSettings(flags, env, { needed: site === undefined ? [] : ['sites'] });
  if (site === undefined) return settingsOfAddress(settings, address, { flags, env });
  // What is sent to a site, its headers for one, is not for another address.
  if (address !== undefined) throw new UsageError((messages) => messages.exclusive('--site', option));
  return settingsOfSite(settings, site, flags);
}

/**
 * The settings of `docvitals check` for one of the file's sites: a run without further options is what the monitor's
 * frequent runs are, with `--full` what its full ones are. Throws a `UsageError` that suggests the nearest site.
 */
export function settingsOfSite(settings: ProjectSettings, id: string, flags: RunFlags = {}): ProjectSettings {
  const { config } = settings;
  const { url, checking } = siteOf(config.monitor.sites, id, '--site');
  const { full = false, only, source, wait } = flags;
  const quick = !full && only === undefined && source === undefined && wait === undefined;
  return {
    ...settings,
    config: {
      ...config,
      ...checking,
      url,
      full: false,
      source: full ? checking.source : null,
      limits: { ...(quick ? QUICK_LIMITS : {}), ...checking.limits },
    },
    checks: allChecks(checking),
  };
}

/** The site of an id; `asked` names where the id was given. Throws a `UsageError` that suggests the nearest one. */
export function siteOf(sites: readonly MonitoredSite[], id: string, asked: string): MonitoredSite {
  return known(id, sites, (messages, ...facts) => messages.unknownSite(asked, ...facts));
}

/** The checks of the whole site are no part of the quick run, not even those that `only` names. */
function checksOf(checking: Checking, scope: Scope): readonly Check[] {
  const isPart = ({ full, vital }: Check): boolean =>
    !full || scope === 'full' || (scope === 'browser' && vital !== undefined);
  const all = allChecks(checking).filter(isPart);
  const isSelectable = (id: string): boolean => all.some((check) => check.id === id);
  const roles = scope === 'browser' ? (['browser'] as const) : [];
  return selectChecks(all, {
    full: scope !== 'core',
    enabled: roles,
    demanded: roles,
    only: checking.only.filter(isSelectable),
    skip: checking.skip.filter(isSelectable),
  });
}

function addressOf(url: string): Address {
  const address = parseBaseUrl(url);
  // The configuration was refused otherwise. The address may hold a password: it is not printed.
  if (!address.ok) throw new Error(`no base URL: ${address.problem}`);
  return address;
}
