import { describe, expect, it } from 'vitest';
import { Budget, Frontier, LinkLocations, type From, keptFacts, MOST_FACTS } from './frontier.ts';
import { parseMarkdown, type MarkdownFacts } from '../parse/markdown.ts';

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

describe('a frontier: memory', () => {
  it('is bounded, and what there was no room for is reported', () => {
    const frontier = new Frontier(CAPS);
    for (let page = 0; page < 5; page++) {
      for (let anchor = 0; anchor < 100_000; anchor++) add(frontier, `${page}.md`, `a${anchor}`);
    }
    const anchors = [...frontier.targets()].map((target) => target.anchors.size);
    expect(anchors.slice(0, 4)).toEqual([100_000, 100_000, 100_000, 100_000]);
    expect(anchors[4]).toBeLessThan(100_000);
    add(frontier, `${'x'.repeat(1_000)}.md`);
    expect(frontier.get('4.md')?.count).toBe(100_000);
    expect(frontier.leftOut(0)).toMatchObject({ pages: 1, by: ['size'] });
  });
});

const plenty = (): Budget => new Budget(10_000);

function fill(locations: LinkLocations, count: number): LinkLocations {
  for (let line = 1; line <= count; line++) locations.add({ path: 'a.md', line, column: 1 });
  return locations;
}

describe('LinkLocations', () => {
  it('keeps a hundred and counts all', () => {
    const locations = fill(new LinkLocations(plenty()), 250);
    expect([locations.locations.length, locations.count]).toEqual([100, 250]);
  });

  it('takes over what another has', () => {
    const locations = fill(new LinkLocations(plenty()), 30);
    locations.addAll(fill(new LinkLocations(plenty()), 250));
    expect([locations.locations.length, locations.count]).toEqual([100, 280]);
  });

  it('shares the room with others, but for the first of each', () => {
    const room = new Budget(5 * 30);
    const [first, second] = [fill(new LinkLocations(room), 4), fill(new LinkLocations(room), 4)];
    const third = fill(new LinkLocations(room), 4);
    expect([first, second, third].map(({ locations, count }) => [locations.length, count])).toEqual([
      [4, 4],
      [3, 4],
      [1, 4],
    ]);
    third.addAll(first);
    expect([third.locations.length, third.count]).toEqual([1, 8]);
  });
});

async function factsOf(text: string): Promise<MarkdownFacts> {
  const facts = await parseMarkdown(text, { limitMs: 5000 });
  if (!facts.ok) throw new Error(facts.limit);
  return facts;
}

const PAGE = '# A\n\n## B\n\n```js\n```\n\n| a |\n| - |\n| 1 |\n\n<a id="c"></a> [d](e.md)\n';

const counts = ({ headings, ids, code, tables, links, whole }: MarkdownFacts) => [
  headings.length,
  ids.length,
  code.length,
  tables.length,
  links.length,
  whole,
];

describe('facts that a crawl keeps', () => {
  it('are all but the links of a page', async () => {
    expect(counts(keptFacts(await factsOf(PAGE), new Budget(MOST_FACTS)))).toEqual([2, 1, 1, 1, 0, true]);
  });

  it('are those of pages as long as there is room', async () => {
    const facts = await factsOf(PAGE);
    const room = new Budget(1_000);
    const kept = Array.from({ length: 5 }, () => counts(keptFacts(facts, room)));
    expect([kept[0], kept[4]]).toEqual([
      [2, 1, 1, 1, 0, true],
      [0, 0, 0, 0, 0, false],
    ]);
    expect(counts(keptFacts(await factsOf(''), new Budget(1_000)))).toEqual([0, 0, 0, 0, 0, true]);
  });

  it('are five thousand of each kind at most', async () => {
    const { headings, ...facts } = await factsOf(PAGE);
    const many = { ...facts, headings: Array.from({ length: 5_001 }, () => headings[0] as (typeof headings)[0]) };
    expect(counts(keptFacts(many, new Budget(MOST_FACTS)))).toEqual([5_000, 1, 1, 1, 0, false]);
  });
});
