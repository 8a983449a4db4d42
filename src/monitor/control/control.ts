/**
 * Tells whether it is our own network that is gone, when a site does not answer at all: by opening connections to
 * addresses that have nothing to do with it. Only what could be reached before says something by being silent now, so
 * that in a network without a way to the internet an outage stays an outage.
 */

/** Opens a connection and closes it; resolves with whether it came about within the time. Never rejects. */
export type Connect = (address: string, timeoutMs: number) => Promise<boolean>;

export interface ControlOptions {
  /** `host:port`; empty: nothing is ever taken for our own fault. */
  readonly targets: readonly string[];
  readonly connect: Connect;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  /** Targets that could be reached when it was known last, before this process. */
  readonly known?: readonly string[];
  /** Hears which targets can be reached whenever that is another set of them. */
  readonly onKnown?: (known: readonly string[]) => void;
}

export interface Control {
  /**
   * Finds out which targets can be reached, while the network is there: at the start, and whenever a site has answered.
   * Asks again after some minutes only.
   */
  learn(): Promise<void>;
  /** Whether no target answers any more of which at least one did before. Takes 2 seconds at most. */
  isGone(): Promise<boolean>;
}

/** Public name servers of different operators, by address: no name has to be resolved. */
export const DEFAULT_TARGETS: readonly string[] = ['1.1.1.1:443', '9.9.9.9:443'];

/** Longest wait for a connection. */
const CONNECT_MS = 2_000;
/** How long what was found is taken for what is: a thousand sites that fail at once ask once. */
export const SHARED_MS = 3_000;
/** How long it is not asked again whether a target can be reached while all is well. */
export const LEARN_MS = 5 * 60_000;
/** So many times a target has to be silent while sites answer until it is not counted on any more: once may be chance. */
const FORGET_AFTER = 2;

/** Makes the control of a monitor. Nothing is sent before it is asked. */
export function createControl({ targets, connect, clock, known: before = [], onKnown }: ControlOptions): Control {
  /** By target that was reached before: how often it was silent since, while sites answered. */
  const known = new Map(before.filter((target) => targets.includes(target)).map((target) => [target, 0]));
  let learnt = Number.NEGATIVE_INFINITY;
  let looked: { readonly at: number; readonly gone: Promise<boolean> } | null = null;

  let told = String([...known.keys()].toSorted());

  const tell = (): void => {
    const now = [...known.keys()].toSorted();
    if (String(now) === told) return;
    told = String(now);
    onKnown?.(now);
  };

  const reach = async (target: string): Promise<boolean> => {
    const reached = await connect(target, CONNECT_MS);
    if (reached) known.set(target, 0);
    return reached;
  };

  const look = async (): Promise<boolean> => {
    // The first that answers settles it.
    const found = await Promise.any(
      targets.map(async (target) => (await reach(target)) || Promise.reject(SILENT)),
    ).catch(() => false);
    return !found;
  };

  return {
    async learn() {
      if (clock() - learnt < LEARN_MS) return;
      learnt = clock();
      const silent = await Promise.all(targets.map(async (target) => ((await reach(target)) ? [] : [target])));
      for (const target of silent.flat()) {
        const times = (known.get(target) ?? FORGET_AFTER) + 1;
        if (times < FORGET_AFTER) known.set(target, times);
        else known.delete(target);
      }
      tell();
    },
    async isGone() {
      if (known.size === 0) return false;
      if (looked === null || clock() - looked.at >= SHARED_MS) looked = { at: clock(), gone: look() };
      return looked.gone;
    },
  };
}

const SILENT = new Error('silent');
