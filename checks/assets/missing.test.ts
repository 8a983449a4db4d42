import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/check.ts';
import { noReply, reply } from '../../test/answers.ts';
import {
  ORIGIN,
  LOST,
  type Files,
  js,
  css,
  html,
  page,
  run,
  codes,
  module,
  classic,
  style,
  cdn,
} from './fixtures/site.ts';

describe('assets: missing files', () => {
  it.each([
    { name: 'a module', head: module, code: 'script-missing' },
    { name: 'a classic script', head: classic, code: 'script-missing' },
    { name: 'a script beside', head: '<script async src="a.js"></script>', code: 'side-script-missing' },
    { name: 'a script of a CDN', head: `<script src="${cdn}"></script>`, code: 'side-script-missing' },
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
    { name: 'a preload', head: '<link rel="preload" as="font" href="a.woff2">', code: 'preload-missing' },
  ])('$name: $code', async ({ head, code }) => {
    expect(await codes(page(head))).toEqual([code]);
    expect(await codes(page(head), {}, { fallback: html(page(head)) })).toEqual([code]);
    expect(await codes(page(head), {}, { fallback: reply(page(head)) })).toEqual([code]);
    expect(await codes(page(head), {}, { fallback: html(LOST) })).toEqual([code]);
  });

  it('says where a missing script is named, and what came', async () => {
    const { drafts } = await run(page(module), {}, { fallback: html(page(module)) });
    expect(drafts).toMatchObject([
      {
        code: 'script-missing',
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

  it('names a missing file once, with all its places', async () => {
    const { drafts } = await run(page('<img src="a.png">\n<img src="./a.png">\n<img src="b.png">'));
    expect(drafts).toMatchObject([
      { code: 'image-missing', places: [{ line: 3 }, { line: 4 }] },
      { code: 'image-missing', location: { line: 5 } },
    ]);
  });

  it.each<{ name: string; files: Files; is: object }>([
    {
      name: 'a module that a module imports',
      files: { 'assets/app.js': js('import"./b.js"') },
      is: { code: 'script-missing', location: { path: 'assets/app.js', line: 1, column: 8 } },
    },
    {
      name: 'a chunk',
      files: { 'assets/app.js': js('\na(()=>import("./page-Ab12Cd34.js"))') },
      is: { code: 'chunk-missing', location: { path: 'assets/app.js', line: 2 } },
    },
    {
      name: 'a module that a chunk imports',
      files: { 'assets/app.js': js('import("./p-Ab12Cd34.js")'), 'assets/p-Ab12Cd34.js': js('import"./c.js"') },
      is: { code: 'chunk-missing', location: { path: 'assets/p-Ab12Cd34.js' } },
    },
  ])('$name', async ({ files, is }) => {
    expect((await run(page(module), files)).drafts).toMatchObject([is]);
  });

  it('says which style sheet names a font', async () => {
    const files = { 'assets/app.css': css('a{}\n@font-face{src:url(a.woff2)}') };
    expect((await run(page(style), files)).drafts).toMatchObject([
      { code: 'font-missing', location: { path: 'assets/app.css', line: 2, column: 16 } },
    ]);
  });
});

describe('assets: failures on the way', () => {
  it.each<{ name: string; head: string; path: string; file: Answer; expected: readonly string[] }>([
    {
      name: 'a script that is forbidden',
      head: classic,
      path: 'assets/app.js',
      file: html(LOST, 403),
      expected: ['script-missing'],
    },
    {
      name: 'a style that is forbidden',
      head: style,
      path: 'assets/app.css',
      file: html(LOST, 403),
      expected: ['asset-failed'],
    },
    {
      name: 'an image that never ends',
      head: '<img src="a.png">',
      path: 'a.png',
      file: noReply('body-timeout'),
      expected: ['asset-failed'],
    },
    {
      name: 'an icon that fails',
      head: '<link rel=icon href="a.png">',
      path: 'a.png',
      file: html(LOST, 500),
      expected: ['icon-missing'],
    },
    {
      name: 'a CDN that is down',
      head: `<script src="${cdn}"></script>`,
      path: cdn,
      file: noReply('refused'),
      expected: ['foreign-failed'],
    },
    {
      name: 'a CDN that refuses us',
      head: `<script src="${cdn}"></script>`,
      path: cdn,
      file: html(LOST, 403),
      expected: ['foreign-failed'],
    },
    {
      name: 'the address of a developer',
      head: '<script src="http://localhost:3000/a.js"></script>',
      path: 'http://localhost:3000/a.js',
      file: noReply('blocked-address'),
      expected: ['local-address'],
    },
    {
      name: 'too many requests',
      head: classic,
      path: 'assets/app.js',
      file: html(LOST, 429),
      expected: ['rate-limited'],
    },
    {
      name: 'the end of the run',
      head: classic,
      path: 'assets/app.js',
      file: noReply('headers-timeout', { deadlineMs: 1 }),
      expected: ['interrupted'],
    },
    {
      name: 'no network here',
      head: classic,
      path: 'assets/app.js',
      file: noReply('no-network'),
      expected: ['no-network'],
    },
  ])('$name: $expected', async ({ head, path, file, expected }) => {
    expect(await codes(page(head), { [path]: file })).toEqual(expected);
  });

  it('tells once that the run ended', async () => {
    expect(await codes(page(`${module}${style}<img src="a.png">`), {}, { fallback: noReply('interrupted') })).toEqual([
      'interrupted',
    ]);
  });

  it.each<{ name: string; bundle: Answer }>([
    { name: 'no bundle', bundle: noReply('refused') },
    { name: 'a missing bundle', bundle: html(LOST, 404) },
    { name: 'a bundle that is no page', bundle: reply('It works', { contentType: 'text/html' }) },
    { name: 'an empty bundle', bundle: html('') },
  ])('skips where there is $name', async ({ bundle }) => {
    const { drafts, asked } = await run(bundle);
    expect(drafts.map(({ code }) => code)).toEqual(['no-answer']);
    expect(asked).toEqual([]);
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
    const { gathered, drafts } = await run(page(images));
    expect(gathered).toMatchObject({ requests: 400, facts: { left: 600 } });
    expect(drafts).toHaveLength(100);
  });

  it('ends where styles import each other', async () => {
    const files = { 'assets/app.css': css('@import "b.css";'), 'assets/b.css': css('@import "app.css";') };
    expect((await run(page(style), files)).asked).toHaveLength(2);
  });
});
