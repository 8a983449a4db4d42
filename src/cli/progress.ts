import type { WriteStream } from 'node:tty';
import type { WaitState } from '../wait/wait.ts';
import { waitingLine } from '../wait/progress-text.ts';
import { columnsOf } from '../project/process.ts';
import { textWidth } from '../text-width.ts';
import type { Messages } from '../locales/messages.ts';

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
