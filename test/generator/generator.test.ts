import { describe, expect, it } from 'vitest';
import { checks } from '../../checks/index.ts';
import { PAGE_RULES } from '../../src/expect/page.ts';
import type { Codes } from './codes.ts';
import { text } from './deployment.ts';
import { ASSET_FAULTS } from './faults/assets.ts';
import { CONTENT_FAULTS } from './faults/content.ts';
import { ALL_KINDS, type Fault } from './faults/fault.ts';
import { HEADER_FAULTS } from './faults/headers.ts';
import { LINK_FAULTS } from './faults/links.ts';
import { MISSING_FAULTS } from './faults/missing.ts';
import { NEGOTIATION_FAULTS } from './faults/negotiation.ts';
import { PAGE_FAULTS } from './faults/pages.ts';
import { SOURCE_FAULTS } from './faults/source.ts';
import { VERSION_FAULTS } from './faults/deployed-version.ts';
import { CAUSED_BY_RULES } from './host-rules.ts';
import { writeLink, type LinkForm } from './link-forms.ts';
import { random } from './random.ts';
import { rowsOf } from './seeded.ts';
import { generateSite, type SiteOptions } from './site.ts';

const OPTIONS: SiteOptions = {
  seed: 7,
  pages: 20,
  depth: 3,
  languages: ['en', 'ro', 'fr'],
  base: '/docs/',
  origin: 'http://127.0.0.1:4173',
};

describe('random', () => {
  it('gives the same numbers for the same seed', () => {
    const [first, second] = [random('a'), random('a')];
    expect(Array.from({ length: 50 }, () => first.int(1000))).toEqual(
      Array.from({ length: 50 }, () => second.int(1000)),
    );
    expect(random('b').next()).not.toBe(random('a').next());
  });

  it('shuffles without losing anything', () => {
    expect(random(1).shuffled(['a', 'b', 'c', 'd']).toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('generateSite', () => {
  it('gives the same bytes for the same options', () => {
    expect([...generateSite(OPTIONS).files]).toEqual([...generateSite(OPTIONS).files]);
    expect([...generateSite({ ...OPTIONS, seed: 8 }).files]).not.toEqual([...generateSite(OPTIONS).files]);
  });

  it('has as many pages as asked for in every language, all named differently', () => {
    const { pages, files } = generateSite(OPTIONS);
    expect(pages).toHaveLength(60);
    expect(new Set(pages.map(({ path }) => path.toLowerCase())).size).toBe(60);
    expect(pages.every(({ path }) => files.has(path))).toBe(true);
  });

  it.each([0, 1, 2, 5])('reaches a depth of %i and no further', (depth) => {
    const { pages } = generateSite({ ...OPTIONS, pages: 60, depth, languages: ['en'] });
    expect(Math.max(...pages.map(({ path }) => path.split('/').length - 1))).toBe(depth);
  });

  it('has the same skeleton in every language', () => {
    const { plan, files } = generateSite(OPTIONS);
    const skeleton = (path: string): string[] => text(files.get(path)).match(/^(?:#+ |```|~~~|\| ---|\| :---)/gm) ?? [];
    for (const { path } of plan.pages) expect(skeleton(`ro/${path}`)).toEqual(skeleton(path));
  });

  it('has links in the forms that were asked for', () => {
    const { pages, files } = generateSite({ ...OPTIONS, linkForms: ['hash-bang'] });
    const links = pages.flatMap(({ path }) => text(files.get(path)).match(/^→ \[.*\]\(.*\)$/gm) ?? []);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !link.includes('](#!'))).toEqual([]);
  });

  it('has links in every form', () => {
    const { pages, files } = generateSite({ ...OPTIONS, pages: 60 });
    const all = pages.map(({ path }) => text(files.get(path))).join('\n');
    for (const mark of [
      '](#/',
      '](#!',
      '](#',
      '](../',
      '](./',
      '](<',
      '](http://',
      '<http://',
      '][to ',
      '][By Route',
      '<a href=',
      '<a class=',
      '%e',
      '%E',
      'index.html#/',
      '"',
    ])
      expect(all).toContain(mark);
  });
});

/** A link to `café/index.md`, heading `über`, from `setup/first steps.md`. */
const WRITTEN: Readonly<Record<LinkForm, string>> = {
  relative: '[There](../caf%C3%A9/index.md#%C3%BCber)',
  'dot-relative': '[There](./../caf%C3%A9/index.md#%C3%BCber)',
  angle: '[There](<../café/index.md#%C3%BCber>)',
  'lower-case-hexadecimal': '[There](../caf%c3%a9/index.md#%c3%bcber)',
  'lightly-encoded': '[There](../café/index.md#%C3%BCber)',
  titled: '[There](../caf%C3%A9/index.md#%C3%BCber "There")',
  'hash-slash': '[There](#/caf%C3%A9/index.md#%C3%BCber)',
  'hash-bang': '[There](#!caf%C3%A9/index.md#%C3%BCber)',
  'hash-plain': '[There](#caf%C3%A9/index.md#%C3%BCber)',
  'hash-angle': '[There](<#/café/index.md#%C3%BCber>)',
  'hash-lightly-encoded': '[There](#/café/index.md#%C3%BCber)',
  'absolute-file': '[There](http://127.0.0.1/docs/caf%C3%A9/index.md#%C3%BCber)',
  'absolute-hash': '[There](http://127.0.0.1/docs/#/caf%C3%A9/index.md#%C3%BCber)',
  'absolute-index-hash': '[There](http://127.0.0.1/docs/index.html#/caf%C3%A9/index.md#%C3%BCber)',
  autolink: '<http://127.0.0.1/docs/caf%C3%A9/index.md#%C3%BCber>',
  reference: '[There][to café/index.md]',
  'reference-hash': '[There][By Route café/index.md]',
  html: '<a href="../caf%C3%A9/index.md#%C3%BCber">There</a>',
  'html-hash': "<a class='page' href='#/caf%C3%A9/index.md#%C3%BCber'>There</a>",
  folder: '[There](../caf%C3%A9/#%C3%BCber)',
  'folder-hash-slash': '[There](#/caf%C3%A9/#%C3%BCber)',
  'folder-hash-bang': '[There](#!caf%C3%A9/#%C3%BCber)',
  'folder-absolute': '[There](http://127.0.0.1/docs/#/caf%C3%A9/#%C3%BCber)',
  'folder-html': '<a href="#/caf%C3%A9/#%C3%BCber">There</a>',
};

describe('writeLink', () => {
  const place = { from: 'setup/first steps.md', address: 'http://127.0.0.1/docs/' };
  const target = { path: 'café/index.md', anchor: 'über', text: 'There' };

  it.each(Object.entries(WRITTEN))('%s', (form, markdown) => {
    expect(writeLink(form as LinkForm, target, place).markdown).toBe(markdown);
  });

  it.each([
    ['reference', '[to café/index.md]: <../café/index.md#%C3%BCber>'],
    ['reference-hash', "[by route café/index.md]: #/caf%C3%A9/index.md#%C3%BCber 'Another page'"],
  ] as const)('%s has a definition', (form, definition) => {
    expect(writeLink(form, target, place).definition).toBe(definition);
  });
});

/** Need more than one host, a public address or time: the checks' own tests have them. */
const ELSEWHERE = new Set([
  'not-found/inconsistent',
  'links/deadline-exceeded',
  'links/site-stopped-responding',
  'assets/external-failed',
  'bundle/script-cors',
  'assets/style-cors',
  'negotiation/converted-html',
  'tls/no-https',
  'tls/no-https-redirect',
  'translations/navigation-shared',
]);

const flat = (codes: Codes): string[] =>
  Object.entries(codes).flatMap(([id, list]) => list.map((code) => `${id}/${code}`));

const codesOf = ({ expected }: Fault): string[] =>
  typeof expected === 'function' ? ALL_KINDS.flatMap((kind) => flat(expected(kind))) : flat(expected);

describe('the faults', () => {
  const tables = {
    MISSING_FAULTS,
    LINK_FAULTS,
    PAGE_FAULTS,
    ASSET_FAULTS,
    NEGOTIATION_FAULTS,
    HEADER_FAULTS,
    CONTENT_FAULTS,
    SOURCE_FAULTS,
    VERSION_FAULTS,
  };
  const all = Object.values(tables).flat();

  it('are at least 60 kinds and 200 in all', () => {
    expect(all.length).toBeGreaterThanOrEqual(60);
    expect(rowsOf(all).length).toBeGreaterThanOrEqual(200);
  });

  it('are named once', () => {
    const names = Object.entries(tables).flatMap(([table, faults]) => faults.map(({ name }) => `${table}: ${name}`));
    expect(names).toEqual([...new Set(names)]);
  });

  // Faults of single files are the same for all checks; test/faults provokes them one by one.
  const common = new Set([...Object.keys(PAGE_RULES), 'no-answer']);
  const own = checks
    .filter((check) => check.full === true)
    .flatMap(({ id, rules }) =>
      Object.entries(rules)
        .filter(([code, grade]) => (grade === 'error' || grade === 'warning') && !common.has(code))
        .map(([code]) => `${id}/${code}`),
    );
  const seeded = new Set(all.flatMap((fault) => [...codesOf(fault), ...Object.values(CAUSED_BY_RULES).flatMap(flat)]));

  it.each(own.filter((code) => !ELSEWHERE.has(code) && !code.startsWith('rendered/')))('provoke %s', (code) => {
    expect(seeded).toContain(code);
  });
});
