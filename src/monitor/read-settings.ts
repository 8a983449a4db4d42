/** Makes the settings of the monitor of a configuration without mistakes, whose variables are expanded. */
import { limitsOf, ofOneSite, pick, type FileConfig } from '../config/config.ts';
import { parseHostPort } from '../config/formats.ts';
import type { Schemas } from '../config/user-schema.ts';
import { milliseconds, parseTime } from '../config/values.ts';
import type {
  ConfigFile,
  ConfirmFile,
  FullScheduleFile,
  MaintenanceFile,
  ModuleFile,
  RouteFile,
  SiteFile,
} from '../generated/config-file.ts';
import type { Language } from '../locales/language.ts';
import { CHANNELS, loadChannel } from './alerts/channels/index.ts';
import { DEFAULT_BROWSER, DEFAULT_HEARTBEAT_MS, DEFAULT_MONITOR, DEFAULT_WATCHING } from './settings.ts';
import type { Checking, Retention, Schedule } from './settings.ts';

type MonitorFile = NonNullable<ConfigFile['monitor']>;
type ScheduleFile = Exclude<FullScheduleFile, false>;
type CheckedFile = Omit<ModuleFile, 'full'> &
  Pick<SiteFile, 'headersFor' | 'source' | 'versionFrom' | 'resolve' | 'checks'>;
type WatchingFile = Omit<Pick<SiteFile, keyof SiteFile & keyof MonitorFile>, 'locations'>;

export async function readMonitor(file: ConfigFile, config: FileConfig, schemas: Schemas) {
  const { database = null, listen = '', heartbeat, connectivity = null, retention, probe, page } = file.monitor ?? {};
  const language = config.language ?? 'en';
  const sites: readonly ReturnType<typeof siteOf>[] = sitesOf(file, config, schemas);
  const locations: readonly ReturnType<typeof locationOf>[] = (file.monitor?.locations ?? []).map(locationOf);
  const alerts: readonly Awaited<ReturnType<typeof routeOf>>[] = await Promise.all(
    (file.alerts ?? []).map((route) => routeOf(route, language)),
  );
  return {
    sites,
    alerts,
    database,
    locations,
    listen: parseHostPort(listen) ?? null,
    /** Its URL may hold a secret: never printed. */
    heartbeat: heartbeat
      ? { url: heartbeat.url, everyMs: milliseconds(heartbeat.every) ?? DEFAULT_HEARTBEAT_MS }
      : null,
    /** `host:port` of the connectivity check; `null`: the default ones; empty: none. */
    connectivity,
    retention: retentionOf(retention),
    probe: probeOf(probe, config, schemas),
    browser: config.browser,
    page: pageOf(page, language),
  };
}

function locationOf(file: NonNullable<MonitorFile['locations']>[number]) {
  const { id, title, latitude, longitude } = typeof file === 'string' ? { id: file } : { ...file };
  const isKnown = latitude !== undefined && longitude !== undefined;
  return { id, title: title ?? id, coordinates: isKnown ? { latitude, longitude } : null };
}

function pageOf(page: MonitorFile['page'] = {}, byDefault: Language) {
  return {
    title: page.title ?? null,
    /** Where the page is published, for feeds and links. */
    url: page.url?.replace(/\/*$/, '/') ?? null,
    language: page.language ?? byDefault,
    ...pick(page, ['details']),
  };
}

function probeOf({ targets = [], modules = {} }: MonitorFile['probe'] = {}, config: FileConfig, schemas: Schemas) {
  const named = Object.entries(modules).map(
    ([name, module]) => [name, { full: module.full ?? false, checking: checkingOf(module, config, schemas) }] as const,
  );
  return { targets, modules: new Map(named) };
}

/** Without `sites` the file's own site is watched; an empty list is empty. */
function sitesOf({ sites, monitor = {}, ...file }: ConfigFile, config: FileConfig, schemas: Schemas) {
  return (sites ?? ownSite(file)).map((site) => siteOf(site, monitor, checkingOf(site, config, schemas)));
}

function ownSite({ url, ...file }: ConfigFile): readonly SiteFile[] {
  if (url === undefined) return [];
  const id = idOf(url);
  const title = URL.parse(url)?.host ?? id;
  return [{ id, url, title, ...pick(file, ['headers', 'headersFor', 'source', 'versionFrom', 'resolve']) }];
}

function siteOf(file: SiteFile, monitor: MonitorFile, checking: Checking) {
  return {
    /** Unique: the key in the database, in URLs and in labels. */
    id: file.id,
    url: file.url,
    title: file.title ?? file.id,
    tags: file.tags ?? [],
    ...watchingOf(file, monitor),
    /** Ids of the locations that check it; absent: all. */
    ...pick(file, ['locations']),
    /** Ids of its routes; `null`: all. */
    alerts: file.alerts ?? null,
    maintenance: (file.maintenance ?? []).map((window) => windowOf(window, [window, file, monitor])),
    checking,
  };
}

/**
 * The settings that a site or a probe shares with the file. Headers, sources and addresses are those of one site: the
 * file's belong to its own `url`, and are never sent to another.
 */
function checkingOf(file: CheckedFile, config: FileConfig, schemas: Schemas): Checking {
  const { url: _url, language: _language, full: _full, browser: _browser, ...ofAllSites } = config;
  const own = ofOneSite(file, schemas);
  return {
    ...ofAllSites,
    ...pick(file, ['only', 'skip', 'external', 'host', 'negotiation', 'engine', 'strict']),
    limits: { ...config.limits, ...limitsOf(file.limits) },
    rules: new Map([...config.rules, ...Object.entries(file.rules ?? {})]),
    ...own,
    checks: [...config.checks, ...own.checks],
  };
}

function watchingOf(file: WatchingFile, monitor: WatchingFile) {
  const confirm = { ...asMapping(monitor.confirm), ...asMapping(file.confirm) };
  const recover = { ...asMapping(monitor.recover), ...asMapping(file.recover) };
  const deep = (key: 'full' | 'browser', byDefault: Schedule): Schedule | null => {
    const files = [file[key], monitor[key]].filter((schedule) => typeof schedule === 'object');
    return (file[key] ?? monitor[key]) === false ? null : scheduleOf(files, byDefault, [...files, file, monitor]);
  };
  const isInBrowser = (file.browser ?? monitor.browser) !== undefined;
  return {
    schedule: scheduleOf([file, monitor], DEFAULT_WATCHING.schedule),
    full: deep('full', DEFAULT_WATCHING.full),
    browser: isInBrowser ? deep('browser', DEFAULT_BROWSER) : null,
    recoveryTimeObjectiveMs:
      milliseconds(file.recoveryTimeObjective ?? monitor.recoveryTimeObjective) ??
      DEFAULT_WATCHING.recoveryTimeObjectiveMs,
    confirm: {
      afterMs: milliseconds(confirm.after) ?? DEFAULT_WATCHING.confirm.afterMs,
      times: confirm.times ?? DEFAULT_WATCHING.confirm.times,
      ...pick(confirm, ['locations', 'notifyFewer']),
    },
    recover: { times: recover.times ?? DEFAULT_WATCHING.recover.times },
  };
}

/** A number alone is short for `times`. */
function asMapping(given: ConfirmFile = {}): Exclude<ConfirmFile, number> {
  return typeof given === 'number' ? { times: given } : given;
}

type Zoned = Pick<ScheduleFile, 'timeZone'>;

/**
 * The first of `files` that sets `every` or `cron` decides. `jitter` and `timeZone` are inherited apart from it; `zones`
 * are where a time zone is searched.
 */
function scheduleOf(files: readonly ScheduleFile[], byDefault: Schedule, zones: readonly Zoned[] = files): Schedule {
  const file = files.find(({ every, cron }) => every !== undefined || cron !== undefined);
  const jitterMs = milliseconds(files.find(({ jitter }) => jitter !== undefined)?.jitter) ?? byDefault.jitterMs;
  if (file?.cron !== undefined) {
    return { kind: 'cron', pattern: patternOf(file.cron), timeZone: zoneOf(zones), jitterMs };
  }
  const everyMs = milliseconds(file?.every);
  return everyMs === undefined ? { ...byDefault, jitterMs } : { kind: 'every', everyMs, jitterMs };
}

function zoneOf(files: readonly Zoned[]): string | null {
  return files.find(({ timeZone }) => timeZone !== undefined)?.timeZone ?? null;
}

function patternOf(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

/** A time in which a site is checked, but opens no incident. Times are ms since 1970. */
function windowOf(file: MaintenanceFile, zones: readonly Zoned[]) {
  const { from = '', to = '', cron, reason = null } = file;
  if (cron === undefined) return { kind: 'once', from: parseTime(from) ?? 0, to: parseTime(to) ?? 0, reason } as const;
  const forMs = milliseconds(file.for) ?? 0;
  return { kind: 'recurring', pattern: patternOf(cron), timeZone: zoneOf(zones), forMs, reason } as const;
}

/** A route that escalates, or that is for outages alone, gets no lists of findings unless it asks for them. */
function findingsOf({ after, verdicts = ['degraded'] }: RouteFile): NonNullable<RouteFile['findings']> {
  return after === undefined && verdicts.includes('degraded') ? 'daily' : 'none';
}

const LONGEST_ID = 64;

/** The host name as an id: `https://docs.example.com:8443/` is `docs-example-com-8443`. */
function idOf(url: string): string {
  const words = (URL.parse(url)?.host ?? '').toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const named = /^[a-z]/.test(words[0] ?? '') ? words : ['site', ...words];
  return named.join('-').slice(0, LONGEST_ID).replace(/-$/, '');
}

/** What is not set is the default, adjusted so that coarser results are kept at least as long as finer ones. */
function retentionOf(file: MonitorFile['retention'] = {}): Retention {
  const { rawMs: raw, minuteMs: minute, hourMs: hour, dayMs: day } = DEFAULT_MONITOR.retention;
  const given = [file.runs, file.minutes, file.hours, file.days].map(milliseconds);
  const kept: number[] = [];
  for (const [index, byDefault] of [raw, minute, hour, day].entries()) {
    const coarser = given.slice(index + 1).filter((ms) => ms !== undefined);
    kept.push(given[index] ?? Math.max(kept.at(-1) ?? 0, Math.min(byDefault, ...coarser)));
  }
  const [rawMs = raw, minuteMs = minute, hourMs = hour, dayMs = day] = kept;
  return { rawMs, minuteMs, hourMs, dayMs };
}

async function routeOf(file: RouteFile, language: Language) {
  const row = CHANNELS.find(({ key }) => file[key] !== undefined);
  if (row === undefined) throw new Error('a route without a channel');
  return {
    id: file.id,
    channel: (await loadChannel(row)).read(file[row.key]),
    language: file.language ?? language,
    /** Escalation: only incidents that have been open for this long. */
    afterMs: milliseconds(file.after) ?? 0,
    reminderMs: milliseconds(file.reminder) ?? null,
    verdicts: file.verdicts ?? [],
    findings: file.findings ?? findingsOf(file),
    tags: file.tags ?? [],
  };
}
