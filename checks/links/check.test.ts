import { describe, expect, it } from 'vitest';
import { noReply, reply, SHELL } from '../../test/answers.ts';
import { fake, html, json, ORIGIN, SITE, siteIn, text, type Files } from '../../test/runs.ts';
import type { Answer } from '../../src/core/answer.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import type { RunRequest } from '../../src/site/types.ts';
import { DEFAULT_REQUEST } from '../../src/core/run.ts';
import { sharedSite } from '../../src/site/site.ts';
import { links } from './check.ts';

interface Given {
  readonly base?: string;
  readonly requested?: Partial<RunRequest>;
  readonly fallback?: Answer;
}

const limits = { parseMs: 5000 };

async function evaluated(files: Files, given: Given = {}) {
  const { get, asked } = fake(files, given.fallback);
  const requested = { ...DEFAULT_REQUEST, full: true, ...given.requested };
  const base = new URL(given.base ?? '/', ORIGIN);
  const gathered = await links.gather(sharedSite({ base, get, pooled: get, requested, limits }));
  return { gathered, asked, drafts: await links.evaluate(gathered, limits) };
}

/** `code target → suggestion`. */
const reported = ({ rule, evidence }: RawFinding): string => {
  const { target, suggestion } = evidence ?? {};
  const shown = [target, suggestion].filter((part) => typeof part === 'string').join(' → ');
  return `${rule} ${shown}`.trim();
};

async function rules(files: Files, given?: Given): Promise<string[]> {
  return (await evaluated(files, given)).drafts.map(reported);
}

const home = (...lines: string[]): Files => ({ ...SITE, '/index.md': `# Handbook\n\n${lines.join('\n\n')}\n` });
const png = reply('PNG', { contentType: 'image/png' });

/** A site of one link, the files beside it, and what is reported. */
const DIAGNOSES: readonly (readonly [name: string, link: string, files: Files, expected: string])[] = [
  ['no such page', '[x](gone.md)', {}, 'missing gone.md'],
  ['letter case', '[x](guide.md)', { '/Guide.md': '# G' }, 'letter-case guide.md → Guide.md'],
  ['letter case, the other way', '[x](Guide.md)', { '/guide.md': '# G' }, 'letter-case Guide.md → guide.md'],
  ['letter case of a folder', '[x](Start/a.md)', { '/start/a.md': '# A' }, 'letter-case Start/a.md → start/a.md'],
  [
    'letter case of a known page',
    '[x](GUIDE.md) [y](gUide.md)',
    { '/gUide.md': '# G' },
    'letter-case GUIDE.md → gUide.md',
  ],
  ['letter case of the extension', '[x](guide.MD)', { '/guide.md': '# G' }, 'letter-case guide.MD → guide.md'],
  ['NFD for NFC', '[x](cafe\u0301.md)', { '/caf%C3%A9.md': '# C' }, 'unicode-form cafe\u0301.md → café.md'],
  ['NFC for NFD', '[x](café.md)', { '/cafe%CC%81.md': '# C' }, 'unicode-form café.md → cafe\u0301.md'],
  ['encoded twice', '[x](a%2520b.md)', { '/a%20b.md': '# A' }, 'encoding a%20b.md → a b.md'],
  ['a plus for a space', '[x](a+b.md)', { '/a%20b.md': '# A' }, 'encoding a+b.md → a b.md'],
  ['Latin-1', '[x](caf%E9.md)', { '/caf%C3%A9.md': '# C' }, 'encoding caf%E9.md → café.md'],
  ['a file named as encoded', '[x](<a b.md>)', { '/a%2520b.md': '# A' }, 'encoding a b.md → a%20b.md'],
  ['no extension', '[x](guide)', { '/guide.md': '# G' }, 'missing-extension guide → guide.md'],
  ['no extension in a route', '[x](#/guide)', { '/guide.md': '# G' }, 'missing-extension guide → guide.md'],
  ['an HTML extension', '[x](guide.html)', { '/guide.md': '# G' }, 'wrong-extension guide.html → guide.md'],
  [
    'another Markdown extension',
    '[x](guide.md)',
    { '/guide.markdown': '# G' },
    'wrong-extension guide.md → guide.markdown',
  ],
  ['a folder without slash', '[x](guide)', { '/guide/index.md': '# G' }, 'folder-index guide → guide/index.md'],
  ['a folder as a file', '[x](guide.md)', { '/guide/index.md': '# G' }, 'folder-index guide.md → guide/index.md'],
  ['a file as a folder', '[x](guide/)', { '/guide.md': '# G' }, 'folder-index guide/index.md → guide.md'],
  ['a README', '[x](guide/)', { '/guide/README.md': '# G' }, 'folder-index guide/index.md → guide/README.md'],
  [
    'another folder',
    '[x](old/guide.md) [y](new/guide.md)',
    { '/new/guide.md': '# G' },
    'moved old/guide.md → new/guide.md',
  ],
  ['a slip', '[x](instal.md) [y](install.md)', { '/install.md': '# I' }, 'missing instal.md → install.md'],
  ['no such image', '![x](gone.png)', {}, 'missing-image gone.png'],
  ['letter case of an image', '![x](a.png) ![y](A.png)', { '/A.png': png }, 'missing-image a.png → A.png'],
  ['an image elsewhere', '![x](a.png) ![y](img/a.png)', { '/img/a.png': png }, 'missing-image a.png → img/a.png'],
  ['no such download', '[x](gone.pdf)', {}, 'missing-file gone.pdf'],
  ['no such name', '[x](gone)', {}, 'missing gone'],
];

describe('links: missing targets', () => {
  const fallback = html(SHELL);

  it.each(DIAGNOSES)('%s', async (_, link, files, expected) => {
    expect(await rules({ ...home(link), ...files })).toEqual([expected]);
  });

  it.each(DIAGNOSES)('%s, where the host sends the bundle for what is not there', async (_, link, files, expected) => {
    expect(await rules({ ...home(link), ...files }, { fallback })).toEqual([expected]);
  });

  it('names every place once for each page', async () => {
    const { drafts } = await evaluated({
      ...home('[x](gone.md) [y](./gone.md)'),
      '/navigation.md': '- [z](#/gone.md)\n',
    });
    expect(drafts).toHaveLength(1);
    expect(drafts[0]).toMatchObject({
      evidence: { target: 'gone.md', count: 3, status: 404 },
      location: { path: 'navigation.md', line: 1, column: 3 },
      locations: [{ path: 'navigation.md' }, { path: 'index.md', line: 3 }, { path: 'index.md', line: 3 }],
    });
  });

  it('follows what a link means, so that one slip shows nothing of the pages behind it', async () => {
    const files = { '/start/index.md': '[a](a.md)', '/start/a.md': '# A', '/llms.txt': text('[a](start/a.md)') };
    expect(await rules({ ...home('[x](Start/index.md)'), ...files })).toEqual([
      'letter-case Start/index.md → start/index.md',
    ]);
  });

  it('sends no more requests for guesses than it may', async () => {
    const many = Array.from({ length: 300 }, (_, index) => `[x](Chapter${index}/page${index}.md)`);
    const { drafts, asked } = await evaluated(home(...many));
    expect(drafts).toHaveLength(300);
    expect(asked.length).toBeLessThan(300 + 200 + 50);
  });

  it('reports at most 500 of a kind and counts the rest', async () => {
    const many = Array.from({ length: 600 }, (_, index) => `[x](p${index}.md)`);
    const { drafts, gathered } = await evaluated(home(...many));
    const missing = drafts.filter(({ rule }) => rule === 'missing');
    expect(missing).toHaveLength(500);
    expect(missing.map(({ omitted = 0 }) => omitted)).toEqual([...Array.from({ length: 499 }, () => 0), 100]);
    expect(gathered.facts).toMatchObject({ pages: 2, missing: 600 });
  });
});

describe('links: broken pages', () => {
  it.each<readonly [name: string, answer: Answer | string, expected: string]>([
    ['empty', '', 'empty a.md'],
    ['comments only', '<!-- x -->', 'no-content a.md'],
    ['binary', 'a\0b', 'binary a.md'],
    ['another HTML page', html('<!doctype html><title>Sign in</title>'), 'html a.md'],
    ['a server error', reply('', { status: 500 }), 'server-error a.md'],
    ['a refusal', reply('', { status: 403 }), 'forbidden a.md'],
    ['too many requests', reply('', { status: 429 }), 'rate-limited'],
    ['no headers in time', noReply('headers-timeout', { timeoutMs: 1 }), 'headers-timeout a.md'],
    ['a broken body', noReply('truncated'), 'truncated a.md'],
    ['a conflict', '# A\n\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n', 'merge-conflict a.md'],
    ['another type', reply('# A', { contentType: 'application/octet-stream' }), 'media-type'],
  ])('%s', async (_, answer, expected) => {
    expect(await rules({ ...home('[x](a.md)'), '/a.md': answer })).toEqual([expected]);
  });

  it('reports a page that moved, and evaluates where it moved to', async () => {
    const hop = { url: `${ORIGIN}/a.md`, status: 301, location: '/b.md' };
    const found = async (body: string) => rules({ ...home('[x](a.md)'), '/a.md': reply(body, { redirects: [hop] }) });
    expect(await found('# B')).toEqual(['redirected a.md']);
    expect(await found('')).toEqual(['empty a.md']);
  });

  it('reads the links of a page that moved to another folder from there', async () => {
    const hop = { url: `${ORIGIN}/a.md`, status: 301, location: '/new/a.md' };
    const body = '[b](b.md) ![x](x.png)';
    const { get } = fake({ ...home('[x](a.md#gone)'), '/new/a.md': body, '/new/b.md': '# B', '/new/x.png': png });
    const pooled: typeof get = async (request) =>
      request.url.pathname === '/a.md'
        ? { ...reply(body, { url: `${ORIGIN}/new/a.md`, redirects: [hop] }), requestUrl: request.url.href }
        : get(request);
    const requested = { ...DEFAULT_REQUEST, full: true };
    const gathered = await links.gather(sharedSite({ base: new URL(ORIGIN), get, pooled, requested, limits }));
    expect((await links.evaluate(gathered, limits)).map(reported)).toEqual(['redirected a.md']);
    expect([...gathered.crawl.pages.keys()]).toContain('new/b.md');
  });

  it('leaves to navigation and home page what the host does with all pages alike', async () => {
    const plain = (body: string): Answer => reply(body, { contentType: 'application/octet-stream' });
    const files = { ...SITE, '/index.md': plain('[x](a.md)'), '/a.md': plain('# A') };
    expect(await rules(files)).toEqual([]);
  });

  it('leaves to other checks what is wrong with the roots themselves', async () => {
    const locales = json({ locales: [{ prefix: 'ro' }] });
    const files = {
      ...SITE,
      '/config.json': locales,
      '/navigation.md': '',
      '/index.md': '[x](navigation.md) [y](#/ro/)',
    };
    expect(await rules(files)).toEqual([]);
  });

  it('checks the links of the home page where the navigation is empty', async () => {
    expect(await rules({ ...home('[x](gone.md)'), '/navigation.md': '' })).toEqual(['missing gone.md']);
  });

  it('is skipped where there is nothing to begin with', async () => {
    const none = { '/index.html': html(SHELL), '/config.json': json({}) };
    expect(await rules(none)).toEqual(['no-answer']);
    expect(await rules({}, { fallback: noReply('refused') })).toEqual(['no-answer']);
  });

  it('reports that the site went away, once', async () => {
    const many = Array.from({ length: 50 }, (_, index) => `[x](p${index}.md)`);
    expect(await rules(home(...many), { fallback: noReply('refused') })).toEqual(['site-stopped-responding']);
    expect(await rules(home(...many), { fallback: noReply('no-network') })).toEqual(['no-network']);
  });
});

describe('links: how they are written', () => {
  it.each([
    ['[x](../a.md)', ['missing a.md']],
    ['[x](htps://me:secret@other.example/a)', ['misspelled-scheme https://other.example/a']],
    ['[x](%2e%2e/a.md)', ['encoded-dot']],
    ['[x](<a\\\\b.md>)', ['backslash']],
    ['[x](#gone)', ['missing-anchor index.md']],
    ['[x](http://docs.example/navigation.md)', ['insecure-link']],
    ['[x](https://other.example/gone)', []],
    ['[x](mailto:a@b.c) [y](javascript:x) [z](tel:1)', []],
    ['`[x](gone.md)` <!-- [y](gone.md) -->', []],
    ['<script>"[x](gone.md)"</script>', []],
  ])('%s: %j', async (link, expected) => {
    const { drafts, asked } = await evaluated(home(link));
    expect(drafts.map(reported)).toEqual(expected);
    expect(asked.filter((path) => /^\/(?:gone|b)\b/.test(path))).toEqual([]);
  });
});

describe('links: the agent index', () => {
  const index = text('# Handbook\n\n- [a](a.md)\n- [b](b.md)\n- [c](https://docs.example/c.md)\n');

  it('reports pages that it alone knows, together', async () => {
    const { drafts } = await evaluated({
      ...home('[a](a.md)'),
      '/llms.txt': index,
      '/a.md': '# A',
      '/b.md': '# B',
      '/c.md': '# C',
    });
    expect(drafts).toMatchObject([
      {
        rule: 'unlinked',
        evidence: { count: 2, pages: ['b.md', 'c.md'], knownFrom: ['index'] },
        location: { path: 'llms.txt', line: 4 },
      },
    ]);
  });

  it('leaves what is missing to its own check where it alone links to it', async () => {
    const files = { ...home('[a](a.md)'), '/llms.txt': index, '/b.md': '# B', '/navigation.md': '- [b](b.md)\n' };
    const { drafts } = await evaluated(files);
    expect(drafts.map(reported)).toEqual(['missing a.md']);
    expect(drafts[0]?.locations?.map(({ path }) => path)).toEqual(['index.md', 'llms.txt']);
  });

  it.each<readonly [name: string, files: Files, given: Given]>([
    ['a cap was met', {}, { requested: { depth: 0 } }],
    ['the navigation is missing', { '/navigation.md': reply('', { status: 404 }) }, {}],
    ['a page cannot be read', { '/navigation.md': '- [x](x.md)\n', '/x.md': reply('', { status: 500 }) }, {}],
  ])('says nothing of ways when %s', async (_, files, given) => {
    const all = { ...SITE, '/llms.txt': index, '/a.md': '# A', '/b.md': '# B', '/c.md': '# C', ...files };
    expect(await rules(all, given)).not.toContain('unlinked');
  });
});

describe('links: what was left out', () => {
  it('is reported, and does not affect the result', async () => {
    const { drafts } = await evaluated(home('[a](a.md)', '[b](b.md)'), { requested: { pages: 2 } });
    expect(drafts).toEqual([{ rule: 'limit-reached', evidence: { pages: 2, files: 0, by: ['pages'] } }]);
    expect(links.rules['limit-reached']).toBe('info');
  });

  it.each([
    { name: 'little', count: 3, code: 'deadline-exceeded', grade: 'warning' },
    { name: 'more than was seen', count: 5, code: 'mostly-unchecked', grade: 'unknown' },
  ] as const)('is reported when it was $name, because the time was over', async ({ count, code: rule, grade }) => {
    const late = Array.from({ length: count }, (_, index) => `late${index}.md`);
    const pages = Object.fromEntries(late.map((path) => [`/${path}`, noReply('interrupted')]));
    const observed = { '/a.md': '# A', '/b.md': '# B' };
    const { drafts } = await evaluated({
      ...home('[a](a.md)', '[b](b.md)', ...late.map((path) => `[x](${path})`)),
      ...observed,
      ...pages,
    });
    expect(drafts).toEqual([{ rule, evidence: { pages: count, files: 0, by: ['time'], looked: 4 } }]);
    expect(links.rules[rule]).toBe(grade);
  });
});

describe('links: to other sites', () => {
  const files = {
    ...home(
      ...['gone', 'there', 'refused', 'limited', 'late', 'head'].map((name) => `[x](https://other.org/${name})`),
      '[x](https://nowhere.org/) [y](https://www.example.com/sample)',
    ),
    'https://other.org/gone': reply('', { status: 404 }),
    'https://other.org/there': html('<title>x</title>'),
    'https://other.org/refused': reply('', { status: 403 }),
    'https://other.org/limited': reply('', { status: 429 }),
    'https://other.org/late': noReply('headers-timeout'),
    'https://other.org/head': reply('', { status: 405 }),
    'https://nowhere.org/': noReply('dns-not-found'),
  };

  it('are not followed unless that is wanted', async () => {
    const { drafts, asked } = await evaluated(files);
    expect(drafts).toEqual([]);
    expect(asked.filter((path) => path.startsWith('https://'))).toEqual([]);
  });

  it('are reported only where the response is clear', async () => {
    const { drafts, gathered } = await evaluated(files, { requested: { external: true } });
    expect(drafts.map(({ rule, evidence }) => [rule, evidence?.['link']])).toEqual([
      ['external-missing', 'https://other.org/gone'],
      ['external-missing', 'https://nowhere.org/'],
    ]);
    expect(gathered.facts).toMatchObject({ external: 8, externalUnsure: 4 });
  });

  it('are one finding for each host', async () => {
    const lines = [
      '[x](https://other.org/a) [y](https://third.org/)',
      '[x](https://other.org/b)',
      '[x](https://other.org/a)',
    ];
    const gone = reply('', { status: 404 });
    const missing = { 'https://other.org/a': gone, 'https://other.org/b': gone, 'https://third.org/': gone };
    const { drafts } = await evaluated({ ...home(...lines), ...missing }, { requested: { external: true } });
    expect(drafts).toMatchObject([
      {
        evidence: { link: 'https://other.org/a', status: 404, also: ['https://other.org/b'], count: 3 },
        locations: [{ line: 3 }, { line: 7 }, { line: 5 }],
      },
      { evidence: { link: 'https://third.org/', count: 1 } },
    ]);
  });
});

describe('links: healthy sites', () => {
  const pages = {
    'a.md': '# A\n\n## Part\n',
    'sub/index.md': '[a](../a.md#part)\n\n![x](../x.png)\n',
    'sub/ă b.md': '# B',
  };
  const below = (folder: string): Files =>
    Object.fromEntries(Object.entries(pages).map(([path, body]) => [folder + encodeURI(path), body]));

  it.each([
    ['at the root', '/', undefined],
    ['below a folder', '/docs/', undefined],
    ['with the bundle for what is not there', '/docs/', html(SHELL)],
  ])('%s', async (_, base, fallback) => {
    const menu = ['a.md', '#/sub/', '#!sub/', '#sub/%C4%83%20b.md', `${ORIGIN}${base}#/a.md`, '/a.md', './', '#/'];
    const files = {
      ...siteIn(base),
      ...below(base),
      [`${base}x.png`]: png,
      [`${base}navigation.md`]: menu.map((link) => `- [x](${link})`).join('\n'),
    };
    expect(await rules(files, { base, ...(fallback === undefined ? {} : { fallback }) })).toEqual([]);
  });
});

describe('links: redirects of folders', () => {
  const leadTo = (from: string, location: string, answer: Answer): Answer => ({
    ...answer,
    redirects: [{ url: from, status: 301, location }],
  });
  const inner = `${ORIGIN}:8080`;

  it.each<{ name: string; answer: Answer; expected: readonly string[] }>([
    {
      name: 'an inner port that does not respond',
      answer: leadTo(`${ORIGIN}/docs`, `${inner}/docs/`, noReply('refused')),
      expected: ['bad-redirect'],
    },
    {
      name: 'an inner port that responds',
      answer: leadTo(`${ORIGIN}/docs`, `${inner}/docs/`, html(SHELL)),
      expected: ['bad-redirect'],
    },
    { name: 'the folder', answer: leadTo(`${ORIGIN}/docs`, `${ORIGIN}/docs/`, html(SHELL)), expected: [] },
    { name: 'another host', answer: leadTo(`${ORIGIN}/docs`, 'https://wiki.example/', html(SHELL)), expected: [] },
    { name: 'nothing', answer: reply('', { status: 404 }), expected: [] },
  ])('the address without its slash leads to $name', async ({ answer, expected }) => {
    expect(await rules({ ...siteIn('/docs/'), '/docs': answer }, { base: '/docs/' })).toEqual(expected);
  });

  it('a link leads to an inner port', async () => {
    const sub = leadTo(`${ORIGIN}/sub.md`, `${inner}/sub.md/`, noReply('refused'));
    expect(await rules({ ...home('[x](sub.md)'), '/sub.md': sub })).toEqual(['bad-redirect sub.md']);
  });
});
