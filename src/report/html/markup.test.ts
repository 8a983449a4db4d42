import { describe, expect, it } from 'vitest';
import { markup, verbatim, type Part } from './markup.ts';
import { cutText } from './values.ts';

describe('a template', () => {
  it.each<{ name: string; part: Part; html: string }>([
    { name: 'text', part: 'a b', html: 'a b' },
    {
      name: 'markup in text',
      part: `<a href="x" title='y'>&`,
      html: '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;',
    },
    { name: 'a character reference', part: '&lt;', html: '&amp;lt;' },
    { name: 'a line end', part: 'a\nb', html: 'a␊b' },
    { name: 'a bidi override', part: '\u202ea', html: '\\u202ea' },
    { name: 'half of a surrogate pair', part: 'a\ud83d', html: 'a\\ud83d' },
    { name: 'a number', part: 3, html: '3' },
    { name: 'nothing', part: null, html: '' },
    { name: 'markup', part: markup`<b>${'<'}</b>`, html: '<b>&lt;</b>' },
    { name: 'a list', part: ['<', markup`<i></i>`, [1, null]], html: '&lt;<i></i>1' },
    { name: 'a constant', part: verbatim('<hr>'), html: '<hr>' },
  ])('takes $name', ({ part, html }) => {
    expect(markup`<p>${part}</p>`.html).toBe(`<p>${html}</p>`);
  });
});

describe('a text that is cut', () => {
  it.each([
    { name: 'short enough', text: 'abc', longest: 3, cut: { text: 'abc', more: 0 } },
    { name: 'too long', text: 'abcd', longest: 3, cut: { text: 'abc', more: 1 } },
    { name: 'a pair at the end', text: 'ab😀c', longest: 3, cut: { text: 'ab', more: 3 } },
    { name: 'a pair before the end', text: 'a😀c', longest: 3, cut: { text: 'a😀', more: 1 } },
    { name: 'half a pair at the end', text: 'ab\ud83dc', longest: 3, cut: { text: 'ab\ud83d', more: 1 } },
  ])('$name', ({ text, longest, cut }) => {
    expect(cutText(text, longest)).toEqual(cut);
  });
});
