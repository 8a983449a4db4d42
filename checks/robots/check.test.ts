import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/check.ts';
import { noReply } from '../../test/answers.ts';
import {
  HEALTHY,
  judgedBy,
  missingBody,
  siteOf,
  type Files,
  type Served,
  type SiteOptions,
} from '../caching/fixtures/site.ts';
import { AGENTS, READERS } from './agents.ts';
import { robots } from './check.ts';

const PAGES = ['guide/index.md', 'guide/tides.md', 'drafts/one.md'];
const READABLE: Files = Object.fromEntries(PAGES.map((path) => [path, {}]));

interface Case {
  /** The lines of robots.txt, or how it is served; `null`: it is not there. */
  readonly robots: readonly string[] | Served | null;
  readonly files?: Files;
  readonly base?: string;
}

type Found = readonly { readonly code: string; readonly evidence?: object; readonly location?: object }[];

function found({ robots: given, files = {}, base = 'https://docs.example/' }: Case): Promise<Found> {
  const served = Array.isArray(given) ? { body: given.join('\n'), type: 'text/plain' } : (given as Served | null);
  const options: SiteOptions = {
    base,
    pages: PAGES,
    ...(served === null ? {} : { origin: { '/robots.txt': served } }),
  };
  return judgedBy(robots, siteOf({ ...HEALTHY, ...READABLE, ...files }, options).site);
}

const codes = async (of: Case): Promise<string[]> => (await found(of)).map(({ code }) => code);
const fails = (
  reason: 'reset' | 'interrupted' | 'no-network' | 'redirect-loop' | 'body-timeout',
  evidence = {},
): Served => ({
  change: (): Answer => noReply(reason, evidence),
});

describe('robots.txt: what came', () => {
  it.each<{ name: string; of: Case; expected: readonly string[] }>([
    { name: 'all allowed', of: { robots: ['User-agent: *', 'Allow: /'] }, expected: [] },
    {
      name: 'nothing disallowed',
      of: { robots: ['User-agent: *', 'Disallow:', 'Sitemap: https://docs.example/map.xml'] },
      expected: [],
    },
    { name: 'not there', of: { robots: null }, expected: [] },
    { name: 'empty', of: { robots: [] }, expected: [] },
    { name: 'only comments', of: { robots: ['# Welcome'] }, expected: [] },
    { name: 'forbidden, which allows all', of: { robots: { status: 403 } }, expected: [] },
    { name: 'too many requests', of: { robots: { status: 429 } }, expected: ['rate-limited'] },
    { name: 'a server error', of: { robots: { status: 503 } }, expected: ['server-failure'] },
    { name: 'no reply', of: { robots: fails('reset') }, expected: ['server-failure'] },
    {
      name: 'no reply to anything',
      of: { robots: fails('reset'), files: { 'index.html': fails('reset') } },
      expected: ['no-answer'],
    },
    {
      name: 'a server error everywhere',
      of: { robots: { status: 500 }, files: { 'index.html': { status: 500 } } },
      expected: ['no-answer'],
    },
    { name: 'stopped', of: { robots: fails('interrupted') }, expected: ['interrupted'] },
    { name: 'out of time', of: { robots: fails('body-timeout', { deadlineMs: 5 }) }, expected: ['interrupted'] },
    { name: 'no network here', of: { robots: fails('no-network') }, expected: ['no-network'] },
    { name: 'a redirect in circles', of: { robots: fails('redirect-loop') }, expected: ['redirect-loop'] },
    {
      name: 'the fallback',
      of: { robots: { body: missingBody('<!doctype html>'), type: 'text/html' } },
      expected: ['spa-fallback'],
    },
    {
      name: 'an HTML page',
      of: { robots: { body: '<!doctype html><title>x</title>', type: 'text/plain' } },
      expected: ['html'],
    },
    {
      name: 'text called HTML',
      of: { robots: { body: 'User-agent: *\nAllow: /\n', type: 'text/html' } },
      expected: [],
    },
    { name: 'too long', of: { robots: ['#'.repeat(600 * 1024)] }, expected: ['too-long'] },
  ])('$name: $expected', async ({ of, expected }) => {
    expect(await codes(of)).toEqual(expected);
  });

  it.each([
    ['https://docs.example/', 'robots.txt'],
    ['https://docs.example/docs/', '/robots.txt'],
  ])('asks at the root of the origin: %s', async (base, path) => {
    const [first] = await found({ robots: ['User-agent: *', 'Disalow: /x'], base });
    expect(first).toMatchObject({ code: 'bad-line', location: { path, line: 2, column: 1 } });
  });
});

const named = (agents: readonly string[], ...rules: string[]): string[] => [
  ...agents.map((agent) => `User-agent: ${agent}`),
  ...rules,
];

describe('robots.txt: rules', () => {
  it.each<{ name: string; robots: readonly string[]; base?: string; files?: Files; expected: readonly string[] }>([
    { name: 'everything shut', robots: ['User-agent: *', 'Disallow: /'], expected: ['disallow-all'] },
    { name: 'everything shut with a star', robots: ['User-agent: *', 'Disallow: *'], expected: ['disallow-all'] },
    {
      name: 'everything shut, training crawlers by name',
      robots: [...named(['GPTBot', 'CCBot'], 'Disallow: /'), ...named(['*'], 'Disallow: /')],
      expected: ['disallow-all'],
    },
    {
      name: 'the base shut',
      robots: ['User-agent: *', 'Disallow: /docs/'],
      base: 'https://docs.example/docs/',
      expected: ['disallow-all'],
    },
    {
      name: 'another part of the origin shut',
      robots: ['User-agent: *', 'Disallow: /', 'Allow: /docs/'],
      base: 'https://docs.example/docs/',
      expected: [],
    },
    {
      name: "a preview's address",
      robots: ['User-agent: *', 'Disallow: /'],
      base: 'https://harbour-git-main-team.vercel.app/',
      expected: ['preview-disallowed'],
    },
    {
      name: 'only Googlebot may',
      robots: [...named(['Googlebot'], 'Allow: /'), ...named(['*'], 'Disallow: /')],
      expected: ['llms-txt-blocked', 'only-named'],
    },
    {
      name: 'only Googlebot and an agent may',
      robots: [...named(['Googlebot', 'Claude-User'], 'Allow: /'), ...named(['*'], 'Disallow: /')],
      expected: ['only-named'],
    },
    {
      name: 'only the agent index',
      robots: ['User-agent: *', 'Disallow: /', 'Allow: /llms.txt'],
      expected: ['pages-blocked'],
    },
    { name: 'the agent index shut', robots: ['User-agent: *', 'Disallow: /*.txt$'], expected: ['llms-txt-blocked'] },
    {
      name: 'an agent index that is not there',
      robots: ['User-agent: *', 'Disallow: /*.txt$'],
      files: { 'llms.txt': { status: 404 } },
      expected: [],
    },
    {
      name: 'an agent index that is turned off',
      robots: ['User-agent: *', 'Disallow: /*.txt$'],
      files: { 'config.json': { body: '{"llmsTxtUrl":null}' } },
      expected: [],
    },
    { name: 'the configuration shut', robots: ['User-agent: *', 'Disallow: /*.json$'], expected: ['engine-blocked'] },
    { name: 'the bundle shut', robots: ['User-agent: *', 'Disallow: /index.html'], expected: ['engine-blocked'] },
    { name: 'all Markdown shut', robots: ['User-agent: *', 'Disallow: /*.md$'], expected: ['pages-blocked'] },
    { name: 'some pages shut', robots: ['User-agent: *', 'Disallow: /drafts/'], expected: ['pages-blocked'] },
    {
      name: 'a page opened again',
      robots: ['User-agent: *', 'Disallow: /drafts/', 'Allow: /drafts/one.md'],
      expected: [],
    },
    {
      name: 'what the site does not have',
      robots: ['User-agent: *', 'Disallow: /admin/', 'Disallow: /*?session='],
      expected: [],
    },
    {
      name: 'training crawlers shut out',
      robots: named(['GPTBot', 'CCBot', 'Google-Extended'], 'Disallow: /'),
      expected: ['agents-blocked'],
    },
    { name: 'letter case of an agent', robots: named(['gptbot'], 'Disallow: /'), expected: ['agents-blocked'] },
    { name: 'agents shut out from what is not there', robots: named(['GPTBot'], 'Disallow: /admin/'), expected: [] },
    { name: 'other crawlers shut out', robots: named(['SomeScraper'], 'Disallow: /'), expected: [] },
    { name: 'all readers shut out', robots: named(READERS, 'Disallow: /'), expected: ['llms-txt-unread'] },
    { name: 'all agents shut out', robots: named(AGENTS, 'Disallow: /'), expected: ['llms-txt-unread'] },
    {
      name: 'all agents shut out, but for the index',
      robots: named(AGENTS, 'Disallow: /', 'Allow: /llms.txt'),
      expected: ['agents-blocked'],
    },
    {
      name: 'all agents shut out of a site without index',
      robots: named(AGENTS, 'Disallow: /'),
      files: { 'llms.txt': { status: 404 } },
      expected: ['agents-blocked'],
    },
    { name: 'a slip that opens the site', robots: ['User-agent: *', 'Disallow /'], expected: ['bad-line'] },
    {
      name: 'records of others',
      robots: ['User-agent: *', 'Content-Signal: ai-train=no', 'Crawl-delay: 5', 'Allow: /'],
      expected: [],
    },
  ])('$name: $expected', async ({ robots: lines, base, files = {}, expected }) => {
    expect(await codes({ robots: lines, files, ...(base === undefined ? {} : { base }) })).toEqual(expected);
  });

  it('names agents, paths and the rule with its line', async () => {
    const lines = [...named(['GPTBot', 'CCBot'], 'Disallow: /'), '', ...named(['*'], 'Disallow: /drafts/')];
    expect(await found({ robots: lines })).toEqual([
      {
        code: 'pages-blocked',
        evidence: { agent: '*', rules: ['6: Disallow: /drafts/'], paths: ['/drafts/one.md'] },
        location: { path: 'robots.txt', line: 6, column: 1 },
      },
      {
        code: 'agents-blocked',
        evidence: { agents: ['GPTBot', 'CCBot'], rules: ['3: Disallow: /'] },
        location: { path: 'robots.txt', line: 3, column: 1 },
      },
    ]);
  });

  it('holds few paths against very many rules', async () => {
    const lines = ['User-agent: *', ...Array.from({ length: 20_000 }, (_, index) => `Disallow: /${index}*a*b`)];
    expect(await codes({ robots: lines })).toEqual([]);
  });
});

const NOINDEX = { 'X-Robots-Tag': 'noindex, nofollow' };
const withBundle = (served: Served): Files => ({ 'index.html': { ...HEALTHY['index.html'], ...served } });

describe('what search engines are told', () => {
  it.each<{ name: string; files: Files; base?: string; expected: readonly string[] }>([
    { name: 'nothing', files: {}, expected: [] },
    { name: 'the bundle: noindex', files: withBundle({ headers: NOINDEX }), expected: ['noindex'] },
    {
      name: 'everything: noindex',
      files: { ...withBundle({ headers: NOINDEX }), 'index.md': { headers: NOINDEX } },
      expected: ['noindex'],
    },
    {
      name: 'a meta element',
      files: withBundle({ body: '<!doctype html><meta name="robots" content="noindex">' }),
      expected: ['noindex'],
    },
    {
      name: 'a meta element in a comment',
      files: withBundle({ body: '<!doctype html><!-- <meta name="robots" content="noindex"> -->' }),
      expected: [],
    },
    { name: 'index', files: withBundle({ headers: { 'X-Robots-Tag': 'index, follow' } }), expected: [] },
    {
      name: 'one search engine',
      files: withBundle({ headers: { 'X-Robots-Tag': 'otherbot: noindex' } }),
      expected: ['noindex-agents'],
    },
    {
      name: 'raw Markdown',
      files: { 'index.md': { headers: NOINDEX }, 'llms.txt': { headers: NOINDEX } },
      expected: ['pages-noindex'],
    },
    { name: 'a missing page', files: { 'index.md': { status: 404, headers: NOINDEX } }, expected: [] },
    {
      name: 'a preview',
      files: withBundle({ headers: NOINDEX }),
      base: 'https://0a1b2c3d.harbour.pages.dev/',
      expected: ['preview-noindex'],
    },
    {
      name: 'production on a platform',
      files: withBundle({ headers: NOINDEX }),
      base: 'https://harbour.pages.dev/',
      expected: ['noindex'],
    },
  ])('$name: $expected', async ({ files, base, expected }) => {
    expect(await codes({ robots: null, files, ...(base === undefined ? {} : { base }) })).toEqual(expected);
  });
});
