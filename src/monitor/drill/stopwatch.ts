import type { Step, StepId } from './result.ts';

/** Times steps that follow each other without gaps. Times are whole milliseconds that add up to the total. */
export class Stopwatch {
  readonly #clock: () => number;
  readonly #onStep: ((step: StepId) => void) | undefined;
  /** When each step began, in milliseconds since the first. */
  readonly #began: { readonly id: StepId; readonly atMs: number }[] = [];
  #start = 0;
  #end: number | null = null;

  constructor(clock: () => number, onStep?: (step: StepId) => void) {
    this.#clock = clock;
    this.#onStep = onStep;
  }

  start(first: StepId): void {
    this.#start = this.#clock();
    this.#began.push({ id: first, atMs: 0 });
    this.#onStep?.(first);
  }

  /** Ends the step that goes on and begins another one. */
  next(id: StepId): void {
    this.#began.push({ id, atMs: this.elapsedMs });
    this.#onStep?.(id);
  }

  /** Ends the last step; the first call counts. */
  stop(): void {
    this.#end ??= this.elapsedMs;
  }

  /** The step that goes on, or ended last. */
  get step(): StepId {
    return this.#began.at(-1)?.id ?? 'clone';
  }

  get elapsedMs(): number {
    return Math.round(this.#clock() - this.#start);
  }

  get totalMs(): number {
    return this.#end ?? this.elapsedMs;
  }

  /** The steps with their times; without the last one where that did not end well. */
  steps(isLastWell: boolean): readonly Step[] {
    const timed = this.#began.map(({ id, atMs }, index) => ({
      id,
      durationMs: (this.#began[index + 1]?.atMs ?? this.totalMs) - atMs,
    }));
    return isLastWell ? timed : timed.slice(0, -1);
  }
}
