/** How something grows: points that are measured, pictures and a table of them. */
import type { Environment } from '../environment.ts';
import { spread, type Figure, type Sample } from '../measure.ts';
import type { PeerName } from '../peers/peers.ts';
import type { Bench } from '../row.ts';

/** What was measured where it had grown so far. */
export interface Point {
  readonly at: number;
  /** By the names of those that were measured. */
  readonly costs: Readonly<Record<string, Sample>>;
}

/** A line of a picture. */
export interface Line {
  /** As in the points. */
  readonly name: string;
  /** What people would use instead. */
  readonly isPeer?: true;
}

/** A picture: one figure. */
export interface Panel {
  /** Of the picture, without its ending; also its place below the benchmark's folder. */
  readonly id: string;
  readonly title: string;
  /** As the table has it. */
  readonly short: string;
  readonly figure: Figure;
  readonly lines: readonly Line[];
  /** It is a column of the table only. */
  readonly isTableOnly?: true;
}

export interface Growth {
  /** What it is chosen by: `growth/pages`, or `growth` for all. */
  readonly id: string;
  /** What there is more and more of: pages. */
  readonly what: string;
  readonly panels: readonly Panel[];
  readonly needs: readonly PeerName[];
  /** Runs of each point, by default. */
  readonly pairs: number;
  measure(bench: Bench): Promise<readonly Point[]>;
}

/** A growth, measured. */
export interface Grown {
  /** The day, as 2026-11-20. */
  readonly date: string;
  readonly runs: number;
  /** Where; the peers are those that it needs. Its points stand beside no others. */
  readonly environment: Environment;
  readonly points: readonly Point[];
}

/** The median of each figure. */
export function medians(samples: readonly Sample[]): Sample {
  const figures = Object.keys(samples[0] ?? {}) as Figure[];
  return Object.fromEntries(
    figures.map((figure) => [figure, spread(samples.flatMap((sample) => sample[figure] ?? [])).median]),
  );
}
