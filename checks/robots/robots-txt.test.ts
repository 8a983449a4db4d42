import { describe, expect, it } from 'vitest';
import {
  ROBOTS_LIMIT,
  type RobotsFile,
  comparable,
  groupsFor,
  parseRobots,
  ruleFor,
  rulesOf,
} from './implementation.ts';

const file = (...lines: string[]): RobotsFile => parseRobots(Buffer.from(lines.join('\n')));
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
    const robots = parseRobots(Buffer.from(text));
    expect(robots.groups.map(({ agents, rules }) => [agents, rules.map(({ path, line }) => [path, line])])).toEqual([
      [['*'], [['/x', 2]]],
    ]);
    expect(robots.problems).toEqual([]);
  });

  it('stops after 500 KiB', () => {
    const text = `User-agent: *\nDisallow: /x\n${'#'.repeat(ROBOTS_LIMIT)}\nDisallow: /y\n`;
    const robots = parseRobots(Buffer.from(text));
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
