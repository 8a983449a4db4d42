import type { MonitorOptions } from '../monitor/engine/core.ts';
import { runAllOnce, type SingleRunOutcome } from '../monitor/engine/single-run.ts';
import { incidentDocument, type IncidentDocument } from '../monitor/incident/document.ts';
import { currentIncident, type SiteState } from '../monitor/incident/state.ts';
import { verdictOf } from '../monitor/site-state.ts';
import type { SiteView } from '../monitor/view.ts';
import { writeErr, writeOut, writeShown } from '../output.ts';
import { printable } from '../printable.ts';
import type { FileStore } from '../monitor/store/open.ts';
import type { Flags } from './commands.ts';
import { FLUSH_LOG_MS, type Begun } from './service.ts';
import { messagesIn, type Messages } from '../locales/messages.ts';
import { type MonitorWords, monitorWords } from '../generated/locales/monitor.ts';
import { listenForInterrupts } from '../project/interrupts.ts';
import { table } from '../text-width.ts';

export async function monitorOnce(
  flags: Flags<'monitor'>,
  { env, settings, opened }: Begun,
  store: FileStore,
): Promise<number> {
  const interrupts = listenForInterrupts();
  const options = { settings: settings.config.monitor, store, log: opened.log, env };
  const outcome = await runOnce(options, interrupts.signal);
  const messages = messagesIn(settings.language);
  const words = monitorWords(settings.language);
  if (flags.format === 'json') await writeOut(`${JSON.stringify(documentOf(outcome), null, 2)}\n`);
  else await writeShown(summary(outcome, flags.quiet === true, words, messages));
  if (!outcome.kept) await writeErr(`docvitals: ${words.notKept}\n`);
  if (outcome.pendingAlerts > 0) await writeErr(`docvitals: ${words.pendingAlerts(outcome.pendingAlerts)}\n`);
  await opened.flush(FLUSH_LOG_MS);
  return interrupts.status() ?? outcome.status;
}

async function runOnce(options: MonitorOptions, interrupt: AbortSignal): Promise<SingleRunOutcome> {
  try {
    return await runAllOnce(options, interrupt);
  } finally {
    await options.store.close();
  }
}

function documentOf({ sites, pendingAlerts, kept }: SingleRunOutcome): object {
  return {
    sites: sites.map(({ site, url, state, maintenance, results }) => ({
      id: site.id,
      url,
      verdict: verdictOf(state, Date.now()),
      maintenance: maintenance !== null,
      incident: openIncident(state),
      checks: [...results.values()].map(({ id, status, findings }) => ({
        id,
        status,
        codes: [...new Set(findings.filter(({ severity }) => severity !== 'info').map(({ rule }) => rule))],
      })),
    })),
    pendingAlerts,
    kept,
  };
}

function openIncident(state: SiteState | null): IncidentDocument | null {
  const incident = currentIncident(state);
  return incident === null ? null : incidentDocument(incident);
}

function summary({ sites }: SingleRunOutcome, quiet: boolean, words: MonitorWords, messages: Messages): string {
  const now = Date.now();
  const shown = sites.filter(({ state }) => !quiet || verdictOf(state, now) !== 'healthy');
  const rows = shown.map((view) => [view.site.id, verdictText(view, now, words, messages), detailOf(view, words)]);
  return table(rows);
}

function verdictText({ state, maintenance }: SiteView, now: number, words: MonitorWords, messages: Messages): string {
  const verdict = verdictOf(state, now);
  const known = verdict === 'unstable' ? words.unstable : messages.verdicts[verdict];
  const text = state === null ? words.notLookedAt : known;
  return maintenance === null ? text : `${text} (${words.inMaintenance})`;
}

function detailOf({ state, results }: SiteView, words: MonitorWords): string {
  const failing = [...results.values()].flatMap(({ id, status, findings }) =>
    status === 'fail' ? [`${id}/${findings.find(({ severity }) => severity === 'error')?.rule ?? ''}`] : [],
  );
  const since = openIncident(state)?.startedAt;
  const open = since === undefined ? [] : [words.openSince(since)];
  return printable([failing.join(' '), ...open].filter((part) => part !== '').join('  '));
}
