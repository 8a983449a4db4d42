import { describe, expect, it } from 'vitest';
import { noReply, reply, SHELL } from '../../test/answers.ts';
import { fake, html, json, ORIGIN, text, type Files } from '../../test/runs.ts';
import { sampleSite } from '../../test/site/sample.ts';
import type { Answer, Json } from '../../src/core/answer.ts';
import { DEFAULT_REQUEST } from '../../src/core/run.ts';
import { sharedSite } from '../../src/site/site.ts';
import { translations } from './check.ts';
import { rules, GONE, evaluated, LIMITS, LOCALES, MENU, PAGE, SITE, type Given } from './fixtures/site.ts';

/** The site below a folder; of every language, its own files only. */
function moved(folder: string): Files {
  return Object.fromEntries(Object.entries(SITE).map(([path, file]) => [folder + path, file]));
}

/** Files of the default language that were moved into a folder of their own. */
const BELOW_EN: Files = {
  '/en/navigation.md': MENU,
  '/en/index.md': '# Home\n',
  '/en/guide.md': PAGE,
  '/en/sea/tides.md': PAGE,
  '/guide.md': GONE,
  '/sea/tides.md': GONE,
};
const ENGLISH_BELOW = [{ code: 'en', isDefault: true, prefix: 'en' }, LOCALES[1] ?? null];

describe('translations: where there is nothing to compare', () => {
  it.each<{ name: string; locales: Json }>([
    { name: 'no list', locales: null },
    { name: 'an empty list', locales: [] },
    { name: 'one language', locales: [LOCALES[0] ?? null] },
    { name: 'another shape', locales: { en: 'English', ro: 'Română' } },
  ])('$name', async ({ locales }) => {
    const { findings, asked } = await evaluated({ locales });
    expect(findings.map(({ rule }) => rule)).toEqual(['one-language']);
    expect(asked.toSorted()).toEqual(['/config.json', '/index.html']);
  });

  it('a site that does not answer', async () => {
    const down = noReply('refused');
    const files = Object.fromEntries(
      Object.keys(SITE).map((path) => [path, path.endsWith('.json') ? SITE[path] : down]),
    );
    expect(await rules({ files: { ...(files as Files), '/config.json': json({ locales: LOCALES }) } })).toEqual([
      'no-answer',
    ]);
  });
});

describe('translations: healthy sites', () => {
  it.each<{ name: string; given: Given }>([
    { name: 'two languages', given: {} },
    { name: 'a host with a fallback', given: { fallback: true } },
    {
      name: 'prefixes with slashes',
      given: {
        locales: [
          { code: 'en', prefix: '/' },
          { code: 'ro', prefix: '/ro/' },
        ],
      },
    },
    { name: 'under a path', given: { base: '/docs/', files: moved('/docs') } },
    {
      name: 'a default language in a folder of its own',
      given: {
        locales: ENGLISH_BELOW,
        files: { ...BELOW_EN, '/navigation.md': '- [Guide](en/guide.md)\n- [T](en/sea/tides.md)' },
      },
    },
    {
      name: 'files that are named in the folder of the default language',
      given: {
        locales: ENGLISH_BELOW,
        config: { navigationFile: 'en/navigation.md', homePage: '/en/index.md' },
        files: { ...BELOW_EN, '/navigation.md': GONE, '/index.md': GONE },
      },
    },
    {
      name: 'other names of navigation and home page',
      given: {
        config: { navigationFile: '_sidebar.md', homePage: 'README.md' },
        files: {
          '/_sidebar.md': MENU.replace('index', 'README'),
          '/README.md': '# Home\n',
          '/ro/_sidebar.md': MENU.replace('index', 'README'),
          '/ro/README.md': '# Acasă\n',
          '/navigation.md': GONE,
          '/ro/navigation.md': GONE,
        },
      },
    },
    {
      name: 'a page that nothing in its language links to',
      given: { files: { '/ro/navigation.md': '- [Ghid](guide.md)\n' } },
    },
    {
      name: 'more pages than the default language has',
      given: { files: { '/ro/legal.md': PAGE, '/ro/navigation.md': `${MENU}- [Legal](legal.md)\n` } },
    },
    {
      name: 'pages that only the agent index knows',
      given: { files: { '/llms.txt': text('# H\n\n[a](alone.md)'), '/alone.md': PAGE } },
    },
    {
      name: 'other words, code and links',
      given: {
        files: {
          '/guide.md': '# A\n\n```sh\nls\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n[x](index.md)\n',
          '/ro/guide.md':
            '# B\n\nMai mult text.\n\n```sh\n# listă\nls -l\n```\n\n| c | d |\n| :-- | --: |\n| 3 | 4 |\n',
        },
      },
    },
    {
      name: 'composed and decomposed names',
      given: {
        files: {
          '/navigation.md': '- [a](pași.md)\n',
          '/pa%C8%99i.md': PAGE,
          '/ro/navigation.md': '- [a](pas\u0326i.md)\n',
          '/ro/pas%CC%A6i.md': '# Pași\n\n## Unu\n',
          '/ro/pa%C8%99i.md': '# Pași\n\n## Unu\n',
        },
      },
    },
  ])('$name', async ({ given }) => {
    expect(await rules(given)).toEqual([]);
  });

  it('a handbook of three languages, whose files are named in each', async () => {
    const files = Object.fromEntries(
      [...sampleSite()].map(([path, content]) => {
        const type = path.endsWith('.html') ? 'text/html' : 'text/markdown';
        return [`/${path.split('/').map(encodeURIComponent).join('/')}`, reply(content, { contentType: type })];
      }),
    );
    const { get } = fake(files, GONE);
    const site = sharedSite({
      base: new URL(ORIGIN),
      get,
      pooled: get,
      requested: { ...DEFAULT_REQUEST, full: true },
      limits: LIMITS,
    });
    const gathered = await translations.gather(site);
    expect(await translations.evaluate(gathered, LIMITS)).toEqual([]);
    expect(gathered).toMatchObject({ requests: 0, facts: { languages: ['en', 'ro', 'fr'] } });
  });
});

describe('translations: files that each language has', () => {
  it.each<{ name: string; files: Files; is: string[]; fallback?: boolean }>([
    { name: 'no navigation', files: { '/ro/navigation.md': GONE }, is: ['navigation-missing'] },
    { name: 'no home page', files: { '/ro/index.md': GONE }, is: ['home-missing'] },
    { name: 'neither', files: { '/ro/navigation.md': GONE, '/ro/index.md': GONE }, is: ['language-missing'] },
    { name: 'the bundle in its place', files: { '/ro/index.md': html(SHELL) }, is: ['home-missing'], fallback: true },
    { name: 'HTML in its place', files: { '/ro/index.md': html('<!doctype html><p>Hello') }, is: ['html'] },
    { name: 'an empty home page', files: { '/ro/index.md': text('') }, is: ['empty'] },
    { name: 'an error', files: { '/ro/navigation.md': reply('', { status: 503 }) }, is: ['server-error'] },
    {
      name: 'a conflict',
      files: { '/ro/index.md': '# A\n\n<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n' },
      is: ['merge-conflict'],
    },
    { name: 'another type', files: { '/ro/index.md': reply('# A', { contentType: 'application/x-md' }) }, is: [] },
    { name: 'the end of the run', files: { '/ro/index.md': noReply('headers-timeout', { deadlineMs: 1 }) }, is: [] },
  ])('$name: $is', async ({ files, is, fallback = false }) => {
    expect(await rules({ files, fallback })).toEqual(is);
  });

  it('warns where the engine shows the navigation of the default language instead', async () => {
    const files = { '/index.html': html('<!doctype html><footer>VertiWiki 0.5.1</footer>'), '/ro/navigation.md': GONE };
    const { findings } = await evaluated({ files });
    expect(findings).toEqual([{ rule: 'navigation-shared', evidence: { language: 'ro', file: 'ro/navigation.md' } }]);
  });

  it('leaves those of the default language to their own checks', async () => {
    expect(await rules({ files: { '/index.md': text('') } })).toEqual([]);
  });

  it('names the file', async () => {
    const { findings } = await evaluated({ files: { '/ro/navigation.md': GONE } });
    expect(findings).toEqual([{ rule: 'navigation-missing', evidence: { language: 'ro', file: 'ro/navigation.md' } }]);
  });
});

describe('translations: the list of languages', () => {
  it('reports where it is', async () => {
    const { findings } = await evaluated({ config: { locales: [...LOCALES, { code: 'fr_FR', prefix: 'ro' }] } });
    expect(findings).toMatchObject([
      {
        rule: 'prefix-shared',
        evidence: { prefix: 'ro', languages: ['ro', 'fr_FR'] },
        location: { path: 'config.json', line: 1 },
      },
      { rule: 'code-invalid', evidence: { codes: ['fr_FR'] } },
    ]);
  });

  it('is read past a syntax error', async () => {
    const broken: Answer = reply(`{"locales": ${JSON.stringify(LOCALES)},}`, { contentType: 'application/json' });
    expect(await rules({ files: { '/config.json': broken, '/ro/index.md': GONE } })).toEqual(['home-missing']);
  });
});
