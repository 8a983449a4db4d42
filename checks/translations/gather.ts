import type {
  Answer,
  Crawl,
  CrawledPage,
  Evidence,
  Gathered,
  Location,
  Site,
  RawFinding,
  NotFound,
} from '../../src/check.ts';
import { memberOffset, parseJson } from '../../src/parse/json.ts';
import { position } from '../../src/parse/position.ts';
import { decodeUtf8 } from '../../src/parse/text.ts';
import type { EngineProfile } from '../../src/engines/engine.ts';
import { isMarkdownPath, pathUnder, hrefOfPath } from '../../src/engines/link.ts';
import { readLocales, type Locale, type Locales, type LocaleProblem } from './evaluate.ts';
import { missingAmong, type MissingPages, pairPages, type Pages, driftOf, type Drift } from './pairing.ts';
import { mapConcurrently } from '../../src/map-concurrently.ts';
import { noReplyReason } from '../../src/expect/not-received.ts';
import { page, PAGE_RULES, type PageRule } from '../../src/expect/page.ts';
import type { MarkdownFacts } from '../../src/parse/markdown.ts';

/** What version control left in a file is reported by itself; the page does not count as a page of its language. */
const LEFTOVERS: ReadonlySet<string> = new Set(['merge-conflict', 'git-lfs-pointer']);

export interface OwnFile {
  readonly path: string;
  readonly observed: PageState;
}

export interface DriftedPage extends Drift {
  readonly path: string;
  readonly originalPath: string;
}

export interface LanguageObservation {
  readonly locale: Locale;
  /** `null`: another check covers it. */
  readonly navigation: OwnFile | null;
  readonly home: OwnFile | null;
  readonly missing: MissingPages | null;
  readonly drifted: readonly DriftedPage[];
  /** Pages that are the original's, byte for byte; by their own paths. */
  readonly copies: readonly string[];
}

export interface Compared extends Gathered {
  readonly answer: null;
  readonly languages: readonly LanguageObservation[];
  readonly problems: readonly LocaleProblem[];
  readonly location: Location | null;
  /** Whether a language without a navigation gets that of the default language. */
  readonly sharesNavigation: boolean;
}

/** What was compared, or why nothing could be. */
export type GatheredTranslations =
  | Compared
  | { readonly answer: null; readonly skip: 'one-language' }
  | { readonly answer: null; readonly skip: 'no-answer'; readonly of: Answer };

export async function gather(site: Site): Promise<GatheredTranslations> {
  const set = readLocales((await site.configuration())['locales']);
  if (set === null) return { answer: null, skip: 'one-language' };
  const [crawl, bundle, notFound, navigation, home, config, { profile }] = await Promise.all([
    site.crawl(),
    site.bundle(),
    site.notFound(),
    site.file('navigationFile'),
    site.file('homePage'),
    site.config(),
    site.engine(),
  ]);
  if (![...crawl.pages.values()].some(({ ok }) => ok))
    return { answer: null, skip: 'no-answer', of: navigation.answer };
  const lookup = new PageLookup(site, crawl, bundle, notFound);
  const { locales, prefixOf } = placed(set, pathUnder(new URL(home.answer.requestUrl), site.base), profile);
  const menu = ownName(navigation.answer, profile.files.navigationFile, locales, site.base);
  const whole = pathUnder(new URL(navigation.answer.requestUrl), site.base) ?? menu;
  const names: OwnNames = {
    navigation: menu,
    navigationOf: (locale) =>
      (locale === locales.original ? undefined : profile.localeNavigation?.(whole, prefixOf(locale))) ??
      folderOf(locale) + menu,
    home: ownName(home.answer, profile.files.homePage, locales, site.base),
    // The files of the core checks.
    evaluated: new Set([navigation, home].map(({ answer }) => pathUnder(new URL(answer.requestUrl), site.base))),
  };
  const all = pagesByLocale(crawl, locales, names);
  const languages: LanguageObservation[] = [];
  for (const locale of [locales.original, ...locales.translations]) {
    languages.push(await observedOf(locale, { locales, crawl, looker: lookup, names, all }));
  }
  return {
    answer: null,
    languages,
    sharesNavigation: profile.sharesNavigation === true,
    problems: locales.problems,
    location: locationOfLocales(config),
    requests: lookup.requests,
    facts: factsOf(languages, originalsOf(all, locales).size),
  };
}

/** The languages with the folders where the engine looks for their pages, and the prefix that was set for each. */
function placed(
  set: Locales,
  home: string | null,
  { localeFolder }: EngineProfile,
): { readonly locales: Locales; readonly prefixOf: (locale: Locale) => string } {
  // The folder of a default language that has one of its own is named in its prefix.
  if (home === null || localeFolder === undefined || set.original.prefix !== '') {
    return { locales: set, prefixOf: ({ prefix }) => prefix };
  }
  const prefixes = new Map<Locale, string>();
  const place = (locale: Locale): Locale => {
    const moved = { ...locale, prefix: localeFolder(locale.prefix, home) };
    prefixes.set(moved, locale.prefix);
    return moved;
  };
  const locales = { ...set, original: place(set.original), translations: set.translations.map(place) };
  return { locales, prefixOf: (locale) => prefixes.get(locale) ?? locale.prefix };
}

interface OwnNames {
  readonly navigation: string;
  /** The path of a language's navigation. */
  readonly navigationOf: (locale: Locale) => string;
  readonly home: string;
  readonly evaluated: ReadonlySet<string | null>;
}

/** The name of a file that each language has; one below the original's folder is taken from there. */
function ownName(answer: Answer, preset: string, { original }: Locales, base: URL): string {
  const path = pathUnder(new URL(answer.requestUrl), base);
  if (path === null || !isMarkdownPath(path)) return preset;
  const folder = folderOf(original);
  return folder !== '' && path.startsWith(folder) ? path.slice(folder.length) : path;
}

const folderOf = ({ prefix }: Locale): string => (prefix === '' ? '' : `${prefix}/`);

function pagesByLocale(crawl: Crawl, locales: Locales, names: OwnNames): ReadonlyMap<string, Pages> {
  const all = [locales.original, ...locales.translations];
  const found = new Map(all.map(({ prefix }) => [prefix, new Map<string, CrawledPage>()]));
  const folders = all.map(folderOf).toSorted((a, b) => b.length - a.length);
  for (const [path, crawled] of crawl.pages) {
    const folder = folders.find((start) => path.startsWith(start));
    if (folder === undefined) continue;
    const name = path.slice(folder.length);
    if (name !== names.navigation) found.get(folder.replace(/\/$/, ''))?.set(name, crawled);
  }
  return found;
}

interface Context {
  readonly locales: Locales;
  readonly crawl: Crawl;
  readonly looker: PageLookup;
  readonly names: OwnNames;
  readonly all: ReadonlyMap<string, Pages>;
}

async function observedOf(locale: Locale, context: Context): Promise<LanguageObservation> {
  const { locales, looker: lookup, names, all } = context;
  const own = async (path: string): Promise<OwnFile | null> => {
    if (names.evaluated.has(path)) return null;
    const [observed = { state: 'unknown' as const }] = await lookup.look([path]);
    return { path, observed };
  };
  const [navigation, home] = await Promise.all([own(names.navigationOf(locale)), own(folderOf(locale) + names.home)]);
  const observed = { locale, navigation, home };
  const none = { ...observed, missing: null, drifted: [], copies: [] };
  // Where a language is not there at all, its pages are not reported one by one.
  if (locale === locales.original || (isMissing(navigation) && isMissing(home))) return none;
  const originals = without(originalsOf(all, locales), names.home);
  return { ...observed, ...(await compared(locale, originals, context)) };
}

/** The pages that visitors of the original find. */
function originalsOf(all: Context['all'], { original }: Locales): Pages {
  return new Map([...(all.get(original.prefix) ?? [])].filter(([, { ok, reachable }]) => ok && reachable));
}

const isMissing = (file: OwnFile | null): boolean => file?.observed.state === 'missing';

type Comparison = Pick<LanguageObservation, 'missing' | 'drifted' | 'copies'>;

async function compared(locale: Locale, originals: Pages, context: Context): Promise<Comparison> {
  const { locales, crawl, looker: lookup, names, all } = context;
  const [from, to] = [folderOf(locales.original), folderOf(locale)];
  const translated = all.get(locale.prefix) ?? new Map<string, CrawledPage>();
  const holders = new Map([names.navigation, names.home].map((name) => [from + name, to + name]));
  const pairing = pairPages(originals, without(translated, names.home), holders);
  const whole = crawl.links.leftOut.by.length === 0 && crawl.links.gaveUp === null;
  // Of a site that was seen in part, pages under other names may be among those that were not seen.
  const sameNames = [...pairing.pairs].every(([path, match]) => path.normalize('NFC') === match.normalize('NFC'));
  const asNamed = sameNames && pairing.translations.length === 0 && pairing.originals.length <= pairing.pairs.size;
  const certain = crawl.links.gaveUp === null && (whole || asNamed);
  const asked = certain ? pairing.originals : [];
  const observed = await lookup.look(asked.map((name) => to + name));
  const gone = asked.filter((_, at) => isGone(observed[at]));
  const pairs = [names.home, ...pairing.pairs.keys()].map((name): readonly [string, PageState | null, string] => {
    const match = to + (pairing.pairs.get(name) ?? name);
    return [from + name, lookup.known(match), match];
  });
  const unlinked = asked.flatMap((name, at): (readonly [string, PageState | null, string])[] => [
    [from + name, observed[at] ?? null, to + name],
  ]);
  return {
    missing: missingAmong(gone, { originals, translations: translated, left: pairing.translations, from, to }),
    drifted: [...pairs, ...unlinked].flatMap(([path, version, match]) => driftedPage(path, version, match, lookup)),
    copies: pairs.flatMap(([path, , match]) => (isCopy(path, match, crawl) ? [match] : [])),
  };
}

/** Missing, and no link leads to it that another check would report. */
const isGone = (observed: PageState | undefined): boolean => observed?.state === 'missing' && !observed.linked;

function without(pages: Pages, name: string): Pages {
  return new Map([...pages].filter(([path]) => path !== name));
}

function driftedPage(
  originalPath: string,
  observed: PageState | null,
  path: string,
  lookup: PageLookup,
): readonly DriftedPage[] {
  const original = lookup.known(originalPath);
  if (original?.state !== 'there' || observed?.state !== 'there') return [];
  if ([...original.findings, ...observed.findings].some(({ rule }) => LEFTOVERS.has(rule))) return [];
  // What was not read to the end may have more of everything.
  if (original.facts?.whole !== true || observed.facts?.whole !== true) return [];
  const drift = driftOf(original.facts, observed.facts);
  return drift === null ? [] : [{ ...drift, path, originalPath }];
}

function isCopy(path: string, match: string, { pages }: Crawl): boolean {
  const [original, translation] = [pages.get(path), pages.get(match)];
  if (original?.ok !== true || translation?.ok !== true) return false;
  return original.sha256 !== null && original.sha256 === translation.sha256;
}

function locationOfLocales(config: Answer): Location | null {
  const decoded = config.kind === 'reply' ? decodeUtf8(config.body) : null;
  if (decoded?.ok !== true || !parseJson(decoded.text).ok) return null;
  return { path: 'config.json', ...position(decoded.text, memberOffset(decoded.text, 'locales')) };
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

type PageState =
  | {
      readonly state: 'there';
      readonly facts: MarkdownFacts | null;
      readonly findings: readonly RawFinding<PageRule>[];
    }
  /** `linked`: a link leads to it, so that another check names it. */
  | { readonly state: 'missing'; readonly linked: boolean }
  | { readonly state: 'broken'; readonly findings: readonly RawFinding<PageRule>[] }
  | { readonly state: 'unknown' };

/** Most paths of a run that are requested here. */
const MOST_REQUESTS = 2_000;
const CONCURRENCY = 24;

class PageLookup {
  readonly #site: Site;
  readonly #crawl: Crawl;
  readonly #bundle: Answer;
  readonly #notFound: NotFound;
  #requests = 0;

  constructor(site: Site, crawl: Crawl, bundle: Answer, notFound: NotFound) {
    this.#site = site;
    this.#crawl = crawl;
    this.#bundle = bundle;
    this.#notFound = notFound;
  }

  get requests(): number {
    return this.#requests;
  }

  known(path: string): PageState | null {
    const crawled = this.#crawl.pages.get(path);
    const fault = this.#crawl.links.faults.get(path);
    if (fault?.missing === true) return { state: 'missing', linked: fault.count > 0 };
    if (crawled === undefined) return null;
    const findings = fault?.findings ?? [];
    if (crawled.ok) return { state: 'there', facts: crawled.facts, findings };
    return findings.length === 0 ? { state: 'unknown' } : { state: 'broken', findings };
  }

  async look(paths: readonly string[]): Promise<readonly PageState[]> {
    const observed: PageState[] = paths.map((path) => this.known(path) ?? { state: 'unknown' });
    const open = [...paths.entries()].filter(([, path]) => this.known(path) === null);
    await mapConcurrently(open, CONCURRENCY, async ([at, path]) => {
      if (this.#requests < MOST_REQUESTS && !this.#isOver()) observed[at] = await this.#ask(path);
    });
    return observed;
  }

  async #ask(path: string): Promise<PageState> {
    this.#requests += 1;
    const url = new URL(this.#site.base.href + hrefOfPath(path));
    const answer = await this.#site.pooled({ url, accept: '*/*' });
    if (answer.kind === 'reply' && this.#notFound.isMissing(answer)) return { state: 'missing', linked: false };
    const { findings, parsed: facts = null } = await page(
      { ...answer, redirects: [] },
      this.#bundle,
      this.#site.limits,
    );
    if (findings.every(({ rule }) => PAGE_RULES[rule] === 'warning')) return { state: 'there', facts, findings };
    if (findings.some(({ rule }) => MISSING.has(rule))) return { state: 'missing', linked: false };
    // What the end of the run cut off is not the site's fault.
    const ended = answer.kind === 'no-reply' && noReplyReason(answer) === 'interrupted';
    return ended || this.#isOver() ? { state: 'unknown' } : { state: 'broken', findings };
  }

  /** Whether the run has ended, or the host stopped responding. */
  #isOver(): boolean {
    return this.#site.limits.signal?.aborted === true || this.#crawl.links.gaveUp !== null;
  }
}

const MISSING: ReadonlySet<string> = new Set(['not-found', 'spa-fallback']);
