/** Evidence for people: each field with its label and its value in the language of the report. Pure. */
import type { Evidence, EvidenceValue } from '../core/answer.ts';
import { evidenceWords } from '../generated/locales/evidence.ts';
import { evidenceValuesWords } from '../generated/locales/evidence-values.ts';
import { factsWords } from '../generated/locales/facts.ts';
import { printable } from '../text/printable.ts';
import type { Language } from '../locales/language.ts';
import { shortJson } from './cut.ts';
import { numberIn } from '../locales/format.ts';

const LONGEST_JSON = 10_000;
/** Levels of nested objects that are printed field by field. */
const DEEPEST = 2;

/** One line of evidence; printable. */
export interface Fact {
  /** `null`: an unknown field, whose name is part of the value. */
  readonly label: string | null;
  readonly value: string;
  /** Whether the value is in words, not as received. */
  readonly isWords: boolean;
}

/** A fact for each field that has a value, and for each item of a list of objects. */
export function factsOf(evidence: Evidence, language: Language): readonly Fact[] {
  return nestedFacts(evidence, language, 0).map(({ isKnown, label, value, isWords }) =>
    isKnown
      ? { label: label.slice(0, 1).toUpperCase() + label.slice(1), value, isWords }
      : { label: null, value: `${label} ${value}`, isWords: false },
  );
}

export function factLines(evidence: Evidence, language: Language): readonly string[] {
  return factsOf(evidence, language).map((fact) => factText(fact, language));
}

export function factText({ label, value }: Pick<Fact, 'label' | 'value'>, language: Language): string {
  return label === null ? value : `${label}${factsWords(language).colon}${value}`;
}

type Vocabulary = Readonly<Record<string, string>>;

/** The label of a field and the format of its value; `undefined`: it is not one that checks declare. */
export function fieldOf(name: string, language: Language): { label: string; format: string } | undefined {
  return Object.entries<Vocabulary>(evidenceWords(language))
    .filter(([, labels]) => Object.hasOwn(labels, name))
    .map(([format, { [name]: label = name }]) => ({ label, format }))[0];
}

/** `null`: the value is printed as received. */
function wordsFor(name: string, value: string | number | boolean, language: Language): string | null {
  if (typeof value === 'boolean') return factsWords(language)[value ? 'true' : 'false'];
  const { format = '' } = fieldOf(name, language) ?? {};
  // A response is what was returned, or why nothing was.
  const shared = format === 'outcomes' ? [format, 'reason'] : [name, format];
  const [word] = Object.entries<Vocabulary>(evidenceValuesWords(language)).flatMap(([vocabulary, words]) =>
    shared.includes(vocabulary) && Object.hasOwn(words, value) ? [words[value]] : [],
  );
  if (word !== undefined) return word;
  if (typeof value === 'string') return format === 'times' ? timeIn(value) : null;
  return NUMBERS[format]?.(value, language) ?? null;
}

const NUMBERS: Readonly<Partial<Record<string, (value: number, language: Language) => string>>> = {
  counts: (value, language) => numberIn(language, value),
  bytes: bytesIn,
  milliseconds: (value, language) =>
    value < 1000 ? `${numberIn(language, value)}\u00a0ms` : lengthIn(value / 1000, language),
  seconds(value, language) {
    const exact = `${numberIn(language, value)}\u00a0s`;
    return value < 60 ? exact : `${lengthIn(value, language)} (${exact})`;
  },
};

/** `143 bytes`, `4.9 KiB (5,012 bytes)` */
export function bytesIn(value: number, language: Language): string {
  const exact = factsWords(language).bytes(value);
  if (value < 2 ** 10) return exact;
  const [prefix, unit] = value < 2 ** 20 ? ['Ki', 2 ** 10] : ['Mi', 2 ** 20];
  return `${numberIn(language, value / unit, 1)}\u00a0${prefix}${language === 'fr' ? 'o' : 'B'} (${exact})`;
}

/** In the largest unit that leaves at most one decimal: `5 s`, `15 min`, `30 days`. */
function lengthIn(seconds: number, language: Language): string {
  for (const [unit, length] of Object.entries({ d: 86_400, h: 3_600, min: 60 })) {
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

/** `label`: of an unknown field its name. */
function nestedFacts(evidence: Evidence, language: Language, depth: number) {
  return Object.entries(evidence).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    const field = fieldOf(name, language);
    const label = field?.label ?? printable(name);
    const isKnown = field !== undefined;
    if (depth === DEEPEST || !isList(value) || value.length === 0 || !value.every(isObject)) {
      return [{ isKnown, label, ...valueText(name, value, language, depth) }];
    }
    return value.map((item, index) => ({
      isKnown,
      label: value.length === 1 ? label : `${label} ${index + 1}`,
      value: membersText(item, language, depth),
      isWords: false,
    }));
  });
}

function membersText(evidence: Evidence, language: Language, depth: number): string {
  return nestedFacts(evidence, language, depth + 1)
    .map(({ label, value }) => `${label} ${value}`)
    .join(factsWords(language).semicolon);
}

function valueText(name: string, value: EvidenceValue, language: Language, depth: number): Omit<Fact, 'label'> {
  if (typeof value !== 'object' || value === null) {
    const words = value === null ? null : wordsFor(name, value, language);
    return { value: words ?? (value === '' ? '""' : printable(String(value))), isWords: words !== null };
  }
  if (isFlatList(value)) {
    const items = value.map((item) => valueText(name, item, language, depth));
    return { value: items.map((item) => item.value).join(', '), isWords: items.every(({ isWords }) => isWords) };
  }
  const isShallow = isObject(value) && depth < DEEPEST;
  const text = isShallow ? membersText(value, language, depth) : printable(shortJson(value, LONGEST_JSON));
  return { value: text, isWords: false };
}

const isList = (value: EvidenceValue): value is readonly EvidenceValue[] => Array.isArray(value);

const isObject = (value: EvidenceValue): value is Evidence =>
  typeof value === 'object' && value !== null && !isList(value);

const isFlatList = (value: EvidenceValue): value is readonly EvidenceValue[] =>
  isList(value) && value.every((item) => typeof item !== 'object' || item === null);
