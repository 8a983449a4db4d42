import { describe, expect, it } from 'vitest';
import { random } from '../../test/generator/random.ts';
import { readOutline } from './markdown-outline.ts';
import { plainOutline, prepare } from './markdown-text.ts';
import { outlineMarkdown, type Wanted } from './markdown.ts';
import type { ReadLimits } from './untrusted.ts';

const ALL: readonly Wanted[] = ['hasContent', 'hasLink', 'hasTitle'];

/** What is found of all that may be wanted. */
async function found(text: string, limits: Partial<ReadLimits> = {}): Promise<readonly string[]> {
  const outline = await outlineMarkdown(text, { limitMs: 20_000, inlineMs: 5000, ...limits }, ALL);
  return outline.ok ? ALL.filter((what) => outline[what]) : [outline.limit];
}

describe('outlineMarkdown: content', () => {
  const page = '<!doctype html>\n<html><body><a href="x">y</a></body></html>';

  it.each([
    { name: 'a paragraph', text: 'text' },
    { name: 'right to left', text: 'مرحبا' },
    { name: 'only an image', text: '![](logo.svg)' },
    { name: 'only a reference image', text: '![a][b]\n\n[b]: logo.svg' },
    { name: 'only code', text: '```\n```' },
    { name: 'only code in a line', text: '`x`' },
    { name: 'a comment and text on one line', text: '<!-- a --> text' },
    { name: 'only HTML', text: '<img src="logo.svg">' },
    { name: 'front matter and text', text: '---\ntitle: x\n---\ntext' },
    { name: 'a fence that quotes a page', text: `\`\`\`html\n${page}\n\`\`\`` },
  ])('$name', async ({ text }) => {
    expect(await found(text)).toEqual(['hasContent']);
  });

  it.each([
    { name: 'nothing', text: '' },
    { name: 'white space', text: ' \n\t\n' },
    { name: 'only comments', text: '<!-- a -->\n\n<!-- b\n\nc --> <!-- d -->' },
    { name: 'an open comment', text: '<!-- a\n\nb' },
    { name: 'only definitions', text: '[a]: b\n[c]: <d> "e"' },
    { name: 'only a thematic break', text: '***\n' },
    { name: 'only front matter', text: '---\ntitle: x\ntags:\n  - y\n---\n' },
    { name: 'an empty list', text: '-\n-\n' },
  ])('none: $name', async ({ text }) => {
    expect(await found(text)).toEqual([]);
  });

  it('is never missing in a text that was cut', async () => {
    const blank = `${' '.repeat(100)}\n`.repeat(700);
    expect(await found(`${blank}text`)).toEqual(['hasContent']);
    expect(await found(blank)).toEqual([]);
  });
});

describe('outlineMarkdown: links and titles', () => {
  it.each([
    { name: 'a link', text: '[a](b.md)', link: true },
    { name: 'an autolink', text: '<https://example.org/>', link: true },
    { name: 'a reference', text: '[a][b]\n\n[b]: c.md', link: true },
    { name: 'a link in a table', text: '| a |\n| - |\n| [b](c.md) |', link: true },
    { name: 'a link in raw HTML', text: '<ul><li><a class="b" href="c.md">d</a></ul>', link: true },
    { name: 'an image', text: '![a](b.svg)', link: false },
    { name: 'a bare URL', text: 'https://example.org/', link: false },
    { name: 'an undefined reference', text: '[a][b]', link: false },
    { name: 'a footnote', text: 'a[^1]\n\n[^1]: note', link: false },
    { name: 'a link in code', text: '`[a](b.md)`', link: false },
    { name: 'a link in a comment', text: 'a\n\n<!-- <a href="b.md"> -->', link: false },
    { name: 'a link in a script', text: '<script>"<a href=b>"</script>', link: false },
    { name: 'an anchor', text: '<a id="b">c</a>', link: false },
  ])('$name: $link', async ({ text, link }) => {
    expect(await found(text)).toEqual(link ? ['hasContent', 'hasLink'] : ['hasContent']);
  });

  it.each([
    { text: '# a', title: true },
    { text: 'a\n===', title: true },
    { text: '- # a', title: true },
    { text: '## a', title: false },
    { text: '```\n# a\n```', title: false },
  ])('a title in $text: $title', async ({ text, title }) => {
    expect(await found(text)).toEqual(title ? ['hasContent', 'hasTitle'] : ['hasContent']);
  });
});

describe('outlineMarkdown: a long text', () => {
  const words = 'some words\n\n'.repeat(1000);

  it.each([
    { name: 'what is wanted at its beginning', text: `# a\n\n[b](c)\n\n${words}`, whole: false },
    { name: 'what is wanted at its end', text: `${words}# a\n\n[b](c)\n`, whole: true },
    { name: 'a link that is defined at its end', text: `# a\n\n[b]\n\n${words}[b]: c\n`, whole: true },
  ])('finds $name', async ({ text, whole }) => {
    expect(await outlineMarkdown(text, { limitMs: 20_000, inlineMs: 5000 }, ALL)).toEqual({
      ok: true,
      hasContent: true,
      hasLink: true,
      hasTitle: true,
      whole,
    });
  });
});

describe('plainOutline', () => {
  it.each([
    { text: '# Docs\n\nSee the [guide](guide.md): *first* steps & more.\n', is: ALL },
    { text: '# Docs\n\n> What `docs` are.\n\n- [Guide](https://docs.example/a%20b): how\n', is: ALL },
    { text: '- Section\n  - [Guide](#/guide.md)\n', is: ['hasContent', 'hasLink'] },
    { text: 'Docs\n====\n\n[Guide](guide.md)\n', is: ['hasContent'] },
    { text: '# `[a](b)`\n', is: ['hasContent', 'hasTitle'] },
    { text: '![Logo](logo.svg)\n\n# Docs\n', is: [] },
    { text: '<!--\n\n# Docs\n-->\n', is: [] },
    { text: '# Docs', is: [] },
  ])('$text: $is', ({ text, is }) => {
    const outline = plainOutline(text);
    expect(ALL.filter((what) => outline[what])).toEqual(is);
  });

  it('finds nothing that remark-parse does not find', () => {
    const numbers = random('plain');
    const lines = LINES.split('¦');
    for (let left = 500; left > 0; left--) {
      const text = `${Array.from({ length: 1 + numbers.int(6) }, () => numbers.pick(lines)).join('\n')}\n`;
      const [plain, outline] = [plainOutline(text), readOutline(prepare(text, Infinity), ALL)];
      expect([text, ...ALL.filter((what) => plain[what] && !outline[what])]).toEqual([text]);
    }
  });
});

/** Divided by `¦`. */
const LINES =
  '¦¦# a¦- [b](c.md)¦text¦> q [r](s)¦1. [x](y)¦10. ***¦   z¦  - [n](m)¦===¦---¦| a |¦|-|¦[d]: e¦***¦+ p¦"t" (u)¦# [h](i) #¦' +
  'a | [b](c)¦-|-¦    code [a](b)¦\t[a](b)¦-     [b](c)¦* * *¦**b** [c](d)¦```¦```js¦<!--¦-->¦w: [a](b "c")¦x ![i](j)¦~~~¦- # a¦' +
  'a `b` [c](d)¦`a ``b` [c](d)¦`x [a](b)¦> `q` r¦# `[a](b)`¦\\[a](b)¦<div>¦</div>¦a <b>¦[a] [b](c)¦1. 1. 1. a¦10. ';

const HOSTILE = '>'.repeat(80_000);

describe('outlineMarkdown: limits', () => {
  it.each([
    { name: '80,000 quote marks', text: HOSTILE },
    { name: '40,000 openings of emphasis', text: '*a'.repeat(40_000) },
    { name: 'emphasis of both kinds', text: '_a*'.repeat(20_000) },
  ])('gives up on $name', async ({ text }) => {
    expect(await found(text, { limitMs: 500, inlineMs: 100 })).toEqual(['time']);
  });

  it('gives up in this thread when there is no time for another', async () => {
    expect(await found('>'.repeat(60_000), { limitMs: 50 })).toEqual(['time']);
  });

  it('reports that the memory ran out', async () => {
    expect(await found('[a]\n'.repeat(15_000), { inlineMs: 0, memoryMb: 8 })).toEqual(['memory']);
  });

  it('serves calls at once', async () => {
    const texts = ['# a', HOSTILE, '# b', 'd\n\n'.repeat(3_000), '# c'];
    const parsed = await Promise.all(
      texts.map((text) => found(text, { limitMs: text === HOSTILE ? 1000 : 25_000, inlineMs: 100 })),
    );
    const title = ['hasContent', 'hasTitle'];
    expect(parsed).toEqual([title, ['time'], title, ['hasContent'], title]);
  });

  it('ends with the signal, as do the calls that wait for their turn', async () => {
    const signal = AbortSignal.timeout(400);
    const parsed = await Promise.all([1, 2, 3].map(() => found(HOSTILE, { limitMs: 60_000, inlineMs: 100, signal })));
    expect(parsed).toEqual([['ended'], ['ended'], ['ended']]);
  });
});
