import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/check.ts';
import { readLocales } from './implementation.ts';

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
