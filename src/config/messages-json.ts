import type { JsonProblem } from '../parse/json-problem.ts';
import type { Language } from '../texts.ts';

/** What is wrong with a JSON file and what was expected, in words. */
export const JSON_SENTENCES = {
  'trailing-comma': {
    en: 'expected no comma before the closing bracket',
    ro: 'nu se așteaptă virgulă înaintea parantezei de închidere',
    fr: 'aucune virgule n’est attendue avant le crochet fermant',
  },
  'unclosed-string': {
    en: 'expected a closing quote for this string',
    ro: 'se așteaptă ghilimelele de închidere ale acestui șir',
    fr: 'le guillemet fermant de cette chaîne est attendu',
  },
  'control-character': {
    en: 'expected no tab or control character in a string',
    ro: 'nu se așteaptă tab sau caracter de control într-un șir',
    fr: 'ni tabulation ni caractère de contrôle n’est attendu dans une chaîne',
  },
  comment: {
    en: 'expected no comment: JSON has none',
    ro: 'nu se așteaptă comentarii: JSON nu are',
    fr: 'aucun commentaire n’est attendu\u00a0: JSON n’en a pas',
  },
  'single-quotes': {
    en: 'expected double quotes',
    ro: 'se așteaptă ghilimele duble',
    fr: 'des guillemets doubles sont attendus',
  },
  'unquoted-key': {
    en: 'expected a key in double quotes',
    ro: 'se așteaptă o cheie între ghilimele duble',
    fr: 'une clé entre guillemets doubles est attendue',
  },
  'missing-comma': {
    en: 'expected a comma here',
    ro: 'se așteaptă o virgulă aici',
    fr: 'une virgule est attendue ici',
  },
  'not-a-number': {
    en: 'expected a value that JSON has: NaN, Infinity and undefined are none',
    ro: 'se așteaptă o valoare din JSON: NaN, Infinity și undefined nu sunt',
    fr: 'une valeur JSON est attendue\u00a0: NaN, Infinity et undefined n’en sont pas',
  },
  'cut-short': {
    en: 'expected more: the file ends too early',
    ro: 'se așteaptă o continuare: fișierul se termină prea devreme',
    fr: 'la suite est attendue\u00a0: le fichier se termine trop tôt',
  },
  'text-after-end': {
    en: 'expected nothing after the end of the value',
    ro: 'nu se așteaptă nimic după sfârșitul valorii',
    fr: 'rien n’est attendu après la fin de la valeur',
  },
  'parse-limit': {
    en: 'expected a configuration with fewer values',
    ro: 'se așteaptă o configurație cu mai puține valori',
    fr: 'une configuration avec moins de valeurs est attendue',
  },
  syntax: {
    en: 'expected valid JSON',
    ro: 'se așteaptă JSON valid',
    fr: 'du JSON valide est attendu',
  },
} as const satisfies Record<JsonProblem['code'], Readonly<Record<Language, string>>>;
