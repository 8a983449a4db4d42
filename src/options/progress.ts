/** How far a run or a waiting is: the line that a terminal shows, and the lines of a log. */
import type { WriteStream } from 'node:tty';
import type { CheckResult, Report } from '../core/check.ts';
import { REASONS } from '../http/reasons.ts';
import type { Messages } from '../locales/messages.ts';
import { printable } from '../text/printable.ts';
import { staleDetails, staleFactsOf, type StaleFacts } from '../report/summary.ts';
import { textWidth } from '../text/width.ts';
import type { WaitState } from '../wait/wait.ts';
import { columnsOf } from './process.ts';

const EVERY_MS = 100;
/** Nothing is shown of a run that is over at once. */
const AFTER_MS = 200;
const BAR_COLUMNS = 20;

/** How far a run has come: kept by the run's callbacks, read by what shows it. */
export interface RunState {
  readonly waiting: Set<string>;
  /** Targets that a crawl has requested, of those that are known; `null` before it has begun. */
  crawl: { readonly done: number; readonly known: number } | null;
  /** How far a waiting is, and when that was (`performance.now`); `null`: nothing is waited for. */
  run: { readonly state: WaitState; readonly at: number } | null;
}

export function showProgress(stream: WriteStream, messages: Messages, state: RunState): StatusLine {
  const began = performance.now();
  return statusLine(stream, () => {
    const { waiting, crawl, run } = state;
    const elapsedMs = performance.now() - began;
    if (elapsedMs < AFTER_MS) return '';
    const counted =
      crawl === null ? '' : `${bar(crawl.done, crawl.known)} ${messages.crawling(crawl.done, crawl.known)} · `;
    if (run !== null) return counted + waitingText(run, messages);
    return waiting.size === 0 ? '' : counted + messages.progress([...waiting], elapsedMs);
  });
}

export function waitingText({ state, at }: NonNullable<RunState['run']>, messages: Messages): string {
  return waitingLine(state, messages, performance.now() - at);
}

export type StatusLine = ReturnType<typeof statusLine>;

/** One line on a terminal, rewritten in place until it is stopped. */
export function statusLine(stream: WriteStream, textOf: () => string) {
  const wipe = (): void => void stream.write('\r\u001b[2K');
  const timer = setInterval(() => {
    // A line that wraps could not be wiped.
    const text = cut(textOf(), columnsOf(stream, {}) - 1);
    if (text !== '') stream.write(`\r\u001b[2K${text}`);
  }, EVERY_MS);
  return {
    wipe,
    stop(): void {
      clearInterval(timer);
      wipe();
    },
  };
}

export function cut(text: string, columns: number): string {
  let left = text;
  while (left !== '' && textWidth(left) > columns) left = left.slice(0, -1);
  return left.toWellFormed();
}

function bar(done: number, known: number): string {
  const filled = Math.min(BAR_COLUMNS, Math.floor((BAR_COLUMNS * done) / Math.max(1, known)));
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_COLUMNS - filled)}`;
}

/* The words of a waiting. */

/** What is waited for, and why, e.g. `waiting for the new version: config.json is still old`. */
export function waitingFor(state: WaitState, { waiting }: Pick<Messages, 'waiting'>): string {
  const { report } = state;
  if (isLast(state)) return state.elapsedMs >= state.forMs ? waiting.timeUp() : waiting.whole();
  return report === null ? waiting.starting() : foundBy(report, state, waiting);
}

function foundBy(report: Report, { phase, good, stable, failing }: WaitState, waiting: Messages['waiting']): string {
  const bad = report.checks.filter(({ status }) => status === 'fail' || status === 'unknown');
  const nothing = bad.length === report.checks.length ? unanswered(bad, waiting) : null;
  if (nothing !== null) return nothing;
  const old = staleFactsOf(report);
  if (phase !== 'healthy' && report.fresh !== false && isEmpty(old) && bad.length > 0)
    return waiting.notKnown(bad.map(summaryOf).join(waiting.separator));
  if (phase === 'new') return waiting.old(staleDetails(old, 'still', waiting));
  if (report.fresh === false) return waiting.partlyOld(staleDetails(old, 'still', waiting));
  if (bad.length > 0) return waiting.notWell(bad.map(({ id }) => printable(id)));
  // A run over a few files does not see what the one over everything found.
  if (failing.length > 0) return waiting.notWell(failing.map(printable));
  return good > 0 ? waiting.good(good, stable) : waiting.lookingOn();
}

/** A version that is reported nowhere is not another one. */
const isEmpty = ({ files, found, unchanged }: StaleFacts): boolean =>
  files.length === 0 && found === null && !unchanged;

/** What a failing check found: `source: other-folder`, `deployed-version: version-not-found 404`. */
function summaryOf(result: CheckResult): string {
  const { status, reason } = responseOf(result);
  const code = result.findings[0]?.rule ?? '';
  const more = [status === null || status === 200 ? null : String(status), reason === code ? null : reason];
  const words = [code, ...more].filter((word) => word !== null && word !== '');
  return `${printable(result.id)}: ${printable(words.join(' '))}`;
}

/** Whether this is a run over everything that can be the last. */
function isLast({ pauseMs, whole, elapsedMs, forMs, good, stable }: WaitState): boolean {
  return pauseMs === null && whole && (elapsedMs >= forMs || good >= stable);
}

/** `what · run 4 · 0:42 of 5:00 · next in 8 s`; without the end during a run. `sinceMs`: the state's age. */
export function waitingLine(state: WaitState, messages: Pick<Messages, 'waiting'>, sinceMs = 0): string {
  const { run, elapsedMs, forMs, pauseMs } = state;
  const nextS = pauseMs === null ? null : Math.max(1, Math.round((pauseMs - sinceMs) / 1000));
  return messages.waiting.line(waitingFor(state, messages), run, minutes(elapsedMs + sinceMs), minutes(forMs), nextS);
}

function minutes(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

const REPEAT_MS = 60_000;

/**
 * Makes an `onRun` for a log: a line when the text changes, and one per minute otherwise. Nothing is written
 * of a site that is live at once, nor what a current run checks, unless it is one over everything that can be the last.
 */
export function runLog(messages: Pick<Messages, 'waiting'>, write: (line: string) => void): (state: WaitState) => void {
  let last = '';
  let lastAtMs = 0;
  return (state) => {
    if (state.pauseMs === null && !isLast(state)) return;
    if (last === '' && state.good > 0) return;
    const what = waitingFor(state, messages);
    if (what === last && state.elapsedMs - lastAtMs < REPEAT_MS) return;
    last = what;
    lastAtMs = state.elapsedMs;
    write(waitingLine(state, messages));
  };
}

/** Words for a site that does not answer, or says the same to everything; `null`: it answers. */
function unanswered(bad: readonly CheckResult[], waiting: Messages['waiting']): string | null {
  const reported = bad.map(responseOf);
  const status = reported.find((one) => one.status !== null)?.status ?? null;
  if (status !== null) {
    if (reported.some((one) => one.status !== status)) return null;
    if (status >= 500) return waiting.noAnswer(String(status));
    return REFUSALS.has(status) ? waiting.refused(status) : null;
  }
  const reason = reported.find((one) => one.reason !== null)?.reason ?? null;
  return reason === null ? null : waiting.noAnswer(reason);
}

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

/** What a failing check shows of the answer: its status, or why there was none. */
function responseOf({ httpStatus, findings }: CheckResult) {
  const { rule = '', evidence = {} } = findings[0] ?? {};
  const reason = [rule, evidence['reason']].find((one) => typeof one === 'string' && Object.hasOwn(REASONS, one));
  const status = typeof evidence['status'] === 'number' ? evidence['status'] : null;
  return { status: httpStatus ?? status, reason: typeof reason === 'string' ? reason : null };
}
