/** Our reader of Markdown against remark-parse and marked: where they agree, where they differ and who is right. */
import { describe, expect, it } from 'vitest';
import { byMarked, byRemark, ours, oursRendered } from './readers.ts';

/** What 1,687 files of packages and of five documentation sites were read differently for. */
const DIFFERENT = [
  {
    why: 'marked takes no more than three pairs of brackets in each other',
    text: '[a[b[c[e]]]](d)',
    ours: ['d'],
    remark: ['d'],
    marked: [],
  },
  { why: 'marked takes no link with half of a code span', text: '[`a](b)', ours: ['b'], remark: ['b'], marked: [] },
  {
    why: 'marked makes code of a list item that is indented less than the text above it',
    text: '- a\n-    b\n    - [c](d)\n',
    ours: ['d'],
    remark: ['d'],
    marked: [],
  },
  {
    why: 'a footnote is no link; only engines without footnotes make one of it',
    text: 'a[^1]\n\n[^1]: b\n',
    ours: [],
    remark: [],
    marked: ['b'],
  },
  {
    why: 'a URL with a part that is left open leads nowhere',
    text: 'https://a.example/<year>\n',
    ours: [],
    remark: [],
    marked: ['https://a.example/'],
  },
  {
    why: 'brackets and carets after a URL are not meant as a part of it',
    text: 'https://a.example/b[c] https://a.example/d^\n',
    ours: ['https://a.example/b', 'https://a.example/d'],
    remark: [],
    marked: ['https://a.example/b[c]', 'https://a.example/d^'],
  },
] as const;

describe('differences', () => {
  it.each(DIFFERENT)('$why', ({ text, ours: own, remark, marked }) => {
    const links = { ours: oursRendered(text).links, remark: byRemark(text).links, marked: byMarked(text).links };
    const withoutPlaces = links.remark.map((link) => link.replace(/^\d+:\d+ /, ''));
    expect({ ...links, remark: withoutPlaces }).toEqual({ ours: own, remark, marked });
  });

  it('only marked ends a heading at a line separator', () => {
    const text = '# a\u2028\n';
    expect([ours, byRemark, byMarked].map((read) => read(text).headings)).toEqual([['1 a'], ['1 a'], []]);
  });

  it('remark-parse alone knows no strikethrough', () => {
    expect([ours, byRemark, byMarked].map((read) => read('# ~~a~~').headings)).toEqual([['1 a'], ['1 ~~a~~'], ['1 a']]);
  });
});
