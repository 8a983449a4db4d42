/** The status of a site in words, and as a sign beside a word. */
import type { Verdict } from '../../check.ts';
import { capital, iconOf, type Tone } from '../../report/html/frame.ts';
import { markup, type Markup } from '../../report/html/markup.ts';
import { htmlWords } from '../../generated/locales/html.ts';
import { failingFrom } from '../locations.ts';
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
function kindWord(kind: Kind, context: PageContext): string {
  return capital(smallKindWord(kind, context), context.language);
}

/** The same of a site: `Degraded from Paris` where no other location sees a failure. */
export function statusWord(row: SiteRow, context: PageContext): string {
  if (!isDegradedFrom(row)) return kindWord(row.status.kind, context);
  const word = context.words.locations.degradedFrom(context.namesOf(failingFrom(row.state)));
  return capital(word, context.language);
}

/** Too few locations see it fail for an incident, and nothing else is known against it. */
const isDegradedFrom = ({ status, incident, state }: SiteRow): boolean =>
  status.kind === 'degraded' && incident === null && failingFrom(state).length > 0;

export function kindTag(row: SiteRow, context: PageContext): Markup {
  return toneTag(KIND_TONE[row.status.kind], statusWord(row, context));
}

export function toneTag(tone: Tone, word: string): Markup {
  return markup`<span class="kind ${tone}">${iconOf(tone)} <span class="word">${word}</span></span>`;
}

/** What a kind means to those who use the site. */
export function meaningOf(kind: Kind, { words, language }: PageContext): string {
  return isOwn(kind) ? words.meanings[kind] : htmlWords(language).meanings[kind];
}

/**
 * What is added to the word: that nothing is heard, that a failure is being confirmed, or that only some locations see one.
 */
export function statusNote(row: SiteRow, context: PageContext): string | null {
  const { words, messages, times } = context;
  const { isSilent, isSuspected, at, last } = row.status;
  if (isSilent && at !== null && last !== null) return words.silent(times.instant(at), messages.verdicts[last]);
  if (isSuspected) return words.suspected;
  // The word names them.
  return isDegradedFrom(row) ? null : failingNote(row, context);
}

export function failingNote({ state }: SiteRow, { words, namesOf }: PageContext): string | null {
  const from = failingFrom(state);
  return from.length === 0 ? null : words.locations.failsFrom(namesOf(from));
}

export function overallKind({ counts }: Pick<StatusData, 'counts'>): Kind {
  return worstOf([...counts.keys()]);
}

export function headlineOf({ rows, counts }: Pick<StatusData, 'rows' | 'counts'>, { words }: PageContext): string {
  const [first] = rows;
  if (first === undefined) return words.noSites;
  const kind = overallKind({ counts });
  const headline = words.headlines[kind];
  if (rows.length === 1) return headline.one(first.site.title);
  const count = counts.get(kind) ?? 0;
  return count === rows.length ? headline.all(count) : headline.some(count, rows.length);
}
