import type { Round } from './rounds.ts';

/** The three clocks of a waiting: milliseconds since it began; `null`: it did not come to that. */
export class Clocks {
  firstNewMs: number | null = null;
  allNewMs: number | null = null;
  allGreenMs: number | null = null;
  #isSure = false;
  #sawOld = false;

  /** Takes note of a round. `isAll`: it looked at all samples, and none of them was old. */
  note({ report, isNew, doubt }: Pick<Round, 'report' | 'isNew' | 'doubt'>, isAll: boolean, elapsedMs: number): void {
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
