import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/core/answer.ts';
import { noReply } from '../../test/answers.ts';
import { missingBody, type Served } from '../caching/fixtures/site.ts';
import { AGENTS, READERS } from './evaluate.ts';
import { codes as ruleNames, found, movedTo, withBundle, type Case } from './fixtures/site.ts';

const fails = (
  reason: 'reset' | 'interrupted' | 'no-network' | 'redirect-loop' | 'body-timeout' | 'headers-timeout',
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
      name: 'the fallback on a plain web server',
      of: { robots: { body: missingBody('<!doctype html>'), type: 'text/html' }, host: 'server' },
      expected: ['fallback-by-design'],
    },
    {
      name: 'the fallback on a platform',
      of: { robots: { body: missingBody('<!doctype html>'), type: 'text/html' }, host: 'platform' },
      expected: ['spa-fallback'],
    },
    {
      name: 'an HTML page of a plain web server',
      of: { robots: { body: '<!doctype html><title>x</title>', type: 'text/html' }, host: 'server' },
      expected: ['html'],
    },
    {
      name: 'a bundle that the end of the run cut off',
      of: {
        robots: ['User-agent: *', 'Disallow: /drafts/'],
        files: { 'index.html': fails('headers-timeout', { deadlineMs: 5 }) },
      },
      expected: ['pages-blocked', 'interrupted'],
    },
    {
      name: 'a ban in the middle',
      of: { robots: fails('interrupted', { status: 429 }), files: { 'index.md': { status: 429 } } },
      expected: ['rate-limited'],
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
    expect(await ruleNames(of)).toEqual(expected);
  });

  it('compares no page with a file that takes too long to read', async () => {
    const lines = ['User-agent: *', ...Array.from({ length: 5_000 }, (_, index) => `Disallow: /${index}`)];
    const read = () => Promise.resolve({ ok: false, limit: 'time' } as const);
    expect(await found({ robots: lines, read })).toMatchObject([{ rule: 'too-many-rules', evidence: { paths: 0 } }]);
    expect(await ruleNames({ robots: lines.slice(0, 1_000), read })).toEqual([]);
  });

  it.each([
    ['https://docs.example/', 'robots.txt'],
    ['https://docs.example/docs/', '/robots.txt'],
  ])('asks at the root of the origin: %s', async (base, path) => {
    const [first] = await found({ robots: ['User-agent: *', 'Disalow: /x'], base });
    expect(first).toMatchObject({ rule: 'bad-line', location: { path, line: 2, column: 1 } });
  });
});

const MANAGED = '# BEGIN Cloudflare Managed content';
const MANAGED_END = '# END Cloudflare Managed Content';

const named = (agents: readonly string[], ...rules: string[]): string[] => [
  ...agents.map((agent) => `User-agent: ${agent}`),
  ...rules,
];

describe('robots.txt: rules', () => {
  it.each<Omit<Case, 'robots'> & { name: string; robots: readonly string[]; expected: readonly string[] }>([
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
      name: 'a test site',
      robots: ['User-agent: *', 'Disallow: /'],
      base: 'https://pr-12.preview.docs.example/',
      expected: ['preview-disallowed'],
    },
    {
      name: 'a site that is reached with credentials',
      robots: ['User-agent: *', 'Disallow: /'],
      authorized: true,
      expected: ['preview-disallowed'],
    },
    {
      name: 'a site that is reached with credentials, and a slip of the pen',
      robots: ['User-agent: *', 'Disallow: /*.json$'],
      authorized: true,
      expected: ['engine-blocked'],
    },
    {
      name: 'the scripts of the bundle shut',
      robots: ['User-agent: *', 'Disallow: /*.js$'],
      expected: ['engine-blocked'],
    },
    {
      name: 'a folder with scripts and styles shut',
      robots: ['User-agent: *', 'Disallow: /assets/'],
      files: withBundle({ body: '<!doctype html><link rel=stylesheet href=/assets/a.css>' }),
      expected: ['engine-blocked'],
    },
    {
      name: 'a folder with pictures shut',
      robots: ['User-agent: *', 'Disallow: /assets/'],
      files: withBundle({ body: '<!doctype html><link rel=icon href=/assets/a.svg>' }),
      expected: [],
    },
    {
      name: 'everything shut but the scripts',
      robots: ['User-agent: *', 'Disallow: /', 'Allow: /app.js'],
      expected: ['disallow-all'],
    },
    {
      name: 'the base shut, the scripts beside it',
      robots: ['User-agent: *', 'Disallow: /docs/'],
      base: 'https://docs.example/docs/',
      files: withBundle({ body: '<!doctype html><script src=/app.js></script>' }),
      expected: ['disallow-all'],
    },
    {
      name: 'the base shut, where clean URLs lead the bundle to it',
      robots: ['User-agent: *', 'Disallow: /$'],
      files: withBundle({ change: movedTo('https://docs.example/') }),
      expected: ['engine-blocked'],
    },
    {
      name: "the bundle's own name shut, which clean URLs lead away from",
      robots: ['User-agent: *', 'Disallow: /index.html'],
      files: withBundle({ change: movedTo('https://docs.example/') }),
      expected: [],
    },
    {
      name: 'only Googlebot may',
      robots: [...named(['Googlebot'], 'Allow: /'), ...named(['*'], 'Disallow: /')],
      expected: ['llms-txt-blocked', 'only-named-agents'],
    },
    {
      name: 'only Googlebot and an agent may',
      robots: [...named(['Googlebot', 'Claude-User'], 'Allow: /'), ...named(['*'], 'Disallow: /')],
      expected: ['only-named-agents'],
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
    {
      name: 'training crawlers shut out by Cloudflare',
      robots: [MANAGED, ...named(['GPTBot'], 'Disallow: /'), MANAGED_END, ...named(['*'], 'Allow: /')],
      expected: ['agents-blocked-by-host'],
    },
    {
      name: 'training crawlers shut out by Cloudflare, of a site without index',
      robots: [MANAGED, ...named(['GPTBot'], 'Disallow: /'), MANAGED_END],
      files: { 'llms.txt': { status: 404 } },
      expected: ['agents-blocked'],
    },
    {
      name: 'more shut out than by Cloudflare',
      robots: [MANAGED, ...named(['GPTBot'], 'Disallow: /'), MANAGED_END, ...named(['CCBot'], 'Disallow: /')],
      expected: ['agents-blocked'],
    },
    { name: 'letter case of an agent', robots: named(['gptbot'], 'Disallow: /'), expected: ['agents-blocked'] },
    { name: 'agents shut out from what is not there', robots: named(['GPTBot'], 'Disallow: /admin/'), expected: [] },
    { name: 'other crawlers shut out', robots: named(['SomeScraper'], 'Disallow: /'), expected: [] },
    { name: 'all readers shut out', robots: named(READERS, 'Disallow: /'), expected: ['llms-txt-agents-blocked'] },
    { name: 'all agents shut out', robots: named(AGENTS, 'Disallow: /'), expected: ['llms-txt-agents-blocked'] },
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
  ])('$name: $expected', async ({ expected, ...of }) => {
    expect(await ruleNames(of)).toEqual(expected);
  });

  it('names agents, paths and the rule with its line', async () => {
    const lines = [...named(['GPTBot', 'CCBot'], 'Disallow: /'), '', ...named(['*'], 'Disallow: /drafts/')];
    expect(await found({ robots: lines })).toEqual([
      {
        rule: 'pages-blocked',
        evidence: { agent: '*', rules: ['6: Disallow: /drafts/'], paths: ['/drafts/one.md'] },
        location: { path: 'robots.txt', line: 6, column: 1 },
      },
      {
        rule: 'agents-blocked',
        evidence: { agents: ['GPTBot', 'CCBot'], rules: ['3: Disallow: /'] },
        location: { path: 'robots.txt', line: 3, column: 1 },
      },
    ]);
  });

  it('holds few paths against very many rules', async () => {
    const lines = ['User-agent: *', ...Array.from({ length: 20_000 }, (_, index) => `Disallow: /${index}*a*b`)];
    expect(await ruleNames({ robots: lines })).toEqual([]);
  });
});
