import { parse } from '@messageformat/parser';
import { describe, expect, it } from 'vitest';
import type { Language } from '../locales/language.ts';
import { messageMistake, mistakeIn } from './language.ts';

const expected = (mistake: RegExp | null): unknown => (mistake === null ? null : expect.stringMatching(mistake));

describe('mistakeIn', () => {
  it.each<[language: Language, text: string, mistake: RegExp | null]>([
    ['ro', 'Serverul trimite aceeaşi pagină.', /cedilla/],
    ['ro', 'Informaţii.', /cedilla/],
    ['ro', 'Serverul trimite aceeași pagină și informații.', null],
    ['fr', "L'hébergeur ne répond pas.", /apostrophe/],
    ['fr', "L’hébergeur envoie `it's` et [cela](a'b.md).\n\n```nginx\nadd_header X \"it's\";\n```\n", null],
    ['fr', 'Le serveur returns the page.', /"the"/],
    ['ro', 'Serverul trimite pagina with un antet.', /"with"/],
    ['ro', 'Serverul trimite `the page` în loc de antet.', null],
    ['en', "It isn't the page.", null],
  ])('%s: %s', (language, text, mistake) => {
    expect(mistakeIn(language, text)).toEqual(expected(mistake));
  });
});

describe('messageMistake', () => {
  const ONE_OTHER = '{n, plural, one {# page} other {# pages}}';
  it.each<[language: Language, english: string, message: string, mistake: RegExp | null]>([
    ['ro', '{site} is down', 'indisponibil', /\{site\}/],
    ['ro', '{kind, select, a {of {site}} other {}}', '{kind, select, a {al lui} other {}}', /\{site\}/],
    ['ro', '{site} is down', '{site} e indisponibil', null],
    ['ro', ONE_OTHER, '{n, plural, few {# pagini} other {# de pagini}}', /"one"/],
    ['ro', ONE_OTHER, '{n, plural, one {o pagină} few {# pagini}}', /"other"/],
    ['ro', ONE_OTHER, '{n, plural, one {o pagină} few {# pagini} other {# de pagini}}', null],
    ['fr', ONE_OTHER, '{n, plural, =0 {aucune page} other {# pages}}', null],
    ['fr', 'fix: {fix}', 'correctif : {fix}', /space/],
    ['fr', 'fix: {fix}', 'correctif\u00A0: {fix}', null],
    ['en', 'two  spaces', 'two  spaces', /space/],
    ['fr', '{n, select, a {one} other {two}}', '{n, select, a {un} other {the two}}', /"the"/],
  ])('%s: %s → %s', (language, english, message, mistake) => {
    expect(messageMistake(language, parse(message), parse(english))).toEqual(expected(mistake));
  });
});
