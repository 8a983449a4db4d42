import type { LinkedFrom, Location } from '../check.ts';
import { MOST_LOCATIONS } from '../engines/link.ts';
import { boundedFacts as bounded, type MarkdownFacts } from '../parse/markdown.ts';

/** How many places of several targets may still be kept, beside the first of each. Counts down. */
export interface LocationBudget {
  left: number;
}

/**
 * The places that link to one target: the first hundred, and the count of all. Kept as numbers, because a large site
 * has very many of them and few are ever reported.
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

/** Of all keys together, in UTF-16 code units. */
const MOST_KEYS = 4 * 1024 * 1024;

/** The places of the first `most` keys. */
export class LocationsByKey {
  readonly #most: number;
  #left = MOST_KEYS;
  readonly all = new Map<string, LinkLocations>();

  constructor(most: number) {
    this.#most = most;
  }

  add(key: string, { path, line, column }: Location): void {
    const known = this.all.get(key);
    if (known === undefined && (this.all.size === this.#most || key.length > this.#left)) return;
    if (known === undefined) this.#left -= key.length;
    const locations = known ?? new LinkLocations();
    locations.add(path, line, column);
    this.all.set(key, locations);
  }
}

export const MOST_OF_A_PAGE = 5_000;
/** Most entries of all lists of all pages. */
const MOST_IN_ALL = 400_000;
/** Of their texts together, in UTF-16 code units. */
const MOST_TEXT = 24 * 1024 * 1024;

/** The facts with at most so many entries of each list but the links, which are read and not kept. */
export function boundedFacts(facts: MarkdownFacts, most: number): MarkdownFacts {
  const { links, engineLinks, ...others } = facts;
  return { ...bounded({ ...others, links: [] }, most), links, ...(engineLinks === undefined ? {} : { engineLinks }) };
}

const SHORTEST_PART = 13;

/** The same text in a string of its own: one that was cut out of a page keeps all of the page in memory. */
export function copiedString(text: string): string {
  return text.length < SHORTEST_PART ? text : ` ${text}`.slice(1);
}

/** The facts without a hold on the text that they were read from. */
function copiedFacts(facts: MarkdownFacts): MarkdownFacts {
  const { headings, ids, code } = facts;
  return {
    ...facts,
    headings: headings.map(({ text, slug, source, ...heading }) => ({
      ...heading,
      text: copiedString(text),
      slug: copiedString(slug),
      ...(source === undefined ? {} : { source: copiedString(source) }),
    })),
    ids: ids.map(copiedString),
    code: code.map(({ language, line }) => ({ language: language && copiedString(language), line })),
  };
}

/** What there is room for, page by page. */
export class FactsBudget {
  #left: number;
  #text = MOST_TEXT;

  constructor(most = MOST_IN_ALL) {
    this.#left = most;
  }

  keep(facts: MarkdownFacts): MarkdownFacts {
    const { headings, ids, code, tables } = facts;
    const count = headings.length + ids.length + code.length + tables.length;
    const texts = [...headings.flatMap(({ text, slug, source = '' }) => [text, slug, source]), ...ids];
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (count > this.#left || length > this.#text) return boundedFacts(facts, 0);
    this.#left -= count;
    this.#text -= length;
    return copiedFacts(facts);
  }
}
