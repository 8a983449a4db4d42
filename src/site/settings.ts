import type { Answer, Json } from '../check.ts';
import { isHtmlDocument } from '../parse/html.ts';
import { parseJson, recoverJson } from '../parse/json.ts';
import { decodeUtf8 } from '../parse/text.ts';

/**
 * All of `config.json`, untrusted; empty if it is not a readable object. A file with a syntax error still has its members
 * where it can be read past the error, so that one missing comma does not send the other checks to the wrong files.
 */
export function readConfiguration(config: Answer): Readonly<Record<string, Json>> {
  if (config.kind !== 'reply' || config.status !== 200) return {};
  const decoded = decodeUtf8(config.body);
  if (!decoded.ok || isHtmlDocument(decoded.text)) return {};
  const parsed = parseJson(decoded.text);
  const isTooMuch = !parsed.ok && parsed.problem.code === 'parse-limit';
  const recovered = parsed.ok || isTooMuch ? undefined : recoverJson(decoded.text);
  const value = parsed.ok ? parsed.value : recovered;
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
  const path = filePath(value);
  if (path === null) return [];
  if (path.startsWith('/') && !path.startsWith('//')) {
    return distinct([resolved(`.${path}`, base), resolved(path, base)]);
  }
  return distinct([resolved(path, base) ?? resolved(`./${path}`, base)]);
}

/** The path that a setting means: hash route undone, anchor cut off, `index.md` added to a folder. */
function filePath(value: string): string | null {
  const route = value.trim().replace(/^#!?/, '');
  const path = route.replace(/#.*$/s, '');
  if (path === '') return null;
  return /(?:^|\/)$/.test(path) ? `${path}index.md` : path;
}

function resolved(path: string, base: URL): URL | null {
  const url = URL.parse(path, base.href);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : null;
}

function distinct(urls: readonly (URL | null)[]): readonly URL[] {
  const found = urls.filter((url) => url !== null);
  return found.filter((url, index) => found.findIndex(({ href }) => href === url.href) === index);
}

/** What a browser sends when it navigates; what `fetch` sends by default, as engines do (Fetch standard). */
export const ACCEPT = {
  navigate: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  fetch: '*/*',
} as const;

export const MOST_LOCALES = 100;
export const LONGEST_LOCALE = 200;

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

export function localeFolders({ locales }: Readonly<Record<string, Json>>): readonly string[] {
  if (!Array.isArray(locales)) return [];
  const folders = locales.slice(0, MOST_LOCALES).flatMap((locale: Json) => {
    if (typeof locale !== 'object' || locale === null || !Object.hasOwn(locale, 'prefix')) return [];
    const folder = localeFolder((locale as { readonly prefix?: Json }).prefix ?? null);
    return folder === null || folder === '' ? [] : [folder];
  });
  return [...new Set(folders)];
}
