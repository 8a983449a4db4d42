/** What `docvitals config check` says of the monitor. Nothing that may be secret. */
import { parseBaseUrl } from '../base-url.ts';
import { renderDuration } from '../config/duration.ts';
import type { AlertRoute, MonitoredSite, MonitorSettings, Schedule } from '../monitor/settings.ts';

/** A line: a key and what it is set to; empty: not told. */
type Row = readonly [key: string, value: string];

/**
 * The monitor's sites with their schedules, its routes with their kinds, and what is set of itself. `url` is the file's
 * own: a monitor that watches but that one, and alerts nobody, has nothing to tell.
 */
export function monitorRows({ sites, alerts, ...monitor }: MonitorSettings, url: string | null): readonly Row[] {
  const isOwn = sites.length === 1 && sites[0]?.url === url;
  if (isOwn && alerts.length === 0) return ownRows(monitor);
  return [
    ...sites.map((site): Row => [`sites ${site.id}`, siteText(site)]),
    ...alerts.map((route): Row => [`alerts ${route.id}`, routeText(route)]),
    ...ownRows(monitor),
  ];
}

function siteText({ url, schedule, full, objectiveMs, alerts, maintenance, tags }: MonitoredSite): string {
  const address = parseBaseUrl(url);
  return joined([
    address.ok ? address.base.href : '',
    scheduleText(schedule),
    full === null ? 'full false' : `full ${scheduleText(full)}`,
    `objective ${renderDuration(objectiveMs)}`,
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

/** What is said of the monitor itself, by the names of the keys; defaults are left out. */
function ownRows({
  database,
  listen,
  heartbeat,
  control,
  probe,
  page,
}: Omit<MonitorSettings, 'sites' | 'alerts'>): Row[] {
  const host = listen?.host.includes(':') ? `[${listen.host}]` : listen?.host;
  const modules = [...probe.modules.keys()];
  return [
    ['monitor.database', database ?? ''],
    ['monitor.listen', listen === null ? '' : `${host}:${listen.port}`],
    ['monitor.heartbeat', heartbeat === null ? '' : `every ${renderDuration(heartbeat.everyMs)}`],
    ['monitor.control', control === null ? '' : control.join(', ') || '[]'],
    [
      'monitor.probe',
      joined([
        named(
          'targets',
          probe.targets.map((target) => shownTarget(target)),
        ),
        named('modules', modules),
      ]),
    ],
    ['monitor.page', page.title ?? ''],
  ];
}

/** A target without the credentials that somebody may have put into it. */
function shownTarget(target: string): string {
  const address = parseBaseUrl(target);
  return address.ok ? address.base.href : target.replace(/^.*@/, '');
}

function named(key: string, values: readonly string[]): string {
  return values.length === 0 ? '' : `${key} ${values.join(' ')}`;
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}
