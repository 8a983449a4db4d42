import type { Style } from '../../report/terminal.ts';
import { VERDICT_STATUS } from '../../verdict.ts';
import { textWidth } from '../../text-width.ts';
import type { Status } from '../../check.ts';
import { printable } from '../../printable.ts';
import type { Language } from '../../texts.ts';
import { percentOf, uptimeOf } from '../page/uptime.ts';
import type { Bucket, CheckRecord, RunRecord } from '../store/store.ts';
import type { History } from './documents.ts';
import type { Messages } from '../../locales/messages.ts';
import type { HistoryWords } from '../../generated/locales/history.ts';

/** The content of a cell. */
export interface TableCell {
  readonly text: string;
  readonly style?: (text: string) => string;
  readonly isRight?: boolean;
}

/** Columns as wide as their widest cell, two spaces between; the header is quiet. */
export function table(header: readonly string[], rows: readonly (readonly TableCell[])[], style: Style): string {
  // A header is aligned as its column.
  const heads = header.map((text, column): TableCell => {
    const isRight = rows[0]?.[column]?.isRight === true;
    return { text, style: style.quiet, isRight };
  });
  const all = [heads, ...rows];
  const widths = header.map((_head, column) => Math.max(...all.map((row) => textWidth(row[column]?.text ?? ''))));
  return all.map((row) => `${lineOf(row, widths)}\n`).join('');
}

function lineOf(row: readonly TableCell[], widths: readonly number[]): string {
  // Nothing is filled up at the end of a line.
  const last = row.findLastIndex(({ text }) => text !== '');
  return row
    .slice(0, last + 1)
    .map(({ text, style = String, isRight = false }, column) => {
      const filling = ' '.repeat(Math.max(0, (widths[column] ?? 0) - textWidth(text)));
      if (isRight) return filling + style(text);
      return column === last ? style(text) : style(text) + filling;
    })
    .join('  ');
}

interface HistoryContext {
  readonly words: HistoryWords;
  readonly messages: Messages;
  readonly language: Language;
  readonly style: Style;
}

export function prettyHistory(history: History, context: HistoryContext): string {
  const { words } = context;
  const { site, location = null } = history;
  const series = location === null ? site : `${site} (${location})`;
  if (history.entries.length === 0) return `${words.noHistory(printable(series))}\n`;
  const titles = (...names: readonly (keyof HistoryWords['columns'])[]) => names.map((name) => words.columns[name]);
  if (history.resolution === 'round') {
    const rows = history.entries.map((run) => runRow(run, context));
    return table(titles('time', 'verdict', 'duration', 'findings'), rows, context.style);
  }
  const isDay = history.resolution === 'day';
  const rows = history.entries.map((bucket) => bucketRow(bucket, isDay, context));
  return table(titles('time', 'up', 'rounds', 'mean', 'p95', 'slowest', 'verdict'), rows, context.style);
}

function bucketRow(bucket: Bucket, isDay: boolean, context: HistoryContext): TableCell[] {
  const { style, language, messages } = context;
  const { healthy, degraded, down, stale } = bucket;
  // As the status page counts it.
  const share = uptimeOf([{ known: healthy + degraded + down + stale, down }]);
  const time = timeOf(bucket.at);
  return [
    { text: isDay ? time.slice(0, 10) : time.slice(0, 16) },
    { text: share === null ? '–' : percent(share, language), style: styleOf(worst(bucket), style), isRight: true },
    { text: whole(bucket.rounds, language), isRight: true },
    ...[bucket.meanMs, bucket.p95Ms, bucket.maxMs].map((ms) => ({
      text: ms === null ? '–' : messages.milliseconds(ms),
      isRight: true,
    })),
    { text: countsOf(bucket, context) },
  ];
}

function countsOf(bucket: Bucket, { messages, words, language }: HistoryContext): string {
  const verdicts = (['down', 'degraded', 'stale', 'unknown'] as const).map(
    (verdict) => [bucket[verdict], messages.verdicts[verdict]] as const,
  );
  return [...verdicts, [bucket.maintenance, words.maintenance] as const]
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${name} ${whole(count, language)}`)
    .join(', ');
}

function worst({ healthy, degraded, down, stale }: Bucket): Status {
  if (down > 0) return 'fail';
  return degraded + stale > 0 || healthy === 0 ? 'warn' : 'pass';
}

function runRow(
  { startedAt, verdict, scope, maintenance, durationMs, checks }: RunRecord,
  context: HistoryContext,
): TableCell[] {
  const { style, messages, words } = context;
  const notes = [...(scope === 'five' ? [] : [words.deepRuns[scope]]), ...(maintenance ? [words.maintenance] : [])];
  return [
    { text: timeOf(startedAt) },
    { text: [messages.verdicts[verdict], ...notes].join(', '), style: styleOf(VERDICT_STATUS[verdict], style) },
    { text: messages.milliseconds(durationMs), isRight: true },
    { text: checks.flatMap(findingsOf).join(' ') },
  ];
}

/** `navigation/no-links`, as `docvitals explain` takes it. */
function findingsOf({ id, status, codes }: CheckRecord): string[] {
  if (status === 'pass') return [];
  return codes.map((code) => printable(`${id}/${code}`));
}

function styleOf(status: Status, style: Style): (text: string) => string {
  if (status === 'fail') return style.bad;
  return status === 'pass' ? style.good : style.doubtful;
}

/** `2026-11-20 18:00:41` */
function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

function percent(share: number, language: Language): string {
  const format = new Intl.NumberFormat(language, { style: 'percent', minimumFractionDigits: 2 });
  return format.format(percentOf(share) / 100);
}

function whole(count: number, language: Language): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 0 }).format(count);
}
