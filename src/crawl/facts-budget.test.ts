import { describe, expect, it } from 'vitest';
import { parseMarkdown, type MarkdownFacts } from '../parse/markdown.ts';
import { Budget, keptFacts, MOST_FACTS } from './frontier.ts';

async function factsOf(text: string): Promise<MarkdownFacts> {
  const facts = await parseMarkdown(text, { limitMs: 5000 });
  if (!facts.ok) throw new Error(facts.limit);
  return facts;
}

const PAGE = '# A\n\n## B\n\n```js\n```\n\n| a |\n| - |\n| 1 |\n\n<a id="c"></a> [d](e.md)\n';

const counts = ({ headings, ids, code, tables, links, whole }: MarkdownFacts) => [
  headings.length,
  ids.length,
  code.length,
  tables.length,
  links.length,
  whole,
];

describe('facts that a crawl keeps', () => {
  it('are all but the links of a page', async () => {
    expect(counts(keptFacts(await factsOf(PAGE), new Budget(MOST_FACTS)))).toEqual([2, 1, 1, 1, 0, true]);
  });

  it('are those of pages as long as there is room', async () => {
    const facts = await factsOf(PAGE);
    const room = new Budget(1_000);
    const kept = Array.from({ length: 5 }, () => counts(keptFacts(facts, room)));
    expect([kept[0], kept[4]]).toEqual([
      [2, 1, 1, 1, 0, true],
      [0, 0, 0, 0, 0, false],
    ]);
    expect(counts(keptFacts(await factsOf(''), new Budget(1_000)))).toEqual([0, 0, 0, 0, 0, true]);
  });

  it('are five thousand of each kind at most', async () => {
    const { headings, ...facts } = await factsOf(PAGE);
    const many = { ...facts, headings: Array.from({ length: 5_001 }, () => headings[0] as (typeof headings)[0]) };
    expect(counts(keptFacts(many, new Budget(MOST_FACTS)))).toEqual([5_000, 1, 1, 1, 0, false]);
  });
});
