/** Sites whose runs end their runners: they are run alone, and ever more rarely, so that the others are checked as usual. */
import type { Scope } from '../incident/incident.ts';
import { iso } from '../iso-time.ts';
import type { Log } from '../log/write.ts';
import { pause } from './loop.ts';

export interface CrashesOptions {
  readonly monotonic: () => number;
  /** ms since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

/** So many runs in a row whose runners were lost at all locations: that is no coincidence. */
const CRASHES = 2;
/** How long such a site then waits: doubled each time. */
const FIRST_MS = 60_000;
const LONGEST_MS = 30 * 60_000;
/** How long a run waits, at most, to be the only one that may end its runners. */
const ALONE_MS = 30_000;

interface Crash {
  readonly times: number;
  /** Not before, by the monotonic clock. */
  readonly waitsUntil: number;
}

export class Crashes {
  readonly #options: CrashesOptions;
  readonly #known = new Map<string, Crash>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: CrashesOptions) {
    this.#options = options;
  }

  /** Whether any site ends its runners. */
  isKnown(): boolean {
    return [...this.#known.values()].some(({ times }) => times >= CRASHES);
  }

  forget(site: string): void {
    for (const key of this.#known.keys()) if (key.startsWith(`${site} `)) this.#known.delete(key);
  }

  /**
   * Waits until a run may begin: one whose runners were lost is not run together with others like it, as most of them were
   * only lost with the site that is the cause. Resolves with what lets the next one begin; `null`: it is not to be run now.
   */
  async admit(site: string, scope: Scope, cut: AbortSignal): Promise<(() => void) | null> {
    const crash = this.#known.get(`${site} ${scope}`);
    if (crash === undefined) return () => {};
    if (this.#options.monotonic() < crash.waitsUntil) return null;
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = Promise.all([before, over]);
    const late = new AbortController();
    await Promise.race([before, pause(ALONE_MS, AbortSignal.any([cut, late.signal]))]);
    late.abort();
    return end;
  }

  /** A run ended; `isLost`: the runners of all locations were lost with it. */
  note(site: string, scope: Scope, isLost: boolean): void {
    const { monotonic, log, now } = this.#options;
    const key = `${site} ${scope}`;
    const before = this.#known.get(key)?.times ?? 0;
    if (!isLost) {
      if (before >= CRASHES) log('info', 'runners-survived', { site, scope });
      this.#known.delete(key);
      return;
    }
    const times = before + 1;
    const waitMs = times < CRASHES ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (times - CRASHES));
    this.#known.set(key, { times, waitsUntil: monotonic() + waitMs });
    if (waitMs > 0) log('error', 'runners-crashed', { site, scope, times, retryAt: iso(now() + waitMs) });
  }
}
