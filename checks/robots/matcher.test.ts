import { describe, expect, it, vi } from 'vitest';
import { AGENTS, compareTargets, evaluateRobotsTxt, parseRobots, ROBOTS_LIMIT, type Target } from './implementation.ts';

const file = (...lines: string[]) => parseRobots(Buffer.from(lines.join('\n')));
const pages = (count: number, path = (index: number): string => `/guide/${index}.md`): readonly Target[] =>
  Array.from({ length: count }, (_, index) => ({ role: 'page', path: path(index) }));
const agents = (names: readonly string[]): readonly string[] => names.map((name) => `User-agent: ${name}`);
/** A rule as long as a whole file. */
const longRule = (part: string): string => `Disallow: /${part.repeat((ROBOTS_LIMIT - 2_000) / part.length)}`;

describe('compareTargets', () => {
  it.each([
    { name: 'stars', rules: [longRule('*')] },
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
