/** How many rounds go on at once. */

/** Who waits for a place: a failure that is being confirmed first, a site that was slow last time last. */
export type Urgency = 'urgent' | 'usual' | 'slow';

/** A place that was taken. */
export interface Place {
  /** It takes long: goes on among the slow ones, if there is room, and leaves its place to others. */
  slowDown(): void;
  /** Gives it back. Idempotent. */
  release(): void;
}

type Kind = 'quick' | 'slow';

/**
 * Places for what goes on at the same time, half of them for what is quick, half for what is slow. However many sites
 * are silent, and for however long, the others begin when they are due.
 */
export class Places {
  readonly #most: number;
  readonly #queues: Readonly<Record<Urgency, Set<() => void>>> = {
    urgent: new Set(),
    usual: new Set(),
    slow: new Set(),
  };
  readonly #taken: Record<Kind, number> = { quick: 0, slow: 0 };

  /** `most`: of both kinds together; at least one of each. */
  constructor(most: number) {
    this.#most = Math.max(1, Math.floor(most / 2));
  }

  /** How many go on. */
  get taken(): number {
    return this.#taken.quick + this.#taken.slow;
  }

  /** Resolves with a place, once there is one; with `null` when `signal` is aborted before. */
  take(urgency: Urgency, signal: AbortSignal): Promise<Place | null> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(null);
      const kind = urgency === 'slow' ? 'slow' : 'quick';
      // Nobody waits while there is a place.
      if (this.#taken[kind] < this.#most) return resolve(this.#place(kind));
      const queue = this.#queues[urgency];
      const begin = (): void => {
        queue.delete(begin);
        signal.removeEventListener('abort', leave);
        resolve(this.#place(kind));
      };
      const leave = (): void => {
        queue.delete(begin);
        resolve(null);
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.add(begin);
    });
  }

  #place(first: Kind): Place {
    let kind: Kind | null = first;
    this.#taken[first] += 1;
    return {
      slowDown: () => {
        if (kind !== 'quick' || this.#taken.slow >= this.#most) return;
        kind = 'slow';
        this.#taken.quick -= 1;
        this.#taken.slow += 1;
        this.#goOn();
      },
      release: () => {
        if (kind === null) return;
        this.#taken[kind] -= 1;
        kind = null;
        this.#goOn();
      },
    };
  }

  /** Lets as many begin as there are places for. */
  #goOn(): void {
    const { urgent, usual, slow } = this.#queues;
    while (this.#taken.quick < this.#most) {
      const next = firstOf(urgent) ?? firstOf(usual);
      if (next === undefined) break;
      next();
    }
    while (this.#taken.slow < this.#most) {
      const next = firstOf(slow);
      if (next === undefined) break;
      next();
    }
  }
}

function firstOf<T>(queue: ReadonlySet<T>): T | undefined {
  const [first] = queue;
  return first;
}
