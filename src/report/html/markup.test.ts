import { describe, expect, it } from 'vitest';
import { markup, verbatim, type Part } from './markup.ts';

describe('a template', () => {
  it.each<{ name: string; part: Part; html: string }>([
    { name: 'text', part: 'a b', html: 'a b' },
    {
      name: 'markup in text',
      part: `<a href="x" title='y'>&`,
      html: '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;',
    },
    { name: 'a character reference', part: '&lt;', html: '&amp;lt;' },
    { name: 'a line end', part: 'a\nb', html: String.raw`a\nb` },
    { name: 'other controls', part: 'a\u001b[\r\n\t\u007f', html: String.raw`a\u001b[\r\n\t\u007f` },
    { name: 'what a runner would act on', part: '##[error]###[x] # #[', html: '##&#91;error]###&#91;x] # #[' },
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
