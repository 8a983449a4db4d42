import { describe, expect, it } from 'vitest';
import { reply } from '../../answers.ts';
import {
  ORIGIN,
  LOST,
  type Files,
  js,
  css,
  html,
  page,
  run,
  rules,
  module,
  classic,
  style,
  cdn,
} from '../../../checks/assets/fixtures/site.ts';

describe('assets: missing files', () => {
  it.each([
    { name: 'a module', head: module, code: 'script-missing' },
    { name: 'a classic script', head: classic, code: 'script-missing' },
    {
      name: 'the only script, loaded in its own time',
      head: '<script async src="a.js"></script>',
      code: 'script-missing',
    },
    { name: 'the only script, of a CDN', head: `<script src="${cdn}"></script>`, code: 'script-missing' },
    {
      name: 'a script of a CDN beside others',
      head: `<script>start(${'1'.repeat(5_000)})</script><script src="${cdn}"></script>`,
      code: 'side-script-missing',
    },
    { name: 'a script for old browsers', head: '<script nomodule src="a.js"></script>', code: 'legacy-script-missing' },
    { name: 'a preloaded module', head: '<link rel="modulepreload" href="a.js">', code: 'chunk-missing' },
    { name: 'a style', head: style, code: 'style-missing' },
    { name: 'an imported style', head: '<style>@import "a.css";</style>', code: 'style-missing' },
    { name: 'an image', head: '<img src="a.png">', code: 'image-missing' },
    { name: 'an image for sharp screens', head: '<img srcset="a.png 2x">', code: 'image-missing' },
    { name: 'a film', head: '<video src="a.mp4"></video>', code: 'image-missing' },
    { name: 'a background', head: '<p style="background:url(a.png)">', code: 'image-missing' },
    { name: 'a font', head: '<style>@font-face{src:url(a.woff2)}</style>', code: 'font-missing' },
    { name: 'an icon', head: '<link rel="icon" href="/favicon.ico">', code: 'icon-missing' },
    { name: 'a manifest', head: '<link rel="manifest" href="site.webmanifest">', code: 'manifest-missing' },
    {
      name: 'a service worker',
      head: "<script>if (navigator.serviceWorker) navigator.serviceWorker.register('sw.js')</script>",
      code: 'worker-missing',
    },
    { name: 'a preload', head: '<link rel="preload" as="font" href="a.woff2">', code: 'preload-missing' },
  ])('$name: $code', async ({ head, code }) => {
    expect(await rules(page(head))).toEqual([code]);
    expect(await rules(page(head), {}, { fallback: html(page(head)) })).toEqual([code]);
    expect(await rules(page(head), {}, { fallback: reply(page(head)) })).toEqual([code]);
    expect(await rules(page(head), {}, { fallback: html(LOST) })).toEqual([code]);
  });

  it('says where a missing script is named, and what came', async () => {
    const { findings } = await run(page(module), {}, { fallback: html(page(module)) });
    expect(findings).toMatchObject([
      {
        rule: 'script-missing',
        location: { path: 'index.html', line: 3, column: 1 },
        excerpt: { firstLine: 2 },
        evidence: {
          kind: 'script',
          written: 'assets/app.js',
          url: `${ORIGIN}/assets/app.js`,
          status: 200,
          mediaType: 'text/html',
        },
      },
    ]);
  });

  it('says where a missing service worker is registered, in a script of the site too', async () => {
    const app = js("start();\nnavigator.serviceWorker.register('sw.js', { scope: './' });\n");
    const { findings } = await run(page('<base href="/docs/">\n<script src="app.js"></script>'), {
      'docs/app.js': app,
    });
    expect(findings).toMatchObject([
      {
        rule: 'worker-missing',
        location: { path: 'docs/app.js', line: 2, column: 1 },
        evidence: { kind: 'worker', written: 'sw.js', url: `${ORIGIN}/docs/sw.js`, status: 404 },
      },
    ]);
  });

  it('names a missing file once, with all its locations', async () => {
    const { findings } = await run(page('<img src="a.png">\n<img src="./a.png">\n<img src="b.png">'));
    expect(findings).toMatchObject([
      { rule: 'image-missing', locations: [{ line: 3 }, { line: 4 }] },
      { rule: 'image-missing', location: { line: 5 } },
    ]);
  });

  it.each([
    {
      name: 'as a module of a module and ahead',
      head: `${module}<link rel=modulepreload href="assets/b.js">`,
      is: {
        rule: 'script-missing',
        location: { path: 'assets/app.js' },
      },
    },
    {
      name: 'as a font and ahead',
      head: '<link rel=preload as=font href="a.woff2">\n<style>@font-face{src:url(a.woff2)}</style>',
      is: { rule: 'font-missing', location: { line: 4 }, locations: [{ line: 4 }, { line: 3 }] },
    },
    {
      name: 'as an icon and a picture',
      head: '<link rel=icon href="a.png"><img src="a.png">',
      is: { rule: 'image-missing', evidence: { kind: 'image' } },
    },
  ])('reports a file once that is wanted $name', async ({ head, is }) => {
    const files = { 'assets/app.js': js('import"./b.js"') };
    expect((await run(page(head), files)).findings).toMatchObject([is]);
    expect((await run(page(head), files, { fallback: html(page(head)) })).findings).toMatchObject([is]);
  });

  it.each<{ name: string; files: Files; is: object }>([
    {
      name: 'a module that a module imports',
      files: { 'assets/app.js': js('import"./b.js"') },
      is: { rule: 'script-missing', location: { path: 'assets/app.js', line: 1, column: 8 } },
    },
    {
      name: 'a chunk',
      files: { 'assets/app.js': js('\na(()=>import("./page-Ab12Cd34.js"))') },
      is: { rule: 'chunk-missing', location: { path: 'assets/app.js', line: 2 } },
    },
    {
      name: 'a module that a chunk imports',
      files: { 'assets/app.js': js('import("./p-Ab12Cd34.js")'), 'assets/p-Ab12Cd34.js': js('import"./c.js"') },
      is: { rule: 'chunk-missing', location: { path: 'assets/p-Ab12Cd34.js' } },
    },
  ])('$name', async ({ files, is }) => {
    expect((await run(page(module), files)).findings).toMatchObject([is]);
  });

  it('says which stylesheet names a font', async () => {
    const files = { 'assets/app.css': css('a{}\n@font-face{src:url(a.woff2)}') };
    expect((await run(page(style), files)).findings).toMatchObject([
      { rule: 'font-missing', location: { path: 'assets/app.css', line: 2, column: 16 } },
    ]);
  });
});

describe('assets: bounds', () => {
  it('asks for each file once', async () => {
    const { gathered, asked } = await run(
      page(`${style}${style}${module}<link rel=modulepreload href="assets/app.js">`),
    );
    expect(asked.map(({ url }) => url.pathname)).toEqual(['/assets/app.css', '/assets/app.js']);
    expect(gathered).toMatchObject({ requests: 2, facts: { assets: 2 } });
  });

  it('stops after many files and says how many are left', async () => {
    const images = Array.from({ length: 1000 }, (_, index) => `<img src="${index}.png">`).join('');
    const { gathered, findings } = await run(page(images));
    expect(gathered).toMatchObject({ requests: 400, facts: { left: 600 } });
    expect(findings).toHaveLength(101);
    expect(findings.at(-1)).toEqual({ rule: 'limit-reached', evidence: { left: 600, unread: 0 } });
  });

  it('ends where styles import each other', async () => {
    const files = { 'assets/app.css': css('@import "b.css";'), 'assets/b.css': css('@import "app.css";') };
    expect((await run(page(style), files)).asked).toHaveLength(2);
  });
});
