/** The form of the pages: sizes, links, generated parts, and translations that have the same headings and code. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import GithubSlugger from 'github-slugger';
import { describe, expect, it } from 'vitest';
import { WORKFLOW_KINDS } from '../../src/init/options.ts';
import { inLanguage, TRANSLATIONS } from './languages.ts';
import { PAGES, PARTS, ROOT, textOf } from './pages.ts';

/** Agents read whole pages, and many cut them off at 50,000 characters. */
const MOST_CHARACTERS = 45_000;

/** Pages that the build of the site makes of the code. */
const GENERATED = /^docs\/(?:(?:ro|fr)\/)?(?:reference\/[\w-]+|checks\/[\w-]+|architecture|changelog)\.md$/;

interface Fence {
  readonly language: string;
  readonly lines: readonly string[];
}

/** A page without the generated parts, which depend on the language. */
const handWritten = (text: string): string => text.replaceAll(/<!-- ([\w-]+) -->\n[^]*?<!-- \/\1 -->/g, '<!-- $1 -->');

const FENCE = /^```([\w-]*)\n([^]*?)^```$/gm;

const fencesOf = (text: string): Fence[] =>
  [...text.matchAll(FENCE)].map(([, language = '', code = '']) => ({ language, lines: code.trimEnd().split('\n') }));

/** Titles of all headings, with their levels. */
const headingsOf = (text: string): { level: number; title: string }[] =>
  [...text.replaceAll(FENCE, '').matchAll(/^(#+) (.+)$/gm)].map(([, marks = '', title = '']) => ({
    level: marks.length,
    title: title.trim(),
  }));

/** Code without comments and quoted words, which are translated. */
const codeOf = ({ language, lines }: Fence): { language: string; lines: string[] } => ({
  language,
  lines: lines
    .map((line) =>
      line
        .replace(/(^|\s)(#|\/\/) .*$/, '')
        .replace(/\/\*\*.*\*\//, '')
        .trimEnd(),
    )
    .filter((line) => line.trim() !== ''),
});

/** Links to other files of the repository's docs, and to headings. */
const linksOf = (text: string): string[] =>
  [
    ...text
      .replaceAll(FENCE, '')
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, target]) => target ?? '')
    .filter((target) => !/^https?:/.test(target));

function anchorsOf(text: string): string[] {
  const slugger = new GithubSlugger();
  return headingsOf(text).map(({ title }) => slugger.slug(title.replaceAll(/[`*]/g, '')));
}

/** What is wrong with a page's links. */
function deadLinks(page: string): string[] {
  return linksOf(textOf(page)).filter((link) => {
    const [target = '', anchor] = link.split('#');
    const file = target === '' ? page : path.posix.join(path.posix.dirname(page), target);
    if (GENERATED.test(file)) return false;
    if (!existsSync(path.join(ROOT, file))) return true;
    return anchor !== undefined && !anchorsOf(textOf(file)).includes(anchor);
  });
}

const translated = TRANSLATIONS.flatMap((language) =>
  PAGES.filter((page) => page.startsWith('docs/')).map((page) => ({
    page,
    language,
    translation: inLanguage(page, language),
  })),
);
const all = [...PAGES, ...translated.map(({ translation }) => translation)];

describe('the README', () => {
  it('has at most 12 kB', () => {
    expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(12_000);
  });
});

describe('the pages', () => {
  it('are short enough to be read whole', () => {
    for (const page of all) expect([page, textOf(page).length < MOST_CHARACTERS]).toEqual([page, true]);
  });

  it('begin with their only title', () => {
    for (const page of all) {
      const text = textOf(page);
      expect([page, text.startsWith('# ')]).toEqual([page, true]);
      expect([page, headingsOf(text).filter(({ level }) => level === 1).length]).toEqual([page, 1]);
    }
  });

  it('have the generated parts that tests compare, each once', () => {
    for (const page of PAGES) {
      const opened = [...textOf(page).matchAll(/^<!-- ([\w-]+) -->$/gm)].map(([, name]) => name);
      const closed = [...textOf(page).matchAll(/^<!-- \/([\w-]+) -->$/gm)].map(([, name]) => name);
      expect({ page, opened, closed }).toEqual({ page, opened: PARTS[page] ?? [], closed: PARTS[page] ?? [] });
    }
    for (const { page, translation } of translated) {
      const opened = [...textOf(translation).matchAll(/^<!-- ([\w-]+) -->$/gm)].map(([, name]) => name);
      expect({ translation, opened }).toEqual({ translation, opened: PARTS[page] ?? [] });
    }
  });

  it('link to pages and headings that exist', () => {
    for (const page of all) expect({ page, dead: deadLinks(page) }).toEqual({ page, dead: [] });
  });

  it('lead from the home page to the main questions within three clicks', () => {
    const clicks = new Map([['docs/index.md', 0]]);
    for (const [page, distance] of clicks) {
      if (distance === 3 || GENERATED.test(page)) continue;
      for (const link of linksOf(textOf(page))) {
        const target = path.posix.join(path.posix.dirname(page), link.split('#')[0] ?? '');
        if (target.endsWith('.md') && !clicks.has(target)) clicks.set(target, distance + 1);
      }
    }
    const reached = [...clicks.keys()];
    expect(reached).toEqual(expect.arrayContaining(PAGES.filter((page) => page.startsWith('docs/'))));
    expect(reached).toEqual(expect.arrayContaining(['docs/checks/navigation.md', 'docs/reference/webhook.md']));
  });

  it('explain each workflow', () => {
    expect(headingsOf(textOf('docs/guides/github.md')).length).toBeGreaterThan(WORKFLOW_KINDS.length);
  });
});

describe.each(translated)('$translation', ({ page, translation }) => {
  const [original, other] = [textOf(page), textOf(translation)];

  it('has the headings of the original, and the same code', () => {
    expect(headingsOf(other).map(({ level }) => level)).toEqual(headingsOf(original).map(({ level }) => level));
    expect(fencesOf(handWritten(other)).map(codeOf)).toEqual(fencesOf(handWritten(original)).map(codeOf));
    expect(fencesOf(other).map(({ language }) => language)).toEqual(fencesOf(original).map(({ language }) => language));
  });
});
