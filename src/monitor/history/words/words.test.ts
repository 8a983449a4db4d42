import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../texts.ts';
import { loadHistoryWords } from './load.ts';
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

const [en = {}, ro = {}, fr = {}] = await Promise.all(
  LANGUAGES.map(async (language) => texts(await loadHistoryWords(language))),
);

/** Which are the same word in more than one language. */
const SHARED = new Set(['p95', 'verdict', 'maintenance']);

describe('what is said of the past', () => {
  it.each(Object.keys(en))('%s is said in every language', (name) => {
    const said = [en[name], ro[name], fr[name]];
    expect(new Set(said).size).toBe(SHARED.has(name) ? new Set(said).size : 3);
    const values = (text = ''): string[] => text.match(/<\w+>/g) ?? [];
    expect([values(ro[name]), values(fr[name])]).toEqual([values(en[name]), values(en[name])]);
    expect(ro[name]).not.toMatch(/[şţŞŢ]/);
    expect(fr[name]).not.toMatch(/ [:;?!»]|« |'/);
  });
});
