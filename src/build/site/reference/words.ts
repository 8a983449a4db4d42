/**
 * The words of the reference pages: English texts as the code declares them, with their translations from `texts/*.yaml`.
 * The help of the commands has a catalogue of its own, which `--help` uses too.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Language } from '../../../texts.ts';
import { ROOT } from '../../output.ts';

/** A text in all languages. */
export type Entry = Readonly<Record<Language, string>>;

/** Translates an English text. */
export type Words = (english: string) => string;

const OWN = 'src/build/site/reference/texts';
const HELP = 'src/locales/help.yaml';

/** What `wordsIn` returns, with what it was asked for. */
export interface Recorded {
  readonly words: Words;
  /** Texts that were translated. */
  readonly used: ReadonlySet<string>;
  /** Those of them that have no translation. */
  readonly missing: ReadonlySet<string>;
}

/** The entries of the pages' own catalogue, by file. */
export function catalogue(): ReadonlyMap<string, readonly Entry[]> {
  const files = readdirSync(path.join(ROOT, OWN)).filter((file) => file.endsWith('.yaml'));
  return new Map(files.toSorted().map((file) => [file, entriesOf(`${OWN}/${file}`)]));
}

function entriesOf(file: string): readonly Entry[] {
  return (parse(readFileSync(path.join(ROOT, file), 'utf8')) ?? []) as readonly Entry[];
}

/** Translates into a language, and records what was asked for. A text without translation stays in English. */
export function wordsIn(language: Language): Recorded {
  const entries = [...entriesOf(HELP), ...[...catalogue().values()].flat()];
  const known = new Map(entries.map((entry) => [entry.en, entry]));
  const used = new Set<string>();
  const missing = new Set<string>();
  const words = (english: string): string => {
    used.add(english);
    const entry = known.get(english);
    if (entry === undefined) missing.add(english);
    return entry?.[language] ?? english;
  };
  return { words, used, missing };
}

/** Puts values into a text: `Used by {keys}.` */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
}
