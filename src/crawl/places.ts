import type { LinkedFrom, Location } from '../check.ts';

const MOST_PLACES = 100;

/**
 * The places that link to one target: the first hundred, and the count of all. Kept as numbers, because a large site
 * has very many of them and few are ever told.
 */
export class LinkPlaces implements LinkedFrom {
  readonly #files: string[] = [];
  /** Line and column in turn. */
  readonly #positions: number[] = [];
  #count = 0;

  add(path: string, line: number, column: number): void {
    this.#count += 1;
    if (this.#files.length === MOST_PLACES) return;
    this.#files.push(path);
    this.#positions.push(line, column);
  }

  /** Takes over what was added to another target that turned out to be this one. */
  addAll(other: LinkPlaces): void {
    for (const { path, line, column } of other.places) this.add(path, line, column);
    this.#count += Math.max(0, other.count - MOST_PLACES);
  }

  get count(): number {
    return this.#count;
  }

  get places(): readonly Location[] {
    return this.#files.map((path, index) => ({
      path,
      line: this.#positions[2 * index] ?? 1,
      column: this.#positions[2 * index + 1] ?? 1,
    }));
  }
}
