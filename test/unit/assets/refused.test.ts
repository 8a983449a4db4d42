import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/core/answer.ts';
import { reply } from '../../answers.ts';
import {
  ORIGIN,
  js,
  css,
  svg,
  nosniff,
  anyOrigin,
  sha,
  page,
  run,
  rules,
  module,
  classic,
  style,
  cdn,
} from '../../../checks/assets/fixtures/site.ts';

const WORKER = "<script>navigator.serviceWorker.register('sw.js')</script>";

describe('assets: files that browsers refuse', () => {
  it.each<{ name: string; head: string; path: string; file: Answer; expected: readonly string[] }>([
    {
      name: 'a module as text',
      head: module,
      path: 'assets/app.js',
      file: js('x', 'text/plain'),
      expected: ['module-type'],
    },
    {
      name: 'a module as bytes',
      head: module,
      path: 'assets/app.js',
      file: js('x', 'application/octet-stream'),
      expected: ['module-type'],
    },
    { name: 'a service worker', head: WORKER, path: 'sw.js', file: js(''), expected: [] },
    {
      name: 'a service worker as text',
      head: WORKER,
      path: 'sw.js',
      file: js('', 'text/plain'),
      expected: ['worker-refused'],
    },
    {
      name: 'a service worker of no type',
      head: WORKER,
      path: 'sw.js',
      file: js('', null),
      expected: ['worker-refused'],
    },
    {
      name: 'a service worker after a redirect',
      head: WORKER,
      path: 'sw.js',
      file: reply('', {
        contentType: 'text/javascript',
        url: `${ORIGIN}/worker.js`,
        redirects: [{ url: `${ORIGIN}/sw.js`, status: 301, location: '/worker.js' }],
      }),
      expected: ['worker-refused'],
    },
    {
      name: 'a module of no type',
      head: module,
      path: 'assets/app.js',
      file: js('x', null),
      expected: ['module-type'],
    },
    {
      name: 'a script as text',
      head: classic,
      path: 'assets/app.js',
      file: js('x', 'text/plain'),
      expected: ['script-type-unusual'],
    },
    {
      name: 'a script as text that is not sniffed',
      head: classic,
      path: 'assets/app.js',
      file: js('x', 'text/plain', nosniff),
      expected: ['script-type'],
    },
    {
      name: 'a script of no type that is not sniffed',
      head: classic,
      path: 'assets/app.js',
      file: js('x', null, nosniff),
      expected: ['script-type'],
    },
    {
      name: 'a script as an image',
      head: classic,
      path: 'assets/app.js',
      file: js('x', 'image/png'),
      expected: ['script-type'],
    },
    {
      name: 'a style as text',
      head: style,
      path: 'assets/app.css',
      file: css('a{}', 'text/plain'),
      expected: ['style-type'],
    },
    {
      name: 'a style of no type that is not sniffed',
      head: style,
      path: 'assets/app.css',
      file: css('a{}', null, nosniff),
      expected: ['style-type'],
    },
    {
      name: 'an SVG as text',
      head: '<img src="a.svg">',
      path: 'a.svg',
      file: svg('text/plain'),
      expected: ['image-type'],
    },
    { name: 'an SVG of no type', head: '<img src="a.svg">', path: 'a.svg', file: svg(null), expected: ['image-type'] },
    {
      name: 'an SVG after a prolog',
      head: '<img src="a.svg">',
      path: 'a.svg',
      file: svg('text/xml', '<?xml version="1.0"?>\n<!-- a -->\n<svg>'),
      expected: ['image-type'],
    },
    { name: 'an empty image', head: '<img src="a.png">', path: 'a.png', file: reply(''), expected: ['asset-empty'] },
    {
      name: 'a pointer instead of an image',
      head: '<img src="a.png">',
      path: 'a.png',
      file: reply('version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n'),
      expected: ['git-lfs-pointer'],
    },
    {
      name: 'a script that is not what the page announces',
      head: `<script src="a.js" integrity="${sha('y')}"></script>`,
      path: 'a.js',
      file: js('x'),
      expected: ['script-integrity'],
    },
    {
      name: 'a style that is not what the page announces',
      head: `<link rel=stylesheet href="a.css" integrity="${sha('y')}">`,
      path: 'a.css',
      file: css('x'),
      expected: ['style-integrity'],
    },
    {
      name: 'a script of a CDN that may not be read',
      head: `<script src="${cdn}" crossorigin></script>`,
      path: cdn,
      file: js('x'),
      expected: ['script-cors'],
    },
    {
      name: 'a module of a CDN that may not be read',
      head: `<script type=module src="${cdn}"></script>`,
      path: cdn,
      file: js('x'),
      expected: ['script-cors'],
    },
    {
      name: 'a script of a CDN with integrity and no CORS',
      head: `<script src="${cdn}" integrity="${sha('x')}"></script>`,
      path: cdn,
      file: js('x', 'text/javascript', anyOrigin),
      expected: ['script-cors'],
    },
    {
      name: 'a script of a CDN with credentials for any',
      head: `<script src="${cdn}" crossorigin="use-credentials"></script>`,
      path: cdn,
      file: js('x', 'text/javascript', anyOrigin),
      expected: ['script-cors'],
    },
    {
      name: 'a style of a CDN that may not be read',
      head: '<link rel=stylesheet crossorigin href="https://cdn.example/a.css">',
      path: 'https://cdn.example/a.css',
      file: css('x'),
      expected: ['style-cors'],
    },
  ])('$name: $expected', async ({ head, path, file, expected }) => {
    expect(await rules(page(head), { [path]: file })).toEqual(expected);
  });

  it('sends an origin where browsers do', async () => {
    const { asked } = await run(
      page(`${classic}<script src="${cdn}"></script><script type=module src="${cdn}?2"></script>`),
    );
    expect(asked.map(({ headers }) => headers)).toEqual([undefined, undefined, { origin: ORIGIN }]);
  });
});

describe('assets: mixed content', () => {
  it.each([
    { name: 'a script', head: '<script src="http://cdn.example/a.js"></script>', expected: ['mixed-content'] },
    { name: 'a style', head: '<link rel=stylesheet href="http://cdn.example/a.css">', expected: ['mixed-content'] },
    {
      name: 'a font',
      head: '<style>@font-face{src:url(http://cdn.example/a.woff2)}</style>',
      expected: ['mixed-content'],
    },
    { name: 'a frame', head: '<iframe src="http://other.example/"></iframe>', expected: ['mixed-content'] },
    { name: 'an image', head: '<img src="http://cdn.example/a.png">', expected: ['mixed-image'] },
    {
      name: 'a background',
      head: '<style>a{background:url(http://cdn.example/a.png)}</style>',
      expected: ['mixed-image'],
    },
    { name: 'an icon', head: '<link rel=icon href="http://cdn.example/a.png">', expected: ['mixed-image'] },
    {
      name: 'a base',
      head: '<base href="http://docs.example/"><script src="a.js"></script>',
      expected: ['mixed-content'],
    },
  ])('$name: $expected, and is not asked for', async ({ head, expected }) => {
    const { findings, asked } = await run(page(head));
    expect(findings.map(({ rule }) => rule)).toEqual(expected);
    expect(asked).toEqual([]);
  });

  it('finds it in the configuration and in stylesheets', async () => {
    const files = { 'assets/app.css': css('a{}\n@font-face{src:url(http://x.example/a.woff)}') };
    const config = '{"customCss": "http://x.example/a.css"}';
    expect((await run(page(style), files, { config })).findings).toMatchObject([
      { rule: 'mixed-content', location: { path: 'config.json', line: 1, column: 15 } },
      { rule: 'mixed-content', location: { path: 'assets/app.css', line: 2 } },
    ]);
  });
});
