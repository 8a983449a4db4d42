/** What watches the origins, whichever program it is. */
import type { Bench } from '../row.ts';
import type { Origins } from './origins.ts';

/** How often every site is checked: every so many seconds, or again as soon as can be. */
export type Pace = number | 'flat-out';

/** A monitor that runs. Its figures are those of its process alone. */
export interface RunningMonitor {
  readonly pid: number;
  /** Begins to look at that pace. It rests before. */
  go(pace: Pace): Promise<void>;
  /** Looks at nothing any more; resolves when what went on has ended. */
  rest(): Promise<void>;
  /** How many checks (of one file) have ended until now. */
  checks(): Promise<number>;
  /** The checks that failed when they were done last, by {@link failureName}. */
  failing(): Promise<ReadonlySet<string>>;
  stop(): Promise<void>;
}

/** A program that can watch them. */
export interface MonitorContender {
  readonly name: string;
  /** Whether it sees only what regular expressions see. */
  readonly hasExpressionsOnly: boolean;
  /** Resolves when it runs and has checked every site once, and rests. */
  start(origins: Origins, bench: Pick<Bench, 'folder' | 'peer' | 'signal'>): Promise<RunningMonitor>;
}

export const failureName = (baseUrl: string, check: string): string => `${check} of ${baseUrl}`;
