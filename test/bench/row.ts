/** What a row of the benchmark is: something that docvitals does, held against what people would use instead. */
import type { Checker } from './contenders/checker.ts';
import type { Figure, Pairs } from './measure.ts';
import type { Peer } from './peers/peer.ts';
import type { PeerName } from './peers/peers.ts';

/** What is demanded of a figure. */
export interface Target {
  readonly figure: Figure;
  /** ours / theirs, or ours alone. */
  readonly of: 'ratio' | 'ours';
  readonly atMost: number;
  readonly aim?: number;
}

/** What a row measures with. */
export interface Bench {
  /** How many pairs are wanted. */
  readonly pairs: number;
  /** How many sites a monitor watches. */
  readonly sites: number;
  /** A folder for whatever is written; removed at the end. */
  readonly folder: string;
  /** One of those that the row needs. */
  readonly peer: (name: PeerName) => Peer;
  /** Says how far it is, in a few words. */
  readonly progress: (text: string) => void;
  /** Aborted when the benchmark is stopped: what runs is to end, and what was made is to be removed. */
  readonly signal: AbortSignal;
}

export interface Row {
  /** What it is chosen by; also without what follows the last slashes: `one-shot` chooses `one-shot/curl`. */
  readonly id: string;
  readonly work: string;
  readonly against: string;
  /** Figures that are shown. */
  readonly figures: readonly Figure[];
  readonly needs: readonly PeerName[];
  /** Those that have to show beforehand that they look. Others show it while they are measured. */
  readonly checkers?: readonly Checker[];
  /** Pairs, by default. */
  readonly pairs: number;
  measure(bench: Bench): Promise<Pairs>;
}
