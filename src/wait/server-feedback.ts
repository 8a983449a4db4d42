import type { Answer } from '../check.ts';
import { retryAfterMs } from '../http/retry.ts';

/** What a site's answers in one run say of how often it wants to be asked. */
export class ServerFeedback {
  readonly #origin: string;
  readonly #now: () => number;
  #asked = false;
  #forbidden = false;
  #served = false;
  #tried = false;
  #replied = false;
  #ended = false;
  #until = 0;

  /** `now`: milliseconds since 1970. */
  constructor(origin: string, now: () => number) {
    this.#origin = origin;
    this.#now = now;
  }

  /** Takes note of an answer; other hosts' do not count. */
  add(answer: Answer): void {
    if (answer.kind === 'no-reply') {
      this.#tried = true;
      if (Object.hasOwn(answer.evidence, 'deadlineMs')) this.#ended = true;
      return;
    }
    if (new URL(answer.url).origin !== this.#origin) return;
    this.#tried = true;
    const { status, headers } = answer;
    if (status < 500 && status !== 429) this.#replied = true;
    if (status === 429 || status === 503) {
      const wishedMs = retryAfterMs(headers, this.#now()) ?? 0;
      this.#until = Math.max(this.#until, wishedMs === 0 ? 0 : this.#now() + wishedMs);
      if (status === 429 || wishedMs > 0) this.#asked = true;
    }
    if (status === 401 || status === 403) this.#forbidden = true;
    else if (status < 400) this.#served = true;
  }

  /** It says that it is asked too much. */
  get throttled(): boolean {
    return this.#asked;
  }

  /** It was asked, and nothing came but errors of servers and requests to ask less. */
  get silent(): boolean {
    return this.#tried && !this.#replied;
  }

  /** The run's own deadline ended a request. */
  get ended(): boolean {
    return this.#ended;
  }

  /** It was asked too much; or it lets nobody in at all, as hosts do that take us for a robot. */
  get refused(): boolean {
    return this.#asked || (this.#forbidden && !this.#served);
  }

  /** How long it still wants to be left alone. */
  get retryAfterMs(): number {
    return Math.max(0, this.#until - this.#now());
  }
}
