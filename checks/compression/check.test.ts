import { describe, expect, it } from 'vitest';
import { noReply, reply } from '../../test/answers.ts';
import {
  HEALTHY,
  judgedBy,
  missingBody,
  siteOf,
  type Files,
  type Served,
  type SiteOptions,
} from '../caching/fixtures/site.ts';
import { compression } from './check.ts';

const TEXT = 'A line about the tides.\n'.repeat(100);
const VARY = { Vary: 'Accept-Encoding' };
const GOOD: Served = { body: TEXT, gzip: true, headers: VARY };

async function codes(changed: Files, options: SiteOptions = {}): Promise<string[]> {
  const { site } = siteOf({ ...HEALTHY, ...changed }, options);
  return (await judgedBy(compression, site)).map(({ code }) => code);
}

const page = (served: Served): Files => ({ 'index.md': { ...GOOD, ...served } });

describe('compression', () => {
  it.each<{ name: string; files: Files; options?: SiteOptions; expected: readonly string[] }>([
    { name: 'small files as they are', files: {}, expected: [] },
    { name: 'a long page, compressed', files: page({}), expected: [] },
    { name: 'a long page as it is', files: page({ gzip: false }), expected: ['uncompressed'] },
    { name: 'just below a kilobyte', files: page({ body: 'x'.repeat(1023), gzip: false }), expected: [] },
    { name: 'a kilobyte', files: page({ body: 'x'.repeat(1024), gzip: false }), expected: ['uncompressed'] },
    { name: 'Markdown without a type', files: page({ gzip: false, type: null }), expected: ['markdown-as-it-is'] },
    {
      name: "Debian's type for Markdown",
      files: page({ gzip: false, type: 'application/octet-stream' }),
      expected: ['markdown-as-it-is'],
    },
    {
      name: 'Markdown at the edge',
      files: page({ gzip: false }),
      options: { host: 'worker' },
      expected: ['markdown-as-it-is'],
    },
    {
      name: 'plain text at the edge',
      files: { 'llms.txt': { body: TEXT, type: 'text/plain' } },
      options: { host: 'worker' },
      expected: ['uncompressed'],
    },
    { name: 'any type, compressed', files: page({ type: 'application/octet-stream' }), expected: [] },
    { name: 'no Vary', files: page({ headers: {} }), expected: ['vary-accept-encoding'] },
    { name: 'another Vary', files: page({ headers: { Vary: 'Accept' } }), expected: ['vary-accept-encoding'] },
    { name: 'Vary in a list', files: page({ headers: { Vary: 'Accept, accept-encoding' } }), expected: [] },
    { name: 'Vary in two lines', files: page({ headers: { Vary: ['Accept', 'Accept-Encoding'] } }), expected: [] },
    { name: 'Vary: *', files: page({ headers: { Vary: '*' } }), expected: [] },
    {
      name: 'no Vary, but private',
      files: page({ headers: { 'Cache-Control': 'private, max-age=60' } }),
      expected: [],
    },
    { name: 'no Vary, but not stored', files: page({ headers: { 'Cache-Control': 'no-store' } }), expected: [] },
    { name: 'an old compressed file', files: page({ gzip: `${TEXT}old` }), expected: ['bytes-differ'] },
    { name: 'compressed for all', files: page({ gzip: 'forced' }), expected: ['forced-encoding'] },
    {
      name: 'a page made anew each time',
      files: page({
        change: (answer, _request, time) =>
          reply(`${TEXT}${time}`, { url: answer.url, headers: { ...VARY, 'Content-Encoding': 'gzip' } }),
      }),
      expected: ['forced-encoding'],
    },
    {
      name: 'a codings header that says nothing',
      files: page({ gzip: false, headers: { 'Content-Encoding': 'identity' } }),
      expected: ['uncompressed'],
    },
    {
      name: 'a picture as it is',
      files: { 'a.png': { body: TEXT, type: 'image/png' } },
      options: { shown: ['a.png'] },
      expected: [],
    },
    {
      name: 'a picture, compressed',
      files: { 'a.png': { ...GOOD, type: 'image/png' } },
      options: { shown: ['a.png'] },
      expected: ['recompressed'],
    },
    {
      name: 'a font, compressed',
      files: { 'a.woff2': { ...GOOD, type: 'font/woff2' } },
      options: { shown: ['a.woff2'] },
      expected: ['recompressed'],
    },
    {
      name: 'an SVG as it is',
      files: { 'a.svg': { body: TEXT, type: 'image/svg+xml' } },
      options: { shown: ['a.svg'] },
      expected: ['uncompressed'],
    },
    {
      name: 'a script as it is',
      files: { 'app.js': { body: TEXT, type: 'text/javascript' } },
      expected: ['uncompressed'],
    },
    {
      name: 'another page of the site',
      files: { 'b.md': { body: TEXT } },
      options: { pages: ['b.md'] },
      expected: ['uncompressed'],
    },
    {
      name: 'a type that nobody lists',
      files: { 'a.txt': { body: TEXT, type: 'application/x-foo' } },
      options: { shown: ['a.txt'] },
      expected: [],
    },
    {
      name: 'the fallback in place of a file',
      files: { 'a.svg': { body: missingBody(TEXT), type: 'image/svg+xml' } },
      options: { shown: ['a.svg'] },
      expected: [],
    },
    { name: 'a missing file', files: {}, options: { shown: ['a.svg'] }, expected: [] },
    {
      name: 'a file that comes once only',
      files: page({ change: (answer, _request, time) => (time < 2 ? answer : noReply('reset')) }),
      expected: [],
    },
  ])('$name: $expected', async ({ files, options, expected }) => {
    expect(await codes(files, options)).toEqual(expected);
  });

  it('names type and size of what is not compressed', async () => {
    const { site } = siteOf({ ...HEALTHY, 'index.md': { body: TEXT } });
    expect(await judgedBy(compression, site)).toEqual([
      {
        code: 'uncompressed',
        evidence: { files: [{ path: '/index.md', mediaType: 'text/markdown', bytes: TEXT.length }] },
      },
    ]);
  });

  it('tells of a header that CDNs take for a ban', async () => {
    const headers = { 'Cache-Control': 'public, no-transform, max-age=2592000' };
    const { site } = siteOf(
      { ...HEALTHY, 'a.svg': { body: TEXT, type: 'image/svg+xml', headers } },
      { shown: ['a.svg'] },
    );
    expect(await judgedBy(compression, site)).toMatchObject([
      { code: 'uncompressed', evidence: { files: [{ path: '/a.svg', cacheControl: headers['Cache-Control'] }] } },
    ]);
  });

  it('is skipped where nothing came', async () => {
    const { site } = siteOf({});
    expect(await judgedBy(compression, site)).toMatchObject([{ code: 'no-answer' }]);
  });

  it('asks for a few files of a site of many', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `${index}.svg`);
    const files = Object.fromEntries(names.map((name): [string, Served] => [name, { ...GOOD, type: 'image/svg+xml' }]));
    const { site, asked } = siteOf({ ...HEALTHY, ...files }, { shown: names });
    const { facts, requests } = await compression.gather(site);
    expect(facts).toEqual({ files: 8, encodings: ['gzip'] });
    expect(requests).toBe(18);
    expect(asked.length).toBeLessThan(30);
  });
});
