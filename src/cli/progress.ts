import type { WriteStream } from 'node:tty';
import stringWidth from 'string-width';
import type { Messages } from '../messages/messages.ts';
import { columnsOf } from './terminal.ts';

const EVERY_MS = 100;
/** Nothing is shown of a run that is over at once. */
const AFTER_MS = 200;
const BAR_COLUMNS = 20;

/** How far a run has come: kept by the run's callbacks, read by whoever shows it. */
export interface RunState {
  /** The checks that have not ended. */
  readonly waiting: Set<string>;
  /** Targets that a crawl has asked for, of those that are known; `null` before it has begun. */
  crawl: { readonly done: number; readonly known: number } | null;
}

/** One line on a terminal, rewritten in place: how far a crawl is, which checks are still waiting, and for how long. */
export class Progress {
  readonly #stream: WriteStream;
  readonly #messages: Messages;
  readonly #state: RunState;
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;

  constructor(stream: WriteStream, messages: Messages, state: RunState) {
    this.#stream = stream;
    this.#messages = messages;
    this.#state = state;
    this.#timer = setInterval(() => this.#draw(), EVERY_MS);
  }

  /** Wipes the line. */
  stop(): void {
    clearInterval(this.#timer);
    this.#stream.write('\r\u001b[2K');
  }

  #draw(): void {
    const { waiting, crawl } = this.#state;
    const elapsedMs = performance.now() - this.#began;
    if (elapsedMs < AFTER_MS || waiting.size === 0) return;
    const waits = this.#messages.progress([...waiting], elapsedMs);
    let text =
      crawl === null
        ? waits
        : `${bar(crawl.done, crawl.known)} ${this.#messages.crawling(crawl.done, crawl.known)} · ${waits}`;
    // A line that wraps could not be wiped.
    const columns = columnsOf(this.#stream, {});
    while (text !== '' && stringWidth(text) >= columns) text = text.slice(0, -1);
    this.#stream.write(`\r\u001b[2K${text}`);
  }
}

function bar(done: number, known: number): string {
  const filled = Math.min(BAR_COLUMNS, Math.floor((BAR_COLUMNS * done) / Math.max(1, known)));
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_COLUMNS - filled)}`;
}
