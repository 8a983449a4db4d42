/**
 * What was there while all was well, so that its silence says something now: what never answered says nothing by being
 * silent.
 */

/** Tries a target within a time; resolves with whether it is there. Never rejects. */
export type Reach = (target: string, timeoutMs: number) => Promise<boolean>;

export interface BaselineOptions {
  readonly targets: readonly string[];
  readonly reach: Reach;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  /** Targets that were there when it was known last, before this process; others are left out. */
  readonly known: readonly string[];
  /**
   * Targets that somebody says should be there: their silence says something from the beginning, until they are silent
   * while sites answer.
   */
  readonly named?: readonly string[];
}

/** Longest wait for a target. */
const REACH_MS = 2_000;
/** How long what was found is taken for what is: a thousand sites that fail at once ask once. */
export const SHARED_MS = 3_000;
/** So many times a target has to be silent while sites answer until it is not counted on any more: once may be chance. */
const FORGET_AFTER = 2;

export class Baseline {
  readonly #options: BaselineOptions;
  /** By target that was there before: how often it was silent since, while sites answered. */
  readonly #known: Map<string, number>;
  #checked: { readonly at: number; readonly gone: Promise<boolean> } | null = null;

  constructor(options: BaselineOptions) {
    const { targets, known, named = [] } = options;
    const counted = (from: readonly string[], times: number): [string, number][] =>
      from.filter((target) => targets.includes(target)).map((target) => [target, times]);
    this.#options = options;
    this.#known = new Map([...counted(named, FORGET_AFTER - 1), ...counted(known, 0)]);
  }

  /** Targets that are counted on. */
  get known(): readonly string[] {
    return [...this.#known.keys()];
  }

  /** Finds out which targets are there, while all is well. */
  async learn(): Promise<void> {
    const { targets } = this.#options;
    const silent = await Promise.all(targets.map(async (target) => ((await this.#reach(target)) ? [] : [target])));
    for (const target of silent.flat()) {
      const times = (this.#known.get(target) ?? FORGET_AFTER) + 1;
      if (times < FORGET_AFTER) this.#known.set(target, times);
      else this.#known.delete(target);
    }
  }

  /** Whether no target is there any more of which at least one was. Takes 2 seconds at most. */
  async isGone(): Promise<boolean> {
    if (this.#known.size === 0) return false;
    const now = this.#options.clock();
    if (this.#checked === null || now - this.#checked.at >= SHARED_MS) this.#checked = { at: now, gone: this.#look() };
    return this.#checked.gone;
  }

  async #look(): Promise<boolean> {
    // The first that answers settles it.
    const found = await Promise.any(
      this.#options.targets.map(async (target) => (await this.#reach(target)) || Promise.reject(SILENT)),
    ).catch(() => false);
    return !found;
  }

  async #reach(target: string): Promise<boolean> {
    const reached = await this.#options.reach(target, REACH_MS);
    if (reached) this.#known.set(target, 0);
    return reached;
  }
}

const SILENT = new Error('silent');
