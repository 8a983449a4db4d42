/**
 * The words of checks and findings. They are written in `checks/<id>/<language>.md`; the build packs them into one
 * JSON file a language, and only the language that is requested is loaded. Every sentence is packed once: pages and
 * sections are put together again on request.
 * What a text holds besides plain words is Markdown source (backticks around code), for the output to render.
 */

import { readFileSync } from 'node:fs';
import type { HostKind, ReportedSite } from './check.ts';
import { ENGINE_NAMES } from './engines/engine.ts';
import { HOST_PRODUCTS_OF, type HostProduct } from './host-product.ts';

/** The languages that every text exists in. */
export const LANGUAGES = ['en', 'ro', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What is printed for a finding. */
export interface FindingText {
  /** What was found, at most three sentences, on one line. */
  readonly problem: string;
  /** What to do: a line, and one more for each kind of host where they differ. */
  readonly fix: string;
  /** What to do on each kind of host or in each engine, by its name. Also part of `fix`. */
  readonly hosts?: Readonly<Record<string, string>>;
  /** The Markdown source of what the code's section has beyond these two. */
  readonly more?: string;
}

/** What is printed for a check. */
export interface CheckText {
  readonly title: string;
  /** What the check expects: the first paragraph of its page. */
  readonly expected: string;
  /** The Markdown source of the text between that and the first section. */
  readonly more?: string;
  /** The documented action when the check fails or warns; absent only for pages without a check. */
  readonly degraded?: string;
}

/** One packed page: a check's texts and those of the rules that are its own, in the order of the page. */
export interface Page extends CheckText {
  /** `fix` is the paragraph alone, without `hosts`. */
  readonly codes: Readonly<Record<string, FindingText>>;
}

/** The texts of one language. */
export interface Texts {
  readonly language: Language;
  /** The texts of a check; `undefined` for an id that has none. `common` and `own` are pages too. */
  check(id: string): CheckText | undefined;
  /** The texts of a finding: the check's own, else those that all checks share. `undefined` for an unknown id or code. */
  finding(checkId: string, code: string): FindingText | undefined;
  /** The Markdown source of a check's whole page; `undefined` where `check` is. */
  page(id: string): string | undefined;
  /** The Markdown source of a code's section in the page that `finding` takes it from; `undefined` where that is. */
  section(checkId: string, code: string): string | undefined;
  /** Where the documentation site explains a rule, in this language; `undefined` where `finding` is. */
  docsUrl(checkId: string, code: string): string | undefined;
  /** The ids that `check` knows, in no promised order, without `common` and `own`. */
  ids(): readonly string[];
}

/** A check of the user's own, as far as its texts go; `title` and `fix` already in the language of the run. */
export interface CustomText {
  readonly id: string;
  readonly title: string;
  readonly fix?: string;
}

/** The page of codes that all checks share, and the page behind the checks of the user's own. */
const COMMON = 'common';
const CUSTOM = 'own';

/** The documentation site. */
const DOCS_URL = 'https://docvitals.github.io/docvitals/';

type Pages = Readonly<Record<string, Page>>;

/**
 * Loads the texts of one language. The file is read at once, while there are descriptors to read it with, and taken
 * apart after what the caller does next. Rejects when the build has not written it.
 */
export async function loadTexts(language: Language): Promise<Texts> {
  const text =
    typeof DOCVITALS_TEXTS === 'object'
      ? DOCVITALS_TEXTS[language]
      : readFileSync(new URL(`${language}.json`, packedFolder()), 'utf8');
  await Promise.resolve();
  return textsOf(language, unpacked(text));
}

/** The pages of one language as its file holds them: each as JSON in a string, as a run reads few of them. */
export function packed(pages: readonly (readonly [id: string, page: Page])[]): string {
  return JSON.stringify(Object.fromEntries(pages.map(([id, page]) => [id, JSON.stringify(page)])));
}

function unpacked(text: string): Pages {
  const pages: Record<string, Page> = {};
  for (const [id, page] of Object.entries(JSON.parse(text) as Record<string, string>)) {
    let read: Page | undefined;
    Object.defineProperty(pages, id, { enumerable: true, get: () => (read ??= JSON.parse(page) as Page) });
  }
  return pages;
}

/** The packed pages of all languages, as JSON: the build puts them into a bundle that has no files beside it. */
declare const DOCVITALS_TEXTS: Readonly<Record<Language, string>> | undefined;

/** `dist/texts/`, from the sources or from a bundle in `dist`. */
function packedFolder(): URL {
  return new URL(import.meta.url.endsWith('/src/texts.ts') ? '../dist/texts/' : './texts/', import.meta.url);
}

/** Texts over packed pages. */
export function textsOf(language: Language, pages: Pages): Texts {
  const folder = language === 'en' ? '' : `${language}/`;
  const page = (id: string) => (Object.hasOwn(pages, id) ? pages[id] : undefined);
  const code = (id: string, name: string) => {
    const codes = page(id)?.codes;
    return codes && Object.hasOwn(codes, name) ? codes[name] : undefined;
  };
  const finding = (id: string, name: string) => page(id) && (code(id, name) ?? code(COMMON, name));
  return {
    language,
    check: page,
    finding(id, name) {
      const text = finding(id, name);
      return text && { ...text, fix: withItems(text.fix, Object.entries(text.hosts ?? {}), language) };
    },
    page(id) {
      const text = page(id);
      return text && pageSource(text);
    },
    section(id, name) {
      const text = finding(id, name);
      return text && sectionSource(name, text);
    },
    docsUrl: (id, name) => finding(id, name) && `${DOCS_URL}#/${folder}checks/${id}?id=${name}`,
    ids: () => Object.keys(pages).filter((id) => id !== COMMON && id !== CUSTOM),
  };
}

/** A page as it is written, but for how its lines are wrapped. */
function pageSource({ title, expected, more, degraded, codes }: Page): string {
  const action = degraded && `## degraded\n\n${degraded}`;
  const sections = Object.entries(codes).map(([code, text]) => sectionSource(code, text));
  return `${source([`# ${title}`, expected, more, action, ...sections])}\n`;
}

function sectionSource(code: string, { problem, fix, hosts, more }: FindingText): string {
  return source([`## ${code}`, problem, fix, hosts && hostList(hosts), more]);
}

function source(blocks: readonly (string | undefined)[]): string {
  return blocks.filter((block) => block !== undefined).join('\n\n');
}

/** An item of a fix: the name of a kind of host or engine, and what to do there. */
type Item = readonly [name: string, text: string];

/** The items for kinds of hosts, as the pages of texts have them. */
export function hostList(hosts: Readonly<Record<string, string>>, language: Language = 'en'): string {
  const items = Object.entries(hosts).map(([name, text]): Item => [`**${name}**`, text]);
  return items.map((item) => `- ${itemText(item, language)}`).join('\n');
}

/** A fix and its items, a line each. */
function withItems(fix: string, items: readonly Item[], language: Language): string {
  return [fix, ...items.map((item) => `- ${itemText(item, language)}`)].join('\n');
}

function itemText([name, text]: Item, language: Language): string {
  return `${name}${language === 'fr' ? '\u00a0' : ''}: ${text}`;
}

/** The names of items that are translated, in the order of `LANGUAGES`. */
const TRANSLATED_NAMES: readonly (readonly string[])[] = [
  ['S3 and CloudFront', 'S3 și CloudFront', 'S3 et CloudFront'],
  ['Other hosts', 'Alte gazde', 'Autres hébergeurs'],
  ['Other engines', 'Alte motoare', 'Autres moteurs'],
];

/** The English name of an item for a kind of host or an engine. */
export function englishName(name: string): string {
  return TRANSLATED_NAMES.find((names) => names.includes(name))?.[0] ?? name;
}

/** What a run knows of the host that serves a site. */
export interface KnownHost {
  /** The product that was detected. */
  readonly host?: HostProduct | undefined;
  /** The kind that the user configured. */
  readonly kind?: HostKind | null | undefined;
  /** The engine's name, as in the fixes. */
  readonly engine?: string | undefined;
}

/** What a report knows of them. */
export function knownHost(site: ReportedSite | undefined): KnownHost {
  return { host: site?.host, engine: site?.engine?.name };
}

/** The same texts for a site on a known host, with a known engine: of the items of a fix only those about these. */
export function withHost(texts: Texts, known: KnownHost): Texts {
  return {
    ...texts,
    finding(id, code) {
      const text = texts.finding(id, code);
      return text?.hosts === undefined
        ? text
        : { ...text, fix: fixFor(known, text.fix, Object.entries(text.hosts), texts.language) };
    },
  };
}

function fixFor({ host, kind = null, engine }: KnownHost, fix: string, items: readonly Item[], language: Language) {
  const isOfEngines = items.some(([name]) => isEngine(name));
  const rest = items.filter(([name]) => englishName(name) === (isOfEngines ? 'Other engines' : 'Other hosts'));
  const names: readonly string[] = isOfEngines ? [engine ?? []].flat() : productsOf(host, kind);
  // A site of an unknown engine is none of those that are recognised.
  if (names.length === 0 && !(isOfEngines && rest.length > 0)) return fix;
  const named = items.filter(([name]) => names.includes(englishName(name)));
  const [paragraph = ''] = fix.split('\n', 1);
  if (named.length > 1) return withItems(paragraph, named, language);
  if (named.length === 1) return `${paragraph} ${named.map((item) => itemText(item, language)).join('')}`;
  if (rest.length > 0) return `${paragraph} ${rest.map(([, text]) => text).join(' ')}`;
  return isOfEngines ? paragraph : fix;
}

const isEngine = (name: string): boolean => Object.values<string>(ENGINE_NAMES).includes(name);

/** The products whose items a report prints; none: all of them. What was detected is more precise than the configured kind. */
function productsOf(host: HostProduct | undefined, kind: HostKind | null): readonly HostProduct[] {
  if (host !== undefined) return [host];
  return kind === null ? [] : HOST_PRODUCTS_OF[kind];
}

/**
 * The same texts with checks of the user's own on top: the title is the user's, and so is the fix of every finding
 * where the user wrote one; the rest is that of the page for such checks.
 */
export function withCustomChecks(texts: Texts, own: readonly CustomText[]): Texts {
  const byId = new Map(own.map((entry) => [entry.id, entry]));
  const pageOf = (id: string): string => (byId.has(id) ? CUSTOM : id);
  const finding = (id: string, code: string): FindingText | undefined => {
    const base = texts.finding(pageOf(id), code);
    const fix = byId.get(id)?.fix;
    return base && fix !== undefined ? { problem: base.problem, fix } : base;
  };
  return {
    language: texts.language,
    check(id) {
      const entry = byId.get(id);
      const base = texts.check(pageOf(id));
      if (!entry || !base) return base;
      const degraded = entry.fix ?? base.degraded;
      return { ...base, title: entry.title, ...(degraded === undefined ? {} : { degraded }) };
    },
    finding,
    page(id) {
      const { title } = byId.get(id) ?? {};
      const base = texts.page(pageOf(id));
      return title === undefined ? base : base?.replace(/^# .*$/m, () => `# ${title}`);
    },
    section(id, code) {
      if (byId.get(id)?.fix === undefined) return texts.section(pageOf(id), code);
      const text = finding(id, code);
      return text && sectionSource(code, text);
    },
    docsUrl: (id, code) => texts.docsUrl(pageOf(id), code),
    ids: () => [...texts.ids(), ...byId.keys()],
  };
}

/** What may say which language is wanted. */
export interface LanguageWishes {
  /** `--lang`. */
  readonly flag?: Language | undefined;
  /** `language` of docvitals.yaml. */
  readonly config?: Language | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The language of a run: the command line, then the configuration, then the locale of the environment, then English.
 * Of `LC_ALL`, `LC_MESSAGES` and `LANG` the first that is set and not empty decides alone (POSIX.1-2024, XBD 8.2),
 * so `LC_ALL=C` is English whatever `LANG` says.
 */
export function pickLanguage({ flag, config, env }: LanguageWishes): Language {
  return flag ?? config ?? languageIn(env) ?? 'en';
}

/**
 * The language of whoever runs the command, from the environment, as a locale such as `ro_RO.UTF-8`, `fr-FR` or
 * `fr_FR@euro`; `undefined` if there are no texts in it.
 */
export function languageIn(env: LanguageWishes['env']): Language | undefined {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  const primary = locale.split(/[-_.@]/, 1)[0]?.toLowerCase();
  return LANGUAGES.find((language) => language === primary);
}
