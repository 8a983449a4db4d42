import { describe, expect, it } from 'vitest';
import { SHELL } from '../../test/answers.ts';
import { ORIGIN } from '../../test/runs.ts';
import type { Source } from '../../src/source/types.ts';
import { sourceOf, type Commits } from './fixtures/source.ts';
import { sampleOf, addition } from './evaluate.ts';

const BASE = new URL(`${ORIGIN}/`);

async function picked(source: Source, most: number): Promise<readonly string[]> {
  const [files, history] = await Promise.all([source.files(), source.history()]);
  return (await sampleOf({ source, files, history }, BASE, most)).paths;
}

/** Every file of a small site, at its first commit. */
const FIRST = {
  'a.md': 'a1',
  'b.md': 'b1',
  'config.json': '{}',
  'index.html': SHELL,
  'index.md': '# Home',
  'llms.txt': 'x',
  'navigation.md': 'n',
  'logo.svg': '<svg/>',
  'README.md': 'r',
  'app.js': 'x',
};

describe('a sample', () => {
  it.each<[string, Commits, number, readonly string[]]>([
    ['has what the last commit changed', [{ 'b.md': 'b2' }, { 'a.md': 'a2' }, FIRST], 1, ['b.md']],
    ['has what the commits before it changed', [{ 'b.md': 'b2' }, { 'a.md': 'a2' }, FIRST], 2, ['b.md', 'a.md']],
    [
      'has the configuration first, where several changed',
      [{ 'b.md': 'b2', 'config.json': '{"a":1}' }, FIRST],
      1,
      ['config.json'],
    ],
    ['has none that need not be live', [{ 'README.md': 'r2', 'app.js': 'y' }, { 'a.md': 'a2' }, FIRST], 1, ['a.md']],
    ['has a file that was there before a new one', [{ 'c.md': 'c1' }, FIRST], 1, ['config.json']],
    ['has a new file after that', [{ 'c.md': 'c1' }, FIRST], 2, ['config.json', 'c.md']],
    ['has what changed before what is new', [{ 'c.md': 'c1', 'b.md': 'b2' }, FIRST], 2, ['b.md', 'c.md']],
    [
      'has what changed, be it long ago, before what is new',
      [{ 'c.md': 'c1' }, { 'a.md': 'a2' }, { 'd.svg': 'd1' }, FIRST],
      2,
      ['a.md', 'c.md'],
    ],
    ['has the bundle, where it changed', [{ 'index.html': `${SHELL}<!-- -->` }, FIRST], 1, ['index.html']],
    [
      'has the fixed files, where all are of one commit',
      [FIRST],
      5,
      ['config.json', 'navigation.md', 'index.md', 'llms.txt', 'index.html'],
    ],
    [
      'has the fixed files as the configuration names them',
      [{ ...FIRST, 'config.json': '{"homePage":"#/a.md","navigationFile":"/b.md","llmsTxtUrl":null}' }],
      3,
      ['config.json', 'b.md', 'navigation.md'],
    ],
    ['has small files before large ones', [{ 'big.svg': 'x'.repeat(300_000) }, { 'a.md': 'a2' }, FIRST], 1, ['a.md']],
    ['has all there are', [{ 'a.md': 'x' }], 9, ['a.md']],
  ])('%s', async (_, commits, most, expected) => {
    expect(await picked(sourceOf(commits), most)).toEqual(expected);
  });

  it('has few that are new before all others', async () => {
    const added = ['c.md', 'd.md', 'e.md', 'f.md'];
    const changed = { ...Object.fromEntries(added.map((path) => [path, path])), 'navigation.md': 'n2' };
    const paths = await picked(sourceOf([changed, FIRST]), 99);
    const kinds = paths.map((path) => (added.includes(path) ? 'new' : path)).join(' ');
    expect(kinds).toMatch(/^navigation\.md new new config\.json .* new new$/);
  });

  it.each<[string, Commits, { remembered?: boolean; shallow?: boolean }, number, boolean]>([
    ['with a file that the last commit changed', [{ 'a.md': 'a2' }, FIRST], {}, 1, true],
    ['with no file but those of before', [{ 'c.md': 'c1' }, FIRST], {}, 1, false],
    ['with a file that the last commit made', [{ 'c.md': 'c1' }, FIRST], {}, 2, true],
    ['with any, where there is one commit only', [FIRST], {}, 1, true],
    ['not without a history', [{ 'a.md': 'a2' }, FIRST], { remembered: false }, 3, false],
    ['not of a clone of depth 1', [FIRST], { shallow: true }, 3, false],
    ['of a clone that has a commit more', [{ 'a.md': 'a2' }, FIRST], { shallow: true }, 1, true],
    ['with all there are', [FIRST], { remembered: false }, 99, true],
  ])('separates the versions %s', async (_, commits, hand, most, reports) => {
    const source = sourceOf(commits, hand);
    const [files, history] = await Promise.all([source.files(), source.history()]);
    const sample = await sampleOf({ source, files, history }, BASE, most);
    expect(sample.reports(sample.paths)).toBe(reports);
  });

  it('has what was old before first, in its order, and were it not demanded', async () => {
    const source = sourceOf([{ 'b.md': 'b2' }, { ...FIRST, 'big.svg': 'x'.repeat(300_000) }]);
    const [files, history] = await Promise.all([source.files(), source.history()]);
    const suspects = ['big.svg', 'app.js', 'gone.md'];
    const { paths } = await sampleOf({ source, files, history }, BASE, 3, suspects);
    expect(paths).toEqual(['big.svg', 'app.js', 'b.md']);
  });

  it('is spread over the tree, and the same each time', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [`d${Math.floor(at / 100)}/${at}.md`, `page ${at}`]),
    );
    const source = sourceOf([pages], { remembered: false });
    const first = await picked(source, 12);
    expect(first).toEqual(await picked(source, 12));
    expect(new Set(first.map((path) => path.slice(0, 2))).size).toBe(4);
  });

  it('needs no history', async () => {
    expect(await picked(sourceOf([{ 'b.md': 'b2' }, FIRST], { content: false }), 2)).toEqual([
      'config.json',
      'navigation.md',
    ]);
  });
});

describe('addition', () => {
  it.each([
    ['a', 'a', null],
    ['ab', 'axb', 'x'],
    ['a\nb', 'a\nx\nb', 'x\n'],
    ['a\nb\nc', 'x\na\ny\nb\nc\nz', 'x\ny\nz'],
    ['a\nb', 'b\na\nx', null],
    ['a\nb\nc', 'a\nx\nc and more', null],
    ['a', 'b and more', null],
    ['', 'a', null],
  ])('%j → %j: %j', (source, live, added) => {
    expect(addition(source, live)).toBe(added);
  });
});
