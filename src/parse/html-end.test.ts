import { describe, expect, it } from 'vitest';
import { openAtEnd } from './html-end.ts';

const PAGE =
  '<!doctype html><!-- a > b --><title>T</title><style>a > b {}</style><body class="x > y"><div id=app></div><script>if (a < b) c("</div>");</script><script src=app.js></script></body></html>';

describe('what is open at the end of a page', () => {
  it.each([
    ['a whole page', PAGE],
    ['a page without end tags', '<!doctype html><title>T</title><p>Text<div id="app"><script src="a.js"></script>'],
    ['an end tag without its end', PAGE.slice(0, -1)],
    ['a sign for less', 'a < b and 1 <2'],
    ['comments without content', '<!--><p>a<!---><p>b'],
    ['a quote that begins no value', '<p it\'s="x">text'],
    ['an end tag in capitals', '<SCRIPT>a</Script ><p>b'],
    ['nothing', ''],
  ])('%s: nothing', (_, html) => {
    expect(openAtEnd(html)).toBeNull();
  });

  it.each([
    ['a comment', '<p>a<!-- b', 'comment', 4],
    ['the beginning of a comment', '<p>a<!--', 'comment', 4],
    ['a script', '<p>a<script>b()</p>', 'script', 4],
    ['the end tag of a script', '<script>b()</scr', 'script', 0],
    ['a script that is named alike', '<script>b()</scripts>', 'script', 0],
    ['a style', '<style>a {', 'style', 0],
    ['a title', '<title>a <b>', 'title', 0],
    ['a tag', '<p>a<div class', 'tag', 4],
    ['a tag after an attribute', '<p>a<script src="b.js" ', 'tag', 4],
    ['an attribute', '<p>a<script src="vendor/doc', 'attribute', 4],
    ['an attribute in single quotes', "<a href = 'b>c", 'attribute', 0],
  ])('%s', (_, html, inside, offset) => {
    expect(openAtEnd(html)).toEqual({ inside, offset });
  });

  it('is found in time that grows with the text', () => {
    const began = performance.now();
    for (const part of ['<!--', '<script>', '<a href="', '<p =', '<script></script>', '<']) {
      openAtEnd(part.repeat(300_000));
    }
    expect(performance.now() - began).toBeLessThan(1_500);
  });
});
