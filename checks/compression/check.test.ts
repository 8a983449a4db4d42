import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/core/answer.ts';
import { noReply, reply } from '../../test/answers.ts';
import {
  HEALTHY,
  evaluatedBy,
  missingBody,
  siteOf,
  type Files,
  type Served,
  type SiteOptions,
} from '../caching/fixtures/site.ts';
import { compression } from './check.ts';

const TEXT = 'A line about the tides.\n'.repeat(100);
/** Text of which gzip saves next to nothing: every character of 94 stands as often and anywhere. */
const NOISE = randomText(4096);
const VARY = { Vary: 'Accept-Encoding' };
const GOOD: Served = { body: TEXT, gzip: true, headers: VARY };

function randomText(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return String.fromCodePoint(33 + ((state >> 12) % 94));
  }).join('');
}

/** A file of this length that is compressed. */
const compressing = (length: number): Files => ({
  'llms.txt': { ...GOOD, body: 'y'.repeat(length), type: 'text/plain' },
});

/** What comes for those who take a coding. */
const codedAs =
  (answer: () => Answer): NonNullable<Served['change']> =>
  (plain, { url, headers = {} }) =>
    headers['accept-encoding'] === 'identity' ? plain : { ...answer(), requestUrl: url.href };

async function rules(changed: Files, options: SiteOptions = {}): Promise<string[]> {
  const { site } = siteOf({ ...HEALTHY, ...changed }, options);
  return (await evaluatedBy(compression, site)).map(({ rule }) => rule);
}

const page = (served: Served): Files => ({ 'index.md': { ...GOOD, ...served } });

describe('compression', () => {
  it.each<{ name: string; files: Files; options?: SiteOptions; expected: readonly string[] }>([
    { name: 'small files as they are', files: {}, expected: [] },
    { name: 'a long page, compressed', files: page({}), expected: [] },
    { name: 'a long page as it is', files: page({ gzip: false }), expected: ['uncompressed'] },
    { name: 'just below a kilobyte', files: page({ body: 'x'.repeat(1023), gzip: false }), expected: [] },
    { name: 'a kilobyte', files: page({ body: 'x'.repeat(1024), gzip: false }), expected: ['uncompressed'] },
    {
      name: 'half a kilobyte on a server that compresses less',
      files: { ...page({ body: 'x'.repeat(512), gzip: false }), ...compressing(500) },
      options: { host: 'server' },
      expected: ['uncompressed'],
    },
    {
      name: 'less on a server',
      files: { ...page({ body: 'x'.repeat(511), gzip: false }), ...compressing(500) },
      options: { host: 'server' },
      expected: [],
    },
    {
      name: 'less than a server has been told to compress',
      files: { ...page({ body: 'x'.repeat(999), gzip: false }), ...compressing(1000) },
      options: { host: 'server' },
      expected: [],
    },
    {
      name: 'as much as a server has been told to compress',
      files: { ...page({ body: 'x'.repeat(1000), gzip: false }), ...compressing(1000) },
      options: { host: 'server' },
      expected: ['uncompressed'],
    },
    {
      name: 'little on a server that compresses nothing, perhaps because all of it is little',
      files: page({ body: 'x'.repeat(1023), gzip: false }),
      options: { host: 'server' },
      expected: [],
    },
    {
      name: 'little on a platform',
      files: { ...page({ body: 'x'.repeat(1000), gzip: false }), ...compressing(500) },
      options: { host: 'platform' },
      expected: [],
    },
    {
      name: 'a text of which gzip saves enough',
      files: { ...page({ body: NOISE.slice(0, 440) + 'x'.repeat(300), gzip: false }), ...compressing(500) },
      options: { host: 'server' },
      expected: ['uncompressed'],
    },
    {
      name: 'less than a network compresses that stands in front of a bucket',
      files: {
        ...page({ body: 'x'.repeat(999), gzip: false, type: 'text/plain', headers: { 'X-Amz-Cf-Id': 'x' } }),
        ...compressing(1000),
      },
      options: { host: 'server' },
      expected: [],
    },
    {
      name: 'less than IIS compresses',
      files: page({ body: 'x'.repeat(2699), gzip: false, headers: { Server: 'Microsoft-IIS/10.0' } }),
      options: { host: 'server' },
      expected: [],
    },
    {
      name: 'as much as IIS compresses',
      files: page({ body: 'x'.repeat(2700), gzip: false, headers: { Server: 'Microsoft-IIS/10.0' } }),
      options: { host: 'server' },
      expected: ['uncompressed'],
    },
    { name: 'a text that gzip does not make smaller', files: page({ body: NOISE, gzip: false }), expected: [] },
    {
      name: 'a text of which gzip saves a large share, but few bytes',
      files: { ...page({ body: NOISE.slice(0, 440) + 'x'.repeat(150), gzip: false }), ...compressing(500) },
      options: { host: 'server' },
      expected: [],
    },
    {
      name: 'Markdown behind Cloudflare',
      files: page({ gzip: false, headers: { Server: 'cloudflare' } }),
      options: { host: 'platform' },
      expected: ['markdown-uncompressed'],
    },
    {
      name: 'Markdown behind Cloudflare, of whatever host',
      files: page({ gzip: false, headers: { 'CF-Ray': '8f-OTP' } }),
      expected: ['markdown-uncompressed'],
    },
    {
      name: 'Markdown behind CloudFront',
      files: page({ gzip: false, headers: { Server: 'AmazonS3', 'X-Amz-Cf-Id': 'x' } }),
      options: { host: 'server' },
      expected: ['markdown-uncompressed'],
    },
    {
      name: 'a stylesheet behind Cloudflare',
      files: { 'a.txt': { body: TEXT, type: 'text/plain', headers: { Server: 'cloudflare' } } },
      options: { shown: ['a.txt'] },
      expected: ['uncompressed'],
    },
    { name: 'Markdown without a type', files: page({ gzip: false, type: null }), expected: ['markdown-uncompressed'] },
    {
      name: "Debian's type for Markdown",
      files: page({ gzip: false, type: 'application/octet-stream' }),
      expected: ['markdown-uncompressed'],
    },
    {
      name: 'Markdown at the edge',
      files: page({ gzip: false }),
      options: { host: 'worker' },
      expected: ['markdown-uncompressed'],
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
      name: 'a page made again each time',
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
      name: 'the fallback instead of a file',
      files: { 'a.svg': { body: missingBody(TEXT), type: 'image/svg+xml' } },
      options: { shown: ['a.svg'] },
      expected: [],
    },
    { name: 'a missing file', files: {}, options: { shown: ['a.svg'] }, expected: [] },
    {
      name: 'a compressed form that nobody can decode',
      files: { 'app.js': { ...GOOD, type: 'text/javascript', change: codedAs(() => noReply('bad-encoding')) } },
      expected: ['undecodable'],
    },
    {
      name: 'a compressed form that stops in the middle',
      files: page({ change: codedAs(() => noReply('truncated')) }),
      expected: ['undecodable'],
    },
    {
      name: 'a bundle whose compressed form nobody can decode',
      files: { 'index.html': { ...HEALTHY['index.html'], change: codedAs(() => noReply('bad-encoding')) } },
      expected: ['undecodable'],
    },
    { name: 'a file that nobody can decode', files: page({ change: () => noReply('bad-encoding') }), expected: [] },
    {
      name: 'the fallback, of which nobody can decode one form',
      files: { 'app.js': { body: missingBody(TEXT), change: codedAs(() => noReply('bad-encoding')) } },
      expected: [],
    },
    { name: 'a compressed form that fails', files: page({ change: codedAs(() => noReply('reset')) }), expected: [] },
    {
      name: 'a compressed form that the end of the run cut off',
      files: page({ change: codedAs(() => noReply('truncated', { deadlineMs: 8000 })) }),
      expected: ['interrupted'],
    },
    { name: 'a stop', files: { 'app.js': { change: () => noReply('interrupted') } }, expected: ['interrupted'] },
    { name: 'too many requests', files: { 'app.js': { status: 429 } }, expected: ['rate-limited'] },
    {
      name: 'a page of the start that was not seen',
      files: page({ change: () => noReply('headers-timeout', { deadlineMs: 8000 }) }),
      expected: ['interrupted'],
    },
    {
      name: 'a fault and what was not seen',
      files: { 'app.js': { status: 429 }, ...page({ gzip: false }) },
      expected: ['uncompressed', 'rate-limited'],
    },
    {
      name: 'a file that comes once only',
      files: page({ change: (answer, _request, time) => (time < 2 ? answer : noReply('reset')) }),
      expected: [],
    },
  ])('$name: $expected', async ({ files, options, expected }) => {
    expect(await rules(files, options)).toEqual(expected);
  });

  it('names type and size of what is not compressed', async () => {
    const { site } = siteOf({ ...HEALTHY, 'index.md': { body: TEXT }, 'navigation.md': { body: TEXT } });
    expect(await evaluatedBy(compression, site)).toEqual([
      {
        rule: 'uncompressed',
        evidence: {
          files: [
            {
              mediaType: 'text/markdown',
              bytes: 2 * TEXT.length,
              gzipBytes: 2 * gzipSync(TEXT, { level: 1 }).length,
              paths: ['/index.md', '/navigation.md'],
            },
          ],
        },
      },
    ]);
  });

  it('reports a header that CDNs take for a ban', async () => {
    const headers = { 'Cache-Control': 'public, no-transform, max-age=2592000' };
    const { site } = siteOf(
      { ...HEALTHY, 'a.svg': { body: TEXT, type: 'image/svg+xml', headers } },
      { shown: ['a.svg'] },
    );
    expect(await evaluatedBy(compression, site)).toMatchObject([
      { rule: 'uncompressed', evidence: { files: [{ paths: ['/a.svg'], cacheControl: headers['Cache-Control'] }] } },
    ]);
  });

  it('is skipped where nothing came', async () => {
    const { site } = siteOf({});
    expect(await evaluatedBy(compression, site)).toMatchObject([{ rule: 'no-answer' }]);
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

it('observes files while the kind of host is looked up', async () => {
  const { site, asked } = siteOf({ ...HEALTHY, 'index.md': { body: TEXT }, 'navigation.md': { body: TEXT } });
  void compression.gather({ ...site, hosting: () => new Promise(() => {}) });
  await expect
    .poll(() => asked.some(({ headers }) => headers !== undefined && 'accept-encoding' in headers))
    .toBe(true);
});
