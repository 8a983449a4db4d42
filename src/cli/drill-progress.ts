import type { WriteStream } from 'node:tty';
import { seconds, type Messages } from '../messages/messages.ts';
import type { StepId } from '../monitor/drill/result.ts';
import type { DrillWords } from '../monitor/drill/words.ts';
import type { WaitState } from '../wait/wait.ts';
import { waitingLine } from '../wait/progress-text.ts';
import { fitted, shortened } from './progress.ts';
import { columnsOf } from './terminal.ts';

const EVERY_MS = 100;

/** One line on a terminal, rewritten in place: which step of a drill goes on, and for how long. */
export class DrillProgress {
  readonly #stream: WriteStream;
  readonly #words: DrillWords;
  readonly #messages: Messages;
  readonly #timer: NodeJS.Timeout;
  #step: StepId | null = null;
  #began = performance.now();
  #run: { readonly state: WaitState; readonly at: number } | null = null;

  constructor(stream: WriteStream, words: DrillWords, messages: Messages) {
    this.#stream = stream;
    this.#words = words;
    this.#messages = messages;
    this.#timer = setInterval(() => this.#draw(), EVERY_MS);
  }

  /** A step begins. */
  readonly step = (id: StepId): void => {
    this.#step = id;
    this.#began = performance.now();
  };

  /** The waiting for the site goes on. */
  readonly run = (state: WaitState): void => {
    this.#run = { state, at: performance.now() };
  };

  /** Makes room for something else. */
  wipe(): void {
    this.#stream.write('\r\u001b[2K');
  }

  stop(): void {
    clearInterval(this.#timer);
    this.wipe();
  }

  #draw(): void {
    // A line that wraps could not be wiped.
    const text = fitted((over) => this.#text(over), columnsOf(this.#stream, {}) - 1);
    if (text !== '') this.#stream.write(`\r\u001b[2K${text}`);
  }

  #text(over: number): string {
    if (this.#run !== null) {
      const { state, at } = this.#run;
      return waitingLine(state, this.#messages, performance.now() - at, (what) => shortened(what, over));
    }
    if (this.#step === null) return '';
    return `${this.#words.progress[this.#step]} (${seconds(performance.now() - this.#began, this.#words.language)})`;
  }
}
