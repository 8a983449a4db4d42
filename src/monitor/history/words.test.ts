import { describe } from 'vitest';
import { areSaidInEveryLanguage } from '../../../test/words.ts';
import { LANGUAGES } from '../../texts.ts';
import { historyWords } from './words.ts';
import type { HistoryWords } from './words.ts';

/** Every text by its name, with values that stand out. */
function texts({ columns, ...words }: HistoryWords): Record<string, string> {
  return {
    ...columns,
    maintenance: words.maintenance,
    wholeSite: words.wholeSite,
    noHistory: words.noHistory('<site>'),
    noIncidents: words.noIncidents,
    noOpenIncidents: words.noOpenIncidents,
    after: words.after('<time>'),
    nobodyNotified: words.nobodyNotified,
    notifiedWith: words.notifiedWith('<incident>'),
    open: words.open('<time>'),
    ...Object.fromEntries([1, 2, 20, 100].map((count) => [`limited ${count}`, words.limited(count)])),
  };
}

const EVERY = await Promise.all(LANGUAGES.map(async (language) => texts(historyWords(language))));

describe('what is said of the past', () => {
  areSaidInEveryLanguage(EVERY, new Set(['p95', 'verdict', 'maintenance']));
});
