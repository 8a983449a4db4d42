/** The languages of the interface, and which of them a user wishes. */

export const LANGUAGES = ['en', 'ro', 'fr'] as const;
/** A language of the texts. */
export type Language = (typeof LANGUAGES)[number];

export interface LanguageWishes {
  readonly flag?: Language | undefined;
  readonly config?: Language | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Flag, configuration, environment, English. */
export function pickLanguage({ flag, config, env }: LanguageWishes): Language {
  return flag ?? config ?? languageIn(env) ?? 'en';
}

/** The first of these that is not empty decides alone (POSIX.1-2024, XBD 8.2), so `LC_ALL=C` is English. */
export function languageIn(env: LanguageWishes['env']): Language | undefined {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  const primary = locale.split(/[-_.@]/, 1)[0]?.toLowerCase();
  return LANGUAGES.find((language) => language === primary);
}
