import { describe, expect, it, vi } from 'vitest';
import { AGENTS, MOST_COMPARED, Matcher, evaluateRobotsTxt } from './robots-txt-rules.ts';
import { ROBOTS_LIMIT, decideComparable, parseRobots } from './robots-txt.ts';
import type { Target } from './implementation.ts';

const file = (...lines: string[]) => parseRobots(Buffer.from(lines.join('\n')));
const pages = (count: number, path = (index: number): string => `/guide/${index}.md`): readonly Target[] =>
  Array.from({ length: count }, (_, index) => ({ role: 'page', path: path(index) }));
const agents = (names: readonly string[]): readonly string[] => names.map((name) => `User-agent: ${name}`);
/** A rule as long as a whole file. */
const longRule = (part: string): string => `Disallow: /${part.repeat((ROBOTS_LIMIT - 2_000) / part.length)}`;

/** How many characters were compared to decide about one path. */
function compared(rules: readonly string[], path: string): number {
  const effort = { left: MOST_COMPARED };
  const [group] = file('User-agent: *', ...rules).groups;
  decideComparable(group?.rules ?? [], path, effort);
  return MOST_COMPARED - effort.left;
}

describe('the effort of a decision', () => {
  const path = `/${'a'.repeat(1_999)}`;

  it.each([
    { name: 'no rule', rules: [], most: 0 },
    { name: 'a rule about another path', rules: ['Disallow: /b*c*d'], most: 10 },
    { name: 'a rule longer than the path', rules: [longRule('a')], most: 10 },
    { name: 'stars', rules: [longRule('*')], most: 2_010 },
    { name: 'stars and letters, more than the path has', rules: [longRule('*a')], most: 10 },
    { name: 'stars and letters', rules: [`Disallow: /${'*a'.repeat(1_000)}`], most: 4_010 },
    { name: 'stars and letters that are not there', rules: [`Disallow: /${'*a'.repeat(1_000)}*b`], most: 6_010 },
    { name: 'an end that is not there', rules: ['Disallow: /*a*a*a*b$'], most: 10 },
    { name: 'many rules', rules: Array.from({ length: 1_000 }, () => 'Disallow: /*aab'), most: 6_010_000 },
  ])('$name: $most at most', ({ rules, most }) => {
    expect(compared(rules, path)).toBeLessThanOrEqual(most);
  });

  it('ends with what it may cost', () => {
    const [group] = file('User-agent: *', ...Array.from({ length: 10_000 }, () => 'Disallow: /*b')).groups;
    const effort = { left: 5_000 };
    decideComparable(group?.rules ?? [], path, effort);
    expect(effort.left).toBeLessThan(0);
    expect(effort.left).toBeGreaterThan(-path.length);
  });
});

describe('Matcher', () => {
  it.each([
    { name: 'stars', rules: [longRule('*')] },
    { name: 'stars and letters', rules: [longRule('*a')] },
    { name: 'letters', rules: [longRule('a')] },
    { name: 'very many rules', rules: Array.from({ length: 10_000 }, (_, index) => `Disallow: /${index}*`) },
  ])('holds many pages against a long file: $name', async ({ rules }) => {
    const ten = AGENTS.slice(0, 10).flatMap((agent) => [`User-agent: ${agent}`, 'Allow: /x']);
    const long = file(...ten, ...agents(['*', ...AGENTS.slice(10)]), ...rules);
    const matcher = await Matcher.of(long, pages(600));
    expect(matcher.targets).toHaveLength(600);
  });

  it('looks once at agents with the same groups', async () => {
    const one = file(...agents(AGENTS), 'Disallow: /guide/', 'User-agent: *', 'Allow: /');
    const matcher = await Matcher.of(one, pages(3));
    const [first, ...others] = AGENTS.map((agent) => matcher.blocked(agent));
    expect(first).toHaveLength(3);
    expect(others.every((blocked) => blocked === first)).toBe(true);
    expect(matcher.blocked('*')).toEqual([]);
    expect(matcher.blocked('Googlebot')).toBe(matcher.blocked('*'));
  });

  it('keeps agents apart that share only some groups', async () => {
    const lines = ['User-agent: a', 'User-agent: b', 'Disallow: /guide/1', 'User-agent: b', 'Disallow: /guide/2'];
    const matcher = await Matcher.of(file(...lines), pages(4));
    expect(['a', 'b', 'c'].map((agent) => matcher.blocked(agent).length)).toEqual([1, 2, 0]);
    expect([matcher.named('A'), matcher.named('c')]).toEqual([true, false]);
  });

  it('knows the known agents behind however many others', async () => {
    const others = Array.from({ length: 5_000 }, (_, index) => `Bot${index}`);
    const lines = [
      ...others.flatMap((name) => [`User-agent: ${name}`, 'Allow: /']),
      'User-agent: GPTBot',
      'Disallow: /',
    ];
    expect((await Matcher.of(file(...lines), pages(2))).blocked('GPTBot')).toHaveLength(2);
  });

  it('stops where it costs too much, with the same targets for all agents', async () => {
    const rules = Array.from({ length: 1_000 }, () => 'Disallow: /*b');
    const long = file('User-agent: *', ...rules, 'User-agent: a', 'Disallow: /guide/');
    const matcher = await Matcher.of(long, pages(100), 100_000);
    expect(matcher.targets.length).toBeGreaterThan(0);
    expect(matcher.targets.length).toBeLessThan(100);
    expect(matcher.blocked('a')).toHaveLength(matcher.targets.length);
  });

  it('lets others have their turn', async () => {
    const rules = Array.from({ length: 20_000 }, (_, index) => `Disallow: /${index}*`);
    const turn = vi.fn<() => void>();
    const timer = setInterval(turn, 0);
    await Matcher.of(file('User-agent: *', ...rules), pages(200));
    clearInterval(timer);
    expect(turn).toHaveBeenCalled();
  });
});

describe('judgeRules: too much to judge', () => {
  const rules = Array.from({ length: 1_000 }, (_, index) => `Disallow: /drafts/${index}*b`);
  const facts = { targets: pages(100), preview: false, path: 'robots.txt' };

  it('says how many paths it looked at', async () => {
    const findings = await evaluateRobotsTxt({ ...facts, file: file('User-agent: *', ...rules), most: 200_000 });
    expect(findings).toMatchObject([{ rule: 'too-many-rules', evidence: { of: 100 } }]);
    expect(findings[0]?.evidence?.['paths']).toBeLessThan(50);
  });

  it('tells what it saw', async () => {
    const long = file('User-agent: *', 'Disallow: /guide/0', ...rules);
    const findings = await evaluateRobotsTxt({ ...facts, file: long, most: 200_000 });
    expect(findings.map(({ rule }) => rule)).toEqual(['pages-blocked', 'too-many-rules']);
  });

  it('says nothing where it looked at none', async () => {
    const findings = await evaluateRobotsTxt({ ...facts, file: file('User-agent: *', ...rules), most: 10 });
    expect(findings).toMatchObject([{ rule: 'too-many-rules', evidence: { paths: 0, of: 100 } }]);
  });

  it('says nothing of it elsewhere', async () => {
    expect(await evaluateRobotsTxt({ ...facts, file: file('User-agent: *', ...rules) })).toEqual([]);
  });
});
