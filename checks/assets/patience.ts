/** Waits for files of other hosts, as long as the host gives a sign of life. */
import type { Answer, NoReply } from '../../src/check.ts';

/** A host, and what is waited for there. */
interface Waiting {
  /** It has kept silent: nothing more is asked of it. */
  silent: boolean;
  readonly giveUp: Set<() => void>;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Gives up what a host has not answered within `ms` since it was asked first or answered last, so that one which hangs
 * costs that time once, and one with many files, or that is asked slowly, gets its turn. What comes later is ignored.
 */
export class Patience {
  readonly #ms: number;
  readonly #hosts = new Map<string, Waiting>();

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Asks for a file, unless its host has kept silent before. */
  async ask(url: URL, get: () => Promise<Answer>): Promise<Answer> {
    const host = this.#hosts.get(url.host) ?? { silent: false, giveUp: new Set(), timer: undefined };
    this.#hosts.set(url.host, host);
    if (host.silent) return silence(url, this.#ms);
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const giveUp = (): void => resolve(silence(url, this.#ms));
    host.giveUp.add(giveUp);
    if (host.timer === undefined) this.#start(host);
    const answer = await Promise.race([get(), promise]);
    host.giveUp.delete(giveUp);
    this.#start(host);
    return answer;
  }

  #start(host: Waiting): void {
    clearTimeout(host.timer);
    host.timer = undefined;
    if (host.giveUp.size === 0) return;
    host.timer = setTimeout(() => {
      host.silent = true;
      for (const giveUp of host.giveUp) giveUp();
    }, this.#ms);
  }
}

function silence(url: URL, ms: number): NoReply {
  return {
    kind: 'no-reply',
    requestUrl: url.href,
    url: url.href,
    redirects: [],
    attempts: 1,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: ms },
    reason: 'headers-timeout',
    evidence: { timeoutMs: ms },
  };
}
