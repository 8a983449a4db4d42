import type { FreshBy, Report } from '../check.ts';
import type { WaitRun, WaitRunKind } from './runs.ts';
import type { WaitState } from './wait.ts';

/** The three clocks of a waiting: milliseconds since it began; `null`: it did not come to that. */
export class Clocks {
  firstNewMs: number | null = null;
  allNewMs: number | null = null;
  allGreenMs: number | null = null;
  #isSure = false;
  #sawOld = false;

  /** As they are told in a report. */
  get reported(): Pick<Clocks, 'firstNewMs' | 'allNewMs' | 'allGreenMs'> {
    const { firstNewMs, allNewMs, allGreenMs } = this;
    return { firstNewMs, allNewMs, allGreenMs };
  }

  /** What a run of that kind waits for, after one with that report. */
  phaseOf(kind: WaitRunKind, by: FreshBy, report: Report | null): WaitState['phase'] {
    if (by === 'health') return 'green';
    if (this.firstNewMs === null && (kind === 'before' || kind === 'sample')) return 'new';
    return this.allNewMs === null || report?.fresh === false ? 'all' : 'green';
  }

  /** Takes note of a run. `isAll`: it looked at all samples, and none of them was old. */
  note({ report, isNew, doubt }: Pick<WaitRun, 'report' | 'isNew' | 'doubt'>, isAll: boolean, elapsedMs: number): void {
    if (report.fresh === false && !this.#sawOld) {
      // What was new so far is perhaps the same in the old version; what tells the two apart was new, and stays so.
      if (!this.#isSure) this.firstNewMs = this.allNewMs = null;
      this.#sawOld = true;
    }
    if (isNew) {
      this.firstNewMs ??= elapsedMs;
      if (doubt === null) this.#isSure = true;
    }
    if (isAll) this.allNewMs ??= elapsedMs;
  }
}
