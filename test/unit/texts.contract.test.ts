import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checks } from '../../checks/index.ts';
import { OWN_RULES } from '../../checks/own/check.ts';
import { pageSource, readPage } from '../../src/build/texts.ts';
import { evidenceWords } from '../../src/generated/locales/evidence.ts';
import { REASONS } from '../../src/http/reasons.ts';
import { LANGUAGES, type Language } from '../../src/locales/language.ts';
import { englishName, textsOf, type Page, type Texts } from '../../src/report/texts.ts';

/** The documented actions, word for word. */
const ACTIONS: Readonly<Record<string, string>> = {
  bundle: 'Verify asset deployment and file permissions.',
  config: 'Check the JSON syntax with a JSON validator.',
  navigation: 'Ensure the navigation file exists at the specified path.',
  home: 'Verify the `homePage` setting in `/config.json`.',
  'llms-txt': 'Check the `llmsTxtUrl` setting and `robots.txt`.',
};

/** The rules that each folder of `checks/` may be requested. */
const declared = new Map([
  ...checks.map(({ id, rules }) => [id, Object.keys(rules)] as const),
  ['own', Object.keys(OWN_RULES)] as const,
]);

// Read from the sources, not from what the last build packed.
const folders = readdirSync(path.join(import.meta.dirname, '../../checks'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const read = async (id: string, language: Language): Promise<readonly [string, Page]> => [
  id,
  readPage(await pageSource(id, language), { degraded: id !== 'common' }),
];
const byLanguage = new Map(
  await Promise.all(
    LANGUAGES.map(async (language) => {
      const pages = await Promise.all(folders.map((id) => read(id, language)));
      return [language, new Map(pages)] as const;
    }),
  ),
);

function page(language: Language, id: string): Page {
  const found = byLanguage.get(language)?.get(id);
  if (!found) throw new Error(`no checks/${id}/${language}.md`);
  return found;
}

/** The texts as they are when they have been packed. */
function textsIn(language: Language): Texts {
  return textsOf(language, Object.fromEntries(byLanguage.get(language) ?? []));
}

/** Every paragraph that reports print, by the place it stands at. */
function paragraphs({ expected, degraded, rules }: Page): Map<string, string> {
  const ofRules = Object.entries(rules).flatMap(([rule, { problem, fix, hosts = {} }]) => [
    [`${rule} problem`, problem] as const,
    [`${rule} fix`, fix] as const,
    ...Object.entries(hosts).map(([name, item]) => [`${rule} ${englishName(name)}`, item] as const),
  ]);
  return new Map([['expected', expected], ...(degraded ? [['degraded', degraded] as const] : []), ...ofRules]);
}

/** What stands in backticks and is no sample of prose or punctuation: names of files, settings and commands, which no language changes. */
const names = (text: string): string[] => [...new Set(text.match(/`(?=[^`]*[a-z])[!-_a-~]+`/gi))].toSorted();

it('each declared check has its folder of texts, and each folder but `common` its check', () => {
  expect(new Set(folders)).toEqual(new Set([...declared.keys(), 'common']));
});

describe.each(folders)('checks/%s', (id) => {
  it('has the same sections in each language, in the same order', () => {
    const sections = (language: Language): readonly string[] => Object.keys(page(language, id).rules);
    for (const language of ['ro', 'fr'] as const) expect(sections(language)).toEqual(sections('en'));
  });

  it('is translated throughout, and names the same files, settings and commands in each language', () => {
    const english = paragraphs(page('en', id));
    const namesIn = (texts: Map<string, string>) => [...texts].map(([place, text]) => [place, names(text)]);
    for (const language of ['ro', 'fr'] as const) {
      const translated = paragraphs(page(language, id));
      expect([...translated].filter(([place, text]) => english.get(place) === text)).toEqual([]);
      expect({ language, names: namesIn(translated) }).toEqual({ language, names: namesIn(english) });
    }
  });

  it('is explained as it is written, with a title for the section `degraded`', async () => {
    for (const language of LANGUAGES) {
      const written = (await pageSource(id, language)).replace('## degraded\n', `## ${IF_IT_FAILS[language]}\n`);
      expect(textsIn(language).page(id)).toBe(written);
    }
  });
});

const IF_IT_FAILS: Readonly<Record<Language, string>> = {
  en: 'If this check fails',
  ro: 'Dacă verificarea eșuează',
  fr: 'Si ce contrôle échoue',
};

/** References to what not every output shows. Places are given by line and column, evidence by the words of its label. */
const LOST_REFERENCES: Readonly<Record<Language, RegExp>> = {
  en: /\bmarked\b|as below|in the evidence|evidence has/i,
  ro: /\bmarcat|ca mai jos|de mai jos|din dovezi|din probe|dovezile conțin/i,
  fr: /comme ci-dessous|les preuves|des preuves|marqué|virgule signalée|montré ici/i,
};
const FIELDS = Object.values(evidenceWords('en'))
  .flatMap(Object.keys)
  .filter((name) => /[A-Z]/.test(name));

it.each(LANGUAGES)('every reference in a text leads somewhere in every output: %s', (language) => {
  const all = folders.flatMap((id) => Object.entries(page(language, id).rules).map(([rule, text]) => ({ rule, text })));
  expect(all.filter(({ text }) => LOST_REFERENCES[language].test(`${text.problem} ${text.fix}`))).toEqual([]);
  expect(all.filter(({ text }) => text.fix.trimEnd().endsWith(':'))).toEqual([]);
  expect(
    all.filter(({ text }) => FIELDS.some((name) => names(text.problem + text.fix).includes(`\`${name}\``))),
  ).toEqual([]);
});

describe.each([...declared])('the rules of %s', (id, rules) => {
  it('each have their text', () => {
    for (const language of LANGUAGES) {
      expect({ language, rules: rules.filter((rule) => !textsIn(language).finding(id, rule)) }).toEqual({
        language,
        rules: [],
      });
    }
  });

  it('hold every section of its page', () => {
    expect(Object.keys(page('en', id).rules).filter((rule) => !rules.includes(rule))).toEqual([]);
  });
});

describe('checks/common', () => {
  const shared = Object.keys(page('en', 'common').rules);

  it('has the reasons first, in the order of their list', () => {
    expect(shared.slice(0, Object.keys(REASONS).length)).toEqual(Object.keys(REASONS));
  });

  it('has no section that no check can ask for', () => {
    expect(shared.filter((rule) => ![...declared.values()].some((rules) => rules.includes(rule)))).toEqual([]);
  });
});

describe('the documented actions', () => {
  it.each(Object.entries(ACTIONS))('%s', (id, action) => {
    expect(page('en', id).degraded).toBe(action);
  });
});
