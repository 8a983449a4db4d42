import { describe, expect, it } from 'vitest';
import { areSaidInEveryLanguage } from '../../../test/words.ts';
import { LANGUAGES } from '../../texts.ts';
import { engineWords } from './words.ts';
import type { EngineWords } from './words.ts';

/** Every sentence by its name, with values that stand out. */
function sentences(words: EngineWords): Record<string, string> {
  const plain = Object.entries(words).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return {
    ...Object.fromEntries(plain),
    page: words.page('<url>'),
    database: words.database('<file>'),
    openSince: words.openSince('<time>'),
    maintenanceGoesOn: words.maintenanceGoesOn('<site>', '<time>'),
    maintenanceStarted: words.maintenanceStarted('<site>', '<time>'),
    heads: words.heads.join(' '),
    ...Object.fromEntries([0, 1].map((count) => [`ended ${count}`, words.maintenanceEnded('<site>', count)])),
    ...Object.fromEntries([1, 2, 20, 101].map((count) => [`watching ${count}`, words.watching(count)])),
    ...Object.fromEntries([1, 2, 20, 101].map((count) => [`pending ${count}`, words.pendingAlerts(count)])),
  };
}

const EVERY = await Promise.all(LANGUAGES.map(async (language) => sentences(engineWords(language))));
const [, ro = {}, fr = {}] = EVERY;

describe('what the monitor says', () => {
  areSaidInEveryLanguage(EVERY, new Set(['inMaintenance']));

  it.each([
    ['ro', 'watching 20', '20 de site-uri'],
    ['ro', 'watching 101', '101 site-uri'],
    ['ro', 'watching 2', '2 site-uri'],
    ['fr', 'watching 1', '1 site surveillé'],
  ])('counts in %s', (language, name, expected) => {
    expect((language === 'ro' ? ro : fr)[name]).toContain(expected);
  });
});
