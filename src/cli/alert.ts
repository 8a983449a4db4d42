import { env } from 'node:process';
import type { Flags } from './commands.ts';
import { MONITOR_PARTS } from '../config/config.ts';
import { interestedRoutes } from '../monitor/alerts/plan.ts';
import { retryAfters } from '../monitor/alerts/notifier.ts';
import { durationIn } from '../monitor/alerts/message.ts';
import { testAlert, type Notification } from '../monitor/alerts/alert.ts';
import { createSend } from '../monitor/alerts/send.ts';
import { iso, timeOf } from '../core/time.ts';
import type { MonitoredSite } from '../monitor/settings.ts';
import { jsonDocument, writeShown } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { known, knownWord, UsageError } from '../options/arguments.ts';
import { loadSettings, type ProjectSettings } from '../options/settings.ts';
import { siteOf } from '../options/run-options.ts';
import { databaseSettings, withSharedStore } from './database.ts';
import { alertsWords, type AlertsWords } from '../generated/locales/alerts.ts';
import { table } from '../text/width.ts';

type AlertFlags = Flags<'alert'>;

const MOST = 1_000;

export async function alert(given: string, route: string | undefined, flags: AlertFlags): Promise<number> {
  const action = knownWord(given, ['test', 'list'], (messages, ...facts) => messages.unknownAction('alert', ...facts));
  return action === 'test' ? test(route, flags) : list(route, flags);
}

async function test(id: string | undefined, flags: AlertFlags): Promise<number> {
  const settings = await loadSettings(flags, env, { needed: MONITOR_PARTS });
  const { monitor } = settings.config;
  const { route, site } = aimOf(id, flags, settings);
  const send = createSend({ settings: () => monitor, env, now: () => Date.now() });
  const { event, format } = flags;
  const trial = testAlert(route, site, event, Date.now());
  const began = performance.now();
  const result = await send(route, trial, new AbortController().signal);
  const tookMs = Math.round(performance.now() - began);
  const { kind } = route.channel;
  if (format === 'json') {
    const outcome = result.ok ? { sent: true, status: result.status } : { sent: false, error: result.error };
    await writeShown(jsonDocument({ id: trial.key, route: route.id, channel: kind, event, ...outcome, tookMs }));
  } else {
    const words = alertsWords(settings.language);
    const { sent, notSent } = words.command;
    const took = tookMs < 1_000 ? `${tookMs} ms` : durationIn(tookMs, words);
    const line = result.ok ? sent(route.id, kind, took) : notSent(route.id, kind, took, printable(result.error));
    await writeShown(`${line}\n`);
  }
  return result.ok ? 0 : 1;
}

function aimOf(id: string | undefined, { site: asked }: AlertFlags, { config: { monitor } }: ProjectSettings) {
  if (id === undefined) throw new UsageError((messages) => messages.missingArgument('route'));
  const route = known(id, monitor.alerts, (messages, ...facts) => messages.unknownRoute(...facts));
  if (asked !== undefined) return { route, site: siteOf(monitor.sites, asked, '--site') };
  const isReported = (one: MonitoredSite): boolean =>
    interestedRoutes(one, route.verdicts[0] ?? 'down', [route]).length > 0;
  const site = monitor.sites.find(isReported) ?? monitor.sites[0];
  if (site === undefined) throw new UsageError((messages) => messages.noUrl());
  return { route, site };
}

async function list(route: string | undefined, flags: AlertFlags): Promise<number> {
  const { file, language, routes } = await databaseSettings(flags);
  const words = alertsWords(language);
  return withSharedStore(file, async (store) => {
    const { notifications: first, pending } = await store.waiting(MOST);
    const waiting = route === undefined ? first : first.filter((entry) => entry.route === route);
    // A route that was removed from the configuration may have pending notifications.
    if (route !== undefined && waiting.length === 0 && routes !== null)
      knownWord(route, routes, (messages, ...facts) => messages.unknownRoute(...facts));
    const behind = route === undefined ? pending - waiting.length : 0;
    const pauses = await retryAfters(store);
    const alerts = waiting.map((entry) => ({ ...entry, nextAttemptAt: nextAttemptOf(entry, pauses) }));
    await writeShown(flags.format === 'json' ? jsonDocument(alerts.map(listed)) : rows(alerts, behind, words));
    return 0;
  });
}

/** A waiting alert with the earliest time of its next attempt, ms since 1970. */
type ListedAlert = Notification & { readonly nextAttemptAt: number };

/** A receiver's `Retry-After` delays all alerts of its route but a new one. */
function nextAttemptOf({ route, dueAt, attempts, event }: Notification, pauses: ReadonlyMap<string, number>): number {
  const isNew = attempts === 0 && event !== 'reminder';
  return isNew ? dueAt : Math.max(dueAt, pauses.get(route) ?? 0);
}

function listed(entry: ListedAlert): object {
  const { key: id, route, event, incident, attempts, lastError } = entry;
  const times = { createdAt: iso(entry.createdAt), dueAt: iso(entry.dueAt), nextAttemptAt: iso(entry.nextAttemptAt) };
  return { id, route, event, site: incident.site, incident: incident.id, ...times, attempts, lastError };
}

function rows(waiting: readonly ListedAlert[], behind: number, { command }: AlertsWords): string {
  if (waiting.length === 0) return `${command.noneWaits}\n`;
  const now = Date.now();
  // What is due waits for the monitor, or for others at the same receiver.
  const nextOf = (at: number): string => (at <= now ? command.soon : timeOf(at));
  const lines = waiting.map(({ route, event, incident, nextAttemptAt, attempts, lastError }) =>
    [route, event, incident.site, nextOf(nextAttemptAt), String(attempts), lastError ?? ''].map(printable),
  );
  return `${table([[...command.heads], ...lines])}${behind > 0 ? `${command.others(behind)}\n` : ''}`;
}
