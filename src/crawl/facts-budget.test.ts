import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { parseMarkdown, type MarkdownFacts } from '../parse/markdown.ts';
import { boundedFacts, FactsBudget } from './link-locations.ts';

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

describe('boundedFacts', () => {
  it.each([
    [2, [2, 1, 1, 1, 1, true]],
    [1, [1, 1, 1, 1, 1, false]],
    [0, [0, 0, 0, 0, 1, false]],
  ])('at most %i: %j', async (most, expected) => {
    expect(counts(boundedFacts(await factsOf(PAGE), most))).toEqual(expected);
  });
});

describe('FactsRoom', () => {
  it('keeps pages as long as there is room', async () => {
    const facts = await factsOf(PAGE);
    const room = new FactsBudget(12);
    expect([1, 2, 3].map(() => counts(room.keep(facts))[0])).toEqual([2, 2, 0]);
    expect(counts(room.keep(await factsOf('# A')))).toEqual([1, 0, 0, 0, 0, true]);
  });

  it('keeps no text alive that facts were cut out of', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = (): number => {
      collect();
      return getHeapStatistics().used_heap_size;
    };
    const room = new FactsBudget();
    const before = used();
    const kept = Array.from({ length: 100 }, (_, index) => {
      const page = `${index} A heading that is long enough to be a part of its page\n`.padEnd(2 ** 20);
      const text = page.slice(0, 50);
      const headings = [{ depth: 1, text, slug: page.slice(2, 40), source: page.slice(0, 51), line: 1 }];
      const code = [{ language: page.slice(4, 30), line: 2 }];
      return room.keep({
        ok: true,
        hasContent: true,
        whole: true,
        links: [],
        headings,
        ids: [text],
        code,
        tables: [],
      });
    });
    expect(used() - before).toBeLessThan(20 * 2 ** 20);
    expect(kept).toHaveLength(100);
  });
});
