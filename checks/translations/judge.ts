/** Tells what languages lack and where they have drifted. Pure. */
import type { Draft, Location } from '../../src/check.ts';
import { firstOfEach } from '../../src/expect/first-of-each.ts';
import { unjudged } from '../../src/expect/unjudged.ts';
import type { TranslationsCode } from './codes.ts';
import type { DriftedPage, GatheredTranslations, LanguageSeen, OwnFile } from './gather.ts';
import type { Locale, LocaleProblem } from './locales.ts';

/** More drifted pages of one language and kind are counted only. */
const MOST_DRIFTED = 100;
const MOST_NAMED = 20;

export function judge(gathered: GatheredTranslations): readonly Draft<TranslationsCode>[] {
  if ('skip' in gathered) {
    return [gathered.skip === 'no-answer' ? unjudged(gathered.of) : { code: gathered.skip }];
  }
  const { languages, problems, place } = gathered;
  return [...problemDrafts(problems, place), ...languageDrafts(languages)];
}

/** What is odd about the list of languages. */
function problemDrafts(problems: readonly LocaleProblem[], place: Location | null): readonly Draft<TranslationsCode>[] {
  return problems.map(({ code, evidence }) => ({ code, evidence, ...(place === null ? {} : { location: place }) }));
}

function languageDrafts(languages: readonly LanguageSeen[]): readonly Draft<TranslationsCode>[] {
  return languages.flatMap((language) => [
    ...ownFileDrafts(language),
    ...missingDrafts(language),
    ...driftDrafts(language),
    ...copyDrafts(language),
  ]);
}

/** Navigation and home page. Where neither is there, the language is not. */
function ownFileDrafts({ locale, navigation, home }: LanguageSeen): readonly Draft<TranslationsCode>[] {
  if (navigation?.seen.state === 'missing' && home?.seen.state === 'missing') {
    return [{ code: 'language-missing', evidence: { ...about(locale), files: [navigation.path, home.path] } }];
  }
  return [
    ...(navigation === null ? [] : fileDrafts(locale, navigation, 'navigation-missing')),
    ...(home === null ? [] : fileDrafts(locale, home, 'home-missing')),
  ];
}

const about = ({ code }: Locale): { readonly language: string } => ({ language: code });

function fileDrafts(
  locale: Locale,
  { path, seen }: OwnFile,
  missing: 'navigation-missing' | 'home-missing',
): readonly Draft<TranslationsCode>[] {
  if (seen.state === 'missing') return [{ code: missing, evidence: { ...about(locale), file: path } }];
  if (seen.state === 'unknown') return [];
  return seen.drafts.flatMap(({ code, evidence = {} }): readonly Draft<TranslationsCode>[] => {
    if (code === 'not-found' || code === 'spa-fallback') {
      return [{ code: missing, evidence: { ...about(locale), file: path } }];
    }
    if (code === 'media-type' || code === 'redirected') return [];
    const line = evidence['line'];
    const location = typeof line === 'number' ? { location: { path, line, column: 1 } } : {};
    return [{ code, evidence: { ...about(locale), file: path, ...evidence }, ...location }];
  });
}

/** All pages that a language lacks, as one. */
function missingDrafts({ locale, missing }: LanguageSeen): readonly Draft<TranslationsCode>[] {
  if (missing === null) return [];
  const { count, of, paths, places } = missing;
  const [location] = places;
  const candidates = paths.length > count ? { candidates: paths.length } : {};
  return [
    {
      code: 'page-missing',
      evidence: { ...about(locale), count, of, ...candidates, pages: paths.slice(0, MOST_NAMED) },
      ...(location === undefined ? {} : { location, places }),
    },
  ];
}

function driftDrafts({ locale, drifted }: LanguageSeen): readonly Draft<TranslationsCode>[] {
  return [...Map.groupBy(drifted, ({ code }) => code).values()].flatMap((pages) =>
    firstOfEach(pages, ({ code }) => code, MOST_DRIFTED).map(({ item, omitted }) => ({
      ...driftDraft(locale, item),
      ...(omitted === undefined ? {} : { omitted }),
    })),
  );
}

function driftDraft(locale: Locale, drifted: DriftedPage): Draft<TranslationsCode> {
  const { code, path, originalPath, line, originalLine, evidence } = drifted;
  const location = { path, line, column: 1 };
  return {
    code,
    evidence: { ...about(locale), page: path, original: originalPath, ...evidence },
    location,
    places: [location, { path: originalPath, line: originalLine, column: 1 }],
  };
}

function copyDrafts({ locale, copies }: LanguageSeen): readonly Draft<TranslationsCode>[] {
  if (copies.length === 0) return [];
  const evidence = { ...about(locale), count: copies.length, pages: copies.slice(0, MOST_NAMED) };
  return [{ code: 'untranslated', evidence }];
}
