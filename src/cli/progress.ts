import type { WriteStream } from 'node:tty';
import stringWidth from 'string-width';
import type { Messages } from '../messages/messages.ts';
import { columnsOf } from './terminal.ts';

const EVERY_MS = 100;
/** Nothing is shown of a run that is over at once. */
const AFTER_MS = 200;

/** One line on a terminal, rewritten in place: which checks are still waiting, and for how long. */
export class Progress {
  readonly #stream: WriteStream;
  readonly #messages: Messages;
  readonly #waiting: Set<string>;
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;

  constructor(stream: WriteStream, messages: Messages, ids: readonly string[]) {
    this.#stream = stream;
    this.#messages = messages;
    this.#waiting = new Set(ids);
    this.#timer = setInterval(() => this.#draw(), EVERY_MS);
  }

  /** A check has ended. */
  ended(id: string): void {
    this.#waiting.delete(id);
  }

  /** Wipes the line. */
  stop(): void {
    clearInterval(this.#timer);
    this.#stream.write('\r\u001b[2K');
  }

  #draw(): void {
    const elapsedMs = performance.now() - this.#began;
    if (elapsedMs < AFTER_MS || this.#waiting.size === 0) return;
    let text = this.#messages.progress([...this.#waiting], elapsedMs);
    // A line that wraps could not be wiped.
    const columns = columnsOf(this.#stream, {});
    while (text !== '' && stringWidth(text) >= columns) text = text.slice(0, -1);
    this.#stream.write(`\r\u001b[2K${text}`);
  }
}
