import type { MarkdownFacts } from './markdown-types.ts';

/** The facts with at most so many entries of each list; of a text that has more it is not known what else it holds. */
export function boundedFacts(facts: MarkdownFacts, most: number): MarkdownFacts {
  const { links, headings, ids, code, tables } = facts;
  if ([links, headings, ids, code, tables].every(({ length }) => length <= most)) return facts;
  return {
    ...facts,
    whole: false,
    links: links.slice(0, most),
    headings: headings.slice(0, most),
    ids: ids.slice(0, most),
    code: code.slice(0, most),
    tables: tables.slice(0, most),
  };
}
