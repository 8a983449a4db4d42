import { describe, expect, it } from 'vitest';
import { htmlResources, readElements } from './html-links.ts';

const found = (html: string): readonly string[] =>
  htmlResources(html).resources.map(({ kind, url }) => `${kind} ${url}`);

describe('htmlResources', () => {
  it.each([
    { name: 'a script', html: '<script src="a.js"></script>', is: ['script a.js'] },
    { name: 'a module', html: '<script type=module src=a.js></script>', is: ['script a.js'] },
    {
      name: 'a script of an old type',
      html: '<script type="text/javascript" src="a.js"></script>',
      is: ['script a.js'],
    },
    { name: 'a script in capitals', html: '<SCRIPT SRC="a.js"></SCRIPT>', is: ['script a.js'] },
    { name: 'an inline script', html: '<script>const x = "<script src=b.js>"</script>', is: [] },
    {
      name: 'what an inline module imports',
      html: `<script type="module">\nimport { a } from './a.js';\nimport b from 'b';\na('import "./c.js"');\n</script>`,
      is: ['script ./a.js'],
    },
    { name: 'data in a script', html: '<script type="application/json" src="a.json"></script>', is: [] },
    { name: 'a template in a script', html: '<script type="text/x-template"><img src="a.png"></script>', is: [] },
    { name: 'a stylesheet', html: '<link rel="stylesheet" href="a.css">', is: ['style a.css'] },
    { name: 'a preloaded stylesheet', html: '<link rel="preload stylesheet" href="a.css">', is: ['style a.css'] },
    { name: 'a stylesheet that is off', html: '<link rel="stylesheet" href="a.css" disabled>', is: [] },
    { name: 'another stylesheet to choose', html: '<link rel="alternate stylesheet" href="a.css">', is: [] },
    {
      name: 'icons',
      html: '<link rel="shortcut icon" href="a.ico"><link rel=apple-touch-icon href=b.png>',
      is: ['icon a.ico', 'icon b.png'],
    },
    { name: 'a manifest', html: '<link rel="manifest" href="a.webmanifest">', is: ['manifest a.webmanifest'] },
    {
      name: 'preloads',
      html: '<link rel=modulepreload href=a.js><link rel=preload as=font href=b.woff2>',
      is: ['modulepreload a.js', 'preload b.woff2'],
    },
    {
      name: 'links that load nothing',
      html: '<link rel=canonical href=a><link rel=preconnect href=b><link rel=dns-prefetch href=c><link rel=alternate href=d>',
      is: [],
    },
    { name: 'an image', html: '<img src=" a.png ">', is: ['image a.png'] },
    {
      name: 'an image in sizes',
      html: '<img src="a.png" srcset="b.png 1x, c,d.png 2x">',
      is: ['image a.png', 'image b.png', 'image c,d.png'],
    },
    {
      name: 'a picture',
      html: '<picture><source srcset="a.webp"><img src="a.png"></picture>',
      is: ['image a.webp', 'image a.png'],
    },
    {
      name: 'a film',
      html: '<video src=a.mp4 poster=b.png></video><audio src=c.mp3></audio>',
      is: ['media a.mp4', 'image b.png', 'media c.mp3'],
    },
    { name: 'a frame', html: '<iframe src="a.html"></iframe>', is: ['frame a.html'] },
    { name: 'entities', html: '<img src="a.png?x=1&amp;y=2">', is: ['image a.png?x=1&y=2'] },
    { name: 'an empty target', html: '<img src=""><script src></script>', is: [] },
    { name: 'a comment', html: '<!-- <script src="a.js"></script> -->', is: [] },
    { name: 'a template', html: '<template><img src="a.png"></template><img src="b.png">', is: ['image b.png'] },
    { name: 'noscript', html: '<noscript><img src="a.png"></noscript><img src="b.png">', is: ['image b.png'] },
    { name: 'values to fill in', html: '<img src="{{ logo }}"><img src="${logo}"><img src="<%= logo %>">', is: [] },
    {
      name: 'inline styles',
      html: '<style>@import "a.css"; b { background: url(c.png) }</style><p style="background:url(d.png)">',
      is: ['style a.css', 'image c.png', 'image d.png'],
    },
    {
      name: 'images by resolution',
      html: `<p style="background:image-set('a.png' 1x, 'b.png' 2x)">`,
      is: ['image a.png', 'image b.png'],
    },
    { name: 'a link to follow', html: '<a href="a.md">x</a>', is: [] },
    { name: 'nothing', html: '', is: [] },
  ])('$name: $is', ({ html, is }) => {
    expect(found(html)).toEqual(is);
  });

  it.each([
    { name: 'none', html: '<script src="a.js">ignored()</script>', is: 0 },
    { name: 'two', html: '<script>12345</script><script type="module">123</script>', is: 8 },
    { name: 'data', html: '<script type="application/json">{"a":1}</script>', is: 0 },
    { name: 'in a template', html: '<template><script>12345</script></template>', is: 0 },
  ])('reports how long the scripts of the page itself are: $name', ({ html, is }) => {
    expect(htmlResources(html).inlineScript).toBe(is);
  });

  it('reports how a script is loaded', async () => {
    const html =
      '<script type="module" async src="a.js" integrity="sha256-x" crossorigin></script><script nomodule src="b.js"></script>';
    expect(htmlResources(html).resources).toMatchObject([
      { module: true, async: true, nomodule: false, integrity: 'sha256-x', crossorigin: '', offset: 0 },
      { module: false, async: false, nomodule: true, integrity: null, crossorigin: null, offset: 81 },
    ]);
  });

  it('knows the first base from there on', async () => {
    const html = '<img src="a.png"><base href="/docs/"><base href="/x/"><img src="b.png">';
    expect(htmlResources(html).resources.map(({ base }) => base)).toEqual([null, '/docs/']);
  });

  it.each([
    { name: 'a doctype', html: '<!DOCTYPE html><p>', quirks: false },
    { name: 'a doctype after a comment', html: '<!-- a -->\n<!doctype html>', quirks: false },
    { name: 'none', html: '<html><p>', quirks: true },
  ])('$name: quirks $quirks', ({ html, quirks }) => {
    expect(htmlResources(html).quirks).toBe(quirks);
  });

  it('hands on the policies of the page', async () => {
    const html = '<meta http-equiv="content-security-policy" content="upgrade-insecure-requests">';
    expect(htmlResources(html).policies).toEqual(['upgrade-insecure-requests']);
  });

  it.each([
    { name: 'images', html: '<img src=a.png>'.repeat(100_000), whole: false },
    { name: 'open tags', html: '<'.repeat(1_000_000), whole: true },
    { name: 'open comments', html: '<!--'.repeat(500_000), whole: true },
    { name: 'pieces of text', html: '<p>a<br>'.repeat(200_000), whole: true },
    { name: 'closing tags', html: '</b>'.repeat(500_000), whole: true },
    { name: 'templates', html: '<template>'.repeat(100_000), whole: false },
    {
      name: 'closing tags in deep nesting',
      html: `${'<b>'.repeat(490)}${'</i>'.repeat(2_500_000)}`,
      whole: false,
    },
    { name: 'a long string in a style', html: `<style>a{content:"${'x'.repeat(9_000_000)}"}</style>`, whole: true },
    { name: 'a long URL in an attribute', html: `<p style="background:url(${'x'.repeat(9_000_000)})">`, whole: true },
    { name: 'a long srcset', html: `<img srcset="${'x'.repeat(9_000_000)}">`, whole: true },
    { name: 'a long comment in a module', html: `<script type=module>/*${'x'.repeat(9_000_000)}`, whole: true },
    { name: 'a long line in a module', html: `<script type=module>//${'x'.repeat(9_000_000)}`, whole: true },
  ])('bounded: $name', ({ html, whole }) => {
    expect(htmlResources(html).whole).toBe(whole);
  });
});

/** What a reader is reported, up to the element that it stops at. */
function told(html: string, last = ''): { readonly told: readonly string[]; readonly whole: boolean } {
  const all: string[] = [];
  const whole = readElements(html, {
    open: (name, attributes, offset) => {
      all.push(`<${[name, ...Object.values(attributes)].join(' ')} ${offset}`);
      return `<${name}` !== last;
    },
    close: (name) => {
      all.push(`/${name}`);
      return `/${name}` !== last;
    },
    text: (text) => all.push(text),
    instruction: (name) => all.push(name),
  });
  return { told: all, whole };
}

describe('readElements', () => {
  it.each([
    { name: 'a page', html: '<!DOCTYPE html><p id=a>x', is: ['!doctype', '<p a 15', 'x', '/p'], whole: true },
    { name: 'an element without content', html: '<br><p>', is: ['<br 0', '/br', '<p 4', '/p'], whole: true },
    { name: 'stopped at an element', html: '<a><b>x</b></a>', last: '<b', is: ['<a 0', '<b 3'], whole: false },
    { name: 'stopped at an end', html: '<a><b></b>x</a>', last: '/b', is: ['<a 0', '<b 3', '/b'], whole: false },
    { name: 'nothing', html: '', is: [], whole: true },
  ])('$name', ({ html, last = '', is, whole }) => {
    expect(told(html, last)).toEqual({ told: is, whole });
  });

  it.each([
    { name: 'an attribute', html: `<p id="${'a'.repeat(100_000)}"><img src=b.png>` },
    { name: 'a name', html: `<!--${'a'.repeat(32 * 1024 - 10)}--><img src=b.png>` },
    { name: 'a script', html: `<script>${'a'.repeat(32 * 1024 - 12)}</script><img src=b.png>` },
  ])('reads $name over the end of a piece', ({ html }) => {
    const at = html.indexOf('<img');
    expect(told(html).told).toContain(`<img b.png ${at}`);
  });

  it.each([
    { name: 'closing tags', html: '</b>'.repeat(2_500_000), whole: true },
    { name: 'closing tags in deep nesting', html: `${'<i>'.repeat(490)}${'</b>'.repeat(2_500_000)}`, whole: false },
    {
      name: 'deep nesting again and again',
      html: `${'<i>'.repeat(490)}${'</b>'.repeat(7_000)}${'</i>'.repeat(490)}`.repeat(320),
      whole: false,
    },
    { name: 'forms', html: `<form>${'<i>'.repeat(490)}${'<form>'.repeat(1_500_000)}`, whole: false },
    { name: 'nesting', html: '<i>'.repeat(3_000_000), whole: false },
    { name: 'a page of usual depth', html: `${'<div>'.repeat(30)}${'<p>some text</p>'.repeat(400_000)}`, whole: true },
  ])('bounded: $name', ({ html, whole }) => {
    let steps = 0;
    const count = (): boolean => ++steps > 0;
    expect(readElements(html, { open: count, close: count })).toBe(whole);
  });
});
