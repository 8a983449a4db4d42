/** Evidence for people: each field with its label and its value in the language of the report. Pure. */
import type { Evidence, EvidenceValue, Location } from '../check.ts';
import { EVIDENCE_FIELDS, type Format, type Wording } from '../evidence-fields.ts';
import { printable } from '../printable.ts';
import type { Language } from '../texts.ts';
import { shortJson } from './cut.ts';
import { factsWords } from '../generated/locales/facts.ts';
import { numberIn } from '../locales/format.ts';

const LONGEST_JSON = 10_000;
/** Lists of objects within each other that are printed field by field. */
const DEEPEST = 2;

/** One line of evidence. Both parts are printable. */
export interface Fact {
  /** `null`: no check of this version reports this field; its name is part of the value. */
  readonly label: string | null;
  readonly value: string;
  /** Whether the value is written in words, not as received. */
  readonly isWords: boolean;
}

/** `navigation.md:3:5` */
export function locationText({ path, line, column }: Location): string {
  return `${printable(path)}:${line}:${column}`;
}

/**
 * A fact for each field that has a value, and for each item of a list of objects, its fields behind one another.
 * Of what is nested deeper, the beginning of its JSON.
 */
export function factsOf(evidence: Evidence, language: Language): readonly Fact[] {
  return nestedFacts(evidence, language, 0).map(({ name, label, value, isWords }) =>
    Object.hasOwn(EVIDENCE_FIELDS, name)
      ? { label: capitalised(label), value, isWords }
      : { label: null, value: `${label} ${value}`, isWords: false },
  );
}

/** The same as lines of text, such as `Media type: text/html`. */
export function factLines(evidence: Evidence, language: Language): readonly string[] {
  return factsOf(evidence, language).map((fact) => factText(fact, language));
}

/** `Media type: text/html` */
export function factText({ label, value }: Pick<Fact, 'label' | 'value'>, language: Language): string {
  return label === null ? value : `${label}${factsWords(language).colon}${value}`;
}

/** The label of a field, in the middle of a line. A name without one is printed itself. */
export function labelOf(name: string, language: Language): string {
  const field = fieldOf(name);
  return field === undefined ? printable(name) : wordIn(language, field.labels);
}

export function capitalised(label: string): string {
  return label.slice(0, 1).toUpperCase() + label.slice(1);
}

/** The words for a value; `null` for one that is printed as received. */
export function wordsFor(name: string, value: string | number | boolean, language: Language): string | null {
  if (typeof value === 'boolean') return factsWords(language)[value ? 'true' : 'false'];
  const format = fieldOf(name)?.format;
  if (typeof format === 'object') {
    const words = Object.hasOwn(format, value) ? format[value] : undefined;
    return words === undefined ? null : wordIn(language, words);
  }
  if (typeof value === 'number') return NUMBERS[format ?? 'text']?.(value, language) ?? null;
  return format === 'time' ? timeIn(value) : null;
}

const LANGUAGE_LOCATIONS: Readonly<Record<Language, 0 | 1 | 2>> = { en: 0, ro: 1, fr: 2 };

const wordIn = (language: Language, words: Wording): string => words[LANGUAGE_LOCATIONS[language]];

function fieldOf(name: string): { readonly format: Format; readonly labels: Wording } | undefined {
  if (!Object.hasOwn(EVIDENCE_FIELDS, name)) return undefined;
  const [format, ...labels] = EVIDENCE_FIELDS[name as keyof typeof EVIDENCE_FIELDS];
  return { format, labels };
}

type WriteNumber = (value: number, language: Language) => string;

const NUMBERS: Readonly<Partial<Record<string, WriteNumber>>> = {
  count: (value, language) => numberIn(language, value),
  bytes: bytesIn,
  ms: (value, language) => (value < 1000 ? `${numberIn(language, value)}\u00a0ms` : lengthIn(value / 1000, language)),
  seconds: (value, language) => {
    const exact = `${numberIn(language, value)}\u00a0s`;
    return value < 60 ? exact : `${lengthIn(value, language)} (${exact})`;
  },
};

const KIBIBYTE = 1024;

/** `143 bytes`, `4.9 KiB (5,012 bytes)` */
export function bytesIn(value: number, language: Language): string {
  const exact = factsWords(language).bytes(value);
  if (value < KIBIBYTE) return exact;
  const isKibi = value < KIBIBYTE * KIBIBYTE;
  const units = language === 'fr' ? ['Kio', 'Mio'] : ['KiB', 'MiB'];
  const size = numberIn(language, value / (isKibi ? KIBIBYTE : KIBIBYTE * KIBIBYTE), 1);
  return `${size}\u00a0${units[isKibi ? 0 : 1]} (${exact})`;
}

/** `5 s`, `15 min`, `30 days`: in the largest unit that leaves at most one decimal. */
function lengthIn(seconds: number, language: Language): string {
  for (const [unit, length] of [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
  ] as const) {
    const amount = seconds / length;
    if (amount < 1 || !Number.isInteger(amount * 10)) continue;
    const shown = numberIn(language, amount, Number.isInteger(amount) ? 0 : 1);
    if (unit !== 'd') return `${shown}\u00a0${unit}`;
    return factsWords(language).days(amount, shown);
  }
  return `${numberIn(language, seconds, Number.isInteger(seconds) ? 0 : 1)}\u00a0s`;
}

/** `2027-01-19 12:00 UTC` */
function timeIn(value: string): string | null {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/.exec(value) ?? [];
  return day === undefined || minute === undefined ? null : `${day} ${minute} UTC`;
}

interface NestedFact extends Fact {
  readonly name: string;
  readonly label: string;
}

function nestedFacts(evidence: Evidence, language: Language, depth: number): readonly NestedFact[] {
  return Object.entries(evidence).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    const label = labelOf(name, language);
    if (!isList(value) || value.length === 0 || !value.every(isObject)) {
      return [{ name, label, ...plainValue(name, value, language, depth) }];
    }
    if (depth === DEEPEST) return [{ name, label, value: printable(shortJson(value, LONGEST_JSON)), isWords: false }];
    return value.map((item, index) => ({
      name,
      label: value.length === 1 ? label : `${label} ${index + 1}`,
      value: membersText(item, language, depth),
      isWords: false,
    }));
  });
}

/** `size 3 KiB; path /a.js` */
function membersText(evidence: Evidence, language: Language, depth: number): string {
  return nestedFacts(evidence, language, depth + 1)
    .map(({ label, value }) => `${label} ${value}`)
    .join(factsWords(language).semicolon);
}

function plainValue(
  name: string,
  value: Exclude<EvidenceValue, null>,
  language: Language,
  depth: number,
): Omit<Fact, 'label'> {
  if (isList(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    const items = value.map((item) => scalarText(name, item, language));
    return { value: items.map((item) => item.value).join(', '), isWords: items.every(({ isWords }) => isWords) };
  }
  if (typeof value !== 'object') return scalarText(name, value, language);
  const isShallow = isObject(value) && depth < DEEPEST;
  const text = isShallow ? membersText(value, language, depth) : printable(shortJson(value, LONGEST_JSON));
  return { value: text, isWords: false };
}

function scalarText(name: string, value: string | number | boolean | null, language: Language): Omit<Fact, 'label'> {
  const words = value === null ? null : wordsFor(name, value, language);
  return { value: words ?? (value === '' ? '""' : printable(String(value))), isWords: words !== null };
}

const isList = (value: EvidenceValue): value is readonly EvidenceValue[] => Array.isArray(value);

const isObject = (value: EvidenceValue): value is Evidence =>
  typeof value === 'object' && value !== null && !isList(value);
