/** What the file says of the monitor, once it has no mistakes. */
import type { MonitoredSite, MonitorSettings, ProbeModule } from '../../monitor/settings.ts';
import type { Language } from '../../texts.ts';
import type { Config } from '../config.ts';
import type { Environment } from '../environment.ts';
import type { ConfigFile } from '../file.ts';
import { parseHostPort } from '../listen.ts';
import type { Schemas } from '../own.ts';
import { expanded, milliseconds } from '../values.ts';
import { DEFAULT_HEARTBEAT_MS, DEFAULT_MONITOR } from './defaults.ts';
import { BOUNDS } from './durations.ts';
import type { ModuleFile, MonitorFile } from './file.ts';
import { routeOf } from './normalise-route.ts';
import { checkingOf, onlySite, siteOf, type Around } from './normalise-site.ts';

/** The monitor's settings; `config` is what the rest of the file came to. */
export function monitorSettings(
  file: ConfigFile,
  config: Omit<Config, 'monitor'>,
  { env, schemas }: { readonly env: Environment; readonly schemas: Schemas },
): MonitorSettings {
  const monitor = file.monitor ?? {};
  const language = config.language ?? DEFAULT_MONITOR.page.language;
  const around: Around = { config, monitor, env, schemas };
  return {
    sites: sitesOf(file, around),
    alerts: (file.alerts ?? []).map((route) => routeOf(route, language, env)),
    database: monitor.database === undefined ? null : expanded(monitor.database, env),
    listen: parseHostPort(expanded(monitor.listen ?? '', env)) ?? null,
    heartbeat: heartbeatOf(monitor.heartbeat, env),
    control: monitor.control ?? null,
    retention: retentionOf(monitor.retention ?? {}),
    probe: probeOf(monitor.probe ?? {}, config, env),
    page: pageOf(monitor.page ?? {}, language, env),
  };
}

/** Without a list it is the file's own site that is watched; an empty list is what it says. */
function sitesOf({ sites }: ConfigFile, around: Around): readonly MonitoredSite[] {
  if (sites !== undefined) return sites.map((site, index) => siteOf(site, index, around));
  const { url } = around.config;
  return url === null ? [] : [onlySite(url, around)];
}

function pageOf(
  { title, url, language, details }: NonNullable<MonitorFile['page']>,
  otherwise: Language,
  env: Environment,
): MonitorSettings['page'] {
  return {
    title: title ?? null,
    url: url === undefined ? null : expanded(url, env).replace(/\/*$/, '/'),
    language: language ?? otherwise,
    ...(details === false ? { details } : {}),
  };
}

function heartbeatOf(file: MonitorFile['heartbeat'], env: Environment): MonitorSettings['heartbeat'] {
  if (file === undefined) return null;
  return {
    url: expanded(file.url, env),
    everyMs: milliseconds(file.every, BOUNDS.heartbeat) ?? DEFAULT_HEARTBEAT_MS,
  };
}

/** What is not said is the default, or what fits those that are: the coarser is kept at least as long as the finer. */
function retentionOf(file: NonNullable<MonitorFile['retention']>): MonitorSettings['retention'] {
  const read = (text: string | undefined): number | undefined => milliseconds(text, BOUNDS.retention);
  const given = [file.rounds, file.minutes, file.hours, file.days].map((text) => read(text));
  const { rawMs: raw, minuteMs: minute, hourMs: hour, dayMs: day } = DEFAULT_MONITOR.retention;
  const kept: number[] = [];
  for (const [index, otherwise] of [raw, minute, hour, day].entries()) {
    const coarser = given.slice(index + 1).filter((ms) => ms !== undefined);
    kept.push(given[index] ?? Math.max(kept.at(-1) ?? 0, Math.min(otherwise, ...coarser)));
  }
  const [rawMs = raw, minuteMs = minute, hourMs = hour, dayMs = day] = kept;
  return { rawMs, minuteMs, hourMs, dayMs };
}

function probeOf(
  { targets, modules }: NonNullable<MonitorFile['probe']>,
  config: Omit<Config, 'monitor'>,
  env: Environment,
): MonitorSettings['probe'] {
  const named = Object.entries(modules ?? {});
  return {
    targets: targets ?? [],
    modules: new Map(named.map(([name, module]) => [name, moduleOf(module, config, env)])),
  };
}

/** A probe's target may be any that is allowed: nothing that belongs to one site goes with it. */
function moduleOf(file: ModuleFile, config: Omit<Config, 'monitor'>, env: Environment): ProbeModule {
  return {
    full: file.full ?? false,
    checking: {
      ...checkingOf(file, config, env),
      source: null,
      versionFrom: null,
      resolve: [],
      checks: config.checks,
    },
  };
}
