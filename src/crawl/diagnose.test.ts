import { describe, expect, it } from 'vitest';
import { reply } from '../../test/answers.ts';
import { fake, html, ORIGIN, SITE, type Files } from '../../test/runs.ts';
import type { Diagnosis } from './diagnose.ts';
import { DEFAULT_REQUEST } from '../core/run.ts';
import { sharedSite } from '../site/site.ts';
import { diagnoseFile, guesses, KnownPaths, unlinkedPages } from './diagnose.ts';

const PREFIX = 'a-very-long-beginning-that-all-names-of-this-folder-have-in-common-with-one-another-';

function knownPaths(paths: Iterable<string>): KnownPaths {
  const known = new KnownPaths();
  for (const path of paths) known.add(path);
  return known;
}

const similarTo = (path: string, known: KnownPaths): readonly string[] =>
  guesses(path, known).flatMap((guess) => (guess.rule === 'similar-name' ? [guess.suggestion] : []));

/** The first guess to report, if these files exist: others must be requested, up to eight. */
function firstOf(path: string, files: readonly string[], linked = files): string | null {
  let requests = 8;
  const found = guesses(path, knownPaths(linked)).find(
    (guess) => linked.includes(guess.suggestion) || (requests-- > 0 && files.includes(guess.suggestion)),
  );
  return found === undefined ? null : `${found.rule} ${found.suggestion}`;
}

describe('guesses: which comes first', () => {
  it.each<readonly [name: string, path: string, files: readonly string[], expected: string | null]>([
    [
      'letter case before another folder',
      'guide/setup.md',
      ['guide/Setup.md', 'ref/setup.md'],
      'letter-case guide/Setup.md',
    ],
    ['capitals before another folder', 'guide/faq.md', ['guide/FAQ.md', 'ref/faq.md'], 'letter-case guide/FAQ.md'],
    ['a folder before another one', 'guide/a.md', ['guide/a/index.md', 'ref/a.md'], 'folder-index guide/a/index.md'],
    [
      'an extension before another folder',
      'guide/tips.md',
      ['guide/tips.markdown', 'ref/tips.md'],
      'wrong-extension guide/tips.markdown',
    ],
    ['another folder', 'guide/tips.md', ['ref/tips.md'], 'moved ref/tips.md'],
    ['never another language', 'ro/api/auth.md', ['api/auth.md', 'fr/api/auth.md'], null],
    ['letter case before the habit of another name', 'Index.md', ['index.md', 'README.md'], 'letter-case index.md'],
    ['never a number in another folder', 'guide/02.jpg', ['ref/02.jpg'], null],
    ['two slashes', 'guide//a.md', ['guide/a.md'], 'encoding guide/a.md'],
    ['a short name beside it', 'guide/a.md', ['guide/ab.md'], null],
  ])('%s', (_, path, files, expected) => {
    expect(firstOf(path, files)).toBe(expected);
  });

  it('asks for the other letter case of a folder page before a known page of another name', () => {
    expect(firstOf('Index.md', ['index.md', 'README.md'], ['README.md'])).toBe('letter-case index.md');
  });

  it.each<readonly [written: string, holder: string, path: string, expected: string]>([
    ['baz.md', 'foo/bar.md', 'baz.md', 'moved foo/baz.md'],
    ['../x/baz', 'a/foo/bar.md', 'x/baz.md', 'moved a/x/baz.md'],
    ['sub/', 'foo/bar.md', 'sub/README.md', 'moved foo/sub/README.md'],
    ['img/a.png', 'foo/bar.md', 'img/a.png', 'moved foo/img/a.png'],
  ])('takes %s in %s for what an editor opens', (written, holder, path, expected) => {
    const [first] = guesses(path, knownPaths([]), { written, holders: new Set([holder]) });
    expect(`${first?.rule} ${first?.suggestion}`).toBe(expected);
  });

  it.each<readonly [path: string, file: string]>([
    ['img/logo.PNG', 'img/logo.png'],
    ['photo.jpg', 'photo.JPG'],
    ['Manual.pdf', 'manual.pdf'],
    ['Img/photo.jpg', 'img/photo.jpg'],
    ['readme.md', 'README.md'],
    ['release-notes.md', 'Release-Notes.md'],
    ['guide/faq.md', 'guide/FAQ.md'],
  ])('asks for %s as %s, though nothing links to it', (path, file) => {
    expect(firstOf(path, [file], [])).toBe(`letter-case ${file}`);
  });
});

describe('guesses: similar names', () => {
  it.each<readonly [name: string, path: string, files: readonly string[], expected: readonly string[]]>([
    ['a letter too few', 'instal.md', ['install.md', 'index.md'], ['install.md']],
    ['two letters', 'd/instlal.md', ['d/install.md'], ['d/install.md']],
    ['three letters', 'instlaaal.md', ['install.md'], []],
    ['a short name', 'ab.md', ['ba.md'], []],
    ['what stands between the words', 'get_started.md', ['get-started.md', 'get-startet.md'], ['get-started.md']],
    ['accents', 'ghid-rapid.md', ['ghid-răpid.md'], ['ghid-răpid.md']],
    ['two that are as near', 'instal.md', ['install.md', 'instals.md'], []],
    ['the nearest', 'instal.md', ['install.md', 'installs.md'], ['install.md']],
    ['numbered pages', 'step-3.md', ['step-1.md'], []],
    ['another folder', 'a/instal.md', ['b/install.md'], []],
    ['long names', `${PREFIX}one.md`, [`${PREFIX}onee.md`], [`${PREFIX}onee.md`]],
    ['endless names', `${'x'.repeat(300)}.md`, [`${'x'.repeat(301)}.md`], []],
  ])('%s', (_, path, files, expected) => {
    expect(similarTo(path, knownPaths(files))).toEqual(expected);
  });

  it('are found for many faults in a folder of many names that are all alike', () => {
    const word = (index: number): string =>
      index.toString(26).replaceAll(/./g, (digit) => LETTERS[parseInt(digit, 26)] ?? '');
    const known = knownPaths(Array.from({ length: 2_000 }, (_, index) => `${PREFIX}${word(7 * index)}.md`));
    for (let index = 0; index < 2_000; index++) guesses(`${PREFIX}${word(7 * index + 3)}x.md`, known);
    const { length } = `${PREFIX}${word(14_000)}x.md`;
    expect(known.comparisons.left).toBeLessThan(length * length);
  });
});

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

describe('guesses: moved', () => {
  const moved = (written: string, holders: readonly string[]): readonly string[] => {
    const known = knownPaths(['x/y/guide.md', 'a/c/guide.md', 'guide.md', 'x/b/guide.md', 'a/other.md']);
    const context = { written, holders: new Set(holders) };
    return guesses('a/b/guide.md', known, context).flatMap(({ rule, suggestion }) =>
      rule === 'moved' ? [suggestion] : [],
    );
  };

  it.each<readonly [written: string, holders: readonly string[], expected: readonly string[]]>([
    ['', [], ['a/c/guide.md', 'guide.md', 'x/y/guide.md']],
    ['guide.md', [], ['a/c/guide.md', 'guide.md', 'x/y/guide.md']],
    ['../b/guide.md#part', [], ['b/guide.md', 'x/b/guide.md', 'a/c/guide.md', 'guide.md']],
    ['#/a/b/guide.md', [], ['x/b/guide.md', 'a/c/guide.md', 'guide.md']],
    ['/a/b/guide.md', ['x/b/guide.md'], ['a/c/guide.md', 'guide.md']],
  ])('%s in %j: %j', (written, holders, expected) => {
    expect(moved(written, holders)).toEqual(expected);
  });
});

describe('diagnoseFile: a file of the site that is missing', () => {
  async function diagnosed(files: Files, isFree = true): Promise<Diagnosis | null> {
    const { get } = fake({ ...SITE, ...files });
    const limits = { parseMs: 5000 };
    const site = sharedSite({ base: new URL(ORIGIN), get, pooled: get, requested: DEFAULT_REQUEST, limits });
    return diagnoseFile({ path: 'llms.txt', isNamed: false, isFree }, site);
  }

  it('exists under other letters', async () => {
    const expected = { rule: 'letter-case', suggestion: 'LLMS.txt' };
    expect(await diagnosed({ '/LLMS.txt': 'Text' })).toEqual(expected);
    expect(await diagnosed({ '/LLMS.txt': 'Text' }, false)).toEqual(expected);
  });

  it.each<{ name: string; files: Files }>([
    { name: 'nothing', files: {} },
    { name: 'an error', files: { '/LLMS.txt': reply('Text', { status: 500 }) } },
    { name: 'an HTML page', files: { '/LLMS.txt': html('<!doctype html><title>Missing</title>') } },
    {
      name: 'a redirect',
      files: { '/LLMS.txt': reply('Text', { redirects: [{ url: `${ORIGIN}/LLMS.txt`, status: 302, location: '/' }] }) },
    },
  ])('does not exist where the host has $name under that name', async ({ files }) => {
    expect(await diagnosed(files)).toBeNull();
  });
});

describe('unlinkedPages', () => {
  it('are Markdown pages for readers that no link has met', () => {
    const paths = ['a.md', 'met.md', 'README.md', '.github/x.md', 'node_modules/x.md', 'x.png', 'b/c.md'];
    expect(unlinkedPages(paths, (path) => path === 'met.md')).toEqual(['a.md', 'b/c.md']);
  });
});
