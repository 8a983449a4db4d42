import { describe, expect, it } from 'vitest';
import type { EngineLink, MarkdownLink } from '../parse/markdown.ts';
import { linksOf, LONGEST_PATH, readSettings, type EngineLinks } from './engine.ts';

describe('readSettings', () => {
  it('reads paths that are not empty, and an agent index that is off', () => {
    const longest = 'a'.repeat(LONGEST_PATH);
    const read = { homePage: 'start.md', navigationFile: longest, llmsTxtUrl: null };
    expect(readSettings(read)).toEqual(read);
  });

  it.each(['', ' \t', 'a'.repeat(LONGEST_PATH + 1), 7, true, null, ['a.md']])('leaves the default for %j', (value) => {
    expect(readSettings({ homePage: value, navigationFile: value })).toEqual({});
  });

  it('reads no other setting', () => {
    expect(readSettings({ title: 'a', homePageTitle: 'b', theHomePage: 'c' })).toEqual({});
  });
});

describe('linksOf', () => {
  const link = (url: string, line: number): MarkdownLink => ({ kind: 'link', url, line }) as MarkdownLink;
  const own = (url: string, line: number, dialect: EngineLink['dialect']): EngineLink =>
    ({ kind: 'link', url, line, dialect }) as EngineLink;
  const urlsOf = (facts: Parameters<typeof linksOf>[0], links: Partial<EngineLinks>, menu: boolean): string[] =>
    linksOf(facts, links as EngineLinks, menu).map(({ url }) => url);

  const links = [link('a.md', 1), link('b.md', 2)];
  const engineLinks = [own('item.md', 2, 'items'), own('wiki.md', 1, 'wikilinks')];

  it('are those of CommonMark where the engine has no others', () => {
    expect(urlsOf({ links, engineLinks }, {}, false)).toEqual(['a.md', 'b.md']);
    expect(urlsOf({ links, engineLinks }, { dialect: 'loose' }, false)).toEqual(['a.md', 'b.md']);
    expect(urlsOf({ links }, { dialect: 'wikilinks' }, false)).toEqual(['a.md', 'b.md']);
  });

  it('are those of CommonMark and of the engine, in menus of their dialect', () => {
    const dialects = { dialect: 'wikilinks', menuDialect: 'items' } as const;
    expect(urlsOf({ links, engineLinks }, dialects, false)).toEqual(['a.md', 'b.md', 'wiki.md']);
    expect(urlsOf({ links, engineLinks }, { dialect: 'wikilinks' }, true)).toEqual(['a.md', 'b.md', 'wiki.md']);
  });

  it('are the entry alone on the line of an entry of a menu', () => {
    const dialects = { dialect: 'wikilinks', menuDialect: 'items' } as const;
    expect(urlsOf({ links, engineLinks }, dialects, true)).toEqual(['a.md', 'item.md']);
  });
});
