/**
 * The words of the generated pages: English texts as the code declares them, with their translations from `texts/*.yaml`.
 * The help of the commands has a catalogue of its own, which `--help` uses too.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Language } from '../../../texts.ts';
import { descriptions } from '../../config-schema.ts';
import { BuildError, ROOT } from '../../output.ts';

export type Entry = Readonly<Record<Language, string>> & {
  /** The fields of JSON documents that it describes: `detectedAt` wherever it occurs, `Site.incident` in one object only. */
  readonly fields?: readonly string[];
};

/** Translates an English text. */
export type Words = (english: string) => string;

const entriesOf = (file: string): readonly Entry[] =>
  parse(readFileSync(path.join(ROOT, file), 'utf8')) as readonly Entry[];

const OWN = 'src/build/site/reference/texts';

/** The pages' own entries. */
export const catalogue = readdirSync(path.join(ROOT, OWN))
  .toSorted()
  .flatMap((file) => entriesOf(`${OWN}/${file}`));

/** Translates into a language; adds to `used` what it translated. @throws BuildError for a text without translation */
export function wordsIn(language: Language, used: Set<string>): Words {
  const metrics = Object.values(entriesOf('src/locales/metrics.yaml'));
  const entries: readonly Entry[] = [...entriesOf('src/locales/help.yaml'), ...metrics, ...catalogue, ...descriptions];
  const known = new Map(entries.map((entry) => [entry.en, entry]));
  return (english) => {
    const entry = known.get(english);
    if (entry === undefined) throw new BuildError(`documentation: no entry in ${OWN}: ${english}`);
    used.add(english);
    return entry[language];
  };
}

const FIELDS = new Map(catalogue.flatMap(({ en, fields = [] }) => fields.map((field) => [field, en])));

/** What a field of an incident, a site or a run means, in English: by its whole path, or the last names of it. */
export function fieldText(field: string): string {
  const names = field.replaceAll('[]', '').split('.');
  const tails = names.map((_, index) => names.slice(index).join('.'));
  return tails.map((tail) => FIELDS.get(tail)).find((text) => text !== undefined) ?? '';
}

/** Puts values into a text: `Used by {keys}.` */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
}
