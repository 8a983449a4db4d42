import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { llmsTxtOf } from './llms-txt.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A site whose folder has the name `handbook`. */
function siteOf(files: Readonly<Record<string, string>>): string {
  const parent = mkdtempSync(path.join(tmpdir(), 'docvitals-index-'));
  folders.push(parent);
  const folder = path.join(parent, 'handbook');
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

const index = (files: Readonly<Record<string, string>>) => llmsTxtOf(siteOf({ 'index.html': 'VertiWiki', ...files }));

const PAGES = { 'a.md': '# Arrival\n', 'b.md': '# Berths\n' };
const MENU = '- [A](a.md)\n- [B](b.md)\n';

describe('the pages of an agent index', () => {
  it('are those of the navigation, each once, with their titles', async () => {
    const found = await index({
      ...PAGES,
      'index.md': '# Harbour\n\n[C](c.md)\n',
      'c.md': '# Charts\n',
      'logo.png': '',
      'navigation.md': `${MENU}- [Again](a.md#top)\n- [Gone](gone.md)\n- [Out](https://other.example/c.md)\n- [Image](logo.png)\n`,
    });
    expect(found).toEqual({
      pages: 2,
      text: '# Harbour\n\n> Harbour\n\n## Pages\n\n- [Arrival](a.md)\n- [Berths](b.md)\n',
    });
  });

  it('are those of the home page where the navigation has none or is missing', async () => {
    const home = { ...PAGES, 'index.md': '# Harbour\n\n[A](a.md)\n' };
    for (const files of [home, { ...home, 'navigation.md': '# Empty\n' }]) {
      expect((await index(files))?.text).toContain('## Pages\n\n- [Arrival](a.md)\n');
    }
  });

  it('are those of links in the dialect of the engine, too', async () => {
    const found = await index({ ...PAGES, 'index.md': '# Harbour\n\n[[a]]\n\n[B]( b.md "x" "y")\n' });
    expect(found?.text).toContain('## Pages\n\n- [Arrival](a.md)\n');
    expect(found?.pages).toBe(1);
  });

  it('have the name of their file where they have no heading', async () => {
    const found = await index({ 'navigation.md': MENU, 'a.md': 'Text.\n', 'b.md': '## Only a section\n' });
    expect(found?.text).toContain('- [a](a.md)\n- [Only a section](b.md)\n');
  });

  it('have titles that cannot end their link', async () => {
    const found = await index({ 'navigation.md': MENU, ...PAGES, 'a.md': '# A \\[b\\] c\n' });
    expect(found?.text).toContain(String.raw`- [A \[b\] c](a.md)`);
  });

  it('are none where nothing links to a page', async () => {
    expect(await index({ 'index.md': '# Harbour\n\n[Gone](gone.md)\n' })).toBeNull();
    expect(await index({})).toBeNull();
  });
});

describe('the title of an agent index', () => {
  const title = async (files: Readonly<Record<string, string>>) =>
    (await index({ ...PAGES, ...files }))?.text.split('\n')[0];

  it.each([
    [
      'that of the configuration',
      { 'config.json': '{"title": " Our\\n docs "}', 'index.md': '# Home\n' },
      '# Our docs',
    ],
    ['the heading of the home page', { 'config.json': '{"title": " "}', 'index.md': '## Late\n\n# Home\n' }, '# Home'],
    ['the heading of the navigation', { 'navigation.md': `# Menu\n\n${MENU}`, 'index.md': 'Text.\n' }, '# Menu'],
    ['the name of the folder', { 'config.json': '{"title": 7}' }, '# handbook'],
  ])('is %s', async (_, files, expected) => {
    expect(await title({ 'navigation.md': MENU, ...files })).toBe(expected);
  });
});

describe('the summary of an agent index', () => {
  const summary = async (home: string) =>
    (await index({ ...PAGES, 'navigation.md': MENU, 'index.md': home }))?.text.split('\n')[2];

  it.each([
    [
      'the first paragraph of words',
      '# Home\n\nHow the boats of pilots enter\nthis harbour.\n',
      'How the boats of pilots enter this harbour.',
    ],
    [
      'without markup',
      '# Home\n\nHow **boats** enter the [old harbour](a.md) <b>now</b>.\n',
      'How boats enter the old harbour now.',
    ],
    [
      'not an image',
      '# Home\n\n![A long description of a logo](logo.png)\n\nHow boats enter the harbour.\n',
      'How boats enter the harbour.',
    ],
    [
      'not a heading with a line under it',
      'Harbour-of-the-northern-islands\n---\n\nHow boats enter the harbour.\n',
      'How boats enter the harbour.',
    ],
    ['not something short', '# Home\n\nWelcome!\n\nHow boats enter the harbour.\n', 'How boats enter the harbour.'],
    ['otherwise the title', '# Home\n\n- How boats enter the harbour.\n', 'Home'],
    ['three hundred characters at most', `# Home\n\n${'x'.repeat(400)}\n`, 'x'.repeat(300)],
  ])('is %s', async (_, home, expected) => {
    expect(await summary(home)).toBe(`> ${expected}`);
  });
});
