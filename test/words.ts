/** What holds of every sentence that people read, whichever area says it. */
import { expect, it } from 'vitest';

/** Sentences by their names, with values that stand out, such as `<one>`. */
export type Sentences = Readonly<Record<string, string>>;

/**
 * Tests the sentences of an area in English, Romanian and French. `shared`: names of what is the same word in more than
 * one of them.
 */
export function areSaidInEveryLanguage(
  [en = {}, ro = {}, fr = {}]: readonly Sentences[],
  shared: ReadonlySet<string> = new Set(),
): void {
  const names = Object.keys(en);

  it('is said in every language, each in its own words', () => {
    expect([Object.keys(ro), Object.keys(fr)]).toEqual([names, names]);
    const same = names.filter((name) => !shared.has(name) && new Set([en[name], ro[name], fr[name]]).size < 3);
    expect(same).toEqual([]);
  });

  it.each(names)('%s is one line', (name) => {
    for (const sentence of [en[name], ro[name], fr[name]]) {
      expect(sentence).toMatch(/^\S.*\S$/);
      expect(sentence).not.toMatch(/undefined|null|NaN| {2}/);
    }
  });

  it.each(names)('%s names what it is about', (name) => {
    const values = (text = ''): string[] => (text.match(/<\w+>/g) ?? []).toSorted();
    expect([values(ro[name]), values(fr[name])]).toEqual([values(en[name]), values(en[name])]);
  });

  it.each(names)('%s has the letters of its language', (name) => {
    expect(ro[name]).not.toMatch(/[şţŞŢ]/);
    expect(fr[name]).not.toMatch(/ [:;?!»]|« |'/);
  });
}
