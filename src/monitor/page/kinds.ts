/** The status of a site in words, and as a sign beside a word. */
import type { Verdict } from '../../check.ts';
import { capital } from '../../report/html/frame.ts';
import { iconOf } from '../../report/html/icons.ts';
import { markup, type Markup } from '../../report/html/markup.ts';
import { htmlWords } from '../../generated/locales/html.ts';
import { KIND_TONE, worstOf, type Kind } from '../site-state.ts';
import type { PageContext } from './context.ts';
import type { SiteRow, StatusData } from './data.ts';

/** Kinds that are no verdict: reports have no words for them. */
const isOwn = (kind: Kind): kind is Exclude<Kind, Verdict> =>
  kind === 'new' || kind === 'maintenance' || kind === 'unstable';

/** `down` */
export function smallKindWord(kind: Kind, { words, messages }: PageContext): string {
  return isOwn(kind) ? words.kinds[kind] : messages.verdicts[kind];
}

/** `Down`, as it begins a line. */
export function kindWord(kind: Kind, context: PageContext): string {
  return capital(smallKindWord(kind, context), context.language);
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

/** What is added to the word: that nothing is heard, or that a failure is being confirmed. */
export function statusNote({ status }: SiteRow, { words, messages, times }: PageContext): string | null {
  const { isSilent, isSuspected, at, last } = status;
  if (isSilent && at !== null && last !== null) return words.silent(times.instant(at), messages.verdicts[last]);
  return isSuspected ? words.suspected : null;
}

/** The worst of several sites; `new` without sites. */
export function overallKind({ counts }: Pick<StatusData, 'counts'>): Kind {
  return worstOf([...counts.keys()]);
}

/** All sites in one sentence. */
export function headlineOf({ rows, counts }: Pick<StatusData, 'rows' | 'counts'>, { words }: PageContext): string {
  const [first] = rows;
  if (first === undefined) return words.noSites;
  const kind = overallKind({ counts });
  const headline = words.headlines[kind];
  if (rows.length === 1) return headline.one(first.site.title);
  const count = counts.get(kind) ?? 0;
  return count === rows.length ? headline.all(count) : headline.some(count, rows.length);
}
