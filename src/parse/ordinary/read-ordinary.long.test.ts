import { describe, expect, it } from 'vitest';
import { parsed } from '../../../test/odd-markdown/readers.ts';
import { readOrdinary } from './read-ordinary.ts';

/** What documentation is made of: all of it has to be read here, or reading here is of no use. */
const ORDINARY = [
  { name: 'nothing', text: '' },
  { name: 'empty lines', text: '\n \n\t\n' },
  { name: 'headings', text: '# a\n## b ##\n\nc\n===\n\nd\n---\n\n#\n\n#e\n' },
  {
    name: 'a heading with everything in it',
    text: '## *a* **b** `c` [d](e) ![f *g*](h) <i>j</i> k\\*l &amp; <https://m.n>\n',
  },
  { name: 'headings with ids', text: '# a {#b}\n\n## c :id=d\n\n# `code` {#e}\n' },
  { name: 'paragraphs', text: 'a\nb  \nc\\\nd\n\n  e\n      f\n' },
  { name: 'nested lists', text: '- a\n  - b\n    - c\n\n      d\n- e\n\n1. f\n   2. g\n10) h\n' },
  { name: 'lists with tabs', text: '-\ta\n\t- b\n\n\t\tc\n1.\td\n' },
  { name: 'tasks', text: '- [ ] a\n- [x] b\n' },
  { name: 'lines that go on with an item, not indented', text: '- a\nb\n# c\n- d\n---\n' },
  { name: 'quotes', text: '> a\n> b\nc\n>\n> > - d\n\n>e\n' },
  { name: 'fenced code', text: '```js a\n[a](b)\n```\n\n~~~\n```\n~~~\n- x\n  ```sh\n  # y\n\n  ```\n```\nopen' },
  { name: 'indented code', text: 'a\n\n    [b](c)\n\n    d\n\n- e\n\n      f\n' },
  { name: 'breaks', text: '***\n- - -\n_ _ _\n' },
  { name: 'links', text: '[a](b.md) [c](<d e> \'f\') [g](h(i).md "j") [k](l\\)m&amp;n) [o]() [p [q] \\] r](s)\n' },
  { name: 'links across lines', text: '> [a\n> b](c\n> "d\n> e")\n' },
  { name: 'images', text: '![a](b.png) [![c](d.svg)](e.md) ![f](g.png "h")\n' },
  { name: 'references', text: '[a][b] [c][] [d] ![e][b] [f][g]\n\n[b]: h.md\n[C]: <i j>\n  "k"\n[d]:\n  l.md\nm\n' },
  { name: 'footnotes', text: 'a[^1]\n\n[^1]: b\n[^2]: c d\n' },
  { name: 'autolinks', text: '<https://a.b/c?d=e> <mailto:f@g.h> <i@j.k>\n' },
  { name: 'bare URLs', text: 'See https://a.b/c_d_e, **https://f.g**, (https://h.i/j) and <b>https://k.l</b>.\n' },
  { name: 'code', text: '`a` ``b ` c`` `[d](e)` ` `f\n' },
  { name: 'escapes', text: '\\[a](b) \\`c` !\\[d](e) \\![f](g)\n' },
  { name: 'brackets that begin nothing', text: '[a] [b](c [d] e) ] [f\n' },
  { name: 'comments', text: '<!-- a -->\n\n<!--\n\n[b](c)\n-->\nd <!-- e --> f\n' },
  {
    name: 'blocks of HTML',
    text: '<div align="center">\n  <a href="b">\n</div>\n\n<pre>\n\n# c\n</pre>\n\n<my-tag>\nd\n\ne\n',
  },
  { name: 'HTML in a line', text: 'a <b>c</b> <img src="d"\n   alt=\'e\'/> <br> f < g <h\n' },
  { name: 'HTML in a list', text: '- a\n\n  <p>\n  <a href="b">c</a>\n  </p>\n' },
  { name: 'tables', text: '| a | b |\n|---|:-:|\n| [c](d) | `e|f` |\n| g \\| h\n\ni | j\n-|-\n' },
  { name: 'a table after text', text: 'a\n| b |\n| - |\n| c |\n' },
  { name: 'a table in a list', text: '- | a | b |\n  | - | - |\n  | c | d |\n' },
  { name: 'line ends of Windows', text: '# a\r\n\r\n- b\r\n  [c](d)\r\n\r\n```\r\ne\r\n```\r\n' },
  { name: 'other letters', text: '# Ăâ “b” 😀\n\n[ß](é.md) *c*d _e_ \u00a0**f** https://g.h/ș\n' },
];

/** Each is rare, and read in a way of its own. */
const OTHERS = [
  { name: 'a mark of byte order', text: '\ufeff# a\n' },
  { name: 'NUL', text: 'a\0\n' },
  { name: 'line ends of old', text: '# a\rb\n' },
  { name: 'an instruction', text: 'a <?b?>\n' },
  { name: 'a declaration', text: '<!X\n' },
  { name: 'HTML without its end', text: '<!-- a\n\n' },
  { name: 'a title without its end', text: '[a](b "c)\n' },
  { name: 'a title with more after it', text: '[a](b (c) d)\n' },
  { name: 'an entity that few know', text: '[a](&boxbox;)\n' },
  { name: 'text right after a table in a list', text: '- |a|\n  |-|\n|b|\n|-|\n' },
];

/** A megabyte each. Whatever is said of them is said at once: what takes longer than the test may is a fault. */
const HOSTILE = [
  '[',
  ']',
  '![',
  '[a](',
  '[a][',
  '[]()',
  '[a]: b\n',
  '[a]\n',
  '*',
  '_a*',
  '*a ',
  '`',
  '``a`',
  '<',
  '<a ',
  '<a b="',
  '<!--',
  '<a:',
  '> ',
  '>',
  '- ',
  '1. ',
  '- a\n ',
  '\n>',
  '# ',
  '#\n',
  '|',
  '|a',
  'a|\n-|\n',
  '```\n',
  '<div>\n',
  '&',
  '&a;',
  '\\',
  '(',
  '[a](b "',
  '[a](b (',
  '[a](<',
  ' ',
  '\t',
  'http://',
  'http://a ',
  '://',
  'a  \n',
  'a\\\n',
  '"',
  '-',
  '=\n',
  '{#a',
  ' {',
].map((part) => ({ name: JSON.stringify(part), text: megabyte(part) }));

function megabyte(part: string, share = 1): string {
  return part.repeat(Math.ceil((2 ** 20 * share) / part.length));
}

/** What comes late may be looked for again and again. */
const HOSTILE_TOGETHER = [
  { name: 'titles that only the last one ends', text: `${megabyte('[a](b (')}) c` },
  { name: 'tables after as much text', text: megabyte('a\n', 0.5) + megabyte('b|c\n-|-\n\n', 0.5) },
  {
    name: 'brackets in brackets that may be labels',
    text: `${megabyte(`${'['.repeat(400)}${']'.repeat(400)} `)}\n\n[a]: b\n`,
  },
  { name: 'images in images', text: megabyte(`${'!['.repeat(400)}${'](a)'.repeat(400)} `) },
  {
    name: 'fences of every length',
    text: Array.from({ length: 1400 }, (_, index) => `\`${'`'.repeat(index)} `).join(''),
  },
  { name: 'code that the last backtick ends', text: `${megabyte('`` ')}\`` },
  { name: 'attributes in attributes', text: `<a ${megabyte("b='<a ' ")}` },
];

describe('reads what is ordinary', () => {
  it.each(ORDINARY)('$name', ({ text }) => {
    expect(readOrdinary(text)).toEqual(parsed(text));
  });

  it.each(ORDINARY)('$name, in a list in a quote', ({ text }) => {
    const within = `> - x\n>\n${text.replace(/^/gm, '>   ')}\n\n[end](of.md)\n`;
    const tree = parsed(within);
    expect(readOrdinary(within) ?? tree).toEqual(tree);
  });
});

describe('leaves to the parser', () => {
  it.each(OTHERS)('$name', ({ text }) => {
    expect(readOrdinary(text)).toBeNull();
  });
});

describe('ends where that is enough', () => {
  const text = `# a\n\nb [c](d)\n\n# e\n\n[f](g) <?h?>\n`;

  it.each([
    { enough: ['content'], headings: 1, links: 0 },
    { enough: ['title', 'link'], headings: 1, links: 1 },
  ] as const)('with $enough', ({ enough, headings, links }) => {
    const facts = readOrdinary(text, enough);
    expect([facts?.headings.length, facts?.links.length]).toEqual([headings, links]);
  });

  it.each([
    { name: 'it is not there', text: '[a](b)\n\n<?c?>\n' },
    { name: 'a long block follows', text: `# a\n\n[b](c)\n\n${'d '.repeat(2000)}<?e?>\n` },
    { name: 'the text is long', text: `# a\n\n[b](c)\n\n${'d\n\n'.repeat(8000)}<?e?>\n` },
    { name: 'it nests deep', text: `# a\n\n[b](c)\n\n${'>'.repeat(100)}\n` },
  ])('but not where $name', ({ text: whole }) => {
    expect(readOrdinary(whole, ['title', 'link'])).toBeNull();
  });
});

describe('says at once of a megabyte', () => {
  it.each([...HOSTILE, ...HOSTILE_TOGETHER])('of $name', ({ text }) => {
    expect([null, text.length]).toContain(readOrdinary(text)?.hasContent === undefined ? null : text.length);
  });
});
