/**
 * The Markdown and the words of the generated pages: English texts as the code declares them, with their translations from
 * `texts/*.yaml`. The help of the commands has a catalogue of its own, which `--help` uses too.
 */
import { slug } from 'github-slugger';
import { parse } from 'yaml';
import type { Language } from '../../../locales/language.ts';
import { BuildError, readSource, textsIn } from '../../output.ts';
import { descriptions } from '../../schemas.ts';

type Entry = Readonly<Record<Language, string>> & {
  /** The fields of JSON documents that it describes: `detectedAt` wherever it occurs, `Site.incident` in one object only. */
  readonly fields?: readonly string[];
};

type Metric = Entry & { readonly section: string; readonly labels?: readonly string[]; readonly type?: string };

/** Translates an English text. */
export type Words = (english: string) => string;

const OWN = 'src/build/site/reference/texts';

/** The pages' own entries. */
export const catalogue = (await textsIn(OWN)).flatMap(([, text]) => parse(text) as readonly Entry[]);

/** docvitals' own metrics by name. */
export const ownMetrics = parse(await readSource('src/locales/metrics.yaml')) as Readonly<Record<string, Metric>>;

const help = parse(await readSource('src/locales/help.yaml')) as readonly Entry[];

/** Translates into a language; adds to `used` what it translated. @throws BuildError for a text without translation */
export function wordsIn(language: Language, used: Set<string>): Words {
  const entries: readonly Entry[] = [...help, ...Object.values(ownMetrics), ...catalogue, ...descriptions];
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

/** The generated parts of a page, by their name in its template. */
export type Parts = Readonly<Record<string, string>>;

/** A table without the columns that are empty in all rows; an empty text without rows. Cells are Markdown of one line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const kept = head.map((_, index) => rows.some((row) => row[index] !== ''));
  const line = (cells: readonly string[]): string => {
    const shown = cells.filter((_, index) => kept[index]);
    return `| ${shown.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  };
  return [line(head), line(head.map(() => ':---')), ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return fence === '`' ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}

export function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** Flags, addresses, variables, file names and placeholders: what a sentence of the code has without backticks. */
const CODE = new RegExp(
  [
    String.raw`--[a-z][a-z-]*(?![\w-])`,
    String.raw`(?:https?|wss?|smtps?):\/\/(?:[^\s,;)]*[^\s,;).])?`,
    String.raw`\$\{\w+\}`,
    String.raw`\*(?:\.[a-z]+)+`,
    String.raw`\[::1?\](?::\d+)?`,
    String.raw`<path>#<[^>]+>`,
    String.raw`(?:docvitals explain )?<check id>\/<rule>`,
    String.raw`\bhost:port(?::address)?\b`,
    String.raw`\b(?:LANG|PATH)\b`,
    String.raw`<meta>`,
    String.raw`\b[A-Z]+(?:_[A-Z]+)+(?:=\d)?`,
    String.raw`\[dir\]`,
    String.raw`\b[\w.]*[a-z]_[a-z][\w.]*\w`,
  ].join('|'),
  'g',
);

/** A sentence of the code as Markdown of one line. What is in backticks stays as it is. */
export function prose(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : escaped(part)))
    .join('');
}

function escaped(text: string): string {
  let done = 0;
  const parts: string[] = [];
  for (const match of text.matchAll(CODE)) {
    parts.push(plain(text.slice(done, match.index)), code(match[0]));
    done = match.index + match[0].length;
  }
  return [...parts, plain(text.slice(done))].join('');
}

function plain(text: string): string {
  return text.replaceAll(/[*_[\]\\]/g, String.raw`\$&`).replaceAll('<', '&lt;');
}

/** A sentence and the default that it ends with, in the words of any of the languages. */
export function withoutDefault(text: string): { readonly text: string; readonly preset: string } {
  const inParentheses = /^(?<text>.*?)\s*\((?:default|implicit|par défaut)\s?: (?<preset>.+)\)$/s.exec(text)?.groups;
  const asSentence = /^(?<text>.*?)\s*(?:Default|Implicit|Par défaut)\s?: (?<preset>(?:(?!\. \p{Lu}).)+)\.$/su.exec(
    text,
  )?.groups;
  const { text: rest = text, preset = '' } = inParentheses ?? asSentence ?? {};
  return { text: rest, preset };
}

/** The anchor of a heading, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return slug(heading.replaceAll('`', ''));
}
