/** Bounds what a crawl keeps of its pages. */
import type { MarkdownFacts } from '../parse/markdown-types.ts';

/** Most of each list that is kept of one page. */
export const MOST_OF_A_PAGE = 5_000;
/** Most entries of all lists of all pages. */
const MOST_IN_ALL = 1_000_000;

/** The facts with at most so many of each; of a page that has more it is not known what else it holds. */
export function boundedFacts(facts: MarkdownFacts, most: number): MarkdownFacts {
  const { headings, ids, code, tables } = facts;
  if ([headings, ids, code, tables].every(({ length }) => length <= most)) return facts;
  return {
    ...facts,
    whole: false,
    headings: headings.slice(0, most),
    ids: ids.slice(0, most),
    code: code.slice(0, most),
    tables: tables.slice(0, most),
  };
}

/** Shorter strings are always copied. */
const SHORTEST_PART = 13;

/** The same text in a string of its own: one that was cut out of a page keeps all of the page in memory. */
export function ownString(text: string): string {
  return text.length < SHORTEST_PART ? text : ` ${text}`.slice(1);
}

/** The facts without a hold on the text that they were read from. */
function ownFacts(facts: MarkdownFacts): MarkdownFacts {
  const { headings, ids, code } = facts;
  return {
    ...facts,
    headings: headings.map(({ text, slug, source, ...heading }) => ({
      ...heading,
      text: ownString(text),
      slug: ownString(slug),
      ...(source === undefined ? {} : { source: ownString(source) }),
    })),
    ids: ids.map(ownString),
    code: code.map(({ language, line }) => ({ language: language && ownString(language), line })),
  };
}

/** What there is room for, page by page. */
export class FactsRoom {
  #left: number;

  constructor(most = MOST_IN_ALL) {
    this.#left = most;
  }

  keep(facts: MarkdownFacts): MarkdownFacts {
    const { headings, ids, code, tables } = facts;
    const count = headings.length + ids.length + code.length + tables.length;
    if (count > this.#left) return boundedFacts(facts, 0);
    this.#left -= count;
    return ownFacts(facts);
  }
}
