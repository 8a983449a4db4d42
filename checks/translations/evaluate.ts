/** Tells what languages lack and where they have drifted. Pure. */
import type { RawFinding, Location } from '../../src/check.ts';
import { firstOfEach } from '../../src/expect/first-of-each.ts';
import { notEvaluated } from '../../src/expect/not-evaluated.ts';
import type { TranslationsRule } from './rules.ts';
import type { DriftedPage, GatheredTranslations, LanguageObservation, OwnFile } from './gather.ts';
import type { Locale, LocaleProblem } from './locales.ts';

/** More drifted pages of one language and kind are counted only. */
const MOST_DRIFTED = 100;
const MOST_NAMED = 20;

export function evaluate(gathered: GatheredTranslations): readonly RawFinding<TranslationsRule>[] {
  if ('skip' in gathered) {
    return [gathered.skip === 'no-answer' ? notEvaluated(gathered.of) : { rule: gathered.skip }];
  }
  const { languages, problems, location } = gathered;
  return [...problemFindings(problems, location), ...languageFindings(languages)];
}

/** What is odd about the list of languages. */
function problemFindings(
  problems: readonly LocaleProblem[],
  location: Location | null,
): readonly RawFinding<TranslationsRule>[] {
  return problems.map(({ rule, evidence }) => ({ rule, evidence, ...(location === null ? {} : { location }) }));
}

function languageFindings(languages: readonly LanguageObservation[]): readonly RawFinding<TranslationsRule>[] {
  return languages.flatMap((language) => [
    ...ownFileFindings(language),
    ...missingFindings(language),
    ...driftFindings(language),
    ...copyFindings(language),
  ]);
}

/** Navigation and home page. Where neither is there, the language is not. */
function ownFileFindings({ locale, navigation, home }: LanguageObservation): readonly RawFinding<TranslationsRule>[] {
  if (navigation?.observed.state === 'missing' && home?.observed.state === 'missing') {
    return [{ rule: 'language-missing', evidence: { ...about(locale), files: [navigation.path, home.path] } }];
  }
  return [
    ...(navigation === null ? [] : fileFindings(locale, navigation, 'navigation-missing')),
    ...(home === null ? [] : fileFindings(locale, home, 'home-missing')),
  ];
}

const about = ({ code }: Locale): { readonly language: string } => ({ language: code });

function fileFindings(
  locale: Locale,
  { path, observed }: OwnFile,
  missing: 'navigation-missing' | 'home-missing',
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

/** All pages that a language lacks, as one. */
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
