import { describe, expect, it } from 'vitest';
import { prepare, readParsedFacts } from './markdown-facts.ts';
import type { MarkdownFacts } from './markdown-types.ts';

/** The facts of a whole text, read in pieces of `usual` code units; without, as pages are. */
function facts(text: string, usual?: number, largest = 8 * (usual ?? 0)): Promise<MarkdownFacts> {
  const sizes = usual === undefined ? undefined : { whole: 0, usual, largest };
  return readParsedFacts(prepare(text, Infinity), (stage) => stage(), sizes);
}

/** As many lines as `count`, each made of its number from 0. */
function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('');
}

const COUNT = 100;
const link = (index: number): string => `[page ${index}](p${index}.md)`;

describe('a long text: every link, at its place', () => {
  it.each([
    { name: 'a list', text: lines(COUNT, (i) => `- ${link(i)}\n`), line: 1, column: 3 },
    { name: 'a numbered list', text: lines(COUNT, (i) => `${i + 100}. ${link(i)}\n`), line: 1, column: 6 },
    { name: 'a list under one item', text: `- All\n${lines(COUNT, (i) => `  - ${link(i)}\n`)}`, line: 2, column: 5 },
    {
      name: 'a numbered list under an item under an item',
      text: `* All\n    - More\n${lines(COUNT, (i) => `        1. ${link(i)}\n`)}`,
      line: 3,
      column: 12,
    },
    { name: 'a list under an empty item', text: `-\n${lines(COUNT, (i) => `  - ${link(i)}\n`)}`, line: 2, column: 5 },
    { name: 'a list in a quote', text: lines(COUNT, (i) => `> - ${link(i)}\n`), line: 1, column: 5 },
    { name: 'a paragraph', text: lines(COUNT, (i) => `${link(i)}\n`), line: 1, column: 1 },
    { name: 'a paragraph, CRLF', text: lines(COUNT, (i) => `${link(i)}\r\n`), line: 1, column: 1 },
    { name: 'a list, CR', text: lines(COUNT, (i) => `- ${link(i)}\r`), line: 1, column: 3 },
    {
      name: 'a table',
      text: `| a | b |\n| - | - |\n${lines(COUNT, (i) => `| x | ${link(i)} |\n`)}`,
      line: 3,
      column: 7,
    },
    { name: 'after front matter', text: `---\na: b\n---\n${lines(COUNT, (i) => `${link(i)}\n`)}`, line: 4, column: 1 },
    { name: 'HTML', text: `<ul>\n${lines(COUNT, (i) => `<li><a href="p${i}.md">\n`)}</ul>`, line: 2, column: 5 },
    {
      name: 'paragraphs',
      text: lines(COUNT, (i) => `${link(i)}\n\n`),
      line: 1,
      column: 1,
      step: 2,
    },
  ])('$name', async ({ text, line, column, step = 1 }) => {
    const { links, whole } = await facts(text, 256);
    expect(whole).toBe(true);
    expect(links.map(({ url, line: at, column: from }) => [url, at, from])).toEqual(
      Array.from({ length: COUNT }, (_, index) => [`p${index}.md`, line + index * step, column]),
    );
  });

  it('one endless line', async () => {
    const { links, whole } = await facts(
      lines(COUNT, (i) => `${link(i)} `),
      256,
    );
    const columns = Array.from({ length: COUNT }, (_, i) => lines(i, (j) => `${link(j)} `).length + 1);
    expect(links.map(({ line, column }) => [line, column])).toEqual(columns.map((column) => [1, column]));
    expect(whole).toBe(true);
  });
});

describe('a long text: what a cut divides', () => {
  const filler = lines(60, () => 'some words\n');

  it.each([
    { name: 'a fence', text: `\`\`\`js\n${filler}[a](b.md)\n${filler}\`\`\`\n\n[c](d.md)`, code: ['js'] },
    { name: 'a fence of tildes', text: `~~~~\n${filler}~~~\n[a](b.md)\n${filler}~~~~\n\n[c](d.md)`, code: [null] },
    { name: 'a fence in a quote', text: `> \`\`\`\n${filler.replace(/^/gm, '> ')}\n\n[c](d.md)`, code: [null] },
    { name: 'a fence that never ends', text: `[c](d.md)\n\n\`\`\`\n${filler}${filler}[a](b.md)`, code: [null] },
    { name: 'a comment', text: `<!--\n${filler}\n\n[a](b.md) <a href=e>\n\n${filler}-->\n\n[c](d.md)`, code: [] },
    { name: 'a script', text: `<script>\n${filler}\n[a](b.md)\n${filler}</script>\n\n[c](d.md)`, code: [] },
    { name: 'an indented block', text: `x\n\n${lines(60, () => '    [a](b.md)\n')}\n[c](d.md)`, code: [null] },
  ])('$name', async ({ text, code }) => {
    const found = await facts(text, 256);
    expect(found.links.map(({ url }) => url)).toEqual(['d.md']);
    expect(found.code.map(({ language }) => language)).toEqual(code);
    expect(found.whole).toBe(true);
  });

  it('a table is one table', async () => {
    const { tables } = await facts(`| a | b |\n|---|---|\n${lines(60, (i) => `| ${i} | x |\n`)}\ntext`, 256);
    expect(tables).toEqual([{ columns: 2, rows: 60, line: 1 }]);
  });

  it('equal headings are counted through', async () => {
    const { headings } = await facts(
      lines(40, () => '## Setup\n\nwords and words\n\n'),
      256,
    );
    expect(headings.map(({ slug, line }) => [slug, line])).toEqual(
      Array.from({ length: 40 }, (_, index) => [index === 0 ? 'setup' : `setup-${index}`, 1 + 4 * index]),
    );
  });

  it('a block that cannot be cut is read in part, and that is told', async () => {
    const { links, whole } = await facts(
      `<pre>\n${lines(60, (i) => `<a href="p${i}.md">\n`)}</pre>\n\n[c](d.md)`,
      64,
      128,
    );
    expect(whole).toBe(false);
    expect(links.at(-1)?.url).toBe('d.md');
  });
});

describe('a long text: definitions', () => {
  const words = lines(30, () => 'some words\n\n');

  it.each([
    { name: 'at the end', text: `[a][b]\n\n${words}[b]: c.md`, urls: ['c.md'] },
    { name: 'at the start', text: `[b]: c.md\n\n${words}[a][b] ![b]`, urls: ['c.md', 'c.md'] },
    {
      name: 'the first counts',
      text: `[b]\n\n[b]: c.md\n\n${words}[b]\n\n[b]: d.md\n\n${words}[b]`,
      urls: ['c.md', 'c.md', 'c.md'],
    },
    { name: 'in other case', text: `[a][Straße X]\n\n${words}[STRASSE x]: c.md`, urls: ['c.md'] },
    { name: 'with escapes', text: `[a \\] b]\n\n${words}[a \\] b]: c.md`, urls: ['c.md'] },
    { name: 'a reference in a link', text: `[a [b] c](d.md)\n\n${words}[b]: e.md`, urls: ['e.md'] },
    { name: 'not those in code', text: `[b]\n\n${words}\`\`\`\n[b]: c.md\n\`\`\``, urls: [] },
    { name: 'undefined', text: `[b][c]\n\n${words}[a]: c.md`, urls: [] },
    { name: 'named like members of objects', text: `[__proto__] [constructor]\n\n${words}[a]: c.md`, urls: [] },
  ])('$name', async ({ text, urls }) => {
    expect((await facts(text, 128)).links.map(({ url }) => url)).toEqual(urls);
  });
});

/** The same numbers on every run, from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return ((state >>> 8) % 65_536) / 65_536;
  };
}

const INLINE = [
  'tide',
  '[a](b.md)',
  '*x*',
  '`[n](n)`',
  '[r1]',
  '[t][r2]',
  '![i](i.png)',
  'https://e.org/?a&amp;b',
  '<a href="h.md">h</a>',
];
const BLOCKS: readonly ((line: () => string) => string)[] = [
  (line) => line(),
  (line) => `${line()}\n${line()}\n${line()}`,
  (line) => `## ${line()}`,
  (line) => `${line()}\n---`,
  (line) => `- ${line()}\n- ${line()}\n  - ${line()}\n\n    ${line()}`,
  (line) => `1. ${line()}\n   1. ${line()}\n   2. ${line()}\n2. ${line()}`,
  (line) => `> ${line()}\n> - ${line()}\n>\n> ${line()}`,
  (line) => `\`\`\`js\n${line()}\n\n${line()}\n\`\`\``,
  (line) => `    ${line()}\n\n    ${line()}`,
  (line) => `| a | b |\n| - | - |\n| ${line()} | x |\n| y | ${line()} |`,
  () => '<div>\n<img src="p.png" srcset="q.png 2x">\n</div>',
  (line) => `<!-- ${line()}\n\n${line()} -->`,
  () => '[r1]: d.md',
  () => '[R2]: <e f.md> "t"',
];

describe('a text in pieces reads as the whole does', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => ({ seed })))('seed $seed', async ({ seed }) => {
    const next = numbers(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
    const line = (): string => Array.from({ length: 1 + Math.floor(next() * 6) }, () => pick(INLINE)).join(' ');
    const blocks = Array.from({ length: 40 }, () => pick(BLOCKS)(line));
    const text = blocks.join(seed % 2 === 0 ? '\n\n' : '\r\n\r\n');
    const pieces = await facts(text, 200, 6400);
    expect(pieces).toEqual(await facts(text, 1_000_000));
  });
});

describe('a long text: bounds', () => {
  it('100,000 links in a list', async () => {
    const { links, whole } = await facts(lines(100_000, (i) => `- [p](${i}.md)\n`));
    expect([links.length, whole, links.at(-1)]).toEqual([
      100_000,
      true,
      { url: '99999.md', kind: 'link', line: 100_000, column: 3 },
    ]);
  }, 60_000);

  it.each([
    {
      name: '5 MiB of lines without an empty one',
      text: 'tides and harbours and harbours and tides\n'.repeat(130_000),
    },
    { name: '5 MiB of one word', text: 'x'.repeat(5 * 1024 * 1024) },
    { name: '5 MiB of empty lines', text: '\n'.repeat(5 * 1024 * 1024) },
  ])('$name', async ({ text }) => {
    expect(await facts(text)).toMatchObject({ ok: true, links: [] });
  });
});
