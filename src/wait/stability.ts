import type { Report } from '../check.ts';
import { isGreen } from './reports.ts';
import type { WaitRun, WaitRunKind } from './runs.ts';

/** What goes to and fro in a waiting. */
export class Stability {
  /** What was well is so no more: servers answer in turn. */
  isUnsteady = false;
  /** The old version came after the new one. */
  isInTurn = false;
  /** The last run that was not good. */
  trouble: Report | null = null;

  /** Takes note of a run. `good`: the good ones in a row before it. */
  note(kind: WaitRunKind, { report, isBack, isWider }: WaitRun, good: number): void {
    const green = isGreen(report);
    // A run over everything sees more than the quick ones before it, and so does a wider one.
    const isWorse = !green && good > 0 && kind === 'quick' && !isWider;
    if (isBack || isWorse) this.isUnsteady = true;
    if (isBack || (isWorse && report.fresh === false)) this.isInTurn = true;
    if (!green) this.trouble = report;
  }

  /** The waiting ends without enough good runs: what was bad last is told of a site that was good just now. */
  end(): Report | null {
    if (this.trouble?.fresh === false) this.isInTurn = true;
    return this.trouble;
  }
}
