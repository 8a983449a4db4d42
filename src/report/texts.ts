/** The words of checks and findings, in Markdown: written in `checks/<id>/<language>.md`, packed by the build. */

import { readFileSync } from 'node:fs';
import type { ReportedSite } from '../core/check.ts';
import { ENGINE_NAMES } from '../engines/engine.ts';
import { HOST_PRODUCTS_OF, type HostKind, type HostProduct } from '../site/host-product.ts';
import type { Language } from '../locales/language.ts';
import { HOMEPAGE } from '../core/version.ts';

/** The texts of a rule. */
export interface FindingText {
  /** What was found, at most three sentences, on one line. */
  readonly problem: string;
  /** A line, and one more for each kind of host where they differ. */
  readonly fix: string;
  /** What to do on each kind of host or in each engine, by its name. Also part of `fix`. */
  readonly hosts?: Readonly<Record<string, string>>;
  /** The Markdown source of the rest of the rule's section. */
  readonly more?: string;
}

/** The texts of a check. */
export interface CheckText {
  readonly title: string;
  readonly expected: string;
  /** The Markdown source between that and the first section. */
  readonly more?: string;
  /** The documented action when the check fails or warns; absent only for pages without a check. */
  readonly degraded?: string;
}

/** One packed page: a check's texts and those of its own rules, in the order of the page. */
export interface Page extends CheckText {
  /** `fix` is the paragraph alone, without `hosts`. */
  readonly rules: Readonly<Record<string, FindingText>>;
}

/** All texts of one language. */
export type Texts = ReturnType<typeof textsOf>;

/** The texts of a check of the user's own, in the language of the run. */
export interface CustomText {
  readonly id: string;
  readonly title: string;
  readonly fix?: string;
}

/** The page of rules that all checks share, and the page behind the checks of the user's own. */
const COMMON = 'common';
const CUSTOM = 'own';

type Pages = Readonly<Record<string, Page>>;

/** The packed pages, which the build puts into a bundle that has no files beside it. */
declare const DOCVITALS_TEXTS: Readonly<Record<Language, string>> | undefined;

/** Reads the file at once, while there are descriptors. Rejects when the build has not written it. */
export async function loadTexts(language: Language): Promise<Texts> {
  // From the sources, or from a bundle in `dist`.
  const folder = import.meta.url.endsWith('/src/report/texts.ts') ? '../../dist/texts/' : './texts/';
  const text =
    typeof DOCVITALS_TEXTS === 'object'
      ? DOCVITALS_TEXTS[language]
      : readFileSync(new URL(`${folder}${language}.json`, import.meta.url), 'utf8');
  return textsOf(language, JSON.parse(text) as Pages);
}

export function textsOf(language: Language, pages: Pages, own: readonly CustomText[] = []) {
  const folder = language === 'en' ? '' : `${language}/`;
  const custom = new Map(own.map((entry) => [entry.id, entry]));
  const pageOf = (id: string): string => (custom.has(id) ? CUSTOM : id);
  const page = (id: string) => {
    const found = Object.hasOwn(pages, pageOf(id)) ? pages[pageOf(id)] : undefined;
    return found && { ...found, title: custom.get(id)?.title ?? found.title };
  };
  const ruleText = (id: string, name: string) => {
    const rules = page(id)?.rules;
    return rules && Object.hasOwn(rules, name) ? rules[name] : undefined;
  };
  const finding = (id: string, name: string): FindingText | undefined => {
    const text = page(id) && (ruleText(id, name) ?? ruleText(COMMON, name));
    const fix = custom.get(id)?.fix;
    return text && fix !== undefined ? { problem: text.problem, fix } : text;
  };
  const titleOf = (id: string): string => page(id)?.title ?? id;
  return {
    language,
    pages,
    /** `common` and `own` are pages too. */
    check(id: string): CheckText | undefined {
      const text = page(id);
      const degraded = custom.get(id)?.fix ?? text?.degraded;
      return text && { ...text, ...(degraded === undefined ? {} : { degraded }) };
    },
    /** The check's own text, else the one that all checks share. */
    finding(id: string, name: string): FindingText | undefined {
      const text = finding(id, name);
      return text && { ...text, fix: withItems(text.fix, Object.entries(text.hosts ?? {}), language) };
    },
    /** Whether the text of a rule is the check's own, not the one that all checks share. */
    isOwn: (id: string, name: string) => ruleText(id, name) !== undefined,
    /** The title of a check, and the problem of a rule; without texts of them, the id and the rule. */
    title: titleOf,
    /** `Home page (home)`: for lists of checks, whose ids are what commands take. */
    titled: (id: string) => (titleOf(id) === id ? id : `${titleOf(id)} (${id})`),
    problem: (id: string, name: string) => finding(id, name)?.problem ?? name,
    /** The Markdown source of a check's whole page. */
    page(id: string) {
      const text = page(id);
      return text && pageSource(text, language);
    },
    /** The Markdown source of a rule's section. */
    section(id: string, name: string) {
      const text = finding(id, name);
      return text && sectionSource(name, text);
    },
    /** Where the documentation site explains a rule, in this language; `undefined` where `finding` is. */
    docsUrl(id: string, name: string) {
      const of = ruleText(id, name) === undefined ? COMMON : pageOf(id);
      return finding(id, name) && `${HOMEPAGE}#/${folder}checks/${of}?id=${name}`;
    },
    /** Without `common` and `own`. */
    ids: () => [...Object.keys(pages).filter((id) => id !== COMMON && id !== CUSTOM), ...custom.keys()],
  };
}

const IF_IT_FAILS: Readonly<Record<Language, string>> = {
  en: 'If this check fails',
  ro: 'Dacă verificarea eșuează',
  fr: 'Si ce contrôle échoue',
};

function pageSource({ title, expected, more, degraded, rules }: Page, language: Language): string {
  const action = degraded && `## ${IF_IT_FAILS[language]}\n\n${degraded}`;
  const sections = Object.entries(rules).map(([rule, text]) => sectionSource(rule, text));
  return `${blocks([`# ${title}`, expected, more, action, ...sections])}\n`;
}

function sectionSource(rule: string, { problem, fix, hosts, more }: FindingText): string {
  return blocks([`## ${rule}`, problem, fix, hosts && hostList(hosts), more]);
}

/** Markdown of the blocks that are not empty. */
export function blocks(some: readonly (string | undefined)[]): string {
  return some.filter((block) => block !== undefined && block !== '').join('\n\n');
}

/** Names such as `docvitals` may begin the next. */
export const firstSentence = (text: string): string => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;

/** An item of a fix: the name of a kind of host or engine, and what to do there. */
type Item = readonly [name: string, text: string];

export function hostList(hosts: Readonly<Record<string, string>>, language: Language = 'en'): string {
  const items = Object.entries(hosts).map(([name, text]): Item => [`**${name}**`, text]);
  return items.map((item) => `- ${itemText(item, language)}`).join('\n');
}

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

export function englishName(name: string): string {
  return TRANSLATED_NAMES.find((names) => names.includes(name))?.[0] ?? name;
}

/** `kind`: of the host, as the user configured it. */
interface KnownHost extends Partial<Pick<ReportedSite, 'host' | 'engine'>> {
  readonly kind?: HostKind | null | undefined;
}

/** The same texts with fixes for a known host and engine only. */
export function withHost(texts: Texts, known: KnownHost): Texts {
  return {
    ...texts,
    finding(id, name) {
      const text = texts.finding(id, name);
      return text?.hosts === undefined
        ? text
        : { ...text, fix: fixFor(known, text.fix, Object.entries(text.hosts), texts.language) };
    },
  };
}

function fixFor({ host, kind = null, engine }: KnownHost, fix: string, items: readonly Item[], language: Language) {
  const isOfEngines = items.some(([name]) => isEngine(name));
  const rest = items.filter(([name]) => englishName(name) === (isOfEngines ? 'Other engines' : 'Other hosts'));
  const names: readonly string[] = isOfEngines ? [engine?.name ?? []].flat() : productsOf(host, kind);
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

/** None: all of them. A detected host is more precise than the configured kind. */
function productsOf(host: HostProduct | undefined, kind: HostKind | null): readonly HostProduct[] {
  if (host !== undefined) return [host];
  return kind === null ? [] : HOST_PRODUCTS_OF[kind];
}
