import type { Report } from '../check.ts';
import type { WaitRun, WaitRunKind } from './runs.ts';
import { isGreen } from './reports.ts';

/** A run after the end gets so much time: more than one request may take, so that its own timeout is what is told. */
const LATE_RUN_MS = 12_000;
/** How much longer such a run may take than the good ones before it. */
const SLOWER = 3;

/** What the runs so far say of the next ones. */
export class PastRuns {
  #tookMs = 0;
  #goodMs = 0;
  #answered: Report | null = null;
  #isSilent = false;

  /** Takes note of a run that was not cut short. */
  note(kind: WaitRunKind, { report, throttled, silent }: WaitRun, tookMs: number): void {
    if (kind !== 'whole') this.#tookMs = tookMs;
    if (isGreen(report)) this.#goodMs = Math.max(this.#goodMs, tookMs);
    if (!throttled && !silent && kind !== 'before') this.#answered = report;
    this.#isSilent = silent;
  }

  /** Whether there is too little time for another run that is not whole. */
  isTooLate(leftMs: number): boolean {
    return leftMs < this.#tookMs;
  }

  /** How long a run after the end may take. */
  get lateMs(): number {
    return Math.max(LATE_RUN_MS, SLOWER * this.#goodMs);
  }

  /** Nothing came in the last run: it is not worth asking twice. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** What a host that only asks for less in the end said before, where that is something against the site. */
  known({ report, throttled }: Pick<WaitRun, 'report' | 'throttled'>): Report {
    const before = this.#answered;
    return throttled && report.fresh === null && before !== null && !isGreen(before) ? before : report;
  }
}
