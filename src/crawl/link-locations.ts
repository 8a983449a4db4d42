import type { LinkedFrom, Location } from '../check.ts';
import { MOST_LOCATIONS } from '../site/linked-from.ts';

/** How many places of several targets may still be kept, beside the first of each. Counts down. */
export interface LocationBudget {
  left: number;
}

/**
 * The places that link to one target: the first hundred, and the count of all. Kept as numbers, because a large site
 * has very many of them and few are ever told.
 */
export class LinkLocations implements LinkedFrom {
  readonly #files: string[] = [];
  /** Line and column in turn. */
  readonly #positions: number[] = [];
  readonly #budget: LocationBudget | null;
  #count = 0;

  /** `room`: what many targets together have. */
  constructor(budget: LocationBudget | null = null) {
    this.#budget = budget;
  }

  add(path: string, line: number, column: number): void {
    this.#count += 1;
    if (!this.#hasRoom()) return;
    this.#files.push(path);
    this.#positions.push(line, column);
  }

  /** Takes over what was added to another target that turned out to be this one. */
  addAll(other: LinkLocations): void {
    const { locations } = other;
    for (const { path, line, column } of locations) this.add(path, line, column);
    this.#count += other.count - locations.length;
  }

  get count(): number {
    return this.#count;
  }

  get locations(): readonly Location[] {
    return this.#files.map((path, index) => ({
      path,
      line: this.#positions[2 * index] ?? 1,
      column: this.#positions[2 * index + 1] ?? 1,
    }));
  }

  #hasRoom(): boolean {
    const kept = this.#files.length;
    if (kept === 0 || this.#budget === null) return kept < MOST_LOCATIONS;
    if (kept === MOST_LOCATIONS || this.#budget.left === 0) return false;
    this.#budget.left -= 1;
    return true;
  }
}
