/** Reads the languages of a site out of `config.json`. Pure. */
import type { Evidence, Json } from '../../src/check.ts';
import { localeFolder, LONGEST_LOCALE, MOST_LOCALES } from '../../src/site/locales.ts';

/** One language version. */
export interface Locale {
  /** As written; the folder's name where there is no usable one. */
  readonly code: string;
  /** The folder below the base, without slashes around; empty: the base itself. */
  readonly prefix: string;
}

/** What is odd about the list itself. */
export type LocaleRule = 'prefix-shared' | 'prefix-invalid' | 'code-invalid' | 'code-repeated' | 'several-defaults';

export interface LocaleProblem {
  readonly rule: LocaleRule;
  readonly evidence: Evidence;
}

export interface Locales {
  /** The language that the others are translated from. */
  readonly original: Locale;
  /** The others that have a folder of their own. */
  readonly translations: readonly Locale[];
  readonly problems: readonly LocaleProblem[];
}

interface Entry {
  readonly code: string | null;
  /** `null`: one that names no folder. */
  readonly prefix: string | null;
  readonly written: Json;
  readonly isDefault: boolean;
}

/**
 * The languages; `null` where there are fewer than two. What is no object of its own (a list of codes, a map) is not
 * the setting that engines read, and counts for nothing.
 */
export function readLocales(value: Json | undefined): Locales | null {
  if (!Array.isArray(value)) return null;
  const entries = value.slice(0, MOST_LOCALES).flatMap(entryOf);
  if (entries.length < 2) return null;
  const own = new Map<string, Entry>();
  for (const entry of entries) if (entry.prefix !== null && !own.has(entry.prefix)) own.set(entry.prefix, entry);
  const folders = [...own.values()];
  const first = folders.find(({ isDefault }) => isDefault) ?? own.get('') ?? folders[0];
  if (first === undefined) return null;
  return {
    original: localeOf(first),
    translations: folders.filter((entry) => entry !== first).map(localeOf),
    problems: problemsOf(entries),
  };
}

const localeOf = ({ code, prefix }: Entry): Locale => ({ code: code ?? prefix ?? '', prefix: prefix ?? '' });

function entryOf(value: Json): readonly Entry[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const member = (name: string): Json =>
    Object.hasOwn(value, name) ? ((value as Readonly<Record<string, Json>>)[name] ?? null) : null;
  const [code, prefix] = [member('code'), member('prefix')];
  return [
    {
      code: typeof code === 'string' && code.trim() !== '' ? code.trim().slice(0, LONGEST_LOCALE) : null,
      prefix: localeFolder(prefix),
      written: prefix,
      isDefault: member('isDefault') === true,
    },
  ];
}

function problemsOf(entries: readonly Entry[]): readonly LocaleProblem[] {
  const invalid = entries.filter(({ code }) => code === null || languageTag(code) === null);
  const repeated = sharing(entries, ({ code }) => (code === null ? null : (languageTag(code) ?? code).toLowerCase()));
  // Entries of one code are told as that.
  const shared = sharing(entries, ({ prefix }) => prefix).filter((group) => new Set(group.map(codeKey)).size > 1);
  const outside = entries.filter(({ prefix }) => prefix === null);
  const defaults = entries.filter(({ isDefault }) => isDefault);
  const rules = (of: readonly Entry[]): Json => of.map(({ code }) => code);
  return [
    ...outside.map(({ code, written }) => problem('prefix-invalid', { language: code, prefix: reported(written) })),
    ...shared.map((group) => problem('prefix-shared', { prefix: group[0]?.prefix ?? '', languages: rules(group) })),
    ...(invalid.length > 0 ? [problem('code-invalid', { codes: rules(invalid) })] : []),
    ...(repeated.length > 0
      ? [problem('code-repeated', { codes: repeated.map((group) => group[0]?.code ?? null) })]
      : []),
    ...(defaults.length > 1 ? [problem('several-defaults', { languages: rules(defaults) })] : []),
  ];
}

const problem = (rule: LocaleRule, evidence: Evidence): LocaleProblem => ({ rule, evidence });
const codeKey = ({ code }: Entry): string => (code ?? '').toLowerCase();
const reported = (value: Json): Json => (typeof value === 'object' && value !== null ? typeof value : value);

/** Groups of two and more entries with one key. */
function sharing(entries: readonly Entry[], keyOf: (entry: Entry) => string | null): readonly (readonly Entry[])[] {
  return [...Map.groupBy(entries, keyOf)].flatMap(([key, group]) => (key !== null && group.length > 1 ? [group] : []));
}

/** The tag in its canonical form (BCP 47), or `null` for what is none. Private tags (`x-…`) are left as they are. */
function languageTag(code: string): string | null {
  if (/^x(?:-[a-z\d]{1,8})+$/i.test(code)) return code;
  try {
    return Intl.getCanonicalLocales(code)[0] ?? null;
  } catch {
    return null;
  }
}
