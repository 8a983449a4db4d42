/** The glossary: terms that no text of a check may use, in each language, and what to write instead. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { generatedPages } from '../../src/build/site/build.ts';
import { LANGUAGES, type Language } from '../../src/texts.ts';

const CHECKS = path.join(import.meta.dirname, '../../checks');

/** A term that is not used, and the plain one. */
type Terms = readonly (readonly [forbidden: RegExp, instead: string])[];

const FORBIDDEN: Readonly<Record<Language, Terms>> = {
  en: [
    [/\bmend(s|ed|ing)?\b/i, 'fix'],
    [/\banew\b/i, 'again'],
    [/(page|comes?|came) in its place/i, 'instead'],
    [/\bin place of\b/i, 'instead of'],
    [/\b(is|are|was|were) told\b/i, 'is reported, is instructed'],
    [/\b(is|are|was|were|be) not there\b/i, 'does not exist, is missing'],
    [
      /\b(is|are) no [a-z]+(?= |$)(?<!no (other|such|single|more|site|certificate|free|longer))/i,
      'is not a …, is invalid',
    ],
    [/\bdid not come\b/i, 'was not received'],
    [/\b(stands?|stood) (in|side|on|above|below|more|there)\b/i, 'is'],
    [/\bholds nothing against\b/i, 'does not affect the result'],
    [/\bfound nobody\b/i, 'got no response'],
    [/\ball the same\b/i, 'still, anyway'],
    [/\bround\b/i, 'run'],
    [/\bdirector(y|ies)\b/i, 'folder'],
    [/\bstart page\b/i, 'home page'],
    [/\b(the|a|each|every|after|before|last|next|previous) deploy\b(?! again| the)/i, 'deployment'],
    [/\bhand(s|ed)? out\b/i, 'return, send'],
    [/\bgrade\b/i, 'severity'],
    [/\bremediation\b/i, 'fix'],
    [/\bjudged?\b/i, 'evaluate'],
    [/\bNothing (has|needs) to be done\b/i, 'You need not do anything'],
    [/\blook(ed|s)? at\b(?! (the|Security|`))/i, 'check, read'],
    [/^Let (the|it|them|all)\b/im, 'Configure the … to'],
  ],
  ro: [
    [/leg[ăa]tur/i, 'link'],
    [/pagin[ăa] de pornire|pagini de pornire/i, 'pagina de start'],
    [/\bdosar(ul|e|ele|ului)?\b/i, 'director'],
    [/pagin[ăa] principală(?! a unui)/i, 'pagina de start'],
    [/\bgravitate/i, 'severitate'],
    [/\brund[ăae]\b/i, 'rulare'],
    [/[şţ]/i, 'ș, ț with a comma below'],
    [/\bMio\b|\bKio\b/, 'MiB, KiB'],
    [/(?<!Trigger )\bdeploy\b(?! project)/i, 'publicare'],
    [/\bfolder/i, 'director'],
  ],
  fr: [
    [/\b[MK]iB\b/, 'Mio, Kio'],
    [/répertoire/i, 'dossier'],
    [/page de démarrage/i, 'page d’accueil'],
    [/sévérité/i, 'gravité'],
    [/\bremède|remédiation/i, 'correctif'],
    [/\bconstatation/i, 'constat'],
    [/vérification(s)? de base/i, 'contrôles de base'],
    [/vérification complète/i, 'contrôle complet'],
    [/[a-z]'[a-zéèàê]/i, 'the typographic apostrophe ’'],
    [/\bmal allé|\bva mal\b/i, 'échoue'],
  ],
};

/** Prose without code and addresses: what is in backticks or fences is written as programs need it. */
function prose(text: string): string {
  return text
    .replaceAll(/^```[^]*?^```$/gm, '')
    .replaceAll(/`[^`]*`/g, '`')
    .replaceAll(/\]\([^)]*\)/g, ']');
}

/** The terms that a text uses, by line. */
function forbiddenIn(name: string, text: string, language: Language): readonly string[] {
  return prose(text)
    .split('\n')
    .flatMap((line, index) =>
      FORBIDDEN[language].flatMap(([term, instead]) => {
        const match = term.exec(line)?.[0];
        return match === undefined ? [] : [`${name}:${index + 1}: "${match}" → ${instead}`];
      }),
    );
}

it.each(LANGUAGES)('no text uses a term that the glossary replaces: %s', (language) => {
  const found = readdirSync(CHECKS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const text = readFileSync(path.join(CHECKS, name, `${language}.md`), 'utf8').replaceAll(/^## .*$/gm, '');
      return forbiddenIn(`checks/${name}/${language}.md`, text, language);
    });
  expect(found).toEqual([]);
});

it.each(LANGUAGES)('no reference page uses one: %s', async (language) => {
  const generated = await generatedPages(language);
  const pages = new Map([...generated].filter(([file]) => file.startsWith('reference/')));
  expect([...pages].flatMap(([name, text]) => forbiddenIn(name, text, language))).toEqual([]);
});
