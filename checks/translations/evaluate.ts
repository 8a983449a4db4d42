import { posix } from 'node:path';
import type { Answer, Evidence, Json } from '../../src/core/answer.ts';
import type { Crawl } from '../../src/crawl/crawl.ts';
import type { CrawledFile } from '../../src/crawl/frontier.ts';
import type { NotFound } from '../../src/site/not-found.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import type { Site } from '../../src/site/types.ts';
import { mapConcurrently } from '../../src/core/concurrency.ts';
import { NOTHING_RECEIVED, received, type Visit } from '../../src/crawl/visit.ts';
import type { EngineProfile } from '../../src/engines/engine.ts';
import { hrefOfPath, isMarkdownPath, MOST_LOCATIONS, pathUnder } from '../../src/engines/link.ts';
import { notEvaluated } from '../../src/expect/not-received.ts';
import { firstDifference } from '../../src/parse/position.ts';
import type { MarkdownFacts } from '../../src/parse/markdown.ts';
import { locationOf } from '../../src/site/missing-file.ts';
import { localesOf } from '../../src/site/settings.ts';
import { countingRequests, firstFindings, locatedAtAll, MOST_SHOWN } from '../full-check.ts';
import type { TranslationsRule } from './check.ts';

/** What version control left in a file is reported by itself; the page does not count as a page of its language. */
const LEFTOVERS: ReadonlySet<string> = new Set(['merge-conflict', 'git-lfs-pointer']);

type LanguageObservation = Awaited<ReturnType<typeof observedOf>>;
type OwnFile = NonNullable<LanguageObservation['navigation']>;

export async function gather(site: Site) {
  const set = readLocales((await site.configuration())['locales']);
  if (set === null) return { answer: null, finding: { rule: 'one-language' } } as const;
  const [context, config] = await Promise.all([contextOf(set, site), site.config()]);
  const { locales, crawl, lookup, all, profile, navigation } = context;
  if (![...crawl.pages.values()].some(({ ok }) => ok)) {
    return { answer: null, finding: notEvaluated(navigation.answer) };
  }
  const languages: LanguageObservation[] = [];
  for (const locale of [locales.original, ...locales.translations]) languages.push(await observedOf(locale, context));
  return {
    answer: null,
    languages,
    /** Whether a language without a navigation gets that of the default language. */
    sharesNavigation: profile.sharesNavigation === true,
    problems: locales.problems.map((problem) => ({ ...problem, ...locationOf('locales', config) })),
    requests: lookup.sent(),
    facts: factsOf(languages, originalsOf(all, locales).size),
  };
}

type Context = Awaited<ReturnType<typeof contextOf>>;

async function contextOf(set: Locales, site: Site) {
  const [crawl, bundle, notFound, navigation, home, { profile }] = await Promise.all([
    site.crawl(),
    site.bundle(),
    site.notFound(),
    site.file('navigationFile'),
    site.file('homePage'),
    site.engine(),
  ]);
  const pathOf = ({ answer }: { readonly answer: Answer }) => pathUnder(new URL(answer.requestUrl), site.base);
  const locales = placed(set, pathOf(home), profile);
  const menu = ownName(pathOf(navigation), profile.files.navigationFile, locales);
  const whole = pathOf(navigation) ?? menu;
  return {
    locales,
    crawl,
    profile,
    navigation,
    lookup: pageLookup(site, crawl, bundle, notFound),
    names: {
      navigation: menu,
      navigationOf: (locale: Locale): string =>
        locale === locales.original || profile.localeFolder === undefined
          ? locale.folder + menu
          : `${profile.localeFolder(locale.prefix, whole)}/${posix.basename(whole)}`,
      home: ownName(pathOf(home), profile.files.homePage, locales),
      /** The files of the core checks. */
      evaluated: new Set([navigation, home].map(pathOf)),
    },
    all: pagesByFolder(crawl, locales, menu),
  };
}

/** The languages with the folders where the engine looks for their pages. */
function placed(set: Locales, home: string | null, { localeFolder: folderOf }: EngineProfile): Locales {
  // The folder of a default language that has one of its own is named in its prefix.
  if (home === null || folderOf === undefined || set.original.prefix !== '') return set;
  const place = (locale: Locale): Locale => ({ ...locale, folder: withSlash(folderOf(locale.prefix, home)) });
  return { ...set, original: place(set.original), translations: set.translations.map(place) };
}

/** The name of a file that each language has; one below the original's folder is taken from there. */
function ownName(path: string | null, preset: string, { original }: Locales): string {
  if (path === null || !isMarkdownPath(path)) return preset;
  return path.startsWith(original.folder) ? path.slice(original.folder.length) : path;
}

/** The pages of each language, by its folder and by their paths below it. */
function pagesByFolder(crawl: Crawl, locales: Locales, navigation: string): ReadonlyMap<string, Pages> {
  const folders = [locales.original, ...locales.translations]
    .map(({ folder }) => folder)
    .toSorted((a, b) => b.length - a.length);
  const found = new Map(folders.map((folder) => [folder, new Map<string, CrawledFile>()]));
  for (const [path, crawled] of crawl.pages) {
    const folder = folders.find((start) => path.startsWith(start));
    if (folder === undefined) continue;
    const name = path.slice(folder.length);
    if (name !== navigation) found.get(folder)?.set(name, crawled);
  }
  return found;
}

async function observedOf(locale: Locale, context: Context) {
  const { locales, lookup, names } = context;
  /** `null`: another check covers it. */
  const own = async (path: string) =>
    names.evaluated.has(path) ? null : { path, observed: await lookup.observe(path) };
  const [navigation, home] = await Promise.all([own(names.navigationOf(locale)), own(locale.folder + names.home)]);
  // Where a language is not there at all, its pages are not reported one by one.
  const isAbsent = [navigation, home].every((file) => file?.observed.missing);
  const none = { missing: null, drifted: [], copies: [] };
  const pages = locale === locales.original || isAbsent ? none : await compared(locale, context);
  return { locale, navigation, home, ...pages };
}

function originalsOf(all: Context['all'], { original }: Locales): Pages {
  return new Map([...(all.get(original.folder) ?? [])].filter(([, { ok, reachable }]) => ok && reachable));
}

async function compared(locale: Locale, { locales, crawl, lookup, names, all }: Context) {
  const [from, to] = [locales.original.folder, locale.folder];
  const withoutHome = (pages: Pages): Pages => new Map([...pages].filter(([path]) => path !== names.home));
  const originals = withoutHome(originalsOf(all, locales));
  const translations = all.get(locale.folder) ?? new Map<string, CrawledFile>();
  const holders = new Map([names.navigation, names.home].map((name) => [from + name, to + name]));
  const pairing = pairPages(originals, withoutHome(translations), holders);
  const whole = crawl.links.leftOut.by.length === 0;
  // Of a site that was seen in part, pages under other names may be among those that were not seen.
  const sameNames = [...pairing.pairs].every(([path, match]) => path.normalize('NFC') === match.normalize('NFC'));
  const asNamed = sameNames && pairing.translations.length === 0 && pairing.originals.length <= pairing.pairs.size;
  const requested = crawl.links.gaveUp === null && (whole || asNamed) ? pairing.originals : [];
  const observed = await mapConcurrently(requested, CONCURRENCY, (name) => lookup.observe(to + name));
  const states = new Map(requested.map((name, at) => [name, observed[at] ?? null]));
  // Missing, and no link leads to it that another check would report.
  const gone = requested.filter((name) => states.get(name)?.missing && !states.get(name)?.count);
  const pairs = [names.home, ...pairing.pairs.keys(), ...requested].map((name) => {
    const path = to + (pairing.pairs.get(name) ?? name);
    const [original, translation] = [lookup.known(from + name), states.get(name) ?? lookup.known(path)];
    return { path, originalPath: from + name, original, translation };
  });
  const missing = missingAmong(gone, pairing.translations, originals, translations);
  return {
    missing: missing && { ...missing, from },
    drifted: pairs.flatMap(({ path, originalPath, original, translation }) => {
      const drift = driftOfPages(original, translation);
      return drift === null ? [] : [{ ...drift, path, originalPath }];
    }),
    /** Pages that are the original's, byte for byte; by their own paths. */
    copies: pairs.filter(isCopy).map(({ path }) => path),
  };
}

function driftOfPages(original: PageState | null, translation: PageState | null) {
  if (!original?.ok || !translation?.ok) return null;
  if ([...original.findings, ...translation.findings].some(({ rule }) => LEFTOVERS.has(rule))) return null;
  // What was not read to the end may have more of everything.
  if (original.facts?.whole !== true || translation.facts?.whole !== true) return null;
  return driftOf(original.facts, translation.facts);
}

function isCopy({ original, translation }: Readonly<Record<'original' | 'translation', PageState | null>>): boolean {
  if (!original?.ok || !translation?.ok || original.sha256 !== translation.sha256) return false;
  // A host that redirects to the original has no copy.
  return !translation.findings.some(({ rule }) => rule === 'redirected');
}

function factsOf(languages: readonly LanguageObservation[], pages: number): Evidence {
  const missing = languages.reduce((sum, language) => sum + (language.missing?.count ?? 0), 0);
  const drifted = languages.reduce((sum, language) => sum + language.drifted.length, 0);
  return {
    languages: languages.map(({ locale }) => locale.code),
    pages,
    ...(missing === 0 ? {} : { missing }),
    ...(drifted === 0 ? {} : { drifted }),
  };
}

/** What is known of a page; `count`: the links that lead to it, so that another check names it. */
type PageState = Pick<Visit, 'ok' | 'missing' | 'findings' | 'facts' | 'sha256'> & Partial<Pick<CrawledFile, 'count'>>;

const MOST_REQUESTS = 2_000;
const CONCURRENCY = 24;

function pageLookup(site: Site, { pages, links }: Crawl, bundle: Answer, notFound: NotFound) {
  const { get, sent } = countingRequests(site);
  const isOver = (): boolean => site.limits.signal?.aborted === true || links.gaveUp !== null;
  const known = (path: string): PageState | null => {
    const fault = links.faults.get(path);
    const crawled = fault?.missing === true ? fault : pages.get(path);
    if (crawled === undefined) return null;
    // Of a page that did not come because the crawl was given up nothing is known.
    return crawled.ok || fault !== undefined ? crawled : NOTHING_RECEIVED;
  };
  const ask = async (path: string): Promise<PageState> => {
    if (sent() >= MOST_REQUESTS || isOver()) return NOTHING_RECEIVED;
    const answer = await get({ url: new URL(site.base.href + hrefOfPath(path)), accept: '*/*' });
    const visit = await received(answer, path, true, { site, bundle, notFound });
    // What the end of the run cut off is not the site's fault.
    return visit.ok || visit.missing || !(visit.ended || isOver()) ? visit : NOTHING_RECEIVED;
  };
  return { known, observe: async (path: string) => known(path) ?? ask(path), sent };
}

const MOST_DRIFTED = 100;

type Findings = readonly RawFinding<TranslationsRule>[];

export function evaluate(gathered: Awaited<ReturnType<typeof gather>>): Findings {
  if ('finding' in gathered) return [gathered.finding];
  const { languages, problems, sharesNavigation } = gathered;
  const missingNavigation = sharesNavigation ? 'navigation-shared' : 'navigation-missing';
  return [
    ...problems,
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
  if (navigation?.observed.missing && home?.observed.missing) {
    return [{ rule: 'language-missing', evidence: { language: locale.code, files: [navigation.path, home.path] } }];
  }
  return [...fileFindings(locale, navigation, missingNavigation), ...fileFindings(locale, home, 'home-missing')];
}

function fileFindings({ code: language }: Locale, file: OwnFile | null, rule: MissingRule): Findings {
  if (file === null) return [];
  const { path, observed } = file;
  const missing = { rule, evidence: { language, file: path } };
  if (observed.missing) return [missing];
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
  const { count, of, names, from } = missing;
  const candidates = names.length > count ? { candidates: names.length } : {};
  const pages = names.slice(0, MOST_SHOWN).map((name) => locale.folder + name);
  const evidence = { language: locale.code, count, of, ...candidates, pages };
  const locations = names.slice(0, MOST_LOCATIONS).map((name) => ({ path: from + name, line: 1, column: 1 }));
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
  return firstFindings(findings, MOST_DRIFTED);
}

function copyFindings({ locale, copies }: LanguageObservation): Findings {
  if (copies.length === 0) return [];
  const evidence = { language: locale.code, count: copies.length, pages: copies.slice(0, MOST_SHOWN) };
  return [{ rule: 'untranslated', evidence }];
}

type Locales = NonNullable<ReturnType<typeof readLocales>>;

type Entry = ReturnType<typeof localesOf>[number];

/** The languages; `null` where there are fewer than two. */
export function readLocales(value: Json | undefined) {
  const entries = localesOf(value);
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

const withSlash = (folder: string): string => (folder === '' ? '' : `${folder}/`);

type Locale = ReturnType<typeof localeOf>;

/**
 * `code`: as written; the folder's name where none is usable. `prefix`: the folder below the base, as it is set, without
 * slashes around; empty: the base itself. `folder`: where its pages are: empty, or with a slash at its end.
 */
function localeOf({ code, prefix: written }: Entry) {
  const prefix = written ?? '';
  return { code: code ?? prefix, prefix, folder: withSlash(prefix) };
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

function sharing(entries: readonly Entry[], valueOf: (entry: Entry) => string | null): readonly (readonly Entry[])[] {
  return [...Map.groupBy(entries, valueOf)].flatMap(([value, group]) =>
    value !== null && group.length > 1 ? [group] : [],
  );
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

/** Most files that link to one page and are checked: the navigation comes first. */
const MOST_HOLDERS = 20;

type Pages = ReadonlyMap<string, CrawledFile>;

/** A path of the original, and one of the translation. */
type Pair = readonly [string, string];
type Names = ReadonlyMap<string, string>;

/**
 * Pairs the pages of two languages. What has the same path belongs together. The others are paired by the order of the
 * links in files that belong together, the navigations first: between two pages that are paired, as many links on the
 * one side as on the other lead to pages that are versions of one another.
 */
function pairPages(original: Pages, translation: Pages, holders: Names) {
  const pairs = new Map<string, string>();
  const byName = new Map([...translation.keys()].map((path) => [path.normalize('NFC'), path]));
  for (const path of original.keys()) {
    const same = byName.get(path.normalize('NFC'));
    if (same !== undefined) pairs.set(path, same);
  }
  if (pairs.size < Math.min(original.size, translation.size)) pairByOrder(original, translation, holders, pairs);
  const taken = new Set(pairs.values());
  return {
    pairs,
    originals: [...original.keys()].filter((path) => !pairs.has(path)),
    translations: [...translation.keys()].filter((path) => !taken.has(path)),
  };
}

/** `holders`: files that belong together, by their whole paths. */
function pairByOrder(original: Pages, translation: Pages, holders: Names, pairs: Map<string, string>): void {
  const [here, there] = [linksByHolder(original), linksByHolder(translation)];
  const taken = new Set(pairs.values());
  const holdersOf = ([path, other]: Pair): Pair => [original.get(path)?.path ?? '', translation.get(other)?.path ?? ''];
  const open = [...holders, ...[...pairs].map(holdersOf)];
  for (const [holder, other] of open) {
    const stretches = between([here.get(holder) ?? [], there.get(other) ?? []], pairs, taken);
    for (const [path, match] of stretches.flatMap((stretch) => matched(stretch, original, translation))) {
      if (pairs.has(path) || taken.has(match)) continue;
      if (!isSimilar(factsIn(original, path), factsIn(translation, match))) continue;
      pairs.set(path, match);
      taken.add(match);
      open.push(holdersOf([path, match]));
    }
  }
}

/** The pages that each file links to, in the order of the links, each once; by the file's whole path. */
function linksByHolder(pages: Pages): ReadonlyMap<string, readonly string[]> {
  const links = [...pages].flatMap(([path, { locations }]) =>
    [...Map.groupBy(locations, (location) => location.path)]
      .slice(0, MOST_HOLDERS)
      .flatMap(([holder, [first]]) => (first === undefined ? [] : [{ ...first, holder, path }])),
  );
  const ordered = links.toSorted((a, b) => a.line - b.line || a.column - b.column);
  const byHolder = Map.groupBy(ordered, ({ holder }) => holder);
  return new Map([...byHolder].map(([holder, all]) => [holder, all.map(({ path }) => path)]));
}

/** The links of two files, between pages that are paired already. */
type Stretch = readonly [here: readonly string[], there: readonly string[]];

function between([here, there]: Stretch, pairs: Names, taken: ReadonlySet<string>): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let [from, fromThere] = [0, 0];
  // The end is a landmark, too; moved pages are none.
  for (const [at, path] of [...here, null].entries()) {
    const match = path === null ? there.length : there.indexOf(pairs.get(path) ?? '', fromThere);
    if (match === -1) continue;
    stretches.push([
      here.slice(from, at).filter((one) => !pairs.has(one)),
      there.slice(fromThere, match).filter((one) => !taken.has(one)),
    ]);
    [from, fromThere] = [at + 1, match + 1];
  }
  return stretches;
}

/** Pairs pages of one stretch that alone have their structure; then, where equally many are left, by their order. */
function matched([here, there]: Stretch, original: Pages, translation: Pages): readonly Pair[] {
  const byKey = Map.groupBy(there, (path) => keyOf(translation, path));
  const single = [...Map.groupBy(here, (path) => keyOf(original, path))].flatMap(([key, [path, ...more]]): Pair[] => {
    const [other, ...others] = byKey.get(key) ?? [];
    const isSure = key !== null && path !== undefined && other !== undefined && more.length + others.length === 0;
    return isSure ? [[path, other]] : [];
  });
  const known = new Set(single.flat());
  const [rest, restThere] = [here.filter((path) => !known.has(path)), there.filter((path) => !known.has(path))];
  if (rest.length !== restThere.length) return single;
  return [...single, ...rest.map((path, at): Pair => [path, restThere[at] ?? ''])];
}

const factsIn = (pages: Pages, path: string) => pages.get(path)?.facts ?? null;

/** How a page is made; `null`: not known. */
function keyOf(pages: Pages, path: string): string | null {
  const facts = factsIn(pages, path);
  return facts === null ? null : skeletonKey(facts);
}

/** `gone`: originals without a page of the same path; pages in `left` may be versions of them under another name. */
function missingAmong(gone: readonly string[], left: readonly string[], originals: Pages, translations: Pages) {
  const folders = new Set([...originals.keys()].map(folderOf));
  const strangers = left.filter((path) => !folders.has(folderOf(path))).length;
  const groups = [...Map.groupBy(gone, folderOf)].map(([folder, paths]) => {
    const candidates = left.filter(
      (path) =>
        folderOf(path) === folder &&
        paths.some((original) => isSimilar(factsIn(originals, original), factsIn(translations, path))),
    );
    return { paths, count: Math.max(0, paths.length - candidates.length) };
  });
  const count = groups.reduce((sum, group) => sum + group.count, 0) - strangers;
  if (count <= 0) return null;
  return { count, of: originals.size, names: groups.flatMap((group) => (group.count > 0 ? group.paths : [])) };
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** What of a page is the same in every language. */
type Skeleton = Pick<MarkdownFacts, 'headings' | 'code' | 'tables'>;

/** How a translation's skeleton first differs, headings first: a missing section takes its code and tables with it. */
export function driftOf(original: Skeleton, translation: Skeleton) {
  const counts: Evidence = {
    headings: [original.headings.length, translation.headings.length],
    code: [original.code.length, translation.code.length],
    tables: [original.tables.length, translation.tables.length],
  };
  const [ofOriginal, ofTranslation] = [partsOf(original), partsOf(translation)];
  for (const rule of ['headings-differ', 'code-blocks-differ', 'tables-differ'] as const) {
    const [here, there] = [ofOriginal[rule], ofTranslation[rule]];
    const at = firstDifference(here.map(keyOfPart), there.map(keyOfPart));
    if (at === null) continue;
    const evidence = { expected: here[at]?.key ?? null, found: there[at]?.key ?? null, ...counts };
    return { rule, line: lineAt(there, at), originalLine: lineAt(here, at), evidence };
  }
  return null;
}

/** By the rule for a translation whose parts differ. */
const partsOf = ({ headings, code, tables }: Skeleton) => ({
  'headings-differ': headings.map(({ depth, line }) => ({ line, key: '#'.repeat(depth) })),
  'code-blocks-differ': code.map(({ language, line }) => ({ line, key: language?.toLowerCase() ?? 'code' })),
  'tables-differ': tables.map(({ columns, rows, line }) => ({ line, key: `${columns}×${rows}` })),
});

/** The whole skeleton as one word: the same for pages that have not drifted. */
export function skeletonKey(skeleton: Skeleton): string {
  return Object.values(partsOf(skeleton))
    .map((parts) => parts.map(keyOfPart).join(' '))
    .join('|');
}

/** Whether two pages may be versions of one: neither has more than twice as many headings as the other. */
export function isSimilar(one: Skeleton | null, other: Skeleton | null): boolean {
  if (one === null || other === null) return true;
  const [fewer = 0, more = 0] = [one.headings.length, other.headings.length].toSorted((a, b) => a - b);
  return more <= 2 * fewer + 1;
}

type Part = ReturnType<typeof partsOf>['code-blocks-differ'][number];

const keyOfPart = ({ key }: Part): string => key;

const lineAt = (parts: readonly Part[], at: number): number => (parts[at] ?? parts.at(-1))?.line ?? 1;
