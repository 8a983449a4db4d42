import { describe, expect, it } from 'vitest';
import { noReply, reply, SHELL } from '../../test/answers.ts';
import { fake, html, json, ORIGIN, text, type Files } from '../../test/runs.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import type { Gathered } from '../../src/core/gathered.ts';
import type { Get } from '../../src/core/answer.ts';
import type { EvaluationLimits, RunRequest } from '../../src/site/types.ts';
import { Ended } from '../../src/http/failure.ts';
import { DEFAULT_REQUEST } from '../../src/core/run.ts';
import { sharedSite } from '../../src/site/site.ts';
import { llmsTxt } from './check.ts';
import { readLayout } from './follow.ts';
import { parseMarkdown, type MarkdownFacts } from '../../src/parse/markdown.ts';

const LIMITS = { parseMs: 5000 };
const PAGE = '# Page\n\nText.\n';
/** A site of a few pages whose navigation leads to two of them. */
const SITE: Files = {
  '/index.html': html(SHELL),
  '/config.json': json({}),
  '/navigation.md': '- [Home](index.md)\n- [Guide](guide.md)\n',
  '/index.md': PAGE,
  '/guide.md': PAGE,
  '/deep/index.md': PAGE,
  '/first%20steps.md': PAGE,
  '/Tides.md': PAGE,
  '/api.html': html('<!doctype html><title>API</title>'),
  '/api.json': json({ openapi: '3.1.0' }),
};
const INDEX = '# Handbook\n\n> All about boats.\n\n## Docs\n\n';

interface Given {
  readonly files?: Files;
  readonly requested?: Partial<RunRequest>;
  readonly base?: string;
  /** The host sends the bundle for whatever is not there. */
  readonly fallback?: boolean;
}

interface Evaluated {
  readonly gathered: Gathered;
  readonly findings: readonly RawFinding[];
  readonly asked: readonly string[];
}

async function evaluated(
  index: string,
  { files, requested, base = '/', fallback = false }: Given = {},
): Promise<Evaluated> {
  const all = { ...SITE, [`${base}llms.txt`]: text(index), ...files };
  const { get, asked } = fake(all, fallback ? html(SHELL) : reply('', { status: 404 }));
  const site = sharedSite({
    base: new URL(base, ORIGIN),
    get,
    pooled: get,
    requested: { ...DEFAULT_REQUEST, full: true, ...requested },
    limits: LIMITS,
  });
  const gathered = await llmsTxt.gather(site);
  return { gathered, findings: await llmsTxt.evaluate(gathered, LIMITS), asked };
}

const rules = async (index: string, given?: Given): Promise<string[]> =>
  (await evaluated(index, given)).findings.map(({ rule }) => rule);

describe('llms-txt under --full: links that lead somewhere', () => {
  it.each<{ name: string; links: string; given?: Given }>([
    { name: 'relative', links: '- [a](guide.md)\n- [b](./index.md)\n' },
    { name: 'from the root', links: '- [a](/guide.md): notes\n' },
    { name: 'absolute', links: `- [a](${ORIGIN}/guide.md)\n` },
    { name: 'a page that only the index names', links: '- [a](deep/index.md)\n' },
    { name: 'a folder', links: '- [a](deep/)\n- [b](/deep/)\n' },
    { name: 'the site itself', links: `- [a](${ORIGIN}/)\n- [b](/)\n- [c](/index.html)\n` },
    { name: 'percent-encoded', links: '- [a](first%20steps.md)\n- [b](<first steps.md>)\n' },
    { name: 'a data file', links: '- [a](/api.json)\n' },
    { name: 'an anchor', links: '- [a](guide.md#page)\n' },
    { name: 'other sites', links: '- [a](https://example.com/#/x.md)\n- [b](guide.md)\n' },
    { name: 'mail', links: '- [a](mailto:boats@example.com)\n- [b](guide.md)\n' },
    {
      name: 'missing, but told elsewhere',
      links: '- [a](none.md)\n',
      given: { files: { '/index.md': '[a](none.md)' } },
    },
    { name: 'patterns', links: `- [a](guide.md): see ${ORIGIN}/pages/{id}.md\n` },
    { name: 'a host with a fallback', links: '- [a](deep/index.md)\n- [b](/api.json)\n', given: { fallback: true } },
  ])('$name', async ({ links, given }) => {
    expect(await rules(INDEX + links, given)).toEqual([]);
  });

  it.each([
    ['only other sites', '- [a](https://example.com/#/x.md)\n- [b](https://example.org/none.md)\n', ['no-own-links']],
    ['only anchors', '- [a](#docs)\n', ['no-own-links']],
    ['the machine that built it', '- [a](http://localhost:3000/guide.md)\n- [b](guide.md)\n', ['local-links']],
    ['its address', '- [a](http://127.0.0.1:3000/guide.md)\n', ['local-links']],
  ])('that lead to %s', async (_, links, expected) => {
    expect(await rules(INDEX + links)).toEqual(expected);
  });

  it('knows a host that negotiates', async () => {
    const { get } = fake({ ...SITE, '/llms.txt': text(`${INDEX}- [a](/deep)\n- [b](/guide)\n`) });
    const pooled: Get = async (request) => {
      const answer = await get(request);
      return request.accept === 'text/markdown' && request.url.pathname === '/deep' ? reply(PAGE) : answer;
    };
    const requested = { ...DEFAULT_REQUEST, full: true };
    const gathered = await llmsTxt.gather(
      sharedSite({ base: new URL(ORIGIN), get, pooled, requested, limits: LIMITS }),
    );
    expect(await llmsTxt.evaluate(gathered, LIMITS)).toMatchObject([
      { rule: 'missing-extension', evidence: { target: 'guide' } },
    ]);
    expect(gathered.requests).toBe(3);
  });

  it('asks only for missing files without an ending whether a host negotiates', async () => {
    const files = { '/llms.txt': text(`${INDEX}- [a](/gone.md)\n- [b](/gone)\n- [c](/broken)\n`) };
    const { get } = fake({ ...SITE, ...files, '/broken': reply('', { status: 403 }) });
    const asked: string[] = [];
    const pooled: Get = async (request) => {
      if (request.accept === 'text/markdown') asked.push(request.url.pathname);
      return get(request);
    };
    const requested = { ...DEFAULT_REQUEST, full: true };
    await llmsTxt.gather(sharedSite({ base: new URL(ORIGIN), get, pooled, requested, limits: LIMITS }));
    expect(asked).toEqual(['/gone']);
  });

  it.each([
    { name: 'while it was asked', answer: noReply('interrupted') },
    { name: 'by its deadline', answer: noReply('headers-timeout', { deadlineMs: 10 }) },
  ])('does not know whether a host negotiates where the run ended $name', async ({ answer }) => {
    const { get } = fake({ ...SITE, '/llms.txt': text(`${INDEX}- [a](/deep)\n`) });
    const pooled: Get = async (request) => (request.accept === 'text/markdown' ? answer : get(request));
    const requested = { ...DEFAULT_REQUEST, full: true };
    const gathered = await llmsTxt.gather(
      sharedSite({ base: new URL(ORIGIN), get, pooled, requested, limits: LIMITS }),
    );
    expect(await llmsTxt.evaluate(gathered, LIMITS)).toEqual([{ rule: 'interrupted', evidence: {} }]);
  });

  it('is not known where the run ended before the index was parsed', async () => {
    const { get } = fake({ ...SITE, '/llms.txt': text('# Handbook\n') });
    const signal = AbortSignal.abort(new Ended('deadline', 10));
    const limits: EvaluationLimits = { ...LIMITS, signal, read: async () => ({ ok: false, limit: 'ended' }) };
    const requested = { ...DEFAULT_REQUEST, full: true };
    const gathered = await llmsTxt.gather(sharedSite({ base: new URL(ORIGIN), get, pooled: get, requested, limits }));
    expect(await llmsTxt.evaluate(gathered, limits)).toEqual([{ rule: 'interrupted', evidence: { deadlineMs: 10 } }]);
  });

  it('asks no other site', async () => {
    const { asked } = await evaluated(`${INDEX}- [a](https://example.com/a.md)\n`, { requested: { external: true } });
    expect(asked.filter((url) => !url.startsWith('/'))).toEqual([]);
  });

  it('reports which links are foreign', async () => {
    const { gathered } = await evaluated(
      `${INDEX}- [a](guide.md)\n- [b](https://example.com/x)\n- [c](https://example.com/)\n`,
    );
    expect(gathered.facts).toEqual({ links: 3, own: 1, foreign: 2, foreignHosts: ['example.com'] });
  });

  it('separates links to other parts of the host', async () => {
    const files = { '/docs/index.md': PAGE, '/docs/index.html': html(SHELL) };
    const { gathered, findings } = await evaluated(`${INDEX}- [a](${ORIGIN}/blog/)\n- [b](index.md)\n`, {
      base: '/docs/',
      files,
    });
    expect(findings).toEqual([]);
    expect(gathered.facts).toEqual({ links: 2, own: 1, elsewhere: 1 });
  });
});

describe('llms-txt under --full: links that lead nowhere', () => {
  it.each<{ name: string; link: string; target: string; suggestion?: string; rule?: string; given?: Given }>([
    { name: 'a page', link: '[a](none.md)', target: 'none.md' },
    { name: 'an absolute link', link: `[a](${ORIGIN}/none.md)`, target: 'none.md' },
    { name: 'a bare URL', link: `[x](guide.md) ${ORIGIN}/none.md`, target: 'none.md' },
    { name: 'a host with a fallback', link: '[a](none.md)', target: 'none.md', given: { fallback: true } },
    { name: 'a file', link: '[a](/none.json)', target: 'none.json' },
    { name: 'letter case', link: '[a](tides.md)', target: 'tides.md', suggestion: 'Tides.md', rule: 'letter-case' },
    { name: 'no extension', link: '[a](/guide)', target: 'guide', suggestion: 'guide.md', rule: 'missing-extension' },
    { name: 'behind a hash route', link: '[a](/#/none.md)', target: 'none.md' },
  ])('$name', async ({ link, target, suggestion, given, rule = 'missing' }) => {
    const files = {
      '/navigation.md': '- [Home](index.md)\n- [Guide](guide.md)\n- [Tides](Tides.md)\n',
      ...given?.files,
    };
    const { findings } = await evaluated(`${INDEX}- ${link}\n`, { ...given, files });
    const missing = findings.filter((finding) => finding.rule === rule);
    expect(missing).toMatchObject([{ evidence: { target, count: 1 }, location: { path: 'llms.txt', line: 7 } }]);
    expect(missing[0]?.evidence?.['suggestion']).toBe(suggestion);
  });

  it('names every place once', async () => {
    const { findings } = await evaluated(`${INDEX}- [a](none.md)\n- [b](/none.md): again\n`);
    expect(findings).toMatchObject([
      {
        rule: 'missing',
        evidence: { count: 2, status: 404 },
        locations: [
          { line: 7, column: 3 },
          { line: 8, column: 3 },
        ],
      },
    ]);
  });

  it.each([
    { name: 'HTML in its place', answer: html('<!doctype html><title>Sign in</title>'), problem: 'html' },
    { name: 'nothing in it', answer: text(''), problem: 'empty' },
    { name: 'comments only', answer: text('<!-- soon -->'), problem: 'no-content' },
    { name: 'an error', answer: reply('', { status: 503 }), problem: 'server-error' },
    { name: 'refused', answer: reply('no', { status: 401 }), problem: 'forbidden' },
    { name: 'no answer', answer: noReply('body-timeout'), problem: 'body-timeout' },
  ])('a page with $name: $problem', async ({ answer, problem }) => {
    const { findings } = await evaluated(`${INDEX}- [a](odd.md)\n`, { files: { '/odd.md': answer } });
    expect(findings).toMatchObject([{ rule: 'broken-page', evidence: { target: 'odd.md', problem } }]);
  });

  it.each([
    { name: 'another type', answer: reply(PAGE, { contentType: 'application/octet-stream' }) },
    { name: 'too many requests', answer: reply('', { status: 429 }) },
    { name: 'the end of the run', answer: noReply('headers-timeout', { deadlineMs: 10 }) },
    { name: 'no descriptors', answer: noReply('out-of-descriptors') },
  ])('holds $name against nobody', async ({ answer }) => {
    expect(await rules(`${INDEX}- [a](odd.md)\n`, { files: { '/odd.md': answer } })).toEqual([]);
  });

  it('reports a conflict where it is', async () => {
    const files = { '/odd.md': `# Odd\n\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n` };
    const { findings } = await evaluated(`${INDEX}- [a](odd.md)\n`, { files });
    expect(findings).toMatchObject([{ rule: 'merge-conflict', location: { path: 'odd.md', line: 3 } }]);
  });
});

describe('llms-txt under --full: hash routes', () => {
  it.each([
    { name: '#/', link: '#/guide.md' },
    { name: '#!', link: '#!guide.md' },
    { name: '#', link: '#guide.md' },
    { name: 'after a slash', link: '/#/guide.md' },
    { name: 'after the bundle', link: 'index.html#/guide.md' },
    { name: 'absolute', link: `${ORIGIN}/#/guide.md` },
    { name: 'with an anchor', link: '/#/guide.md#page' },
    { name: "in docsify's form", link: '/#/guide?id=page' },
    { name: 'home', link: '/#/' },
  ])('$name', async ({ link }) => {
    const findings = (await evaluated(`${INDEX}- [a](${link})\n`)).findings.filter(({ rule }) => rule === 'hash-route');
    expect(findings).toMatchObject([{ evidence: { count: 1, links: [link] }, location: { line: 7, column: 3 } }]);
  });

  it.each([
    { name: 'an anchor', link: '#docs' },
    { name: 'an anchor of a page', link: 'guide.md#page' },
    { name: "a page's anchor that looks like a route", link: 'guide.md#/page' },
    { name: 'another site', link: 'https://example.com/#/guide.md' },
  ])('not $name', async ({ link }) => {
    expect(await rules(`${INDEX}- [a](${link})\n`)).not.toContain('hash-route');
  });

  it('are reported together', async () => {
    const { findings } = await evaluated(`${INDEX}- [a](#/guide.md)\n- [b](#/index.md)\n`);
    expect(findings).toMatchObject([
      { rule: 'hash-route', evidence: { count: 2 }, locations: [{ line: 7 }, { line: 8 }] },
    ]);
  });
});

describe('llms-txt under --full: layout', () => {
  it.each([
    { name: 'HTML of its own', index: `${INDEX}- [a](api.html)\n`, is: ['html-link'] },
    {
      name: 'a title further down',
      index: 'Hello.\n\n# H\n\n> S\n\n## D\n\n- [a](guide.md)\n',
      is: ['heading-not-first'],
    },
    { name: 'no summary', index: '# H\n\n## D\n\n- [a](guide.md)\n', is: ['no-summary'] },
    {
      name: 'several titles',
      index: '# H\n\n> S\n\n[a](guide.md)\n\n# R\n\n- [b](index.md)\n',
      is: ['several-headings'],
    },
    { name: 'no sections', index: '# H\n\n> S\n\n- [a](guide.md)\n', is: ['no-sections'] },
    { name: 'bare URLs', index: `# H\n\n> S\n\n## D\n\n- ${ORIGIN}/guide.md\n`, is: ['unlisted-links'] },
    { name: 'no title', index: '## D\n\n- [a](guide.md)\n', is: ['no-heading'] },
    { name: 'nothing but URLs', index: `${ORIGIN}/guide.md\n${ORIGIN}/index.md\n`, is: ['no-heading'] },
    { name: 'no links', index: '# H\n\n> S\n\nSoon.\n', is: ['no-links'] },
    { name: 'an optional section', index: `${INDEX}- [a](guide.md)\n\n## Optional\n\n- [b](index.md)\n`, is: [] },
    { name: 'CRLF', index: `${INDEX}- [a](guide.md)\n`.replaceAll('\n', '\r\n'), is: [] },
  ])('$name: $is', async ({ index, is }) => {
    expect(await rules(index)).toEqual(is);
  });

  it('is nobody’s business without --full', async () => {
    const { findings, asked } = await evaluated('# H\n\n[a](none.md)\n', { requested: { full: false } });
    expect(findings).toEqual([]);
    expect(asked).not.toContain('/none.md');
  });

  it('knows what the host sends for files that are not there', async () => {
    const sorry = text('# Sorry\n\nNo such file here. See [home](index.md).\n');
    const { get } = fake({ '/index.html': html(SHELL), '/config.json': json({}) }, sorry);
    const requested = { ...DEFAULT_REQUEST, full: true };
    const site = sharedSite({ base: new URL(ORIGIN), get, pooled: get, requested, limits: LIMITS });
    expect(await llmsTxt.evaluate(await llmsTxt.gather(site), LIMITS)).toMatchObject([{ rule: 'not-found' }]);
  });

  it.each([
    { name: 'JSON', index: '{"pages": []}', is: ['json'] },
    { name: 'nothing', index: '', is: ['empty'] },
  ])('ends with $name', async ({ index, is }) => {
    expect(await rules(index)).toEqual(is);
  });
});

async function factsOf(index: string): Promise<MarkdownFacts> {
  const parsed = await parseMarkdown(index, { limitMs: 5000 });
  if (!parsed.ok) throw new Error(parsed.limit);
  return parsed;
}

const layoutOf = async (index: string): Promise<ReturnType<typeof readLayout>> =>
  readLayout(index, await factsOf(index));

const LIST = '## Docs\n\n- [Tides](tides.md): tables\n';

describe('readLayout: where the title stands', () => {
  it.each([
    { name: 'first', index: `# Handbook\n\n${LIST}`, first: true },
    { name: 'after empty lines', index: `\n \n\n# Handbook\n`, first: true },
    { name: 'underlined', index: 'Handbook\n========\n', first: true },
    { name: 'after a comment', index: '<!-- made\nby hand -->\n\n<!-- x --># Handbook\n\n# Handbook', first: false },
    { name: 'after a comment on a line of its own', index: '<!-- made\nby hand -->\n# Handbook\n', first: true },
    { name: 'after front matter', index: '---\ntitle: x\n---\n\n# Handbook\n', first: true },
    { name: 'CRLF', index: '---\r\ntitle: x\r\n---\r\n\r\n# Handbook\r\n', first: true },
    { name: 'after a paragraph', index: 'Welcome.\n\n# Handbook\n', first: false },
    { name: 'after a second-level heading', index: '## Docs\n\n# Handbook\n', first: false },
    { name: 'after the summary', index: '> All about boats.\n\n# Handbook\n', first: false },
    { name: 'after a comment that never ends', index: 'a\n\n# Handbook\n\n<!-- x', first: false },
    { name: 'nowhere', index: '## Docs\n', first: false },
    { name: 'in code', index: '```\n# Handbook\n```\n', first: false },
  ])('$name: $first', async ({ index, first }) => {
    expect((await layoutOf(index)).beginsWithTitle).toBe(first);
  });
});

describe('readLayout: the summary', () => {
  it.each([
    { name: 'after the title', index: '# H\n\n> All about boats.\n', is: true },
    { name: 'right after the title', index: '# H\n> All about boats.\n', is: true },
    { name: 'after an underlined title', index: 'H\n=\n\n>All about boats.\n', is: true },
    { name: 'after a paragraph', index: '# H\n\nBoats.\n\n> All about boats.\n\n## Docs\n', is: true },
    { name: 'an empty quotation', index: '# H\n\n>\n> \n', is: false },
    { name: 'below the first section', index: '# H\n\n## Docs\n\n> Boats.\n', is: false },
    { name: 'before the title', index: '> Boats.\n\n# H\n', is: false },
    { name: 'in code', index: '# H\n\n```\n> Boats.\n```\n', is: false },
    { name: 'none', index: `# H\n\n${LIST}`, is: false },
  ])('$name: $is', async ({ index, is }) => {
    expect((await layoutOf(index)).hasSummary).toBe(is);
  });
});

describe('readLayout: lists of links', () => {
  it.each([
    { name: 'as proposed', body: '- [a](a.md): notes\n- [b](b.md)\n', unlisted: 0 },
    { name: 'other markers', body: '* [a](a.md)\n\n+ [b](b.md)\n\n1. [c](c.md)\n2) [d](d.md)\n', unlisted: 0 },
    { name: 'tasks and emphasis', body: '- [x] [a](a.md)\n- **[b](b.md)**\n- _[c](c.md)_\n', unlisted: 0 },
    { name: 'nested lists', body: '- Tides\n  - [a](a.md)\n', unlisted: 0 },
    { name: 'reference links', body: '- [a]\n- [b][a]\n\n[a]: a.md\n', unlisted: 0 },
    { name: 'a link in the notes', body: '- [a](a.md): see [b](b.md)\n\nAnd [c](c.md).\n', unlisted: 0 },
    { name: 'lower headings', body: '### One\n\n- [a](a.md)\n\n### Two\n\nSee [b](b.md).\n', unlisted: 0 },
    { name: 'bare URLs', body: '- https://docs.example/a.md\n- <https://docs.example/b.md>\n', unlisted: 2 },
    { name: 'names before the links', body: '- Tides: [a](a.md)\n', unlisted: 1 },
    { name: 'paragraphs', body: '[a](a.md)\n\n[b](b.md)\n', unlisted: 2 },
    { name: 'a table', body: '| a |\n| - |\n| [a](a.md) |\n', unlisted: 1 },
    { name: 'raw HTML', body: '<ul><li><a href="a.md">a</a></li></ul>\n', unlisted: 1 },
    { name: 'a picture', body: '![a](a.png)\n', unlisted: 0 },
    { name: 'nothing', body: 'Soon.\n', unlisted: 0 },
  ])('$name: $unlisted', async ({ body, unlisted }) => {
    expect((await layoutOf(`# H\n\n## Docs\n\n${body}`)).unlisted).toHaveLength(unlisted);
  });

  it('takes each section by itself', async () => {
    const { unlisted } = await layoutOf(`# H\n\n${LIST}\n## More\n\nhttps://docs.example/a.md\n`);
    expect(unlisted).toMatchObject([{ line: 9, column: 1 }]);
  });

  it.each([
    { name: 'above the first section', index: `# H\n\n[a](a.md)\n\n## Docs\n`, count: 0 },
    { name: 'in a section', index: `# H\n\n[a](a.md)\n\n${LIST}`, count: 1 },
    { name: 'below another title', index: `# H\n\n## Docs\n\n# More\n\n[a](a.md)\n`, count: 0 },
    { name: 'in a heading', index: `# H\n\n## [a](a.md)\n\n[b](b.md)\n`, count: 1 },
  ])('links $name: $count of them in sections', async ({ index, count }) => {
    expect((await layoutOf(index)).inSections).toHaveLength(count);
  });
});

it('finds the title after millions of comments', async () => {
  const { beginsWithTitle } = readLayout(`${'<!--> '.repeat(2_500_000)}\n# T\n`, await factsOf('\n# T\n'));
  expect(beginsWithTitle).toBe(true);
});
