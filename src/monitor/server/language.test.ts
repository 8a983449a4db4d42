import { expect, it } from 'vitest';
import { weightsIn } from '../../hosting/accept.ts';
import { demandedLanguage, languageOf, RequestProblem } from './request.ts';

const requester = (query: string, accept: string | null = null) => ({
  search: new URLSearchParams(query),
  header: (name: string) => (name === 'accept-language' ? accept : null),
});

it.each([
  ['nothing', '', null, 'ro'],
  ['a parameter', 'lang=fr', null, 'fr'],
  ['a parameter in capitals', 'lang=FR', 'en', 'fr'],
  ['a language that there is none of', 'lang=de', null, 'ro'],
  ['a browser', '', 'fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
  ['a browser that prefers the second', '', 'en;q=0.3, ro;q=0.7', 'ro'],
  ['a browser that wants none of ours', '', 'de, es;q=0.5', 'ro'],
  ['a browser that refuses one', '', 'en;q=0, fr;q=0.1', 'fr'],
  ['a browser of equals', '', 'fr, en', 'fr'],
  ['any', '', '*', 'ro'],
  ['nonsense', '', ';;;,=', 'ro'],
])('%s', (_, query, accept, language) => {
  expect(languageOf(requester(query, accept), 'ro')).toBe(language);
});

it('demands a language that there is', () => {
  expect(demandedLanguage(requester(''))).toBeNull();
  expect(demandedLanguage(requester('lang='))).toBeNull();
  expect(demandedLanguage(requester('lang=ro'))).toBe('ro');
  expect(() => demandedLanguage(requester('lang=de'))).toThrow(RequestProblem);
});

it.each([
  [[], 1],
  [['q=1'], 1],
  [['q=0'], 0],
  [['q=0.5'], 0.5],
  [['level=1', 'q=0.25'], 0.25],
  [['q=1.5'], 0],
  [['q=x'], 0],
])('%j weighs %d', (parameters, weight) => {
  expect(weightsIn(['x', ...parameters].join(';')).get('x')).toBe(weight);
});
