/** The pages of the documentation site, as files: what links and agents rely on. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checks } from '../../checks/index.ts';
import { LANGUAGES, type Language } from '../../src/locales/language.ts';
import { loadTexts } from '../../src/report/texts.ts';
import { builtSite, type BuiltSite } from './site.ts';

let site: BuiltSite;
beforeAll(async () => {
  site = await builtSite();
}, 60_000);
afterAll(() => site.remove());

const read = (file: string): string => readFileSync(join(site.folder, file), 'utf8');

const folderOf = (language: Language): string => (language === 'en' ? '' : `${language}/`);

const targetsIn = (file: string): readonly string[] =>
  [...read(file).matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);

/** Pages of a language, by their paths below its folder. */
function pagesOf(language: Language): readonly string[] {
  const all = readdirSync(join(site.folder, folderOf(language)), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md') && file !== 'navigation.md');
  return all.filter((file) => language !== 'en' || !/^(?:ro|fr)\//.test(file)).toSorted();
}

it('each rule has one section with its name as the anchor, in each language, where reports link to', async () => {
  for (const language of LANGUAGES) {
    const texts = await loadTexts(language);
    const sectionsOf = (page: string): readonly string[] =>
      [...read(page).matchAll(/^## ([a-z\d-]+)$/gm)].map(([, rule = '']) => rule);
    const shared = `${folderOf(language)}checks/common.md`;
    for (const { id, rules } of checks) {
      const page = `${folderOf(language)}checks/${id}.md`;
      const own = sectionsOf(page);
      const inTable = [...read(page).matchAll(/^\| \[`[^`]+`\]\(#([a-z\d-]+)\) \|/gm)].map(([, rule = '']) => rule);
      expect({ page, rules: inTable }).toEqual({ page, rules: own });
      for (const rule of Object.keys(rules)) {
        const of = own.includes(rule) ? page : shared;
        expect(sectionsOf(of)).toContain(rule);
        const address = `https://docvitals.github.io/docvitals/#/${of.replace('.md', '')}?id=${rule}`;
        expect(texts.docsUrl(id, rule)).toBe(address);
      }
    }
  }
});

it('the navigation of each language lists every page of it, in the same order', () => {
  const [english = [], ...others] = LANGUAGES.map((language) => targetsIn(`${folderOf(language)}navigation.md`));
  for (const other of others) expect(other).toEqual(english);
  for (const language of LANGUAGES)
    expect({ language, pages: pagesOf(language) }).toEqual({ language, pages: english.toSorted() });
});

it('the navigation of each language names each check by its title', async () => {
  for (const language of LANGUAGES) {
    const texts = await loadTexts(language);
    const menu = read(`${folderOf(language)}navigation.md`);
    for (const { id } of checks) expect(menu).toContain(`[${texts.title(id)}](checks/${id}.md)`);
  }
});

it('llms.txt lists every English page', () => {
  const listed = targetsIn('llms.txt').filter((target) => !/^(?:ro|fr)\//.test(target));
  expect(listed.toSorted()).toEqual(targetsIn('navigation.md').toSorted());
});

it('the page about stability leads to every schema, each of which is part of the site', () => {
  const schemas = readdirSync(join(site.folder, 'schema')).toSorted();
  for (const language of LANGUAGES) {
    const targets = targetsIn(`${folderOf(language)}stability.md`).flatMap(
      (target) => /^https:\/\/docvitals\.github\.io\/docvitals\/schema\/(.+)$/.exec(target)?.[1] ?? [],
    );
    expect([...new Set(targets)].toSorted()).toEqual(schemas);
  }
});

it('no page is longer than agents read at once', () => {
  const long = LANGUAGES.flatMap((language) => pagesOf(language).map((page) => folderOf(language) + page)).filter(
    (page) => read(page).length > 47_000,
  );
  expect(long).toEqual([]);
});
