import type { RawFinding, Location, Evidence, Json } from '../../src/check.ts';
import { firstOfEach } from '../../src/expect/first-of-each.ts';
import { notEvaluated } from '../../src/expect/not-received.ts';
import type { TranslationsRule } from './check.ts';
import type { DriftedPage, GatheredTranslations, LanguageObservation, OwnFile } from './gather.ts';
import { localeFolder, LONGEST_LOCALE, MOST_LOCALES } from '../../src/site/settings.ts';

const MOST_DRIFTED = 100;
const MOST_NAMED = 20;

export function evaluate(gathered: GatheredTranslations): readonly RawFinding<TranslationsRule>[] {
  if ('skip' in gathered) {
    return [gathered.skip === 'no-answer' ? notEvaluated(gathered.of) : { rule: gathered.skip }];
  }
  const { languages, problems, location, sharesNavigation } = gathered;
  const navigation = sharesNavigation ? 'navigation-shared' : 'navigation-missing';
  return [...problemFindings(problems, location), ...languageFindings(languages, navigation)];
}

function problemFindings(
  problems: readonly LocaleProblem[],
  location: Location | null,
): readonly RawFinding<TranslationsRule>[] {
  return problems.map(({ rule, evidence }) => ({ rule, evidence, ...(location === null ? {} : { location }) }));
}

type MissingNavigation = 'navigation-missing' | 'navigation-shared';

function languageFindings(
  languages: readonly LanguageObservation[],
  missingNavigation: MissingNavigation,
): readonly RawFinding<TranslationsRule>[] {
  return languages.flatMap((language) => [
    ...ownFileFindings(language, missingNavigation),
    ...missingFindings(language),
    ...driftFindings(language),
    ...copyFindings(language),
  ]);
}

function ownFileFindings(
  { locale, navigation, home }: LanguageObservation,
  missingNavigation: MissingNavigation,
): readonly RawFinding<TranslationsRule>[] {
  if (navigation?.observed.state === 'missing' && home?.observed.state === 'missing') {
    return [{ rule: 'language-missing', evidence: { ...about(locale), files: [navigation.path, home.path] } }];
  }
  return [
    ...(navigation === null ? [] : fileFindings(locale, navigation, missingNavigation)),
    ...(home === null ? [] : fileFindings(locale, home, 'home-missing')),
  ];
}

const about = ({ code }: Locale): { readonly language: string } => ({ language: code });

function fileFindings(
  locale: Locale,
  { path, observed }: OwnFile,
  missing: MissingNavigation | 'home-missing',
): readonly RawFinding<TranslationsRule>[] {
  if (observed.state === 'missing') return [{ rule: missing, evidence: { ...about(locale), file: path } }];
  if (observed.state === 'unknown') return [];
  return observed.findings.flatMap(({ rule, evidence = {} }): readonly RawFinding<TranslationsRule>[] => {
    if (rule === 'not-found' || rule === 'spa-fallback') {
      return [{ rule: missing, evidence: { ...about(locale), file: path } }];
    }
    if (rule === 'media-type' || rule === 'redirected') return [];
    const line = evidence['line'];
    const location = typeof line === 'number' ? { location: { path, line, column: 1 } } : {};
    return [{ rule, evidence: { ...about(locale), file: path, ...evidence }, ...location }];
  });
}

function missingFindings({ locale, missing }: LanguageObservation): readonly RawFinding<TranslationsRule>[] {
  if (missing === null) return [];
  const { count, of, paths, locations } = missing;
  const [location] = locations;
  const candidates = paths.length > count ? { candidates: paths.length } : {};
  return [
    {
      rule: 'page-missing',
      evidence: { ...about(locale), count, of, ...candidates, pages: paths.slice(0, MOST_NAMED) },
      ...(location === undefined ? {} : { location, locations }),
    },
  ];
}

function driftFindings({ locale, drifted }: LanguageObservation): readonly RawFinding<TranslationsRule>[] {
  return [...Map.groupBy(drifted, ({ rule }) => rule).values()].flatMap((pages) =>
    firstOfEach(pages, ({ rule }) => rule, MOST_DRIFTED).map(({ item, omitted }) => ({
      ...driftFinding(locale, item),
      ...(omitted === undefined ? {} : { omitted }),
    })),
  );
}

function driftFinding(locale: Locale, drifted: DriftedPage): RawFinding<TranslationsRule> {
  const { rule, path, originalPath, line, originalLine, evidence } = drifted;
  const location = { path, line, column: 1 };
  return {
    rule,
    evidence: { ...about(locale), page: path, original: originalPath, ...evidence },
    location,
    locations: [location, { path: originalPath, line: originalLine, column: 1 }],
  };
}

function copyFindings({ locale, copies }: LanguageObservation): readonly RawFinding<TranslationsRule>[] {
  if (copies.length === 0) return [];
  const evidence = { ...about(locale), count: copies.length, pages: copies.slice(0, MOST_NAMED) };
  return [{ rule: 'untranslated', evidence }];
}

export interface Locale {
  /** As written; the folder's name where none is usable. */
  readonly code: string;
  /** The folder below the base, without slashes around; empty: the base itself. */
  readonly prefix: string;
}

type LocaleRule = 'prefix-shared' | 'prefix-invalid' | 'code-invalid' | 'code-repeated' | 'several-defaults';

export interface LocaleProblem {
  readonly rule: LocaleRule;
  readonly evidence: Evidence;
}

export type Locales = NonNullable<ReturnType<typeof readLocales>>;

interface Entry {
  readonly code: string | null;
  readonly prefix: string | null;
  readonly written: Json;
  readonly isDefault: boolean;
}

/**
 * The languages; `null` where there are fewer than two. What is not an object of its own (a list of codes, a map) is not
 * the setting that engines read, and counts for nothing.
 */
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
  // Entries of one code are reported as that.
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
