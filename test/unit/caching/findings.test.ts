import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/core/answer.ts';
import { noReply } from '../../answers.ts';
import { caching } from '../../../checks/caching/check.ts';
import {
  HEALTHY,
  evaluatedBy,
  siteOf,
  type Files,
  type Served,
  type SiteOptions,
} from '../../../checks/caching/fixtures/site.ts';

async function rules(changed: Files, options: SiteOptions = {}): Promise<string[]> {
  const { site } = siteOf({ ...HEALTHY, ...changed }, options);
  return (await evaluatedBy(caching, site)).map(({ rule }) => rule);
}

const bundle = (headers: Served['headers'] = {}): Files => ({ 'index.html': { ...HEALTHY['index.html'], headers } });

describe('caching: what is shown', () => {
  const shown = ['a.svg', 'b.png', 'c.jpg', 'd.woff2'];
  const first = async (files: Files, options: SiteOptions = {}): Promise<unknown> => {
    const [finding] = await evaluatedBy(caching, siteOf({ ...HEALTHY, ...files }, { shown, ...options }).site);
    return finding;
  };

  it('puts files with the same headers together, dates aside', async () => {
    const brief = (age: number): Served => ({ headers: { 'Cache-Control': 'max-age=60', Age: String(age) } });
    const week = (second: string): Served => ({ headers: { Expires: `Fri, 27 Nov 2026 12:00:${second} GMT` } });
    expect(await first({ 'a.svg': brief(1), 'b.png': week('00'), 'c.jpg': brief(2), 'd.woff2': week('01') })).toEqual({
      rule: 'assets-not-cached',
      evidence: {
        files: [
          { cacheControl: 'max-age=60', freshSeconds: 60, paths: ['/a.svg', '/c.jpg'] },
          { freshSeconds: 604_800, paths: ['/b.png', '/d.woff2'] },
        ],
      },
    });
  });

  it('takes no guess of caches for what the host says', async () => {
    expect(await first({ 'a.svg': {} })).toEqual({
      rule: 'assets-not-cached',
      evidence: { files: [{ paths: ['/a.svg'] }] },
    });
    expect(await first(bundle())).toEqual({ rule: 'bundle-undeclared', evidence: { path: '/index.html' } });
    const { facts } = await caching.gather(siteOf({ ...HEALTHY, 'config.json': { body: '{}' } }).site);
    expect(facts).toEqual({ bundle: 'no-cache, must-revalidate', pages: 3, assets: 0 });
  });
});

describe('caching: hosts that take no headers from the site', () => {
  const brief = (control: string, server?: string): Files => {
    const headers = { 'Cache-Control': control, ...(server === undefined ? {} : { Server: server }) };
    const paths = [...Object.keys(HEALTHY), 'a.svg'];
    return Object.fromEntries(paths.map((path) => [path, { ...HEALTHY[path], headers }]));
  };

  it.each<{ name: string; files: Files; base?: string; expected: readonly string[] }>([
    { name: 'GitHub Pages', files: brief('max-age=600', 'GitHub.com'), expected: [] },
    {
      name: 'by its address',
      files: brief('max-age=600'),
      base: 'https://team.github.io/harbour/',
      expected: [],
    },
    { name: 'GitLab Pages', files: brief('max-age=600'), base: 'https://team.gitlab.io/', expected: [] },
    {
      name: 'an hour',
      files: brief('max-age=3600', 'GitHub.com'),
      expected: ['bundle-cached', 'config-cached'],
    },
    {
      name: 'a network of the owner in front',
      files: brief('max-age=600', 'cloudflare'),
      expected: ['bundle-briefly-cached', 'assets-not-cached'],
    },
    {
      name: 'another host',
      files: brief('max-age=600'),
      base: 'https://github.io.example/',
      expected: ['bundle-briefly-cached', 'assets-not-cached'],
    },
  ])('$name: $expected', async ({ files, base, expected }) => {
    expect(await rules(files, { shown: ['a.svg'], ...(base === undefined ? {} : { base }) })).toEqual(expected);
  });
});

describe('caching: what was not seen', () => {
  const late = (): Answer => noReply('headers-timeout', { deadlineMs: 8000 });
  const banned = (): Answer => noReply('interrupted', { status: 429, retryAfterMs: 3_600_000 });

  it.each<{ name: string; files: Files; expected: readonly string[] }>([
    { name: 'all of it', files: all(late), expected: ['interrupted'] },
    { name: 'an asset', files: { 'a.svg': { change: late } }, expected: ['interrupted'] },
    {
      name: 'an asset; what came is judged',
      files: { ...bundle({ 'Cache-Control': 'max-age=3600' }), 'a.svg': { change: late } },
      expected: ['bundle-cached', 'interrupted'],
    },
    {
      name: 'whether a page is confirmed',
      files: { 'index.md': { ...HEALTHY['index.md'], change: (answer, _, time) => (time === 0 ? answer : late()) } },
      expected: ['interrupted'],
    },
    { name: 'an asset, because of too many requests', files: { 'a.svg': { status: 429 } }, expected: ['rate-limited'] },
    { name: 'an asset, because of a ban', files: { 'a.svg': { change: banned } }, expected: ['rate-limited'] },
    { name: 'an asset that fails', files: { 'a.svg': { status: 500 } }, expected: [] },
    { name: 'an asset that does not come', files: { 'a.svg': { change: () => noReply('reset') } }, expected: [] },
  ])('$name: $expected', async ({ files, expected }) => {
    expect(await rules(files, { shown: ['a.svg'] })).toEqual(expected);
  });

  it('is reported with how many files', async () => {
    const change: Served['change'] = (_, { url }) => ({ ...late(), requestUrl: url.href });
    const { site } = siteOf({ ...HEALTHY, 'a.svg': { change } }, { shown: ['a.svg'] });
    expect(await evaluatedBy(caching, site)).toEqual([
      { rule: 'interrupted', evidence: { notSeen: 1, files: 7, deadlineMs: 8000, paths: ['/a.svg'] } },
    ]);
  });
});

function all(change: () => Answer): Files {
  return Object.fromEntries(Object.keys(HEALTHY).map((path) => [path, { change }]));
}
