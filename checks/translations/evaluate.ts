import type { RawFinding, Evidence, Json } from '../../src/check.ts';
import { firstFindings } from '../../src/expect/first-of-each.ts';
import { notEvaluated } from '../../src/expect/not-received.ts';
import type { TranslationsRule } from './check.ts';
import { locatedAtAll, MOST_SHOWN } from '../shared.ts';
import type { GatheredTranslations, LanguageObservation, OwnFile } from './gather.ts';
import { localeFolder, LONGEST_LOCALE, MOST_LOCALES } from '../../src/site/settings.ts';

const MOST_DRIFTED = 100;

type Findings = readonly RawFinding<TranslationsRule>[];

export function evaluate(gathered: GatheredTranslations): Findings {
  if ('skip' in gathered) {
    return [gathered.skip === 'no-answer' ? notEvaluated(gathered.of) : { rule: gathered.skip }];
  }
  const { languages, problems, location, sharesNavigation } = gathered;
  const missingNavigation = sharesNavigation ? 'navigation-shared' : 'navigation-missing';
  return [
    ...problems.map((problem) => ({ ...problem, ...(location === null ? {} : { location }) })),
    ...languages.flatMap((language) => [
      ...ownFileFindings(language, missingNavigation),
      ...missingFindings(language),
      ...driftFindings(language),
      ...copyFindings(language),
    ]),
  ];
}

type MissingRule = 'navigation-missing' | 'navigation-shared' | 'home-missing';

function ownFileFindings({ locale, navigation, home }: LanguageObservation, missingNavigation: MissingRule): Findings {
  if (navigation?.observed.state === 'missing' && home?.observed.state === 'missing') {
    return [{ rule: 'language-missing', evidence: { language: locale.code, files: [navigation.path, home.path] } }];
  }
  return [...fileFindings(locale, navigation, missingNavigation), ...fileFindings(locale, home, 'home-missing')];
}

function fileFindings({ code: language }: Locale, file: OwnFile | null, rule: MissingRule): Findings {
  if (file === null || file.observed.state === 'unknown') return [];
  const { path, observed } = file;
  const missing = { rule, evidence: { language, file: path } };
  if (observed.state === 'missing') return [missing];
  return observed.findings.flatMap((finding): Findings => {
    if (finding.rule === 'not-found' || finding.rule === 'spa-fallback') return [missing];
    if (finding.rule === 'media-type' || finding.rule === 'redirected') return [];
    const line = finding.evidence?.line;
    const location = typeof line === 'number' ? { location: { path, line, column: 1 } } : {};
    return [{ rule: finding.rule, evidence: { language, file: path, ...finding.evidence }, ...location }];
  });
}

function missingFindings({ locale, missing }: LanguageObservation): Findings {
  if (missing === null) return [];
  const { count, of, paths, locations } = missing;
  const candidates = paths.length > count ? { candidates: paths.length } : {};
  const evidence = { language: locale.code, count, of, ...candidates, pages: paths.slice(0, MOST_SHOWN) };
  return [{ rule: 'page-missing', evidence, ...locatedAtAll(locations) }];
}

function driftFindings({ locale, drifted }: LanguageObservation): Findings {
  const findings = drifted.map(({ rule, path, originalPath, line, originalLine, evidence }) => ({
    rule,
    evidence: { language: locale.code, page: path, original: originalPath, ...evidence },
    ...locatedAtAll([
      { path, line, column: 1 },
      { path: originalPath, line: originalLine, column: 1 },
    ]),
  }));
  return [...Map.groupBy(findings, ({ rule }) => rule).values()].flatMap((some) => firstFindings(some, MOST_DRIFTED));
}

function copyFindings({ locale, copies }: LanguageObservation): Findings {
  if (copies.length === 0) return [];
  const evidence = { language: locale.code, count: copies.length, pages: copies.slice(0, MOST_SHOWN) };
  return [{ rule: 'untranslated', evidence }];
}

export interface Locale {
  /** As written; the folder's name where none is usable. */
  readonly code: string;
  /** The folder below the base, without slashes around; empty: the base itself. */
  readonly prefix: string;
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

const localeOf = ({ code, prefix }: Entry): Locale => ({ code: code ?? prefix ?? '', prefix: prefix ?? '' });

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
