/** How long to wait between runs. Durations in milliseconds. Pure. */

const FIRST_MS = 1_000;
const GROWTH = 1.5;
const LONGEST_MS = 30_000;
/** A host that says that it is asked too much, or that lets nobody in, is asked more slowly from the first time on. */
const FIRST_REFUSED_MS = 5_000;
const REFUSED_GROWTH = 2;
const LONGEST_REFUSED_MS = 60_000;
/** Asking for files that are not there yet makes caches remember just that. */
const FIRST_MISSING_MS = 5_000;
/** Between runs over everything that were not good. */
const FIRST_WHOLE_MS = 5_000;
const LONGEST_WHOLE_MS = 60_000;
const WHOLE_GROWTH = 2;
/** Between good runs: long enough that another edge may answer, short enough that a site that is live is not waited for. */
const GOOD_MS = 1_000;
/** The same for each file that was compared, where none of them told whether the version is new: more of them follow. */
const DOUBT_MS = 100;
/** How far a pause is from its length, so that jobs that began together do not ask together. */
const JITTER = 0.2;

/** Why there is a pause, and what the host says of it. */
export interface Reported {
  readonly refused: boolean;
  /** All that is old is files that are not there. */
  readonly missing: boolean;
  /** What `Retry-After` still asks for; 0: nothing. */
  readonly retryAfterMs: number;
}

/** Pauses that grow while nothing changes. */
export class Pauses {
  readonly #random: () => number;
  readonly #longestMs: number;
  #bad = 0;
  #refused = 0;
  #whole = 0;
  #isNear = false;

  /** `longestMs`: no pause is longer, unless the host asks for it or lets nobody in. */
  constructor(random: () => number, longestMs = Infinity) {
    this.#random = random;
    this.#longestMs = longestMs;
  }

  /** The first sign of what is waited for: the rest is perhaps near. Where signs come and go, it is not. */
  nearer(): void {
    if (!this.#isNear) this.#bad = 0;
    this.#isNear = true;
  }

  /** Before a good run is repeated. `doubtful`: files that were compared without telling the versions apart. */
  afterGood(doubtful = 0): number {
    this.#refused = 0;
    return this.#jittered(Math.max(GOOD_MS, doubtful * DOUBT_MS));
  }

  /** Before a run that was not good is repeated. */
  afterBad({ refused, missing, retryAfterMs }: Reported): number {
    const grown = Math.min(LONGEST_MS, FIRST_MS * GROWTH ** this.#bad);
    this.#bad += 1;
    this.#refused = refused ? this.#refused + 1 : 0;
    const spared = refused ? Math.min(LONGEST_REFUSED_MS, FIRST_REFUSED_MS * REFUSED_GROWTH ** (this.#refused - 1)) : 0;
    // What the host asks for is not shortened by chance.
    const own = Math.min(this.#longestMs, Math.max(grown, missing ? FIRST_MISSING_MS : 0));
    return Math.max(this.#jittered(Math.max(own, spared)), retryAfterMs);
  }

  /** Before the next run over everything; `tookMs`: the last one, which is not worth more than half of the time. */
  beforeWhole(tookMs: number): number {
    const grown = Math.min(this.#longestMs, LONGEST_WHOLE_MS, FIRST_WHOLE_MS * WHOLE_GROWTH ** this.#whole);
    this.#whole += 1;
    return Math.max(this.#jittered(grown), tookMs);
  }

  #jittered(ms: number): number {
    return Math.round(ms * (1 - JITTER + 2 * JITTER * this.#random()));
  }
}
