/** Sites without mistakes, normalised. */
import type { Checking, MaintenanceWindow, MonitoredSite, Schedule } from '../../monitor/settings.ts';
import type { Config } from '../config.ts';
import type { Environment } from '../environment.ts';
import { ownDefinition, type Schemas } from '../own.ts';
import { parseResolve } from '../resolve.ts';
import { parseTime } from '../time.ts';
import { expanded, headersOf, limitsOf, milliseconds, placeOf } from '../values.ts';
import { DEFAULT_WATCHING } from './defaults.ts';
import { BOUNDS } from './durations.ts';
import type { CheckingFile, MaintenanceFile, MonitorFile, SiteFile, WatchingFile } from './file.ts';
import { patternOf, scheduleOf, zoneOf, type Zoned } from './schedule.ts';

/** What the file says beside the site. */
export interface Around {
  /** The file's own settings. */
  readonly config: Omit<Config, 'monitor'>;
  readonly monitor: MonitorFile;
  readonly env: Environment;
  /** The compiled schemas of checks, by the check's key. */
  readonly schemas: Schemas;
}

/** A site of the file; `index` is its place in the list. */
export function siteOf(file: SiteFile, index: number, around: Around): MonitoredSite {
  const { config, monitor, env, schemas } = around;
  const own = (file.checks ?? []).map((check, nth) =>
    ownDefinition(check, schemas.get(`sites[${index}].checks[${nth}]`) ?? null),
  );
  return {
    id: file.id,
    url: expanded(file.url, env),
    title: file.title ?? file.id,
    tags: file.tags ?? [],
    ...watchingOf(file, monitor),
    alerts: file.alerts ?? null,
    maintenance: (file.maintenance ?? []).map((window) => windowOf(window, [window, file, monitor])),
    checking: {
      ...checkingOf(file, config, env),
      source: file.source === undefined ? null : expanded(file.source, env),
      versionFrom: placeOf(file.versionFrom),
      resolve: (file.resolve ?? []).flatMap((entry) => parseResolve(entry) ?? []),
      checks: [...config.checks, ...own],
    },
  };
}

/** The site of a file that has but a `url`: all that the file says is about it. */
export function onlySite(url: string, { config, monitor }: Around): MonitoredSite {
  const { only, skip, external, host, source, versionFrom, strict, limits, headers, rules, resolve, checks } = config;
  const id = idOf(url);
  return {
    id,
    url,
    title: URL.parse(url)?.host ?? id,
    tags: [],
    ...watchingOf({}, monitor),
    alerts: null,
    maintenance: [],
    checking: { only, skip, external, host, source, versionFrom, strict, limits, headers, rules, resolve, checks },
  };
}

/**
 * The settings that a site or a probe shares with the file, which says them for all. Headers, addresses and sources are
 * those of one site: the file's belong to its own `url`, and are never sent to another.
 */
export function checkingOf(
  file: CheckingFile,
  config: Omit<Config, 'monitor'>,
  env: Environment,
): Omit<Checking, 'source' | 'versionFrom' | 'resolve' | 'checks'> {
  return {
    only: file.only ?? config.only,
    skip: file.skip ?? config.skip,
    external: file.external ?? config.external,
    host: file.host ?? config.host,
    strict: file.strict ?? config.strict,
    limits: { ...config.limits, ...limitsOf(file.limits ?? {}) },
    headers: headersOf(file.headers ?? {}, env),
    rules: new Map([...config.rules, ...Object.entries(file.rules ?? {})]),
  };
}

/** How a site is watched: as it says itself, else as the monitor says for all. */
function watchingOf(file: WatchingFile, monitor: MonitorFile) {
  const { objective, confirm, recover } = {
    objective: file.objective ?? monitor.objective,
    confirm: { ...monitor.confirm, ...file.confirm },
    recover: { ...monitor.recover, ...file.recover },
  };
  return {
    schedule: scheduleOf([file, monitor], DEFAULT_WATCHING.schedule),
    full: fullOf(file, monitor),
    objectiveMs: milliseconds(objective, BOUNDS.objective) ?? DEFAULT_WATCHING.objectiveMs,
    confirm: {
      afterMs: milliseconds(confirm.after, BOUNDS.confirmAfter) ?? DEFAULT_WATCHING.confirm.afterMs,
      times: confirm.times ?? DEFAULT_WATCHING.confirm.times,
    },
    recover: { times: recover.times ?? DEFAULT_WATCHING.recover.times },
  };
}

function fullOf(file: WatchingFile, monitor: MonitorFile): Schedule | null {
  if ((file.full ?? monitor.full) === false) return null;
  const places = [file.full, monitor.full].filter((full) => typeof full === 'object');
  return scheduleOf(places, DEFAULT_WATCHING.full, [...places, file, monitor]);
}

function windowOf(file: MaintenanceFile, zones: readonly Zoned[]): MaintenanceWindow {
  const reason = file.reason ?? null;
  if (file.cron === undefined) {
    return { kind: 'once', from: parseTime(file.from ?? '') ?? 0, to: parseTime(file.to ?? '') ?? 0, reason };
  }
  return {
    kind: 'recurring',
    pattern: patternOf(file.cron),
    timeZone: zoneOf(zones),
    forMs: milliseconds(file.for, BOUNDS.window) ?? 0,
    reason,
  };
}

/** Longest id of a site. */
const LONGEST_ID = 64;

/** The host's name as an id: `https://docs.example.com:8443/` is `docs-example-com-8443`. */
function idOf(url: string): string {
  const words = (URL.parse(url)?.host ?? '').toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const named = /^[a-z]/.test(words[0] ?? '') ? words : ['site', ...words];
  return named.join('-').slice(0, LONGEST_ID).replace(/-$/, '');
}
