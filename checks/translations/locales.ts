import type { Evidence, Json, RawFinding } from '../../src/check.ts';
import { localeFolder, LONGEST_LOCALE, MOST_LOCALES } from '../../src/site/settings.ts';
import type { TranslationsRule } from './check.ts';

type Findings = readonly RawFinding<TranslationsRule>[];

export interface Locale {
  /** As written; the folder's name where none is usable. */
  readonly code: string;
  /** The folder below the base, as it is set, without slashes around; empty: the base itself. */
  readonly prefix: string;
  /** Where its pages are: empty, or with a slash at its end. */
  readonly folder: string;
}

export type Locales = NonNullable<ReturnType<typeof readLocales>>;

interface Entry {
  readonly code: string | null;
  readonly prefix: string | null;
  readonly written: Json;
  readonly isDefault: boolean;
}

/** The languages; `null` where there are fewer than two. A list of codes or a map is not the setting that engines read. */
export function readLocales(value: Json | undefined) {
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

export const withSlash = (folder: string): string => (folder === '' ? '' : `${folder}/`);

function localeOf({ code, prefix: written }: Entry): Locale {
  const prefix = written ?? '';
  return { code: code ?? prefix, prefix, folder: withSlash(prefix) };
}

function entryOf(value: Json): readonly Entry[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const member = (name: string): Json =>
    Object.hasOwn(value, name) ? ((value as Readonly<Record<string, Json>>)[name] ?? null) : null;
  const [code, prefix] = [member('code'), member('prefix')];
  const trimmed = typeof code === 'string' ? code.trim().slice(0, LONGEST_LOCALE) : '';
  const isDefault = member('isDefault') === true;
  return [{ code: trimmed === '' ? null : trimmed, prefix: localeFolder(prefix), written: prefix, isDefault }];
}

function problemsOf(entries: readonly Entry[]): Findings {
  const problem = (rule: TranslationsRule, evidence: Evidence): Findings => [{ rule, evidence }];
  const invalid = entries.filter(({ code }) => code === null || languageTag(code) === null);
  const repeated = sharing(entries, ({ code }) => (code === null ? null : (languageTag(code) ?? code).toLowerCase()));
  // Entries of one code are reported as that.
  const shared = sharing(entries, ({ prefix }) => prefix).filter((group) => new Set(group.map(codeKey)).size > 1);
  const outside = entries.filter(({ prefix }) => prefix === null);
  const defaults = entries.filter(({ isDefault }) => isDefault);
  const rules = (of: readonly Entry[]): readonly (string | null)[] => of.map(({ code }) => code);
  return [
    ...outside.flatMap(({ code, written }) => problem('prefix-invalid', { language: code, prefix: reported(written) })),
    ...shared.flatMap((group) => problem('prefix-shared', { prefix: group[0]?.prefix ?? '', languages: rules(group) })),
    ...(invalid.length > 0 ? problem('code-invalid', { codes: rules(invalid) }) : []),
    ...(repeated.length > 0
      ? problem('code-repeated', { codes: repeated.flatMap((group) => rules(group.slice(0, 1))) })
      : []),
    ...(defaults.length > 1 ? problem('several-defaults', { languages: rules(defaults) }) : []),
  ];
}

const codeKey = ({ code }: Entry): string => (code ?? '').toLowerCase();
const reported = (value: Json): Json => (typeof value === 'object' && value !== null ? typeof value : value);

function sharing(entries: readonly Entry[], keyOf: (entry: Entry) => string | null): readonly (readonly Entry[])[] {
  return [...Map.groupBy(entries, keyOf)].flatMap(([key, group]) => (key !== null && group.length > 1 ? [group] : []));
}

/** The tag in its canonical form (BCP 47), or `null` if invalid. Private tags (`x-…`) are left as they are. */
function languageTag(code: string): string | null {
  if (/^x(?:-[a-z\d]{1,8})+$/i.test(code)) return code;
  try {
    return Intl.getCanonicalLocales(code)[0] ?? null;
  } catch {
    return null;
  }
}
