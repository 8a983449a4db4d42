import { describe, expect, it } from 'vitest';
import { type MarkdownFacts, parseMarkdown } from './markdown.ts';

const GENEROUS = { limitMs: 20_000, inlineMs: 5000 };

async function facts(text: string): Promise<MarkdownFacts> {
  const parsed = await parseMarkdown(text, GENEROUS);
  if (!parsed.ok) throw new Error(parsed.limit);
  return parsed;
}

describe('parseMarkdown: content', () => {
  const page = '<!doctype html>\n<html><body><a href="x">y</a></body></html>';

  it.each([
    { name: 'a paragraph', text: 'text', hasContent: true },
    { name: 'a heading without a line end', text: '# Title', hasContent: true },
    { name: 'CRLF', text: '# Title\r\n\r\ntext\r\n', hasContent: true },
    { name: 'right to left', text: '# دليل\n\nمرحبا', hasContent: true },
    { name: 'CJK', text: '# 文档\n\n你好', hasContent: true },
    { name: 'only an image', text: '![](logo.svg)', hasContent: true },
    { name: 'only a reference image', text: '![a][b]\n\n[b]: logo.svg', hasContent: true },
    { name: 'only code', text: '```\n```', hasContent: true },
    { name: 'only a line of code', text: '`x`', hasContent: true },
    {
      name: 'a page that begins with a block of HTML',
      text: '<div align="center">\n\n# Title\n\n</div>',
      hasContent: true,
    },
    { name: 'a page that begins with a comment', text: '<!-- a -->\n# Title', hasContent: true },
    { name: 'a comment and text on one line', text: '<!-- a --> text', hasContent: true },
    { name: 'only HTML', text: '<img src="logo.svg">', hasContent: true },
    { name: 'front matter and text', text: '---\ntitle: x\n---\ntext', hasContent: true },
    { name: 'a fence that quotes a page', text: `\`\`\`html\n${page}\n\`\`\``, hasContent: true },
    { name: 'text between thematic breaks', text: '---\n\ntext\n\n---\n', hasContent: true },
    { name: 'a heading that looks like front matter', text: '---\nTitle\n---\n', hasContent: true },
    { name: 'nothing', text: '', hasContent: false },
    { name: 'white space', text: ' \n\t\n', hasContent: false },
    { name: 'only a comment', text: '<!-- a -->', hasContent: false },
    { name: 'only comments', text: '<!-- a -->\n\n<!-- b\n\nc --> <!-- d -->', hasContent: false },
    { name: 'an open comment', text: '<!-- a\n\nb', hasContent: false },
    { name: 'only definitions', text: '[a]: b\n[c]: <d> "e"', hasContent: false },
    { name: 'only a thematic break', text: '***\n', hasContent: false },
    { name: 'only YAML front matter', text: '---\ntitle: x\ntags:\n  - y\n---\n', hasContent: false },
    { name: 'only TOML front matter', text: '+++\r\ntitle = "x"\r\n+++\r\n', hasContent: false },
    { name: 'only empty front matter', text: '---\n---\n', hasContent: false },
    { name: 'only front matter of comments', text: '---\n# x\n\n# y\n---', hasContent: false },
    { name: 'an empty heading', text: '#', hasContent: false },
    { name: 'an empty list', text: '-\n-\n', hasContent: false },
  ])('$name: $hasContent', async ({ text, hasContent }) => {
    expect(await facts(text)).toMatchObject({ hasContent, whole: true });
  });

  it('is never called empty when it was cut', async () => {
    expect(await facts(`${'\n'.repeat(200_000)}text`)).toMatchObject({ hasContent: true, whole: false });
    expect(await facts('\n'.repeat(200_000))).toMatchObject({ hasContent: false, whole: false });
  });
});

function at(line: number, column: number, url: string, kind = 'link') {
  return { url, kind, line, column };
}

describe('parseMarkdown: links', () => {
  it.each([
    { name: 'inline', text: 'see [a](b.md "t")', links: [at(1, 5, 'b.md')] },
    {
      name: 'with escapes and entities',
      text: '[a](<b c.md>) [d](e\\_f&amp;g)',
      links: [at(1, 1, 'b c.md'), at(1, 15, 'e_f&g')],
    },
    { name: 'percent-encoding kept', text: '[a](b%20c.md)', links: [at(1, 1, 'b%20c.md')] },
    { name: 'autolink', text: '<https://example.org/>', links: [at(1, 1, 'https://example.org/')] },
    { name: 'bare URL', text: 'https://example.org/', links: [at(1, 1, 'https://example.org/', 'bare')] },
    {
      name: 'bare URLs in sentences',
      text: 'See https://a.example/x_(y), or\n> (http://b.example/?c=d&amp;e).',
      links: [at(1, 5, 'https://a.example/x_(y)', 'bare'), at(2, 4, 'http://b.example/?c=d&e', 'bare')],
    },
    {
      name: 'bare URL after an escape',
      text: '\\* a &amp; https://a.example',
      links: [at(1, 12, 'https://a.example', 'bare')],
    },
    { name: 'bare URL in bold', text: '**https://a.example**', links: [at(1, 3, 'https://a.example', 'bare')] },
    ...[
      '{id}',
      '${id}',
      '{{ id }}',
      '<id>',
      '<page-name>/x',
      '.{md,txt}',
      'file.<ext>',
      ':{port}/x',
      '[id]',
      '{.md}',
    ].map((part) => ({
      name: `no bare URL that goes on with ${part}`,
      text: `See https://a.example/b/${part} there`,
      links: [],
    })),
    ...['<br>', '<br/>', '.<br>', '</b>', '<sup>1</sup>', '<!-- c -->', '{:.x}', '{.x}', "{' '}", ' {id}', '[1]'].map(
      (rest) => ({
        name: `bare URL before ${rest}`,
        text: `See https://a.example/b${rest}`,
        links: [at(1, 5, 'https://a.example/b', 'bare')],
      }),
    ),
    { name: 'no bare URL in a word', text: 'xhttps://a.example', links: [] },
    { name: 'no bare URL in a link', text: '[https://a.example](b.md)', links: [at(1, 1, 'b.md')] },
    {
      name: 'no bare URL in code, HTML, comments',
      text: '`https://a.example`\n\n<p title="https://a.example">\n\n<!-- https://a.example -->',
      links: [],
    },
    { name: 'no autolink with a space', text: '<https://a b>', links: [at(1, 2, 'https://a', 'bare')] },
    { name: 'mail autolink', text: '<me@example.org>', links: [at(1, 1, 'mailto:me@example.org')] },
    { name: 'angle brackets, empty', text: '[a](<>) [b]()', links: [at(1, 1, ''), at(1, 9, '')] },
    { name: 'brackets in the text', text: '[a [b] \\] c](d.md)', links: [at(1, 1, 'd.md')] },
    { name: 'no link in a link', text: '[a [b](c.md) d](e.md)', links: [at(1, 4, 'c.md')] },
    {
      name: 'parentheses in the target',
      text: '[a](b(c).md) [d](e\\(f.md)',
      links: [at(1, 1, 'b(c).md'), at(1, 14, 'e(f.md')],
    },
    {
      name: 'titles of all kinds',
      text: '[a](b \'c\') [d](e (f)) [g](h "i\nj")',
      links: [at(1, 1, 'b'), at(1, 12, 'e'), at(1, 23, 'h')],
    },
    { name: 'no link with a space in its target', text: '[a](b c.md)', links: [] },
    { name: 'no link with a space before its target', text: '[a] (b.md)', links: [] },
    { name: 'no escaped link', text: '\\[a](b.md) !\\[c](d.md)', links: [] },
    { name: 'code binds tighter', text: '[a `](b.md)`', links: [] },
    { name: 'HTML binds tighter', text: '[a <i title="](b.md)">', links: [] },
    { name: 'link across lines', text: '[a\nb](c.md)', links: [at(1, 1, 'c.md')] },
    { name: 'entities beyond ASCII', text: '[a](&auml;&#x219;.md)', links: [at(1, 1, 'äș.md')] },
    { name: 'in a heading', text: '# [a](b.md)', links: [at(1, 3, 'b.md')] },
    { name: 'in emphasis', text: '***[a](b.md)***', links: [at(1, 4, 'b.md')] },
    {
      name: 'in a table',
      text: '| [a](b.md) | c |\n| - | - |\n| d | [e](f.md) |',
      links: [at(1, 3, 'b.md'), at(3, 7, 'f.md')],
    },
    { name: 'in a table without outer pipes', text: 'a | b\n- | -\n[c](d.md) | `[e](f)`', links: [at(3, 1, 'd.md')] },
    { name: 'in a table in a list', text: '- | a |\n  | - |\n  | [b](c.md) |', links: [at(3, 5, 'c.md')] },
    { name: 'in a table, a pipe in its target', text: '| a |\n| - |\n| [b](c\\|d.md) |', links: [at(3, 3, 'c|d.md')] },
    {
      name: 'label with spaces and in other case',
      text: '[a][ Größe\n B ]\n\n[GRÖSSE b]: c.md',
      links: [at(1, 1, 'c.md')],
    },
    { name: 'collapsed reference', text: '[a b][]\n\n[a b]: <c d.md>', links: [at(1, 1, 'c d.md')] },
    { name: 'definition in a quote', text: '[a]\n\n> [a]: b.md', links: [at(1, 1, 'b.md')] },
    {
      name: 'definition with its title on the next line',
      text: '[a]\n\n[a]:\n  b.md\n  "c"',
      links: [at(1, 1, 'b.md')],
    },
    { name: 'no definition within a paragraph', text: '[a]\n[a]: b.md', links: [] },
    { name: 'no definition in code', text: '[a]\n\n    [a]: b.md', links: [] },
    { name: 'no footnote', text: 'a[^1] ![^2]\n\n[^1]: note\n[^2]: b', links: [at(1, 7, 'b', 'image')] },
    { name: 'a task is no link', text: '- [ ] a\n- [x] b', links: [] },
    {
      name: 'HTML block that ends at an empty line',
      text: '<div>\n[a](b.md)\n\n[c](d.md)\n</div>',
      links: [at(4, 1, 'd.md')],
    },
    { name: 'HTML block of a custom element', text: '<my-tag>\n[a](b.md)\n\n[c](d.md)', links: [at(4, 1, 'd.md')] },
    { name: 'HTML block of a script', text: '<script>\n\n[a](b.md)\n</script>\n[c](d.md)', links: [at(5, 1, 'd.md')] },
    { name: 'HTML block of preformatted text', text: '<pre>\n\n[a](b.md)\n</pre>', links: [] },
    { name: 'HTML block of a processing instruction', text: '<?php\n\n[a](b.md) ?>', links: [] },
    { name: 'HTML block of a declaration', text: '<!X\n\n[a](b.md)>', links: [] },
    { name: 'HTML block of CDATA', text: '<![CDATA[\n\n[a](b.md)\n]]>', links: [] },
    {
      name: 'what HTML shows and plays',
      text: '<img src="a.png" srcset="b.png 2x, c,d.png 3x"><source srcset=e.avif><video src=f.mp4 poster=g.png></video>',
      links: ['a.png', 'b.png', 'c,d.png']
        .map((url) => at(1, 1, url, 'image'))
        .concat([at(1, 48, 'e.avif', 'image'), at(1, 70, 'f.mp4', 'image'), at(1, 70, 'g.png', 'image')]),
    },
    { name: 'nothing that HTML runs', text: '<link href="a.css"><script src="b.js"></script>', links: [] },
    { name: 'image', text: '![a](b.svg)', links: [at(1, 1, 'b.svg', 'image')] },
    { name: 'image in a link', text: '[![a](b.svg)](c.md)', links: [at(1, 1, 'c.md'), at(1, 2, 'b.svg', 'image')] },
    { name: 'reference', text: '[a][B] [b] [c]\n\n[b]: d.md\n[B]: e.md', links: [at(1, 1, 'd.md'), at(1, 8, 'd.md')] },
    { name: 'reference image', text: '![a][b]\n\n[b]: d.svg', links: [at(1, 1, 'd.svg', 'image')] },
    { name: 'reference to __proto__', text: '[a][__proto__]', links: [] },
    { name: 'no code', text: '`[a](b)`\n\n    [a](b)\n\n```\n[a](b)\n<a href="x">\n```', links: [] },
    { name: 'no comment', text: '<!-- [a](b) <a href="x"> -->\n\n<!--\n\n[a](b)\n\n-->', links: [] },
    { name: 'nested lists', text: '- a\n  - [b](c.md)\n', links: [at(2, 5, 'c.md')] },
    { name: 'after front matter', text: '---\na: "[x](y)"\n---\n[b](c.md)', links: [at(4, 1, 'c.md')] },
    { name: 'CRLF', text: 'a\r\n\r\n[b](c.md)', links: [at(3, 1, 'c.md')] },
    { name: 'inline HTML', text: 'a <a href="b.md">c</a>', links: [at(1, 3, 'b.md', 'html')] },
    { name: 'HTML without quotes, in capitals', text: '<A HREF=b.md>', links: [at(1, 1, 'b.md', 'html')] },
    { name: 'HTML entities', text: '<a href=" b?c&amp;d ">', links: [at(1, 1, 'b?c&d', 'html')] },
    { name: 'HTML image', text: '<img alt="x" src="b.svg"/>', links: [at(1, 1, 'b.svg', 'image')] },
    { name: 'HTML block', text: '<ul>\n  <li><a href="b">\n</ul>', links: [at(2, 7, 'b', 'html')] },
    { name: 'HTML block in a quote', text: '> <ul>\r\n> <li><a href="b">', links: [at(2, 7, 'b', 'html')] },
    {
      name: 'HTML block in a list',
      text: '- x\n\n  <p>\n  <a href="b"><a\n  href="c"></p>',
      links: [at(4, 3, 'b', 'html'), at(4, 15, 'c', 'html')],
    },
    {
      name: 'HTML among links, in order',
      text: '[a](b) <a href="c"> [d](e)',
      links: [at(1, 1, 'b'), at(1, 8, 'c', 'html'), at(1, 21, 'e')],
    },
    { name: 'no script, no style', text: '<script>"<a href=b>"</script>\n\n<style><img src=b></style>', links: [] },
    { name: 'an anchor without href', text: '<a id="b">', links: [] },
  ])('$name', async ({ text, links }) => {
    const found = (await facts(text)).links.map(({ title: _title, raw: _raw, ...link }) => link);
    expect(found).toEqual(links);
  });

  it('keeps titles, and what is raw HTML', async () => {
    const { links } = await facts('[a](b \':ignore\') ![c](d "e")\n\n<a href=f title=g>h</a><img src=i>');
    expect(links.map(({ url, title, raw }) => [url, title, raw])).toEqual([
      ['b', ':ignore', undefined],
      ['d', 'e', undefined],
      ['f', undefined, true],
      ['i', undefined, true],
    ]);
  });
});

describe('parseMarkdown: links in the dialects of engines', () => {
  it.each([
    { text: '[[a]]', links: ['wikilinks a.md 1:1'] },
    {
      text: 'x [[a/b#c d|e]] [[f.md]]\n\n- [[ g |h]]',
      links: ['wikilinks a/b.md#c d 1:3', 'wikilinks f.md 1:17', 'wikilinks g.md 3:3'],
    },
    { text: '`[[a]]` ``[[b]]``\n\n```\n[[c]]\n```\n\n~~~\n[[d]]\n~~~', links: [] },
    { text: '| [[a|b]] |\n| - |\n| c |', links: ['wikilinks a.md 1:3'] },
    { text: '[[]] [[ ]] [[a\nb]] [a][[b]', links: [] },
    { text: 'x [a b](my page.md) ![c](d e.png)', links: ['loose my page.md 1:3', 'loose d e.png 1:21'] },
    { text: '[a](b.md "c" "d")', links: ['loose b.md 1:1'] },
    { text: '[a]( "b c") [d]("e f" "g")', links: ['loose "b c" 1:1', 'loose "e f" 1:13'] },
    { text: '> - [a](b c.md "d")', links: ['loose b c.md 1:5'] },
    // As marked 1.2.9 reads them.
    { text: '[a]([(b) c](d.md))', links: ['unbalanced [(b 1:1'] },
    { text: 'x [a](b(c) d)', links: ['unbalanced b(c 1:3'] },
    {
      text: '[a](my page.md)\nx [b](c(d)\n[e](f g)',
      links: ['unbalanced c(d 2:3', 'loose my page.md 1:1', 'loose f g 3:1'],
    },
    { text: '[a](b(c)d) [a](b(c) "d") [a](b) \\[a](b(c) d) `[a](b(c) d)`', links: [] },
    { text: 'x\n* [a](b.md "c") [d](e.md)\n - [a](<b c.md>)', links: ['items b.md "c" 2:3', 'items <b c.md> 3:4'] },
    { text: '1. [a](b.md "c")\n* [a](b.md#c)\n* [a](b%20c.md)', links: [] },
    { text: '[a](b.md) [a](<b c.md>) [a](b.md "c d") `[a](b c)` \\[a](b c)', links: [] },
  ])('$text', async ({ text, links }) => {
    const found = (await facts(text)).engineLinks ?? [];
    expect(found.map(({ dialect, url, line, column }) => `${dialect} ${url} ${line}:${column}`)).toEqual(links);
  });
});

describe('parseMarkdown: limits', () => {
  it('reports that the memory ran out', async () => {
    const limits = { limitMs: 20_000, inlineMs: 0, memoryMb: 8 };
    expect(await parseMarkdown('*a '.repeat(21_000), limits)).toEqual({ ok: false, limit: 'memory' });
  });

  it.each([
    { name: '60,000 brackets', text: '['.repeat(60_000), whole: true },
    { name: '60,000 angle brackets', text: '<'.repeat(60_000), whole: true },
    { name: '60,000 quote marks', text: '>'.repeat(60_000), whole: false },
    { name: 'a link in 200 lists', text: `${'- '.repeat(200)}[a](b)`, whole: false },
    { name: '20,000 openings of emphasis', text: '_a*'.repeat(20_000), whole: true },
    { name: 'a tag with 15,000 attributes', text: `<a ${'b=c '.repeat(15_000)}>`, whole: true },
    { name: 'one line of a megabyte', text: 'x'.repeat(1_000_000), whole: false },
    { name: 'ten megabytes of lines', text: 'a b c d\n'.repeat(1_250_000), whole: false },
  ])('reads $name', async ({ text, whole }) => {
    expect(await parseMarkdown(text, GENEROUS)).toMatchObject({ ok: true, hasContent: true, whole });
  });

  it('cuts at a line end', async () => {
    const line = `[a](${'b'.repeat(95)})\n`;
    const { links, whole } = await facts(line.repeat(3000));
    expect([links.length, whole]).toEqual([Math.floor((64 * 1024) / line.length), false]);
    expect(links.at(-1)?.url).toBe('b'.repeat(95));
  });

  it('gives the same facts in a worker', async () => {
    const text = '---\na: b\n---\n# Title\n\n[a](b.md) <a href="c&amp;d"> ![e][f]\n\n[f]: g.svg\n';
    const here = await parseMarkdown(text, GENEROUS);
    expect(here).toMatchObject({ ok: true, links: [{}, {}, {}] });
    expect(await parseMarkdown(text, { ...GENEROUS, inlineMs: 0 })).toEqual(here);
  });
});

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
