import { describe, expect, it } from 'vitest';
import { parseMarkdown, type MarkdownFacts } from '../../src/parse/markdown.ts';
import { driftOf, isSimilar, skeletonKey, readLocales } from './evaluate.ts';
import type { Json } from '../../src/core/answer.ts';

const ORIGINAL = '# A\n\n## B\n\n```sh\nls\n```\n\n### C\n\n| a | b |\n| - | - |\n| 1 | 2 |\n';

async function factsOf(text: string): Promise<MarkdownFacts> {
  const parsed = await parseMarkdown(text, { limitMs: 5000 });
  if (!parsed.ok) throw new Error(parsed.limit);
  return parsed;
}

describe('driftOf', () => {
  it.each([
    { name: 'the same', text: ORIGINAL },
    { name: 'other words', text: ORIGINAL.replaceAll(/[ABC12ab]/g, 'x') },
    { name: 'more text', text: ORIGINAL.replace('## B', 'Mai mult.\n\n- și o listă\n\n## B') },
    { name: 'other code', text: ORIGINAL.replace('ls', '# listă\n\nls -l') },
    { name: 'letter case of a language', text: ORIGINAL.replace('sh', 'SH') },
    { name: 'other fences', text: ORIGINAL.replaceAll('```', '~~~~') },
    { name: 'front matter', text: `---\ntitle: x\n---\n\n${ORIGINAL}` },
    { name: 'an underlined heading', text: ORIGINAL.replace('# A', 'A\n=') },
    { name: 'CRLF', text: ORIGINAL.replaceAll('\n', '\r\n') },
    { name: 'another alignment', text: ORIGINAL.replace('| - | - |', '| :-- | --: |') },
  ])('none: $name', async ({ text }) => {
    expect(driftOf(await factsOf(ORIGINAL), await factsOf(text))).toBeNull();
  });

  it.each([
    {
      name: 'a section less',
      text: ORIGINAL.replace('### C', 'C'),
      is: { rule: 'headings-differ', line: 3, originalLine: 9, evidence: { expected: '###', found: null } },
    },
    {
      name: 'a section more',
      text: `${ORIGINAL}\n## D\n`,
      is: { rule: 'headings-differ', line: 15, originalLine: 9, evidence: { expected: null, found: '##' } },
    },
    {
      name: 'another level',
      text: ORIGINAL.replace('### C', '## C'),
      is: { rule: 'headings-differ', line: 9, originalLine: 9, evidence: { expected: '###', found: '##' } },
    },
    {
      name: 'headings before all else',
      text: '# A\n',
      is: { rule: 'headings-differ', evidence: { headings: [3, 1], code: [1, 0], tables: [1, 0] } },
    },
    {
      name: 'code less',
      text: ORIGINAL.replaceAll('```', ''),
      is: { rule: 'code-blocks-differ', line: 1, originalLine: 5, evidence: { expected: 'sh', found: null } },
    },
    {
      name: 'another language of code',
      text: ORIGINAL.replace('sh', 'ps1'),
      is: { rule: 'code-blocks-differ', line: 5, evidence: { expected: 'sh', found: 'ps1' } },
    },
    {
      name: 'no language of code',
      text: ORIGINAL.replace('sh', ''),
      is: { rule: 'code-blocks-differ', evidence: { expected: 'sh', found: 'code' } },
    },
    {
      name: 'a row more',
      text: `${ORIGINAL}| 3 | 4 |\n`,
      is: { rule: 'tables-differ', line: 11, evidence: { expected: '2×1', found: '2×2' } },
    },
    {
      name: 'a column less',
      text: ORIGINAL.replaceAll(/ \| [-b2] \|$/gm, ' |'),
      is: { rule: 'tables-differ', evidence: { found: '1×1' } },
    },
  ])('$name', async ({ text, is }) => {
    expect(driftOf(await factsOf(ORIGINAL), await factsOf(text))).toMatchObject(is);
  });
});

describe('skeletonKey', () => {
  it.each([
    { name: 'other words', text: ORIGINAL.replaceAll(/[ABC12ab]/g, 'x'), same: true },
    { name: 'a section more', text: `${ORIGINAL}\n## D\n`, same: false },
    { name: 'a row more', text: `${ORIGINAL}| 3 | 4 |\n`, same: false },
    { name: 'other code', text: ORIGINAL.replace('sh', 'js'), same: false },
  ])('$name: $same', async ({ text, same }) => {
    expect(skeletonKey(await factsOf(text)) === skeletonKey(await factsOf(ORIGINAL))).toBe(same);
  });
});

describe('isSimilar', () => {
  it.each([
    { name: 'as many', here: 4, there: 4, is: true },
    { name: 'none and one', here: 0, there: 1, is: true },
    { name: 'none and two', here: 0, there: 2, is: false },
    { name: 'a few more', here: 4, there: 8, is: true },
    { name: 'many more', here: 12, there: 3, is: false },
  ])('$name: $is', async ({ here, there, is }) => {
    expect(isSimilar(await factsOf('# a\n'.repeat(here)), await factsOf('# b\n'.repeat(there)))).toBe(is);
  });

  it('takes what is not known for similar', async () => {
    expect(isSimilar(null, await factsOf(ORIGINAL))).toBe(true);
  });
});

const EN = { code: 'en', label: 'English', isDefault: true, prefix: '' };
const RO = { code: 'ro', label: 'Română', prefix: 'ro' };
const FR = { code: 'fr', label: 'Français', isDefault: false, prefix: 'fr' };

/** `en= ro=ro`: codes and folders, the original first. */
function shown(value: Json | undefined): string | null {
  const locales = readLocales(value);
  return (
    locales && [locales.original, ...locales.translations].map(({ code, prefix }) => `${code}=${prefix}`).join(' ')
  );
}

const rules = (value: Json): string[] | undefined => readLocales(value)?.problems.map(({ rule }) => rule);

describe('readLocales: what counts', () => {
  it.each<{ name: string; value: Json | undefined; is: string | null }>([
    { name: 'nothing', value: undefined, is: null },
    { name: 'null', value: null, is: null },
    { name: 'an empty list', value: [], is: null },
    { name: 'one language', value: [EN], is: null },
    { name: 'a map', value: { en: EN, ro: RO }, is: null },
    { name: 'a list of codes', value: ['en', 'ro'], is: null },
    { name: 'a list of lists', value: [['en'], ['ro']], is: null },
    { name: 'one language among other things', value: [EN, null, 'ro', 7], is: null },
    { name: 'two languages', value: [EN, RO], is: 'en= ro=ro' },
    { name: 'three languages', value: [EN, RO, FR], is: 'en= ro=ro fr=fr' },
    { name: 'the default last', value: [RO, FR, EN], is: 'en= ro=ro fr=fr' },
    { name: 'no default: the one at the base', value: [RO, { code: 'en', prefix: '' }], is: 'en= ro=ro' },
    { name: 'no default and no base: the first', value: [RO, FR], is: 'ro=ro fr=fr' },
    { name: 'a default without prefix', value: [{ code: 'en', isDefault: true }, RO], is: 'en= ro=ro' },
    { name: 'a default with a prefix', value: [{ ...EN, prefix: 'en' }, RO], is: 'en=en ro=ro' },
    { name: 'a prefix of null', value: [{ ...EN, prefix: null }, RO], is: 'en= ro=ro' },
    {
      name: 'slashes',
      value: [
        { ...EN, prefix: '/' },
        { ...RO, prefix: '/ro/' },
        { ...FR, prefix: 'fr/' },
      ],
      is: 'en= ro=ro fr=fr',
    },
    {
      name: 'a dot',
      value: [
        { ...EN, prefix: './' },
        { ...RO, prefix: './ro' },
      ],
      is: 'en= ro=ro',
    },
    { name: 'a hash route', value: [EN, { ...RO, prefix: '#/ro' }], is: 'en= ro=ro' },
    { name: 'folders in folders', value: [EN, { ...RO, prefix: 'docs/ro' }], is: 'en= ro=docs/ro' },
    { name: 'no code', value: [EN, { label: 'Română', prefix: 'ro' }], is: 'en= ro=ro' },
    { name: 'two in one folder', value: [EN, RO, { ...FR, prefix: 'ro' }], is: 'en= ro=ro' },
    { name: 'a folder above the site', value: [EN, RO, { ...FR, prefix: '../fr' }], is: 'en= ro=ro' },
    {
      name: 'a member of every object',
      value: [EN, RO, { code: 'fr', prefix: 'constructor' }],
      is: 'en= ro=ro fr=constructor',
    },
  ])('$name: $is', ({ value, is }) => {
    expect(shown(value)).toBe(is);
  });

  it('bounds how many are read', () => {
    const many = Array.from({ length: 1000 }, (_, at) => ({ code: 'en', prefix: `p${at}` }));
    expect(readLocales(many)?.translations).toHaveLength(99);
  });
});

describe('readLocales: what is odd', () => {
  it.each<{ name: string; value: Json; is: string[] }>([
    { name: 'nothing', value: [EN, RO, FR], is: [] },
    { name: 'nothing where there is no default', value: [RO, FR], is: [] },
    { name: 'one folder for two', value: [EN, RO, { ...FR, prefix: '/ro' }], is: ['prefix-shared'] },
    { name: 'two at the base', value: [EN, { code: 'ro' }], is: ['prefix-shared'] },
    { name: 'an address', value: [EN, { ...RO, prefix: 'https://ro.example/' }], is: ['prefix-invalid'] },
    { name: 'a backslash', value: [EN, { ...RO, prefix: String.raw`\ro` }], is: ['prefix-invalid'] },
    { name: 'a number', value: [EN, { ...RO, prefix: 7 }], is: ['prefix-invalid'] },
    { name: 'a way up', value: [EN, { ...RO, prefix: 'a/../ro' }], is: ['prefix-invalid'] },
    { name: 'an underscore', value: [EN, { ...RO, code: 'ro_RO' }], is: ['code-invalid'] },
    { name: 'a name', value: [EN, { ...RO, code: 'Romanian language' }], is: ['code-invalid'] },
    { name: 'no code', value: [EN, { prefix: 'ro' }], is: ['code-invalid'] },
    { name: 'a code that is no text', value: [EN, { ...RO, code: 40 }], is: ['code-invalid'] },
    { name: 'one code twice', value: [EN, RO, { ...FR, code: 'RO' }], is: ['code-repeated'] },
    { name: 'an entry twice', value: [EN, RO, RO], is: ['code-repeated'] },
    { name: 'two defaults', value: [EN, { ...RO, isDefault: true }], is: ['several-defaults'] },
    { name: 'a default that is no boolean', value: [EN, { ...RO, isDefault: 'true' }], is: [] },
  ])('$name: $is', ({ value, is }) => {
    expect(rules(value)).toEqual(is);
  });

  it.each(['pt-BR', 'zh-Hant-TW', 'sr-Latn', 'x-klingon', 'EN', 'de-CH-1996', 'tlh'])('takes %s for a tag', (rule) => {
    expect(rules([EN, { code: rule, prefix: 'other' }])?.filter((found) => found === 'code-invalid')).toEqual([]);
  });
});
