import { describe } from 'vitest';
import { areSaidInEveryLanguage } from '../../test/words.ts';
import { LANGUAGES } from '../texts.ts';
import { INIT_WORDS, type InitWords } from './words.ts';

/** Every sentence by its name, with recognisable values. */
function sentences(words: InitWords): Record<string, string> {
  const flat = (prefix: string, value: unknown): [string, string][] => {
    if (typeof value === 'string') return [[prefix, value]];
    if (typeof value === 'function') return [[prefix, (value as (...of: string[]) => string)('<one>', '<two>')]];
    return Object.entries(Object(value) as object).flatMap(([key, inner]) => flat(`${prefix}.${key}`, inner));
  };
  return {
    ...Object.fromEntries(flat('', { ...words, written: '' }).filter(([, text]) => text !== '')),
    noSite: words.foundSite(null, null),
    noEngine: words.foundSite('<one>', null),
    noHost: words.foundHost(null, ''),
    noRemote: words.foundRepository(null, '<two>'),
    noForge: words.command(null),
    noOrigin: words.address('<one>', null),
    noBase: words.deployedFolder('<one>', null),
    ...Object.fromEntries([1, 2, 20, 100].map((count) => [`written ${count}`, words.written(count)])),
  };
}

describe('the words of init', () => {
  areSaidInEveryLanguage(LANGUAGES.map((language) => sentences(INIT_WORDS[language])));
});
