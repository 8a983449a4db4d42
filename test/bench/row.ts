/** What a row of the benchmark is, and what is measured at many sizes. */
import type { Checker } from './checkers.ts';
import type { Figure, Pairs, Sample } from './measure.ts';
import type { PeerName } from './peers.ts';

interface Measurable {
  /** `--only one-shot` chooses `one-shot/curl` as well. */
  readonly id: string;
  readonly figures: readonly Figure[];
  readonly needs: readonly PeerName[];
}

export interface Row extends Measurable {
  readonly work: string;
  readonly against: string;
  /** Those that have to find faults before they are measured. */
  readonly checkers?: readonly Checker[];
  /** By default. */
  readonly pairs: number;
  measure(pairs: number): Promise<Pairs>;
}

/** A line of each chart, by its name. */
export type Costs = Readonly<Record<string, Sample>>;

export interface Growth extends Measurable {
  /** Of its charts, and how their files begin. */
  readonly title: string;
  readonly charts: string;
  /** What there is more and more of: pages. */
  readonly what: string;
  readonly steps: readonly number[];
  /** Runs of each step, by default. */
  readonly runs: number;
  measure(at: number, runs: number): Promise<Costs>;
}
