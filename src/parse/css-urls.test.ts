import { describe, expect, it } from 'vitest';
import { cssUrls } from './css-urls.ts';

/** Longer than what a regular expression takes in one go. */
const LONG = 'x'.repeat(9_000_000);
const found = (css: string): readonly string[] => cssUrls(css).map(({ kind, url }) => `${kind} ${url}`);

describe('cssUrls', () => {
  it.each([
    { name: 'a background', css: 'a{background:url(a.png)}', is: ['image a.png'] },
    { name: 'quotes', css: `a{background:url("a b.png"),url( 'c).png' )}`, is: ['image a b.png', 'image c).png'] },
    {
      name: 'a font',
      css: '@font-face{font-family:x;src:url(a.woff2) format("woff2"),url(b.woff)}',
      is: ['font a.woff2', 'font b.woff'],
    },
    {
      name: 'a background after a font',
      css: '@font-face{src:url(a.woff2)}b{background:url(c.png)}',
      is: ['font a.woff2', 'image c.png'],
    },
    {
      name: 'imports',
      css: '@import "a.css";@import url(b.css) print;@import url("c.css");',
      is: ['style a.css', 'style b.css', 'style c.css'],
    },
    { name: 'an import after a charset', css: '@charset "utf-8";@import "a.css";', is: ['style a.css'] },
    { name: 'an import after a rule', css: 'a{}@import "a.css";', is: [] },
    { name: 'a comment', css: '/* url(a.png) @import "b.css"; */a{background:url(c.png)}', is: ['image c.png'] },
    { name: 'an open comment', css: 'a{background:url(c.png)}/* url(a.png)', is: ['image c.png'] },
    { name: 'a string', css: 'a::before{content:"url(a.png)"}', is: [] },
    { name: 'a namespace', css: '@namespace url(http://www.w3.org/1999/xhtml);', is: [] },
    { name: 'escapes', css: String.raw`a{background:url(a\20 b\).png)}`, is: ['image a b).png'] },
    { name: 'capitals', css: '@IMPORT URL(a.css);', is: ['style a.css'] },
    { name: 'data', css: 'a{background:url(data:image/png;base64,AA==)}', is: ['image data:image/png;base64,AA=='] },
    { name: 'nothing in the brackets', css: 'a{background:url()}', is: [] },
    {
      name: 'images by resolution',
      css: 'a{background:image-set("a.png" 1x, url(b.png) 2x, \'c.png\' 3x);content:"d.png"}',
      is: ['image a.png', 'image b.png', 'image c.png'],
    },
    {
      name: 'images by type',
      css: 'a{background:-webkit-image-set("a.avif" type("image/avif"),"a.png" type("image/png"))}b{content:"c.png"}',
      is: ['image a.avif', 'image a.png'],
    },
    {
      name: 'images among which is a gradient',
      css: 'a{background:IMAGE-SET(linear-gradient(rgb(0 0 0), red) 1x, "a.png" 2x)}',
      is: ['image a.png'],
    },
    { name: 'an open list of images', css: 'a{background:image-set("a.png" 1x;content:"b.png"}', is: ['image a.png'] },
    { name: 'another list', css: 'a{b:my(image, "a.png");c:counter("b.png")}', is: [] },
    { name: 'another function', css: 'a{b:curl(a.png)}', is: [] },
    { name: 'a broken string', css: 'a{content:"x\n}b{background:url(a.png)}', is: ['image a.png'] },
  ])('$name: $is', ({ css, is }) => {
    expect(found(css)).toEqual(is);
  });

  it('reports where', () => {
    expect(cssUrls('a{}\nb{background:url(a.png)}')[0]?.offset).toBe(17);
  });

  it.each([
    { name: 'urls', css: 'url(a)'.repeat(1_000_000), length: 2000 },
    { name: 'open urls', css: 'url('.repeat(1_000_000), length: 0 },
    { name: 'open quotes', css: 'url("'.repeat(1_000_000), length: 0 },
    { name: 'white space', css: `url(${' '.repeat(5_000_000)}`, length: 0 },
    { name: 'backslashes', css: `url(${'\\'.repeat(5_000_000)}`, length: 0 },
    { name: 'open comments', css: '/*'.repeat(2_000_000), length: 0 },
    { name: 'open lists of images', css: 'image-set('.repeat(1_000_000), length: 0 },
    { name: 'imports', css: '@import'.repeat(1_000_000), length: 0 },
    { name: 'a long string', css: `a{content:"${LONG}"}`, length: 0 },
    { name: 'a long string in other quotes', css: `a{content:'${LONG}'}`, length: 0 },
    { name: 'a long open string', css: `@import "${LONG}`, length: 0 },
    { name: 'a long URL', css: `a{background:url(${LONG})}`, length: 0 },
    { name: 'a long URL in quotes', css: `a{background:url("${LONG}")}`, length: 0 },
    { name: 'long data after another', css: `a{background:url(a.png),url(data:,${LONG})}`, length: 1 },
    { name: 'what comes too late', css: `a{background:url(a.png)}/*${LONG}*/b{background:url(b.png)}`, length: 1 },
  ])('bounded: $name', ({ css, length }) => {
    expect(cssUrls(css)).toHaveLength(length);
  });
});
