import { describe, expect, it } from 'vitest';
import type { HostKind } from '../../src/site/host-product.ts';
import type { Reply } from '../../src/core/answer.ts';
import { noReply, reply } from '../../test/answers.ts';
import { caching } from './check.ts';
import {
  DATE,
  HEALTHY,
  evaluatedBy,
  missingBody,
  siteOf,
  type Files,
  type Served,
  type SiteOptions,
} from './fixtures/site.ts';

const MONTH = 'public, no-transform, max-age=2592000';
const LONG: Served = { headers: { 'Cache-Control': MONTH } };

async function rules(changed: Files, options: SiteOptions = {}): Promise<string[]> {
  const { site } = siteOf({ ...HEALTHY, ...changed }, options);
  return (await evaluatedBy(caching, site)).map(({ rule }) => rule);
}

const bundle = (headers: Served['headers'] = {}, rest: Served = {}): Files => ({
  'index.html': { ...HEALTHY['index.html'], headers, ...rest },
});
const config = (control: string): Files => ({ 'config.json': { body: '{}', headers: { 'Cache-Control': control } } });

describe('caching: the bundle', () => {
  it.each<{ name: string; headers: Served['headers']; modified?: null; host?: HostKind; expected: readonly string[] }>([
    { name: 'no-cache, must-revalidate', headers: { 'Cache-Control': 'no-cache, must-revalidate' }, expected: [] },
    { name: 'in two lines', headers: { 'Cache-Control': ['no-cache', 'must-revalidate'] }, expected: [] },
    { name: 'in capitals', headers: { 'Cache-Control': 'No-Cache,MUST-REVALIDATE' }, expected: [] },
    { name: 'and more', headers: { 'Cache-Control': 'no-cache, no-store, must-revalidate, max-age=0' }, expected: [] },
    {
      name: 'no-cache beside a year',
      headers: { 'Cache-Control': 'no-cache, must-revalidate, max-age=31536000' },
      expected: [],
    },
    { name: 'no-cache alone', headers: { 'Cache-Control': 'no-cache' }, expected: ['bundle-directives'] },
    { name: 'no-store', headers: { 'Cache-Control': 'no-store' }, expected: ['bundle-directives'] },
    {
      name: 'max-age=0, must-revalidate',
      headers: { 'Cache-Control': 'public, max-age=0, must-revalidate' },
      expected: ['bundle-directives'],
    },
    {
      name: 'the same on a platform',
      headers: { 'Cache-Control': 'public, max-age=0, must-revalidate' },
      host: 'platform',
      expected: [],
    },
    {
      name: 'the same on a worker',
      headers: { 'Cache-Control': 'public, max-age=0, must-revalidate' },
      host: 'worker',
      expected: [],
    },
    {
      name: 'Expires in the past',
      headers: { Expires: 'Thu, 01 Jan 1970 00:00:01 GMT' },
      expected: ['bundle-directives'],
    },
    { name: 'ten minutes', headers: { 'Cache-Control': 'max-age=600' }, expected: ['bundle-briefly-cached'] },
    { name: 'an hour', headers: { 'Cache-Control': 'max-age=3600' }, expected: ['bundle-cached'] },
    { name: 'an hour by Expires', headers: { Expires: 'Fri, 20 Nov 2026 13:00:00 GMT' }, expected: ['bundle-cached'] },
    {
      name: 'an hour, then must-revalidate',
      headers: { 'Cache-Control': 'max-age=3600, must-revalidate' },
      expected: ['bundle-cached'],
    },
    {
      name: 'stale for an hour',
      headers: { 'Cache-Control': 'max-age=0, stale-while-revalidate=3600' },
      expected: ['bundle-cached'],
    },
    {
      name: 'an hour on a platform',
      headers: { 'Cache-Control': 'max-age=3600' },
      host: 'platform',
      expected: ['bundle-cached'],
    },
    {
      name: 'no-cache for one field',
      headers: { 'Cache-Control': 'no-cache="x-a", max-age=3600' },
      expected: ['bundle-cached'],
    },
    {
      name: 'an hour in proxies',
      headers: { 'Cache-Control': 'max-age=0, s-maxage=3600' },
      expected: ['bundle-shared-cached'],
    },
    { name: 'nothing', headers: {}, expected: ['bundle-undeclared'] },
    { name: 'nothing, and no date', headers: {}, modified: null, expected: ['bundle-undeclared'] },
    { name: 'must-revalidate alone', headers: { 'Cache-Control': 'must-revalidate' }, expected: ['bundle-undeclared'] },
    {
      name: 'two values of max-age',
      headers: { 'Cache-Control': ['max-age=0', 'max-age=3600'] },
      expected: ['bundle-directives', 'contradictory'],
    },
  ])('$name: $expected', async ({ headers, modified, host, expected }) => {
    const rest = modified === null ? { modified } : {};
    expect(await rules(bundle(headers, rest), host === undefined ? {} : { host })).toEqual(expected);
  });

  it('evaluates the base, too, where it says something else', async () => {
    const change = (answer: Reply, { url }: { url: URL }): Reply =>
      url.pathname === '/' ? reply(answer.body, { headers: { Date: DATE, 'Cache-Control': 'max-age=3600' } }) : answer;
    const files = bundle({ 'Cache-Control': 'no-cache, must-revalidate' }, { change });
    const { site } = siteOf({ ...HEALTHY, ...files });
    expect(await evaluatedBy(caching, site)).toMatchObject([
      { rule: 'bundle-cached', evidence: { path: '/' } },
      { rule: 'no-validators' },
    ]);
  });
});

describe('caching: configuration and pages', () => {
  it.each([
    { name: 'no-cache', files: config('no-cache'), expected: [] },
    { name: 'ten minutes', files: config('max-age=600'), expected: [] },
    { name: 'the rule for .json', files: config(MONTH), expected: ['config-cached'] },
    { name: 'nothing', files: { 'config.json': { body: '{}' } }, expected: ['heuristic-lifetime'] },
    { name: 'pages: nothing', files: { 'index.md': {}, 'navigation.md': {} }, expected: ['heuristic-lifetime'] },
    { name: 'pages: an hour', files: { 'index.md': { headers: { 'Cache-Control': 'max-age=3600' } } }, expected: [] },
    { name: 'pages: a month', files: { 'index.md': LONG }, expected: ['pages-cached'] },
    { name: 'llms.txt: a month', files: { 'llms.txt': LONG }, expected: ['pages-cached'] },
    { name: 'missing', files: { 'config.json': { status: 404 }, 'index.md': { status: 404 } }, expected: [] },
    {
      name: 'the fallback instead of a page',
      files: { 'index.md': { ...LONG, body: missingBody('') } },
      expected: [],
    },
  ])('$name: $expected', async ({ files, expected }) => {
    expect(await rules(files)).toEqual(expected);
  });
});

describe('caching: assets', () => {
  const shown = (
    path: string,
    control: string | readonly string[] | null,
    more: Served['headers'] = {},
  ): [Files, SiteOptions] => [
    { [path]: { type: null, headers: { ...(control === null ? {} : { 'Cache-Control': control }), ...more } } },
    { shown: [path] },
  ];

  it.each<{ name: string; of: [Files, SiteOptions]; host?: HostKind; expected: readonly string[] }>([
    { name: 'as documented', of: shown('a.svg', MONTH), expected: [] },
    { name: 'in capitals', of: shown('A.SVG', MONTH), expected: [] },
    { name: "nginx's two lines", of: shown('a.png', ['max-age=2592000', 'public, no-transform']), expected: [] },
    { name: 'a quoted value', of: shown('a.png', 'public, no-transform, max-age="2592000"'), expected: [] },
    {
      name: 'Expires alone',
      of: shown('a.jpg', 'public, no-transform', { Expires: 'Sun, 20 Dec 2026 12:00:00 GMT' }),
      expected: [],
    },
    {
      name: 'Expires a second less',
      of: shown('a.jpg', 'public, no-transform', { Expires: 'Sun, 20 Dec 2026 11:59:59 GMT' }),
      expected: [],
    },
    { name: 'from a cache', of: shown('a.jpg', MONTH, { Age: '86400' }), expected: [] },
    { name: 'a year, for good', of: shown('a-1f2e.woff2', 'public, max-age=31536000, immutable'), expected: [] },
    { name: 'a year', of: shown('a-1f2e.woff2', 'max-age=31536000'), expected: [] },
    { name: 'without the words', of: shown('a.svg', 'max-age=2592000'), expected: ['assets-directives'] },
    { name: 'without one word', of: shown('a.svg', 'max-age=2592000, public'), expected: ['assets-directives'] },
    { name: 'without the words on a platform', of: shown('a.svg', 'max-age=2592000'), host: 'platform', expected: [] },
    { name: 'a week', of: shown('a.svg', 'public, no-transform, max-age=604800'), expected: ['assets-not-cached'] },
    {
      name: "a platform's own rule",
      of: shown('a.svg', 'public, max-age=0, must-revalidate'),
      host: 'platform',
      expected: ['assets-not-cached'],
    },
    { name: 'nothing', of: shown('a.JPG', null), expected: ['assets-not-cached'] },
    {
      name: 'without the words behind a network that does not compress what has them',
      of: shown('a.svg', 'public, max-age=2592000', { 'CF-Ray': '8f-OTP' }),
      expected: [],
    },
    { name: 'two rules', of: shown('a.svg', [MONTH, 'no-cache']), expected: ['assets-not-cached'] },
    { name: 'the first of two values', of: shown('a.svg', [MONTH, 'max-age=60']), expected: ['contradictory'] },
    {
      name: 'a value with a unit',
      of: shown('a.svg', 'public, no-transform, max-age=30d'),
      expected: ['assets-not-cached', 'contradictory'],
    },
    { name: 'another JSON file', of: shown('data/tides.json', MONTH), expected: [] },
    { name: 'other extensions', of: shown('a.webp', null), expected: [] },
    { name: 'a picture that is missing', of: [{}, { shown: ['a.svg'] }], expected: [] },
    {
      name: 'the fallback instead of a picture',
      of: [{ 'a.svg': { body: missingBody('') } }, { shown: ['a.svg'] }],
      expected: [],
    },
  ])('$name: $expected', async ({ of: [files, options], host, expected }) => {
    expect(await rules(files, { ...options, host: host ?? 'server' })).toEqual(expected);
  });

  it('finds what the bundle, its styles and the configuration name', async () => {
    const files: Files = {
      'index.html': {
        ...HEALTHY['index.html'],
        body: '<link rel=icon href=i.png><link rel=stylesheet href=css/a.css>',
      },
      'css/a.css': { type: 'text/css', body: '@font-face { src: url("../f.woff2") }' },
      'config.json': { body: '{"logo":"/img/l.svg"}', headers: { 'Cache-Control': 'no-cache' } },
      'i.png': {},
      'f.woff2': {},
      'img/l.svg': {},
      'elsewhere.jpg': {},
    };
    const { site } = siteOf({ ...HEALTHY, ...files });
    const [first] = await evaluatedBy(caching, site);
    expect(first).toMatchObject({
      rule: 'assets-not-cached',
      evidence: { files: [{ paths: ['/i.png', '/f.woff2', '/img/l.svg'] }] },
    });
  });

  it('checks some of each spelling only', async () => {
    const names = Array.from({ length: 50 }, (_, index) => [`${index}.png`, `${index}.PNG`]).flat();
    const files = Object.fromEntries(names.map((name) => [name, name.endsWith('.PNG') ? {} : LONG]));
    const { site, asked } = siteOf({ ...HEALTHY, ...files }, { shown: names });
    expect(await evaluatedBy(caching, site)).toMatchObject([
      { rule: 'assets-not-cached', evidence: { files: [{ paths: ['/0.PNG', '/1.PNG', '/2.PNG'] }] } },
    ]);
    expect(asked.length).toBeLessThan(30);
  });
});

describe('caching: service workers', () => {
  const YEAR = 'public, max-age=31536000, immutable';

  it.each([
    { name: 'no-cache', control: 'no-cache', expected: [] },
    { name: 'nothing', control: null, expected: [] },
    { name: 'ten minutes', control: 'max-age=600', expected: [] },
    { name: 'a year in caches on the way', control: YEAR, expected: ['worker-cached'] },
    { name: 'a day in a CDN', control: 'max-age=0, s-maxage=86400', expected: ['worker-cached'] },
    { name: 'a year in browsers, which do not use it', control: 'private, max-age=31536000', expected: [] },
    {
      name: 'a year in browsers, which the page wants to use it',
      control: 'private, max-age=31536000',
      options: ", { updateViaCache: 'all' }",
      expected: ['worker-cached'],
    },
  ])('$name: $expected', async ({ control, options = '', expected }) => {
    const body = `${HEALTHY['index.html']?.body}<script>navigator.serviceWorker.register('sw.js'${options})</script>`;
    const headers = control === null ? {} : { 'Cache-Control': control };
    const files: Files = {
      'index.html': { ...HEALTHY['index.html'], body },
      'sw.js': { type: 'text/javascript', headers },
    };
    expect(await rules(files)).toEqual(expected);
  });
});

describe('caching: validators', () => {
  const page = (served: Served): Files => ({ 'index.md': { headers: { 'Cache-Control': 'no-cache' }, ...served } });

  it.each([
    { name: 'ETag and date', files: page({}), expected: [] },
    { name: 'a weak ETag', files: page({ etag: 'W/"1"' }), expected: [] },
    { name: 'only the date', files: page({ etag: null }), expected: [] },
    { name: 'only the ETag', files: page({ modified: null }), expected: [] },
    { name: 'none', files: page({ etag: null, modified: null }), expected: ['no-validators'] },
    {
      name: 'none, and nothing to keep',
      files: page({ etag: null, modified: null, headers: { 'Cache-Control': 'no-store' } }),
      expected: [],
    },
    { name: 'an ETag nobody reads', files: page({ confirms: false }), expected: ['not-revalidated'] },
    { name: 'a date nobody reads', files: page({ etag: null, confirms: false }), expected: ['not-revalidated'] },
    {
      name: 'another ETag each time',
      files: page({
        confirms: false,
        change: (answer, _request, time) =>
          reply(answer.body, { url: answer.url, headers: { 'Cache-Control': 'no-cache', ETag: `"${time}"` } }),
      }),
      expected: ['etag-unstable'],
    },
    {
      name: 'another ETag with the 304',
      files: page({
        change: (answer) => (answer.status === 304 ? reply('', { status: 304, headers: { ETag: '"2"' } }) : answer),
      }),
      expected: ['etag-unstable'],
    },
    {
      name: 'the same ETag, weak this time',
      files: page({
        change: (answer) => (answer.status === 304 ? reply('', { status: 304, headers: { ETag: 'W/"1"' } }) : answer),
      }),
      expected: [],
    },
    {
      name: 'a file that changes meanwhile',
      files: page({
        change: (answer, _request, time) => (time === 0 ? answer : reply('# New\n', { headers: { ETag: '"2"' } })),
      }),
      expected: [],
    },
    {
      name: 'nothing comes the second time',
      files: page({ change: (answer, _request, time) => (time === 0 ? answer : noReply('reset')) }),
      expected: [],
    },
    {
      name: 'one of several servers differs',
      files: bundle(
        { 'Cache-Control': 'no-cache, must-revalidate' },
        {
          change: (answer, { headers }, time) =>
            time === 3 && headers !== undefined
              ? reply(answer.body.length > 0 ? answer.body : (HEALTHY['index.html']?.body ?? ''), {
                  headers: { ETag: '"b"' },
                })
              : answer,
        },
      ),
      expected: ['etag-unstable'],
    },
  ])('$name: $expected', async ({ files, expected }) => {
    expect(await rules(files)).toEqual(expected);
  });
});

describe('caching: nothing to check', () => {
  it('is skipped where nothing came', async () => {
    const { site } = siteOf({});
    expect(await evaluatedBy(caching, site)).toMatchObject([{ rule: 'no-answer' }]);
  });

  it('reports what it saw', async () => {
    const { site, asked } = siteOf({ ...HEALTHY, 'a.svg': LONG }, { shown: ['a.svg'], host: 'server' });
    const { facts, requests } = await caching.gather(site);
    expect(facts).toEqual({
      host: 'server',
      bundle: 'no-cache, must-revalidate',
      configSeconds: 0,
      pages: 3,
      assets: 1,
    });
    expect(requests).toBeLessThanOrEqual(asked.length);
  });
});

it('observes files while the kind of host is looked up', async () => {
  const { site, asked } = siteOf(HEALTHY);
  void caching.gather({ ...site, hosting: () => new Promise(() => {}) });
  await expect.poll(() => asked.some(({ headers }) => headers !== undefined && 'if-none-match' in headers)).toBe(true);
});
