/** What a crawl remembers, within bounds: a site has far more of it than is ever reported. */
import type { LinkedFrom, Location } from '../check.ts';
import { MOST_LOCATIONS } from '../engines/link.ts';
import { boundedFacts, type MarkdownFacts } from '../parse/markdown.ts';

/** How much of something there may still be. Counts down. */
export class Budget {
  left: number;

  constructor(left: number) {
    this.left = left;
  }

  /** `false`: there is not so much left, and nothing is taken. */
  take(amount: number): boolean {
    if (amount > this.left) return false;
    this.left -= amount;
    return true;
  }
}

/** The locations that link to one target: the first hundred, kept as numbers, and the count of all. */
export class LinkLocations implements LinkedFrom {
  readonly #files: string[] = [];
  /** Line and column in turn. */
  readonly #positions: number[] = [];
  readonly #room: Budget | null;
  count = 0;

  /** `room`: how many locations several targets together may have beside the first of each. */
  constructor(room: Budget | null = null) {
    this.#room = room;
  }

  add({ path, line, column }: Location): void {
    this.count += 1;
    const kept = this.#files.length;
    if (kept === MOST_LOCATIONS || (kept > 0 && this.#room?.take(1) === false)) return;
    this.#files.push(path);
    this.#positions.push(line, column);
  }

  /** Takes over what was added to another target that turned out to be this one. */
  addAll(other: LinkLocations): void {
    const { locations } = other;
    for (const location of locations) this.add(location);
    this.count += other.count - locations.length;
  }

  get locations(): readonly Location[] {
    return this.#files.map((path, index) => ({
      path,
      line: this.#positions[2 * index] ?? 1,
      column: this.#positions[2 * index + 1] ?? 1,
    }));
  }
}

/** Of the facts of all pages together as JSON, in UTF-16 code units. */
export const MOST_FACTS = 40 * 1024 * 1024;
const MOST_OF_A_PAGE = 5_000;

/** The facts without links, as far as there is room; in strings of their own, as a part of a page keeps all of it in memory. */
export function keptFacts({ links: _links, engineLinks: _own, ...facts }: MarkdownFacts, room: Budget): MarkdownFacts {
  const bounded = boundedFacts({ ...facts, links: [] }, MOST_OF_A_PAGE);
  const text = JSON.stringify(bounded);
  return room.take(text.length) ? (JSON.parse(text) as MarkdownFacts) : boundedFacts(bounded, 0);
}

/** V8 copies a text from this length on only when it has to. */
const SHORTEST_PART = 13;

/** The same text in a string of its own. */
export function copiedString(text: string): string {
  return text.length < SHORTEST_PART ? text : ` ${text}`.slice(1);
}
