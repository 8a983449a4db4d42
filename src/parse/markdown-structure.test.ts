import { describe, expect, it } from 'vitest';
import { parseMarkdown } from './markdown.ts';
import type { MarkdownFacts } from './markdown.ts';

async function facts(text: string): Promise<MarkdownFacts> {
  const parsed = await parseMarkdown(text, { limitMs: 20_000, inlineMs: 5000 });
  if (!parsed.ok) throw new Error(parsed.limit);
  return parsed;
}

describe('parseMarkdown: headings', () => {
  it.each([
    {
      name: 'levels',
      text: '# a\n## b\n###### c',
      headings: [
        [1, 'a', 1],
        [2, 'b', 2],
        [6, 'c', 3],
      ],
    },
    {
      name: 'underlined',
      text: 'a\n===\n\nb\n---',
      headings: [
        [1, 'a', 1],
        [2, 'b', 4],
      ],
    },
    { name: 'markup', text: '# a *b* `c` [d](e) ![f](g) <i>h</i>', headings: [[1, 'a b c d f h', 1]] },
    { name: 'none in code', text: '```\n# a\n```', headings: [] },
    { name: 'none in front matter', text: '---\n# a\nb: c\n---\n# d', headings: [[1, 'd', 5]] },
    { name: 'a long one', text: `# ${'a'.repeat(5000)}`, headings: [[1, 'a'.repeat(200), 1]] },
  ])('$name', async ({ text, headings }) => {
    const found = (await facts(text)).headings;
    expect(found.map(({ depth, text: title, line }) => [depth, title, line])).toEqual(headings);
  });
});

describe('parseMarkdown: headings for anchors', () => {
  it.each([
    { name: 'a slug', text: '## Tides & Harbours', is: [{ text: 'Tides & Harbours', slug: 'tides--harbours' }] },
    {
      name: 'slugs of equal headings',
      text: '# A\n\n## a\n\n## A-1',
      is: [{ slug: 'a' }, { slug: 'a-1' }, { slug: 'a-1-1' }],
    },
    { name: 'its source where it has markup', text: '## `a` *b*', is: [{ text: 'a b', source: '`a` *b*' }] },
    { name: 'an id in braces', text: '## A {#b}', is: [{ text: 'A', slug: 'a', source: 'A {#b}' }] },
    { name: 'an id of docsify', text: '## A :id=b', is: [{ text: 'A', slug: 'a', source: 'A :id=b' }] },
    { name: 'braces that are text', text: '## A {b}', is: [{ text: 'A {b}', slug: 'a-b' }] },
  ])('$name', async ({ text, is }) => {
    expect((await facts(text)).headings).toMatchObject(is);
  });

  it.each([
    { name: 'of headings', text: '# A {#b}\n\n## C :id=d', ids: ['b', 'd'] },
    {
      name: 'of elements',
      text: '<a name="a"></a><p id=b>\n\n<h2 id="c">D <i>e</i></h2>',
      ids: ['a', 'b', 'c', 'D e'],
    },
    { name: 'none in code and comments', text: '`<a id="a">`\n\n<!-- <a id="b"> -->', ids: [] },
    { name: 'none that are empty', text: '<a id="" name></a>', ids: [] },
  ])('ids: $name', async ({ text, ids }) => {
    expect((await facts(text)).ids).toEqual(ids);
  });
});

describe('parseMarkdown: code and tables', () => {
  it.each([
    { name: 'a fence', text: 'a\n\n```js title\n```', code: [{ language: 'js', line: 3 }] },
    { name: 'a fence of tildes', text: '~~~\n```\n~~~', code: [{ language: null, line: 1 }] },
    { name: 'an indented block', text: 'a\n\n    b\n\n    c', code: [{ language: null, line: 3 }] },
    { name: 'in a list', text: '- a\n\n  ```sh\n  b\n  ```', code: [{ language: 'sh', line: 3 }] },
    { name: 'none within a line', text: '`a`', code: [] },
  ])('code: $name', async ({ text, code }) => {
    expect((await facts(text)).code).toEqual(code);
  });

  it.each([
    { name: 'one', text: '| a | b |\n| - | - |\n| c | d |', tables: [{ columns: 2, rows: 1, line: 1 }] },
    { name: 'without outer pipes', text: 'a\n\nb|c\n:-|-:\nd|e\nf|g', tables: [{ columns: 2, rows: 2, line: 3 }] },
    { name: 'of one column', text: '| a |\n|---|', tables: [{ columns: 1, rows: 0, line: 1 }] },
    { name: 'in a quote', text: '> a | b\n> --- | ---', tables: [{ columns: 2, rows: 0, line: 1 }] },
    { name: 'in a list', text: '1. | a |\n   | - |\n   | b |', tables: [{ columns: 1, rows: 1, line: 1 }] },
    { name: 'none without delimiters', text: '| a | b |\n| c | d |', tables: [] },
    { name: 'none in code', text: '```\n| a |\n| - |\n```', tables: [] },
    { name: 'no underlined heading', text: 'a\n-', tables: [] },
  ])('tables: $name', async ({ text, tables }) => {
    expect((await facts(text)).tables).toEqual(tables);
  });
});
