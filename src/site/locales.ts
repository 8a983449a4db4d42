/** The folders of a site's languages, out of `locales` in `config.json`; untrusted. Pure. */
import type { Json } from '../answer.ts';

/** More languages than these are not read. */
export const MOST_LOCALES = 100;
/** Longest name of a folder or code, in UTF-16 code units. */
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

/** The folders of all languages that have one of their own, each once. */
export function localeFolders({ locales }: Readonly<Record<string, Json>>): readonly string[] {
  if (!Array.isArray(locales)) return [];
  const folders = locales.slice(0, MOST_LOCALES).flatMap((locale: Json) => {
    if (typeof locale !== 'object' || locale === null || !Object.hasOwn(locale, 'prefix')) return [];
    const folder = localeFolder((locale as { readonly prefix?: Json }).prefix ?? null);
    return folder === null || folder === '' ? [] : [folder];
  });
  return [...new Set(folders)];
}
