import { describe, expect, it } from 'vitest';
import type { Answer, Evidence } from '../../src/core/answer.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import type { HostKind } from '../../src/site/host-product.ts';
import type { NotFound } from '../../src/site/not-found.ts';
import type { Site } from '../../src/site/types.ts';
import { DEFAULT_REQUEST } from '../../src/core/run.ts';
import { engineOf } from '../../src/engines/index.ts';
import { sharedSite } from '../../src/site/site.ts';
import { noReply, reply, shell, SHELL } from '../../test/answers.ts';
import { notFound } from './check.ts';

const BASE = new URL('https://docs.example/docs/');
const SPARE = '<!doctype html><title>Lost</title><h1>Nothing is here</h1>';
const html = (body: string, status = 200): Answer => reply(body, { status, contentType: 'text/html' });
const gone = html(SPARE, 404);
const bundle = html(SHELL);

type Asked = NotFound['probes'][number]['kind'] | 'folder';
const ASKED: readonly Asked[] = ['md', 'json', 'js', 'txt', 'none', 'folder'];
type Answers = Partial<Record<Asked | 'all', Answer | readonly Answer[]>>;

function probes(answers: Answers): NotFound['probes'] {
  return ASKED.flatMap((asked) => {
    const given = [answers[asked] ?? answers.all ?? gone].flat();
    const both = asked === 'folder' ? given.slice(0, 1) : [given[0], given[1] ?? given[0]];
    return both.flatMap((answer, index) => {
      if (answer === undefined) return [];
      const folder = asked === 'folder' ? 'guide/' : '';
      const kind = asked === 'folder' ? 'md' : asked;
      const requestUrl = new URL(`${folder}x${index}${kind === 'none' ? '' : `.${kind}`}`, BASE).href;
      return [{ kind, answer: { ...answer, requestUrl } }];
    });
  });
}

interface Evaluated {
  readonly findings: readonly RawFinding[];
  readonly facts: Evidence | undefined;
  readonly requests: number | undefined;
}

async function evaluated(
  answers: Answers,
  kind: HostKind | null = 'platform',
  from = shell(),
  engine: Pick<Site, 'engine' | 'engineSettings'> = HASH,
  isNamed = true,
): Promise<Evaluated> {
  const get = (): never => {
    throw new Error('asked');
  };
  const limits = { parseMs: 5000 };
  const gathered = await notFound.gather({
    ...sharedSite({
      base: BASE,
      get,
      pooled: get,
      requested: { ...DEFAULT_REQUEST, host: kind, hostByProduct: !isNamed },
      limits,
    }),
    bundle: async () => from,
    notFound: async () => ({ probes: probes(answers), isMissing: () => false }),
    hosting: async () => ({ kind, by: kind === null ? null : 'option', evidence: {} }),
    ...engine,
  });
  const { facts, requests } = gathered;
  return { findings: await notFound.evaluate(gathered, limits), facts, requests };
}

const rules = ({ findings }: Evaluated): readonly string[] => findings.map(({ rule }) => rule);

const hop = (location: string, status = 302): { redirects: { url: string; status: number; location: string }[] } => ({
  redirects: [{ url: new URL('x.md', BASE).href, status, location }],
});
const redirected = (body: string, url: string, status = 200): Answer =>
  reply(body, { ...hop(url), url: new URL(url, BASE).href, contentType: 'text/html', status });

/** The engine and settings of a site with this bundle. */
function engineOfBundle(text: string): Pick<Site, 'engine' | 'engineSettings'> {
  const engine = engineOf(text, null);
  return {
    engine: async () => engine,
    engineSettings: async () =>
      engine.profile.configure({ bundle: text, configuration: {}, limits: { parseMs: 5000 } }),
  };
}
const HASH = engineOfBundle(SHELL);
const script = SHELL.replace('</body>', '<script nonce="4f">boot()</script></body>');

describe('not-found: healthy hosts', () => {
  it.each<{ name: string; answers: Answers }>([
    { name: '404 for all', answers: {} },
    { name: '410', answers: { all: html('', 410) } },
    { name: '404 with the bundle as its body', answers: { all: html(SHELL, 404) } },
    { name: '404 without a body', answers: { all: reply('', { status: 404, contentType: null }) } },
    { name: '404 in JSON for JSON', answers: { json: reply('{"error":404}', { status: 404 }) } },
    { name: '404 after a slash was added', answers: { none: redirected(SPARE, '/docs/x0/', 404) } },
    { name: '404 of a page that redirects lead to', answers: { all: redirected(SPARE, '/docs/404.html', 404) } },
    { name: 'one of two that failed on the way', answers: { js: [gone, noReply('reset')] } },
    { name: 'one of two that was too many', answers: { txt: [html('', 429), gone] } },
    { name: 'one of two that met an overloaded server', answers: { md: [html('', 503), gone] } },
  ])('$name', async ({ answers }) => {
    expect(rules(await evaluated(answers))).toEqual([]);
    expect(rules(await evaluated(answers, null))).toEqual([]);
  });
});

describe('not-found: the bundle instead of missing files', () => {
  it.each<{ kind: HostKind | null; expected: string }>([
    { kind: 'platform', expected: 'soft-404' },
    { kind: 'worker', expected: 'soft-404' },
    { kind: 'server', expected: 'soft-404-by-design' },
    { kind: null, expected: 'spa-fallback' },
  ])('on $kind: $expected', async ({ kind, expected }) => {
    const { findings, facts } = await evaluated({ all: bundle }, kind);
    expect(findings).toMatchObject([
      { rule: expected, evidence: { names: ASKED, status: 200, mediaType: 'text/html', host: kind } },
    ]);
    expect(facts).toEqual({ ...Object.fromEntries(ASKED.map((asked) => [asked, 'bundle'])), host: kind });
  });

  it.each<{ kind: HostKind; expected: string }>([
    { kind: 'platform', expected: 'spa-fallback' },
    { kind: 'worker', expected: 'spa-fallback' },
    { kind: 'server', expected: 'soft-404-by-design' },
  ])('on a $kind that the user did not name: $expected', async ({ kind, expected }) => {
    expect(rules(await evaluated({ all: bundle }, kind, shell(), HASH, false))).toEqual([expected]);
  });

  it.each<{ name: string; answer: Answer }>([
    { name: 'as Markdown', answer: reply(SHELL) },
    { name: 'with a script put in', answer: html(script) },
    { name: 'by a redirect', answer: redirected(SHELL, '/docs/') },
    { name: 'with status 203', answer: html(SHELL, 203) },
  ])('$name', async ({ answer }) => {
    expect(rules(await evaluated({ all: answer }))).toEqual(['soft-404']);
  });

  it('reports which names get it, and which a real 404', async () => {
    const { findings, facts } = await evaluated({ all: bundle, json: gone }, 'server');
    const names = ['md', 'js', 'txt', 'none', 'folder'];
    expect(findings).toMatchObject([{ rule: 'soft-404-by-design', evidence: { names, notFoundFor: ['json'] } }]);
    expect(facts).toMatchObject({ md: 'bundle', json: 404, host: 'server' });
  });

  it.each<{ kind: HostKind | null; expected: string }>([
    { kind: 'platform', expected: 'soft-404-without-extension' },
    { kind: 'worker', expected: 'soft-404-without-extension' },
    { kind: null, expected: 'soft-404-without-extension' },
    { kind: 'server', expected: 'soft-404-by-design' },
  ])('for names without an extension only, on $kind: $expected', async ({ kind, expected }) => {
    expect(rules(await evaluated({ none: bundle }, kind))).toEqual([expected]);
  });

  it('below a folder only', async () => {
    expect((await evaluated({ folder: bundle })).findings).toMatchObject([
      { rule: 'soft-404', evidence: { names: ['folder'], notFoundFor: ['md', 'json', 'js', 'txt', 'none'] } },
    ]);
  });
});

describe('not-found: docsify with history routing', () => {
  const page = `<!doctype html><div id="app"></div><script>window.$docsify = { routerMode: 'history' }</script>
<script src="//cdn.example/docsify@4"></script>`;
  const app = html(page);
  const evaluate = (answers: Answers, kind: HostKind | null): Promise<Evaluated> =>
    evaluated(answers, kind, reply(page, { contentType: 'text/html' }), engineOfBundle(page));

  it.each<{ name: string; answers: Answers; expected: readonly string[] }>([
    { name: 'the bundle for names without an extension only', answers: { none: app }, expected: [] },
    { name: 'the bundle for every name', answers: { all: app }, expected: ['soft-404-history'] },
    { name: 'the bundle for pages', answers: { none: app, md: app, folder: app }, expected: ['soft-404-history'] },
    { name: '404 for every name', answers: {}, expected: ['history-fallback-missing'] },
    {
      name: 'the bundle for pages only',
      answers: { md: app },
      expected: ['history-fallback-missing', 'soft-404-history'],
    },
    {
      name: 'the bundle as the page for missing files',
      answers: { all: html(page, 404) },
      expected: ['history-fallback-status'],
    },
    {
      name: 'docsify in another page for missing files',
      answers: { all: html('<title>Lost</title><script src="/lib/docsify.min.js"></script>', 404) },
      expected: ['history-fallback-status'],
    },
    {
      name: 'a page for missing files that leads to the site',
      answers: { all: html('<script>location.replace("/?p=" + location.pathname)</script>', 404) },
      expected: ['history-fallback-status'],
    },
    { name: '403', answers: { all: html('', 403) }, expected: ['missing-forbidden'] },
  ])('$name: $expected', async ({ answers, expected }) => {
    for (const kind of ['platform', 'worker', 'server', null] as const) {
      expect(rules(await evaluate(answers, kind)).toSorted()).toEqual(expected);
    }
  });

  it('reports which files get the bundle', async () => {
    expect((await evaluate({ all: app }, 'platform')).findings).toMatchObject([
      { evidence: { names: ['md', 'json', 'js', 'txt', 'folder'], status: 200 } },
    ]);
  });
});

describe('not-found: other answers', () => {
  it.each<{ name: string; answers: Answers; expected: readonly string[] }>([
    { name: 'another page', answers: { all: html(SPARE) }, expected: ['soft-404-other'] },
    { name: 'a short text', answers: { all: reply('Not found') }, expected: ['soft-404-other'] },
    { name: 'an empty body', answers: { all: reply('') }, expected: ['soft-404-other'] },
    { name: 'no content', answers: { all: reply('', { status: 204 }) }, expected: ['soft-404-other'] },
    {
      name: 'a page for Markdown, the bundle for the rest',
      answers: { all: bundle, md: html(SPARE) },
      expected: ['soft-404-other', 'soft-404'],
    },
    {
      name: 'content made for each name',
      answers: { md: [reply('# Alpha\n\nOne two three'), reply('# Beta\n\nFour five six')] },
      expected: ['wildcard'],
    },
    {
      name: 'content made for each name, below a folder too',
      answers: {
        md: [reply('# Alpha\n\nOne two three'), reply('# Beta\n\nFour five six')],
        folder: reply('# Gamma\n\nSeven eight'),
      },
      expected: ['wildcard'],
    },
    {
      name: 'content made for each name, and an empty file below a folder',
      answers: { md: [reply('# Alpha\n\nOne two three'), reply('# Beta\n\nFour five six')], folder: reply('') },
      expected: ['wildcard', 'soft-404-other'],
    },
    {
      name: 'content made for each name, and a page for the rest',
      answers: { all: html(SPARE), md: [reply('# Alpha\n\nOne two three'), reply('# Beta\n\nFour five six')] },
      expected: ['wildcard', 'soft-404-other'],
    },
    {
      name: 'a redirect to another page',
      answers: { all: redirected(SPARE, '/docs/start.html') },
      expected: ['redirected'],
    },
    {
      name: 'a redirect to a login on another host',
      answers: { all: redirected('<html>Sign in', 'https://login.example/?to=docs') },
      expected: ['redirected'],
    },
    {
      name: 'a page after a slash was added',
      answers: { none: [redirected(SPARE, '/docs/x0/'), redirected(SPARE, '/docs/x1/')] },
      expected: ['soft-404-other'],
    },
    { name: '403', answers: { all: html(SPARE, 403) }, expected: ['missing-forbidden'] },
    { name: '401', answers: { all: html(SPARE, 401) }, expected: ['missing-forbidden'] },
    { name: '500', answers: { all: html(SPARE, 500) }, expected: ['server-error'] },
    { name: '500 for scripts', answers: { js: html(SPARE, 500) }, expected: ['server-error'] },
    { name: '429', answers: { all: html(SPARE, 429) }, expected: ['rate-limited'] },
    { name: '400', answers: { all: html(SPARE, 400) }, expected: ['status'] },
    { name: 'silence for all', answers: { all: noReply('headers-timeout') }, expected: ['headers-timeout'] },
    { name: 'a connection that breaks off', answers: { all: noReply('reset') }, expected: ['reset'] },
    { name: 'garbage', answers: { all: noReply('bad-framing') }, expected: ['bad-framing'] },
    {
      name: 'garbage for some, silence for others',
      answers: { all: noReply('bad-framing'), md: noReply('reset') },
      expected: ['reset', 'bad-framing'],
    },
    { name: 'silence for one kind', answers: { txt: noReply('headers-timeout') }, expected: ['headers-timeout'] },
    { name: 'a redirect loop', answers: { none: noReply('redirect-loop') }, expected: ['redirect-loop'] },
    { name: 'one 404, one bundle', answers: { md: [gone, bundle] }, expected: ['soft-404', 'inconsistent'] },
    {
      name: 'one 404, one 403',
      answers: { md: [gone, html('', 403)] },
      expected: ['missing-forbidden', 'inconsistent'],
    },
  ])('$name: $expected', async ({ answers, expected }) => {
    expect(rules(await evaluated(answers))).toEqual(expected);
  });

  it('has its own severities for failed requests: the site is there', () => {
    expect(notFound.rules).toMatchObject({ reset: 'warning', 'no-network': 'unknown', interrupted: 'unknown' });
  });

  it('counts its requests', async () => {
    expect((await evaluated({})).requests).toBe(11);
  });
});

describe('not-found: what other checks say', () => {
  it.each<{ name: string; answers: Answers; from?: Answer; expected: readonly string[] }>([
    {
      name: 'no bundle either',
      answers: { all: noReply('refused') },
      from: noReply('refused'),
      expected: ['no-answer'],
    },
    { name: 'all behind a login', answers: { all: html('', 401) }, from: html('', 401), expected: ['no-answer'] },
    { name: 'the server down', answers: { all: html('', 502) }, from: html('', 502), expected: ['no-answer'] },
    { name: 'the fallback missing', answers: { all: html('', 500) }, from: html('', 500), expected: ['no-answer'] },
    { name: 'a missing bundle, 404 for the rest', answers: {}, from: html('', 404), expected: [] },
    { name: 'an end by the user', answers: { all: noReply('interrupted') }, expected: ['interrupted'] },
    {
      name: 'the end of the run',
      answers: { all: noReply('headers-timeout', { deadlineMs: 5 }) },
      expected: ['interrupted'],
    },
    { name: 'an end half way', answers: { txt: noReply('interrupted') }, expected: ['interrupted'] },
  ])('$name: $expected', async ({ answers, from = shell(), expected }) => {
    expect(rules(await evaluated(answers, 'platform', from))).toEqual(expected);
  });
});
