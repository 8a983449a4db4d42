import { describe, expect, it, vi } from 'vitest';
import { comparable, parseRobots, ROBOTS_LIMIT, robotsText, type RobotsFile } from '../../src/parse/robots.ts';
import {
  groupsFor,
  ruleFor,
  rulesOf,
  AGENTS,
  compareTargets,
  evaluateRobotsTxt,
  type Target,
  isPreview,
  isNoIndex,
  metasOf,
  readRobotsMetas,
  readRobotsTags,
} from './evaluate.ts';

function parsed(body: string): RobotsFile {
  const { text, isCut } = robotsText(Buffer.from(body));
  return parseRobots(text, isCut);
}

const file = (...lines: string[]): RobotsFile => parsed(lines.join('\n'));
const may = (robots: RobotsFile, agent: string, path: string): boolean =>
  ruleFor(rulesOf(groupsFor(robots, agent)), comparable(path))?.allow !== false;

/** The simple example of RFC 9309, section 5.1. */
const SIMPLE = file(
  'User-Agent: *',
  'Disallow: *.gif$',
  'Disallow: /example/',
  'Allow: /publications/',
  '',
  'User-Agent: foobot',
  'Disallow:/',
  'Allow:/example/page.html',
  'Allow:/example/allowed.gif',
  '',
  'User-Agent: barbot',
  'User-Agent: bazbot',
  'Disallow: /example/page.html',
  '',
  'User-Agent: quxbot',
);

describe('RFC 9309, section 5.1', () => {
  it.each([
    ['otherbot', '/picture.gif', false],
    ['otherbot', '/picture.gift', true],
    ['otherbot', '/example/page.html', false],
    ['otherbot', '/publications/', true],
    ['otherbot', '/', true],
    ['foobot', '/', false],
    ['foobot', '/robots.txt', true],
    ['foobot', '/example/page.html', true],
    ['foobot', '/example/page.htm', false],
    ['foobot', '/example/allowed.gif', true],
    ['barbot', '/example/page.html', false],
    ['bazbot', '/example/page.html', false],
    ['bazbot', '/example/allowed.gif', true],
    ['quxbot', '/example/page.html', true],
    ['quxbot', '/picture.gif', true],
  ] as const)('%s and %s: %s', (agent, path, expected) => {
    expect(may(SIMPLE, agent, path)).toBe(expected);
  });

  it('section 5.2: the longest match counts', () => {
    const robots = file('User-Agent: foobot', 'Allow: /example/page/', 'Disallow: /example/page/disallowed.gif');
    expect(may(robots, 'foobot', '/example/page/disallowed.gif')).toBe(false);
    expect(may(robots, 'foobot', '/example/page/')).toBe(true);
  });
});

describe('RFC 9309, section 2.2.1: groups', () => {
  it('merges the groups of one agent', () => {
    const robots = file(
      'user-agent: ExampleBot',
      'disallow: /foo',
      'disallow: /bar',
      '',
      'user-agent: ExampleBot',
      'disallow: /baz',
    );
    expect(['/foo', '/bar', '/baz', '/qux'].map((path) => may(robots, 'examplebot', path))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('section 2.2.1: a group for all and one for one agent', () => {
    const robots = file(
      'user-agent: a',
      'disallow: /c',
      '',
      'user-agent: b',
      'disallow: /d',
      '',
      'user-agent: a',
      'user-agent: b',
      'disallow: /e',
    );
    expect(['/c', '/d', '/e'].map((path) => may(robots, 'a', path))).toEqual([false, true, false]);
    expect(['/c', '/d', '/e'].map((path) => may(robots, 'b', path))).toEqual([true, false, false]);
    expect(may(robots, 'c', '/c')).toBe(true);
  });

  it.each([
    ['letter case of the token', ['User-agent: GPTBOT', 'Disallow: /'], 'GPTBot', '/x', false],
    ['letter case of the names', ['USER-AGENT: *', 'DISALLOW: /'], 'any', '/x', false],
    ['a version behind the token', ['User-agent: gptbot/1.2', 'Disallow: /'], 'GPTBot', '/x', false],
    ['no token within another', ['User-agent: bot', 'Disallow: /'], 'GPTBot', '/x', true],
    [
      'a named group takes the place of *',
      ['User-agent: *', 'Disallow: /', 'User-agent: a', 'Disallow: /y'],
      'a',
      '/x',
      true,
    ],
    [
      'other records do not end the agents',
      ['User-agent: a', 'Sitemap: https://x/', 'User-agent: b', 'Disallow: /'],
      'a',
      '/x',
      false,
    ],
    [
      'other records do not end the rules',
      ['User-agent: a', 'Disallow: /y', 'Crawl-delay: 1', 'Disallow: /x'],
      'a',
      '/x',
      false,
    ],
    ['blank lines do not end a group', ['User-agent: a', '', '', 'Disallow: /'], 'a', '/x', false],
    ['no group at all', ['Disallow: /'], 'a', '/x', true],
    ['no rule at all', ['User-agent: *', 'Disallow:'], 'a', '/x', true],
    ['comments', ['User-agent: * # all', 'Disallow: /x # that'], 'a', '/x', false],
    ['white space', ['\t User-agent \t:\t * ', '  Disallow  :  /x  '], 'a', '/x', false],
  ] as const)('%s', (_, lines, agent, path, expected) => {
    expect(may(file(...lines), agent, path)).toBe(expected);
  });
});

describe('RFC 9309, sections 2.2.2 and 2.2.3: patterns', () => {
  it.each([
    // The RFC's table of encodings.
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz', true],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar', true],
    ['/foo/bar?baz=https%3A%2F%2Ffoo.bar', '/foo/bar?baz=https://foo.bar', true],
    ['/foo/bar/\u30c4', '/foo/bar/%E3%83%84', true],
    ['/foo/bar/%e3%83%84', '/foo/bar/%E3%83%84', true],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz', true],
    ['/foo/bar/baz', '/foo/bar/%62%61%7A', true],
    // Special characters.
    ['/path/file-with-a-%2A.html', '/path/file-with-a-*.html', true],
    ['/path/file-with-a-%2A.html', '/path/file-with-a-b.html', false],
    ['/path/foo-%24', '/path/foo-$', true],
    ['/path/foo-%24', '/path/foo-', false],
    ['/this/*/exactly', '/this/path/exactly', true],
    ['/this/path/exactly$', '/this/path/exactly', true],
    ['/this/path/exactly$', '/this/path/exactly/not', false],
    ['/a$b', '/a$b', true],
    ['/a$b', '/a', false],
    ['/*.md$', '/guide/install.md', true],
    ['/*.md$', '/guide/install.md?v=1', false],
    ['/*.md', '/guide/install.md?v=1', true],
    ['*.md', '/a.md', true],
    ['/*a*a*b', '/aab', true],
    ['/*aa$', '/aaa', true],
    ['/a*a$', '/a', false],
    ['/*', '/', true],
    ['/**', '/x', true],
    ['/$', '/', true],
    ['/$', '/index.html', false],
    ['/docs', '/docs/index.md', true],
    ['/docs/', '/docs', false],
    ['/Docs', '/docs', false],
    ['docs', '/docs', false],
    ['/a%2Fb', '/a/b', false],
    ['/gu\u00eda', '/gu%C3%ADa', true],
    ['/a b', '/a%20b', true],
    ['/a<b', '/a%3Cb', true],
    ['/a|b', '/a|b', true],
    ['/100%', '/100%', true],
  ])('%s matches %s: %s', (pattern, path, matched) => {
    expect(may(file('User-agent: *', `Disallow: ${pattern}`), 'a', path)).toBe(!matched);
  });

  it.each([
    { name: 'Allow among equals', rules: ['Disallow: /a', 'Allow: /a'], path: '/a', allowed: true },
    { name: 'the longer one', rules: ['Allow: /a', 'Disallow: /a/b'], path: '/a/b', allowed: false },
    { name: 'whatever the order', rules: ['Disallow: /a/b', 'Allow: /a'], path: '/a/b', allowed: false },
    { name: 'llms.txt let through', rules: ['Disallow: /', 'Allow: /llms.txt'], path: '/llms.txt', allowed: true },
    { name: 'the root let through', rules: ['Disallow: /', 'Allow: /$'], path: '/', allowed: true },
    { name: 'robots.txt itself', rules: ['Disallow: /'], path: '/robots.txt', allowed: true },
  ])('$name', ({ rules, path, allowed }) => {
    expect(may(file('User-agent: *', ...rules), 'a', path)).toBe(allowed);
  });

  it('takes no time that grows with stars', () => {
    const robots = file('User-agent: *', `Disallow: /${'*a'.repeat(2_000)}*b`);
    expect(may(robots, 'a', `/${'a'.repeat(20_000)}`)).toBe(true);
  });
});

describe('reading', () => {
  it.each([
    ['LF', 'User-agent: *\nDisallow: /x\n'],
    ['CRLF', 'User-agent: *\r\nDisallow: /x\r\n'],
    ['CR', 'User-agent: *\rDisallow: /x\r'],
    ['a BOM', '\ufeffUser-agent: *\nDisallow: /x\n'],
    ['no end of line', 'User-agent: *\nDisallow: /x'],
  ])('%s', (_, text) => {
    const robots = parsed(text);
    expect(robots.groups.map(({ agents, rules }) => [agents, rules.map(({ path, line }) => [path, line])])).toEqual([
      [['*'], [['/x', 2]]],
    ]);
    expect(robots.problems).toEqual([]);
  });

  it('stops after 500 KiB', () => {
    const text = `User-agent: *\nDisallow: /x\n${'#'.repeat(ROBOTS_LIMIT)}\nDisallow: /y\n`;
    const robots = parsed(text);
    expect([robots.cut, may(robots, 'a', '/x'), may(robots, 'a', '/y')]).toEqual([true, false, true]);
  });

  it.each([
    ['Disalow: /', ['misspelt']],
    ['Dissallow: /', ['misspelt']],
    ['Dis-allow: /', ['misspelt']],
    ['Alow: /', ['misspelt']],
    ['User agent: x', ['misspelt']],
    ['Useragent: x', ['misspelt']],
    ['Disallow /', ['no-colon']],
    ['Hello there', ['no-colon']],
    ['Disallow: docs/', ['relative-path']],
    ['Disallow: https://docs.example/x', ['relative-path']],
    ['User-agent:', ['no-agent']],
    ['Disallow: *.gif$', []],
    ['Disallow:', []],
    ['Sitemap: https://docs.example/sitemap.xml', []],
    ['Crawl-delay: 10', []],
    ['Host: docs.example', []],
    ['Noindex: /x', []],
    ['Clean-param: ref', []],
    ['Content-Signal: search=yes, ai-train=no', []],
    ['Request-rate: 1/5', []],
    ['LLMs: https://docs.example/llms.txt', []],
    ['# Disallow /', []],
  ])('%s: %j', (line, kinds) => {
    expect(file('User-agent: *', line).problems.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('a rule above all groups has no effect', () => {
    expect(file('Disallow: /', 'User-agent: *').problems).toEqual([
      { kind: 'outside-group', line: 1, text: 'Disallow: /' },
    ]);
  });
});

const pages = (count: number, path = (index: number): string => `/guide/${index}.md`): readonly Target[] =>
  Array.from({ length: count }, (_, index) => ({ role: 'page', path: path(index) }));
const agents = (names: readonly string[]): readonly string[] => names.map((name) => `User-agent: ${name}`);
/** A rule as long as a whole file. */
const longRule = (part: string): string => `Disallow: /${part.repeat((ROBOTS_LIMIT - 2_000) / part.length)}`;

describe('compareTargets', () => {
  it.each([
    { name: 'stars', rules: [longRule('*')] },
    { name: 'stars before a letter', rules: [`${longRule('*')}a`] },
    { name: 'stars and letters', rules: [longRule('*a')] },
    { name: 'letters', rules: [longRule('a')] },
    { name: 'very many rules', rules: Array.from({ length: 10_000 }, (_, index) => `Disallow: /${index}*`) },
  ])('holds many pages against a long file: $name', async ({ rules }) => {
    const ten = AGENTS.slice(0, 10).flatMap((agent) => [`User-agent: ${agent}`, 'Allow: /x']);
    const long = file(...ten, ...agents(['*', ...AGENTS.slice(10)]), ...rules);
    const compared = await compareTargets(long, pages(600));
    expect(compared.targets).toHaveLength(600);
  });

  it('looks once at agents with the same groups', async () => {
    const one = file(...agents(AGENTS), 'Disallow: /guide/', 'User-agent: *', 'Allow: /');
    const compared = await compareTargets(one, pages(3));
    const [first, ...others] = AGENTS.map((agent) => compared.blocked(agent));
    expect(first).toHaveLength(3);
    expect(others.every((blocked) => blocked === first)).toBe(true);
    expect(compared.blocked('*')).toEqual([]);
    expect(compared.blocked('Googlebot')).toBe(compared.blocked('*'));
  });

  it('keeps agents apart that share only some groups', async () => {
    const lines = ['User-agent: a', 'User-agent: b', 'Disallow: /guide/1', 'User-agent: b', 'Disallow: /guide/2'];
    const compared = await compareTargets(file(...lines), pages(4));
    expect(['a', 'b', 'c'].map((agent) => compared.blocked(agent).length)).toEqual([1, 2, 0]);
    expect([compared.isNamed('A'), compared.isNamed('c')]).toEqual([true, false]);
  });

  it('knows the known agents behind however many others', async () => {
    const others = Array.from({ length: 5_000 }, (_, index) => `Bot${index}`);
    const lines = [
      ...others.flatMap((name) => [`User-agent: ${name}`, 'Allow: /']),
      'User-agent: GPTBot',
      'Disallow: /',
    ];
    expect((await compareTargets(file(...lines), pages(2))).blocked('GPTBot')).toHaveLength(2);
  });

  it('stops where it costs too much, with the same targets for all agents', async () => {
    const rules = Array.from({ length: 1_000 }, () => 'Disallow: /*b');
    const long = file('User-agent: *', ...rules, 'User-agent: a', 'Disallow: /guide/');
    const compared = await compareTargets(long, pages(100), 100_000);
    expect(compared.targets.length).toBeGreaterThan(0);
    expect(compared.targets.length).toBeLessThan(100);
    expect(compared.blocked('a')).toHaveLength(compared.targets.length);
  });

  it('counts 4 for a rule, and the characters of a path once, or 4 times for a rule with stars', async () => {
    const compared = async (rule: string, most: number): Promise<number> =>
      (
        await compareTargets(
          file('User-agent: *', `Disallow: ${rule}`),
          pages(2, () => '/123456789'),
          most,
        )
      ).targets.length;
    expect([await compared('/drafts/', 27), await compared('/drafts/', 28)]).toEqual([1, 2]);
    expect([await compared('/*.pdf', 87), await compared('/*.pdf', 88)]).toEqual([1, 2]);
  });

  it('lets others have their turn', async () => {
    const rules = Array.from({ length: 20_000 }, (_, index) => `Disallow: /${index}*`);
    const turn = vi.fn<() => void>();
    const timer = setInterval(turn, 0);
    await compareTargets(file('User-agent: *', ...rules), pages(200));
    clearInterval(timer);
    expect(turn).toHaveBeenCalled();
  });
});

describe('judgeRules: too much to evaluate', () => {
  const rules = Array.from({ length: 1_000 }, (_, index) => `Disallow: /drafts/${index}*b`);
  const facts = { targets: pages(100), preview: false, base: new URL('https://harbour.example/') };

  it('says how many paths it checked', async () => {
    const findings = await evaluateRobotsTxt(file('User-agent: *', ...rules), facts, 200_000);
    expect(findings).toMatchObject([{ rule: 'too-many-rules', evidence: { of: 100 } }]);
    expect(findings[0]?.evidence?.['paths']).toBeLessThan(50);
  });

  it('reports what it saw', async () => {
    const long = file('User-agent: *', 'Disallow: /guide/0', ...rules);
    const findings = await evaluateRobotsTxt(long, facts, 200_000);
    expect(findings.map(({ rule }) => rule)).toEqual(['pages-blocked', 'too-many-rules']);
  });

  it('says nothing where it checked none', async () => {
    const findings = await evaluateRobotsTxt(file('User-agent: *', ...rules), facts, 10);
    expect(findings).toMatchObject([{ rule: 'too-many-rules', evidence: { paths: 0, of: 100 } }]);
  });

  it('says nothing of it elsewhere', async () => {
    expect(await evaluateRobotsTxt(file('User-agent: *', ...rules), facts)).toEqual([]);
  });
});

it.each([
  ['docs.example', false],
  ['127.0.0.1', false],
  ['harbour.vercel.app', false],
  ['harbour-handbook-site.vercel.app', false],
  ['harbour-git-main-team.vercel.app', true],
  ['harbour-git-feature-tides-team.vercel.app', true],
  ['harbour-a1b2c3d4e-team.vercel.app', true],
  ['my-documents-team.vercel.app', false],
  ['harbour.pages.dev', false],
  ['0a1b2c3d.harbour.pages.dev', true],
  ['harbour.account.workers.dev', false],
  ['0a1b2c3d-harbour.account.workers.dev', true],
  ['harbour.netlify.app', false],
  ['deploy-preview-12--harbour.netlify.app', true],
  ['main--harbour.netlify.app', true],
  ['vercel.app.example', false],
  ['staging.example.com', true],
  ['docs.staging.example.com', true],
  ['docs-staging.example.com', true],
  ['staging-2.example.com', true],
  ['STAGING.example.com.', true],
  ['stage.example.co.uk', true],
  ['preview.example.com', true],
  ['pr-12.preview.example.com', true],
  ['pr-12.example.com', true],
  ['harbour-pr-12.example.com', true],
  ['harbour-git-tides.example.com', true],
  ['dev.example.com', true],
  ['dev2.example.com', true],
  ['test.docs.example.com', true],
  ['harbour.dev', false],
  ['docs.harbour.dev', false],
  ['docs.dev.example', false],
  ['test.example', false],
  ['preview.example', false],
  ['test.co.uk', false],
  ['web-dev.example.com', false],
  ['latest.example.com', false],
  ['devices.example.com', false],
  ['contest.example.com', false],
  ['prague.example.com', false],
  ['git-tides.example.com', false],
  ['backstage.example.com', false],
  ['', false],
])('%s: %s', (hostname, expected) => {
  expect(isPreview(hostname)).toBe(expected);
});

describe('X-Robots-Tag', () => {
  it.each([
    { name: 'none at all', lines: [], expected: [] },
    { name: 'one directive', lines: ['noindex'], expected: [[null, true]] },
    { name: 'none', lines: ['none'], expected: [[null, true]] },
    { name: 'letter case', lines: ['NoIndex, NoFollow'], expected: [[null, true]] },
    { name: 'another directive', lines: ['nofollow, noarchive'], expected: [[null, false]] },
    { name: 'an agent', lines: ['googlebot: noindex, nofollow'], expected: [['googlebot', true]] },
    {
      name: 'two agents on a line',
      lines: ['googlebot: nofollow, otherbot: noindex'],
      expected: [
        ['googlebot', false],
        ['otherbot', true],
      ],
    },
    {
      name: 'two lines',
      lines: ['googlebot: nofollow', 'noindex'],
      expected: [
        ['googlebot', false],
        [null, true],
      ],
    },
    { name: 'a directive with a value', lines: ['max-snippet: 50, noindex'], expected: [[null, true]] },
    { name: 'a date with colons', lines: ['unavailable_after: 25 Jun 2030 15:00:00 PST'], expected: [[null, false]] },
    { name: 'an agent, then a value', lines: ['bingbot: max-snippet:0, noindex'], expected: [['bingbot', true]] },
  ])('$name', ({ lines, expected }) => {
    expect(readRobotsTags(lines).map((tag) => [tag.agent, isNoIndex(tag)])).toEqual(expected);
  });
});

describe('<meta name="robots">', () => {
  it.each([
    { name: 'none', html: '<title>x</title>', expected: [] },
    { name: 'noindex', html: '<meta name="robots" content="noindex">', expected: [[null, true]] },
    { name: 'letter case', html: '<META NAME=Robots CONTENT="NOINDEX,follow">', expected: [[null, true]] },
    { name: 'attributes the other way round', html: "<meta content='none' name=robots />", expected: [[null, true]] },
    { name: 'index', html: '<meta name="robots" content="index, follow">', expected: [[null, false]] },
    { name: 'one agent', html: '<meta name="googlebot" content="noindex">', expected: [['googlebot', true]] },
    { name: 'other names', html: '<meta name="description" content="noindex">', expected: [] },
    { name: 'a comment', html: '<!-- <meta name="robots" content="noindex"> -->', expected: [] },
    { name: 'a script', html: '<script>"<meta name=robots content=noindex>"</script>', expected: [] },
    { name: 'a template', html: '<template><meta name=robots content=noindex></template>', expected: [] },
    {
      name: 'a head that ends',
      html: '<head><meta name=robots content=noindex></head><meta name=robots content=none>',
      expected: [[null, true]],
    },
    { name: 'a body', html: '<p><body><meta name=robots content=noindex>', expected: [] },
    {
      name: 'a body and the end of a head in a template',
      html: '<template><head></head><body></body></template><meta name=robots content=noindex>',
      expected: [[null, true]],
    },
    { name: 'a name of Object', html: '<meta name="constructor" content="noindex">', expected: [] },
  ])('$name', ({ html, expected }) => {
    expect(readRobotsMetas(metasOf(html)).map((tag) => [tag.agent, isNoIndex(tag)])).toEqual(expected);
  });

  it.each([
    { name: 'nesting', html: '<b>'.repeat(500_000) },
    { name: 'unmatched tags in deep nesting', html: `${'<b>'.repeat(490)}${'</i>'.repeat(500_000)}` },
    { name: 'templates', html: '<template>'.repeat(200_000) },
  ])('bounded: $name', ({ html }) => {
    expect(metasOf(`<meta name=robots content=noindex>${html}`)).toHaveLength(1);
  });
});
