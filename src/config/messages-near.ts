import type { Language } from '../texts.ts';

const asked = (question: string, name: string | undefined, end = '?'): string =>
  name === undefined ? '' : ` (${question} \`${name}\`${end})`;

/** What follows a name that is not known, where another one is near. */
export const near = {
  en: (name) => asked('did you mean', name),
  ro: (name) => asked('ați vrut să scrieți', name),
  fr: (name) => asked('vouliez-vous dire', name, '\u00a0?'),
} as const satisfies Record<Language, (name: string | undefined) => string>;
