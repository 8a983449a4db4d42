/** How a site stands, as a sign beside a word. */
import type { Verdict } from '../../../check.ts';
import { markup, type Markup } from '../../../report/html/markup.ts';
import { iconOf } from '../../../report/html/icons.ts';
import type { SiteRow } from '../data.ts';
import { KIND_TONE, type Kind } from '../../site-state.ts';
import type { PageContext } from '../page-context.ts';
import { htmlWords } from '../../../generated/locales/html.ts';

/** `Down`, as it begins a line. */
export function kindWord(kind: Kind, context: PageContext): string {
  return capital(smallKindWord(kind, context), context);
}

/** Kinds that no single run can come to: reports have no words for them. */
const isOwn = (kind: Kind): kind is Exclude<Kind, Verdict> =>
  kind === 'new' || kind === 'maintenance' || kind === 'unstable';

/** `down` */
export function smallKindWord(kind: Kind, { words, messages }: PageContext): string {
  return isOwn(kind) ? words.kinds[kind] : messages.verdicts[kind];
}

export function capital(word: string, { language }: PageContext): string {
  return word.charAt(0).toLocaleUpperCase(language) + word.slice(1);
}

/** The sign and the word. */
export function kindTag(kind: Kind, context: PageContext): Markup {
  const tone = KIND_TONE[kind];
  return markup`<span class="kind ${tone}">${iconOf(tone)} <span class="word">${kindWord(kind, context)}</span></span>`;
}

/** What a kind means to those who use the site. */
export function meaningOf(kind: Kind, { words, language }: PageContext): string {
  return isOwn(kind) ? words.meanings[kind] : htmlWords(language).meanings[kind];
}

/** What has to be said beside the word: that nothing is heard, that a failure is being confirmed. */
export function statusNote({ status }: SiteRow, context: PageContext): string | null {
  const { words, messages, times } = context;
  const { isSilent, isSuspected, at, last } = status;
  if (isSilent && at !== null && last !== null) return words.silent(times.instant(at), messages.verdicts[last]);
  return isSuspected ? words.suspected : null;
}
