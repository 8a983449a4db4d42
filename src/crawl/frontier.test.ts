import { describe, expect, it } from 'vitest';
import { Frontier, type From } from './frontier.ts';

const CAPS = { pages: 20_000, depth: 10 };
const FROM: From = { path: 'index.md', line: 1, column: 1, isImage: false, depth: 1, reachable: true };

function add(frontier: Frontier, path: string, anchor: string | null = null): void {
  frontier.add({ kind: 'page', path, url: `https://docs.example/${path}`, anchor }, FROM);
}

const named = (path: string) => ({ path, url: `https://docs.example/${path}` });

describe('a frontier: targets at another path', () => {
  it('makes one of all names, whichever come first', () => {
    const frontier = new Frontier(CAPS);
    for (const path of ['a', 'b', 'c', 'c']) add(frontier, path, 'x');
    const [a, b, c] = frontier.takeNext();
    if (a === undefined || b === undefined || c === undefined) throw new Error('three targets');
    expect(frontier.alias(a, named('new'))).toBe(a);
    expect(frontier.alias(b, named('a'))).toBe(a);
    expect(frontier.alias(c, named('b'))).toBe(a);
    expect(frontier.alias(a, named('c'))).toBe(a);
    expect(a).toMatchObject({ path: 'new', url: 'https://docs.example/new', names: ['a', 'new', 'b', 'c'] });
    expect([a.count, a.anchors.get('x')?.count]).toEqual([4, 4]);
    expect([...frontier.targets()]).toEqual([a]);
    for (const name of a.names) expect(frontier.get(name)).toBe(a);
  });

  it('keeps up with very many names of one target', () => {
    const frontier = new Frontier(CAPS);
    for (let index = 0; index < 10_000; index++) add(frontier, `folder${index}/`);
    for (const target of frontier.takeNext()) frontier.alias(target, named('home.md'));
    expect(frontier.targets().size).toBe(1);
    expect(frontier.get('folder9999/')?.count).toBe(10_000);
  });
});

describe('a frontier: anchors', () => {
  it('keeps a thousand of a target, and a hundred thousand of all', () => {
    const frontier = new Frontier(CAPS);
    for (let page = 0; page < 110; page++) {
      for (let anchor = 0; anchor < 1_100; anchor++) add(frontier, `${page}.md`, `a${anchor}`);
    }
    const sizes = [...frontier.targets()].map(({ anchors }) => anchors.size);
    expect([sizes[0], sizes[99], sizes[100]]).toEqual([1_000, 1_000, 0]);
    expect(frontier.get('109.md')?.count).toBe(1_100);
  });
});
