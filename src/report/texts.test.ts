import { describe, expect, it } from 'vitest';
import { readPage } from '../build/texts.ts';
import { ENGINE_NAMES } from '../engines/engine.ts';
import { LANGUAGES, pickLanguage } from '../locales/language.ts';
import { loadTexts, textsOf, withHost, type FindingText } from './texts.ts';

const text = (name: string): FindingText => ({ problem: `${name} problem`, fix: `${name} fix` });

const pages = {
  common: { title: 'Shared', expected: 'e', rules: { refused: text('refused'), html: text('html') } },
  navigation: {
    title: 'Navigation',
    expected: 'Links.',
    degraded: 'Do.',
    more: 'Of the site.',
    rules: { 'no-links': { ...text('no-links'), more: '- `a`' }, html: text('navigation html') },
  },
  own: { title: 'Own', expected: 'e', degraded: 'Look.', rules: { contains: text('contains') } },
};
const texts = textsOf('en', pages);

describe('textsOf', () => {
  it('gives the texts of a check', () => {
    expect(texts.check('navigation')).toMatchObject({ title: 'Navigation', expected: 'Links.', degraded: 'Do.' });
  });

  it.each([
    ['a rule of the check', 'navigation', 'no-links', 'no-links problem'],
    ['a shared rule', 'navigation', 'refused', 'refused problem'],
    ['a shared rule that the check words itself', 'navigation', 'html', 'navigation html problem'],
    ['an unknown rule', 'navigation', 'nonsense', undefined],
    ['a rule of another check', 'own', 'no-links', undefined],
    ['an unknown check', 'nonsense', 'refused', undefined],
    ['a rule named as a member of every object', 'navigation', 'constructor', undefined],
    ['a check named as a member of every object', 'toString', 'refused', undefined],
  ])('finding: %s', (_name, id, rule, problem) => {
    expect(texts.finding(id, rule)?.problem).toBe(problem);
  });

  it('puts a page together', () => {
    expect(texts.page('navigation')).toBe(
      [
        '# Navigation\n\nLinks.\n\nOf the site.\n\n## If this check fails\n\nDo.',
        '## no-links\n\nno-links problem\n\nno-links fix\n\n- `a`',
        '## html\n\nnavigation html problem\n\nnavigation html fix\n',
      ].join('\n\n'),
    );
    expect(texts.page('nonsense')).toBeUndefined();
  });

  it.each([
    ['a rule of the check', 'navigation', 'no-links', '## no-links\n\nno-links problem\n\nno-links fix\n\n- `a`'],
    ['a shared rule', 'navigation', 'refused', '## refused\n\nrefused problem\n\nrefused fix'],
    ['an unknown rule', 'navigation', 'nonsense', undefined],
    ['an unknown check', 'nonsense', 'refused', undefined],
  ])('section: %s', (_name, id, code, section) => {
    expect(texts.section(id, code)).toBe(section);
  });

  it('lists the checks, not the pages behind them', () => {
    expect(texts.ids()).toEqual(['navigation']);
  });
});

describe('withOwn', () => {
  const own = textsOf('en', pages, [
    { id: 'api', title: 'API description', fix: 'Publish it again.' },
    { id: 'feed', title: 'Feed' },
  ]);

  it('titles a check as its user did', () => {
    expect(own.check('api')?.title).toBe('API description');
    expect(own.page('api')).toBe(
      '# API description\n\ne\n\n## If this check fails\n\nLook.\n\n## contains\n\ncontains problem\n\ncontains fix\n',
    );
    expect(own.page('navigation')).toBe(texts.page('navigation'));
  });

  it("makes the user's fix the documented action", () => {
    expect(own.check('api')?.degraded).toBe('Publish it again.');
  });

  it('keeps the general action where the user wrote no fix', () => {
    expect(own.check('feed')?.degraded).toBe('Look.');
  });

  it.each([
    ['its own rule, with a fix', 'api', 'contains', 'contains problem', 'Publish it again.'],
    ['a shared rule, with a fix', 'api', 'refused', 'refused problem', 'Publish it again.'],
    ['its own rule, without a fix', 'feed', 'contains', 'contains problem', 'contains fix'],
    ['a built-in check', 'navigation', 'no-links', 'no-links problem', 'no-links fix'],
    ['an unknown rule', 'api', 'no-links', undefined, undefined],
  ])('finding: %s', (_name, id, rule, problem, fix) => {
    expect(own.finding(id, rule)?.problem).toBe(problem);
    expect(own.finding(id, rule)?.fix).toBe(fix);
    expect(own.section(id, rule)?.split('\n\n')[2]).toBe(fix);
  });

  it("lists the user's checks after the others", () => {
    expect(own.ids()).toEqual(['navigation', 'api', 'feed']);
  });
});

describe('fixes that differ between hosts', () => {
  const page = readPage(
    [
      '# Bundle\n\nExpected.\n\n## degraded\n\nDo.\n\n## html\n\nProblem.\n\nFix.\n',
      '- **nginx**: Use\n  `a`.\n- **S3 et CloudFront**: Use `b`.\n- **Vercel**: Use `c`.\n\nMore.\n',
    ].join('\n'),
    { degraded: true },
  );
  const inFrench = textsOf('fr', { bundle: page });

  it.each([
    [
      'an unknown host',
      {},
      'Fix.\n- nginx\u00a0: Use `a`.\n- S3 et CloudFront\u00a0: Use `b`.\n- Vercel\u00a0: Use `c`.',
    ],
    ['a known host', { host: 'nginx' }, 'Fix. nginx\u00a0: Use `a`.'],
    ['a known host whose name is translated', { host: 'S3 and CloudFront' }, 'Fix. S3 et CloudFront\u00a0: Use `b`.'],
    ['a kind of host that the user configured', { kind: 'platform' }, 'Fix. Vercel\u00a0: Use `c`.'],
    ['a host that is more precise than the kind', { host: 'nginx', kind: 'platform' }, 'Fix. nginx\u00a0: Use `a`.'],
    [
      'a host without an item',
      { host: 'Caddy' },
      'Fix.\n- nginx\u00a0: Use `a`.\n- S3 et CloudFront\u00a0: Use `b`.\n- Vercel\u00a0: Use `c`.',
    ],
  ] as const)('%s', (_name, known, fix) => {
    expect(withHost(inFrench, known).finding('bundle', 'html')?.fix).toBe(fix);
  });

  it('are explained with all their items', () => {
    expect(inFrench.section('bundle', 'html')).toBe(
      '## html\n\nProblem.\n\nFix.\n\n- **nginx**: Use `a`.\n- **S3 et CloudFront**: Use `b`.\n- **Vercel**: Use `c`.\n\nMore.',
    );
  });

  it('refuse a host that does not exist', () => {
    const wrong = '# A\n\nE.\n\n## html\n\nProblem.\n\nFix.\n\n- **ngnix**: Use `a`.\n';
    expect(() => readPage(wrong, { degraded: false })).toThrow('5: "ngnix"');
  });
});

describe('loadTexts', () => {
  it.each(LANGUAGES)('%s', async (language) => {
    expect((await loadTexts(language)).language).toBe(language);
  });
});

describe('pickLanguage', () => {
  it.each([
    ['nothing set', {}, 'en'],
    ['LANG', { LANG: 'ro_RO.UTF-8' }, 'ro'],
    ['LC_MESSAGES before LANG', { LC_MESSAGES: 'fr_FR', LANG: 'ro_RO' }, 'fr'],
    ['LC_ALL before both', { LC_ALL: 'ro', LC_MESSAGES: 'fr', LANG: 'fr' }, 'ro'],
    ['an empty variable counts as not set', { LC_ALL: '', LC_MESSAGES: '', LANG: 'fr' }, 'fr'],
    ['LC_ALL=C decides, whatever LANG says', { LC_ALL: 'C', LANG: 'ro_RO' }, 'en'],
    ['C.UTF-8', { LANG: 'C.UTF-8' }, 'en'],
    ['POSIX', { LANG: 'POSIX' }, 'en'],
    ['with a hyphen', { LANG: 'fr-FR' }, 'fr'],
    ['with a modifier', { LANG: 'fr_FR@euro' }, 'fr'],
    ['modifier after the bare language', { LANG: 'fr@latin' }, 'fr'],
    ['codeset after the bare language', { LANG: 'ro.utf8' }, 'ro'],
    ['in capitals', { LANG: 'FR_CA' }, 'fr'],
    ['an unsupported language', { LC_ALL: 'de_DE.UTF-8', LANG: 'fr' }, 'en'],
    ['a language that begins with the same letters', { LANG: 'rom_XX' }, 'en'],
    ['nonsense', { LANG: '../../etc' }, 'en'],
  ])('%s', (_name, env, language) => {
    expect(pickLanguage({ env })).toBe(language);
  });

  it('the configuration before the environment', () => {
    expect(pickLanguage({ config: 'ro', env: { LC_ALL: 'fr' } })).toBe('ro');
  });

  it('the command line before both', () => {
    expect(pickLanguage({ flag: 'en', config: 'ro', env: { LC_ALL: 'fr' } })).toBe('en');
  });
});

describe('withHost: items for engines', () => {
  const hosts = { docsify: 'In the script.', 'Other engines': 'In config.json.' };
  const page = { title: 't', expected: 'e', rules: { rule: { problem: 'p', fix: 'Write it.', hosts } } };
  const own = textsOf('en', { home: page, common: { title: 't', expected: 'e', rules: {} } });
  it.each([
    ['docsify', 'Write it. docsify: In the script.'],
    ['mdwiki', 'Write it. In config.json.'],
    [undefined, 'Write it. In config.json.'],
  ] as const)('%s', (id, fix) => {
    const engine = id && { engine: { id, name: ENGINE_NAMES[id], version: null } };
    expect(withHost(own, { host: 'nginx', ...engine }).finding('home', 'rule')?.fix).toBe(fix);
  });
});
