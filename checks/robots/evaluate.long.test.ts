/** Our reading of robots.txt against that of a well-kept library, over random files. */
import * as library from 'robots-parser';
import { describe, expect, it } from 'vitest';
import { comparable, parseRobots } from '../../src/parse/robots.ts';
import { groupsFor, ruleFor, rulesOf } from './evaluate.ts';

const ORIGIN = 'https://docs.example';

function ours(text: string, agent: string, path: string): boolean {
  const rules = rulesOf(groupsFor(parseRobots(text, false), agent));
  return ruleFor(rules, comparable(path))?.allow !== false;
}

/** The package's types speak of an ES module, which it is not. */
const robotsParser = (library as unknown as { readonly default: RobotsParser }).default;
type RobotsParser = (
  url: string,
  text: string,
) => { readonly isAllowed: (url: string, agent: string) => boolean | undefined };

function theirs(text: string, agent: string, path: string): boolean | undefined {
  return robotsParser(`${ORIGIN}/robots.txt`, text).isAllowed(`${ORIGIN}${path}`, agent);
}

/** Random whole numbers below `most`, the same for every seed (mulberry32). */
function random(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

const AGENTS = ['*', 'a', 'B', 'GPTBot', 'Claude-User'];
const PARTS = ['/', '/', 'a', 'b', 'md', '.', '?', '=', '&', 'ă', '%C4%83', '-', '_', 'A'];
const WILD = [...PARTS, '*', '*', '$'];
const NOISE = ['', '# note', '   ', 'Allow:', 'Disallow:'];
const ENDS = ['\n', '\r\n', '\r'];

function robotsFile(next: (most: number) => number): string {
  const pick = <T>(of: readonly T[]): T => of[next(of.length)] as T;
  const several = (most: number, make: () => string): string[] => Array.from({ length: 1 + next(most) }, make);
  const rule = (): string => {
    const path = `${pick(['/', '/', '/', '*', ''])}${several(5, () => pick(WILD)).join('')}`;
    return `${pick(['Allow', 'Disallow', 'disallow', 'ALLOW'])}:${pick(['', ' '])}${path}${pick(['', '', ' # why'])}`;
  };
  const group = (): string[] => [
    ...several(3, () => `${pick(['User-agent', 'user-Agent'])}: ${pick(AGENTS)}`),
    // A group without any rule is one of the known differences.
    rule(),
    ...several(5, () => (next(4) === 0 ? pick(NOISE) : rule())),
  ];
  return Array.from({ length: 1 + next(3) }, group)
    .flat()
    .join(pick(ENDS));
}

function pathOf(next: (most: number) => number): string {
  const parts = Array.from({ length: next(7) }, () => PARTS[next(PARTS.length)]);
  const { pathname, search } = new URL(`${ORIGIN}/${parts.join('').replace(/^\/+/, '')}`);
  return `${pathname}${search}`;
}

describe('against robots-parser', () => {
  it('decides the same for 6,000 random files', () => {
    const next = random(9309);
    const different: object[] = [];
    let blocked = 0;
    for (let round = 0; round < 6_000; round++) {
      const text = robotsFile(next);
      const agent = AGENTS[next(AGENTS.length)] ?? '*';
      const path = pathOf(next);
      const decision = ours(text, agent, path);
      if (!decision) blocked++;
      if (decision !== theirs(text, agent, path)) different.push({ text, agent, path, decision });
    }
    expect(different).toEqual([]);
    // Both answers have to come up often, or the files say nothing.
    expect(blocked).toBeGreaterThan(500);
  });

  /** Where the library reads otherwise than the RFC says. */
  it.each([
    {
      name: 'section 2.2.2: robots.txt itself is always allowed',
      text: 'User-agent: *\nDisallow: /',
      path: '/robots.txt',
      allowed: true,
    },
    {
      name: 'section 2.2.1: a group without rules is a group',
      text: 'User-agent: *\nDisallow: /\n\nUser-agent: a\n',
      path: '/x',
      allowed: true,
    },
    {
      name: 'section 2.2.4: other records do not part the agents of a group',
      text: 'User-agent: a\nSitemap: https://docs.example/map.xml\nUser-agent: b\nDisallow: /',
      path: '/x',
      allowed: false,
    },
    {
      name: 'section 2.2.2: escapes of unreserved characters are undone',
      text: 'User-agent: *\nDisallow: /%62',
      path: '/b',
      allowed: false,
    },
    {
      name: 'section 2.2.3: an escaped star means a star',
      text: 'User-agent: *\nDisallow: /%2A',
      path: '/*',
      allowed: false,
    },
    {
      name: 'section 2.2.2: reserved characters in a query, escaped or not',
      text: 'User-agent: *\nDisallow: /?to=https://foo.bar',
      path: '/?to=https%3A%2F%2Ffoo.bar',
      allowed: false,
    },
  ])('$name', ({ text, path, allowed }) => {
    expect([ours(text, 'a', path), theirs(text, 'a', path)]).toEqual([allowed, !allowed]);
  });
});
