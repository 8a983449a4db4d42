/** How long to wait between rounds. Durations in milliseconds. Pure. */

const FIRST_MS = 1_000;
const GROWTH = 1.5;
const LONGEST_MS = 30_000;
/** A host that says that it is asked too much, or that lets nobody in, is asked more slowly from the first time on. */
const FIRST_REFUSED_MS = 5_000;
const REFUSED_GROWTH = 2;
const LONGEST_REFUSED_MS = 60_000;
/** Between good rounds: long enough that another edge may answer, short enough that a site that is live is not waited for. */
const GOOD_MS = 1_000;
/** How far a pause is from its length, so that jobs that began together do not ask together. */
const JITTER = 0.2;

/** Why there is a pause, and what the host says of it. */
export interface Told {
  readonly refused: boolean;
  /** What `Retry-After` still asks for; 0: nothing. */
  readonly retryAfterMs: number;
  /** How long the round took, where it was one over everything: it is not worth more than half of the time. */
  readonly tookMs: number;
}

/** Pauses that grow while nothing changes. */
export class Pauses {
  readonly #random: () => number;
  #bad = 0;
  #refused = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** The waiting got a step further: what comes next is perhaps near. */
  reset(): void {
    this.#bad = 0;
  }

  /** Before a good round is repeated. */
  afterGood(): number {
    this.#refused = 0;
    return this.#jittered(GOOD_MS);
  }

  /** Before a round that was not good is repeated. */
  afterBad({ refused, retryAfterMs, tookMs }: Told): number {
    const grown = Math.min(LONGEST_MS, FIRST_MS * GROWTH ** this.#bad);
    this.#bad += 1;
    this.#refused = refused ? this.#refused + 1 : 0;
    const spared = refused ? Math.min(LONGEST_REFUSED_MS, FIRST_REFUSED_MS * REFUSED_GROWTH ** (this.#refused - 1)) : 0;
    // What the host asks for is not shortened by chance.
    return Math.max(this.#jittered(Math.max(grown, spared)), retryAfterMs, tookMs);
  }

  #jittered(ms: number): number {
    return Math.round(ms * (1 - JITTER + 2 * JITTER * this.#random()));
  }
}
