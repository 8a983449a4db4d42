import type { Answer, Json } from '../core/answer.ts';
import { textOf } from '../expect/text.ts';
import { isHtmlDocument } from '../parse/html.ts';
import { jsonValue, member, recoverJson } from '../parse/json.ts';

/**
 * All of `config.json`, untrusted; empty if it is not a readable object. A file with a syntax error still has its members
 * where it can be read past the error, so that one missing comma does not send the other checks to the wrong files.
 */
export const readConfiguration = (config: Answer): Readonly<Record<string, Json>> =>
  configurationOf(textOf(config) ?? '');

export function configurationOf(text: string): Readonly<Record<string, Json>> {
  if (isHtmlDocument(text)) return {};
  const parsed = jsonValue(text);
  if (!parsed.ok && parsed.excess !== null) return {};
  const value = parsed.ok ? parsed.value : recoverJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return value as Readonly<Record<string, Json>>;
}

/**
 * The URLs that a path of the configuration may mean, the most likely first. Understands every form people write:
 * `index.md`, `./index.md`, `/index.md`, `docs/`, `#/index.md`, `#!index.md`, with an anchor or without.
 * A leading slash means the site's base, then the origin. What is not a web address (`C:\\home.md`, `javascript:…`) is
 * taken for a file's name, which will not be there.
 */
export function candidates(value: string, base: URL): readonly URL[] {
  const route = value.trim().replace(/^#!?/, '').replace(/#.*$/s, '');
  if (route === '') return [];
  const path = route.endsWith('/') ? `${route}index.md` : route;
  const isRooted = /^\/(?!\/)/.test(path);
  const urls = (isRooted ? [`.${path}`, path] : [path]).flatMap(
    (one) => webUrl(one, base) ?? webUrl(`./${one}`, base) ?? [],
  );
  return [...new Map(urls.map((url) => [url.href, url])).values()];
}

function webUrl(path: string, base: URL): URL | null {
  const url = URL.parse(path, base.href);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : null;
}

/** What a browser sends when it navigates; what `fetch` sends by default, as engines do (Fetch standard). */
export const ACCEPT = {
  navigate: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  fetch: '*/*',
} as const;

const MOST_LOCALES = 100;
const LONGEST_LOCALE = 200;

/**
 * The folder below the base that a `prefix` names, without slashes around: `ro`, `/ro/`, `./ro/` and `#/ro` all mean the
 * same; nothing means the base, the empty text. `null`: no folder of the site.
 */
export function localeFolder(prefix: Json): string | null {
  if (prefix === null) return '';
  if (typeof prefix !== 'string' || prefix.length > LONGEST_LOCALE) return null;
  const path = prefix.trim().replaceAll(/^(?:#?!?\/|\.\/)+|\/+$/g, '');
  if (path === '' || path === '.') return '';
  return /[\\:?#]|(?:^|\/)\.{0,2}(?:\/|$)/.test(path) ? null : path;
}

/** The folders of the languages that have one. */
export function localeFolders({ locales }: Readonly<Record<string, Json>>): readonly string[] {
  return [...new Set(localesOf(locales).flatMap(({ prefix }) => prefix || []))];
}

/**
 * The languages that a configuration lists: a list of codes or a map is not the setting that engines read. `code` and
 * `prefix` are `null` where they are not usable.
 */
export function localesOf(value: Json | undefined) {
  const locales: readonly Json[] = Array.isArray(value) ? value.slice(0, MOST_LOCALES) : [];
  return locales.flatMap((locale) => {
    if (typeof locale !== 'object' || locale === null || Array.isArray(locale)) return [];
    const [code, written = null] = [member(locale, 'code'), member(locale, 'prefix')];
    const trimmed = typeof code === 'string' ? code.trim().slice(0, LONGEST_LOCALE) : '';
    const isDefault = member(locale, 'isDefault') === true;
    return [{ code: trimmed === '' ? null : trimmed, prefix: localeFolder(written), written, isDefault }];
  });
}
