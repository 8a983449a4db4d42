import type { WriteStream } from 'node:tty';
import type { WaitState } from '../wait/wait.ts';
import { waitingLine } from '../wait/progress-text.ts';
import { columnsOf } from './terminal.ts';
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

/** How far a crawl is, which checks are still waiting, and for how long. */
export function showProgress(stream: WriteStream, messages: Messages, state: RunState): StatusLine {
  const began = performance.now();
  return new StatusLine(stream, (over) => {
    const { waiting, crawl, run } = state;
    const elapsedMs = performance.now() - began;
    if (elapsedMs < AFTER_MS) return '';
    const counted =
      crawl === null ? '' : `${bar(crawl.done, crawl.known)} ${messages.crawling(crawl.done, crawl.known)} · `;
    if (run !== null) return counted + waitingText(run, messages, over);
    return waiting.size === 0 ? '' : counted + messages.progress([...waiting], elapsedMs);
  });
}

export function waitingText({ state, at }: NonNullable<RunState['run']>, messages: Messages, over: number): string {
  return waitingLine(state, messages, performance.now() - at, (what) => shortened(what, over));
}

/** One line on a terminal, rewritten in place until it is stopped. */
export class StatusLine {
  readonly #stream: WriteStream;
  readonly #timer: NodeJS.Timeout;

  /** `textOf`: the line; `over` is by how many columns words that may be shortened are too long. */
  constructor(stream: WriteStream, textOf: (over: number) => string) {
    this.#stream = stream;
    this.#timer = setInterval(() => {
      // A line that wraps could not be wiped.
      const text = fitted(textOf, columnsOf(stream, {}) - 1);
      if (text !== '') stream.write(`\r\u001b[2K${text}`);
    }, EVERY_MS);
  }

  wipe(): void {
    this.#stream.write('\r\u001b[2K');
  }

  stop(): void {
    clearInterval(this.#timer);
    this.wipe();
  }
}

/** Words are not shortened further. */
const LEAST_COLUMNS = 12;

/** A text of at most so many columns: its words are shortened first, so that its numbers stay; then it is cut. */
export function fitted(textOf: (over: number) => string, columns: number): string {
  const whole = textOf(0);
  const over = textWidth(whole) - columns;
  return over <= 0 ? whole : cut(textOf(over), columns);
}

/** Words that are shorter by so many columns, with a mark where they end. */
export function shortened(what: string, over: number): string {
  if (over <= 0) return what;
  return `${cut(what, Math.max(LEAST_COLUMNS, textWidth(what) - over) - 1).trimEnd()}…`;
}

function cut(text: string, columns: number): string {
  let left = text;
  while (left !== '' && textWidth(left) > columns) left = left.slice(0, -1);
  return left.toWellFormed();
}

function bar(done: number, known: number): string {
  const filled = Math.min(BAR_COLUMNS, Math.floor((BAR_COLUMNS * done) / Math.max(1, known)));
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_COLUMNS - filled)}`;
}
