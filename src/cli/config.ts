import { env } from 'node:process';
import type { Config } from '../config/config.ts';
import type { SchemaNode } from '../config/define.ts';
import { loadConfig } from '../config/load.ts';
import { baseHref } from '../core/base-url.ts';
import { jsonDocument, writeOut, writeShown } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { knownWord } from '../options/arguments.ts';
import { knownChecks, reportHints, type ProjectFlags } from '../options/settings.ts';
import { pickLanguage } from '../locales/language.ts';
import { renderDuration } from '../config/values.ts';
import { shownDatabase } from '../monitor/store/store.ts';
import type { AlertRoute, MonitoredSite, MonitorSettings, Schedule } from '../monitor/settings.ts';
import { messagesIn } from '../locales/messages.ts';

export const CONFIG_ACTIONS = ['check', 'schema'] as const;

export async function config(given: string, flags: ProjectFlags): Promise<void> {
  const action = knownWord(given, CONFIG_ACTIONS, (messages, ...facts) => messages.unknownAction('config', ...facts));
  return action === 'schema' ? printSchema() : checkConfig(flags);
}

async function printSchema(): Promise<void> {
  const [{ default: schema }, { published }] = await Promise.all([
    import('../generated/config-schema.json', { with: { type: 'json' } }),
    import('../config/define.ts'),
  ]);
  await writeOut(jsonDocument(published(schema as SchemaNode)));
}

/** Prints one setting per line, without values that may be secret. Throws a `ConfigError`. */
async function checkConfig(flags: ProjectFlags): Promise<void> {
  const {
    config: read,
    file,
    hints,
  } = await loadConfig({
    cwd: process.cwd(),
    file: flags.config,
    env,
    known: knownChecks(),
  });
  const language = pickLanguage({ flag: flags.lang, config: read.language ?? undefined, env });
  const messages = messagesIn(language);
  const title = file === null ? messages.noConfiguration() : messages.goodConfiguration(printable(file));
  const isWatched = read.monitor.sites.some((site) => baseHref(site.url) === baseHref(read.url));
  const notes = read.url === null || isWatched ? [] : [messages.urlNotWatched()];
  await reportHints(hints, language);
  await writeShown([title, ...settingsOf(read), ...notes].map((line) => `${line}\n`).join(''));
}

/** A line: a key and what it is set to; empty: the default, or unknown. */
type Row = readonly [key: string, value: string];

function settingsOf(settings: Config): readonly string[] {
  const { limits, headers, rules, resolve, checks, monitor, ...plain } = settings;
  const rows: readonly Row[] = [
    ...Object.entries({ ...plain, url: baseHref(settings.url) }).map(([key, value]): Row => [key, shown(value)]),
    ['limits', Object.keys(limits).join(', ')],
    ['headers', Object.keys(headers).join(', ')],
    ['rules', [...rules].map(([name, severity]) => `${name} ${severity}`).join(', ')],
    ['resolve', resolve.map(({ host, port }) => `${host}:${port}`).join(', ')],
    ['checks', checks.map(({ id }) => id).join(', ')],
    ...monitorRows(monitor, settings.url),
  ];
  return rows.flatMap(([key, value]) => (value === '' ? [] : [printable(`  ${key}: ${value}`)]));
}

/** A setting as it may be reported; empty where it is the default. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (value === true || typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : '';
}

/**
 * The monitor's sites with their schedules, its routes with their kinds, and what is set of itself. `url` is the file's
 * own: a monitor with that one site and no notifications has nothing to report of it.
 */
function monitorRows(monitor: MonitorSettings, url: string | null): readonly Row[] {
  const { sites, alerts, database, listen, heartbeat, connectivity, probe, page } = monitor;
  const isOwn = sites.length === 1 && sites[0]?.url === url && alerts.length === 0;
  const host = listen?.host.includes(':') ? `[${listen.host}]` : listen?.host;
  // A target without the credentials that it may contain.
  const targets = probe.targets.map((target) => baseHref(target) ?? target.replace(/^.*@/, ''));
  return [
    ...(isOwn ? [] : sites.map((site): Row => [`sites ${site.id}`, siteText(site)])),
    ...alerts.map((route): Row => [`alerts ${route.id}`, routeText(route)]),
    ['monitor.database', shownDatabase(database ?? '')],
    ['monitor.listen', listen === null ? '' : `${host}:${listen.port}`],
    ['monitor.heartbeat', heartbeat === null ? '' : `every ${renderDuration(heartbeat.everyMs)}`],
    ['monitor.connectivity', connectivity === null ? '' : connectivity.join(', ') || '[]'],
    ['monitor.probe', joined([named('targets', targets), named('modules', [...probe.modules.keys()])])],
    ['monitor.page', page.title ?? ''],
  ];
}

function siteText({ url, schedule, full, recoveryTimeObjectiveMs, alerts, maintenance, tags }: MonitoredSite): string {
  return joined([
    baseHref(url) ?? '',
    scheduleText(schedule),
    full === null ? 'full false' : `full ${scheduleText(full)}`,
    `recovery time objective ${renderDuration(recoveryTimeObjectiveMs)}`,
    named('tags', tags),
    alerts === null ? '' : `alerts ${alerts.join(' ') || '[]'}`,
    maintenance.length === 0 ? '' : `maintenance ${maintenance.length}`,
  ]);
}

function scheduleText(schedule: Schedule): string {
  const jitter = schedule.jitterMs === 0 ? '' : ` jitter ${renderDuration(schedule.jitterMs)}`;
  if (schedule.kind === 'every') return `every ${renderDuration(schedule.everyMs)}${jitter}`;
  const zone = schedule.timeZone === null ? '' : ` ${schedule.timeZone}`;
  return `cron ${schedule.pattern}${zone}${jitter}`;
}

function routeText({ channel, language, afterMs, reminderMs, verdicts, tags }: AlertRoute): string {
  return joined([
    channel.kind === 'webhook' ? `webhook ${channel.template}` : channel.kind,
    `language ${language}`,
    afterMs === 0 ? '' : `after ${renderDuration(afterMs)}`,
    reminderMs === null ? '' : `reminder ${renderDuration(reminderMs)}`,
    named('verdicts', verdicts),
    named('tags', tags),
  ]);
}

function named(key: string, values: readonly string[]): string {
  return values.length === 0 ? '' : `${key} ${values.join(' ')}`;
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}
