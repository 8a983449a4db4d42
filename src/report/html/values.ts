/** Evidence as a definition list: each field with its label, its value in the language of the page. */
import type { Evidence, EvidenceValue } from '../../check.ts';
import { printable } from '../../printable.ts';
import { beginningOf, shortJson } from '../cut.ts';
import { capitalised, isFlatList, isList, labelOf, wordsFor } from '../facts.ts';
import type { HtmlContext } from './context.ts';
import { linkTo, markup, NOTHING, type Markup } from './markup.ts';

const LONGEST_TEXT = 600;
const MOST_MEMBERS = 32;
/** Of HTML, in one list of facts. */
const MOST_CHARACTERS = 20_000;
const MOST_ITEMS = 24;
/** A fact with more characters has a line of its own. */
const LONGEST_SHORT = 48;

/** Evidence; empty if none. */
export function factsOf(evidence: Evidence, context: HtmlContext): Markup {
  const members = membersIn(evidence);
  if (members.length === 0) return NOTHING;
  const [short, long]: [Markup[], Markup[]] = [[], []];
  let room = MOST_CHARACTERS;
  for (const [field, value] of members.slice(0, MOST_MEMBERS)) {
    const name = capitalised(labelIn(field, context));
    const shown = valueOf(field, value, context, 0);
    room -= name.length + shown.html.length;
    if (room < 0) continue;
    const start = beginningOf(`${name}${shortJson(value, 2 * LONGEST_SHORT)}`, 2 * LONGEST_SHORT).text;
    const isLong = printable(start).length > LONGEST_SHORT;
    const row = markup`<div${isLong && markup` class="long"`}><dt>${name}</dt><dd>${shown}</dd></div>`;
    (isLong ? long : short).push(row);
  }
  const left = members.length - short.length - long.length;
  const more = left > 0 && markup`<div class="long"><dt>…</dt><dd>${context.words.cut(left)}</dd></div>`;
  return markup`<dl class="facts">${short}${long}${more}</dl>`;
}

/** The fields that have a value. */
function membersIn(evidence: Evidence): readonly (readonly [string, EvidenceValue])[] {
  return Object.entries(evidence).filter(([, value]) => value !== null && value !== undefined);
}

const labelIn = (field: string, { texts }: HtmlContext): string => beginningOf(labelOf(field, texts.language), 80).text;

function valueOf(field: string, value: EvidenceValue, context: HtmlContext, depth: number): Markup {
  if (value === null) return markup`null`;
  if (typeof value !== 'object') {
    const words = wordsFor(field, value, context.texts.language);
    if (words !== null) return markup`<span class="words">${words}</span>`;
    return typeof value === 'string' ? textOf(value, context) : markup`${String(value)}`;
  }
  if (depth > 1 && !isFlatList(value)) return textOf(shortJson(value, LONGEST_TEXT - 20), context);
  return isList(value) ? listOf(field, value, context, depth) : membersOf(value, context, depth);
}

/** Words on one line, anything else on a line each. */
function listOf(field: string, list: readonly EvidenceValue[], context: HtmlContext, depth: number): Markup {
  if (list.length === 0) return markup`[]`;
  const shown = list.slice(0, MOST_ITEMS).map((item) => valueOf(field, item, context, depth + 1));
  const more = list.length - shown.length;
  const rest = more > 0 && context.words.cut(more);
  if (!isFlatList(list)) {
    return markup`<ol class="entries">${shown.map((item) => markup`<li>${item}</li>`)}</ol>${rest}`;
  }
  const joined = shown.map((item, index) => (index === 0 ? item : markup`, ${item}`));
  return markup`${joined}${rest && ` ${rest}`}`;
}

function membersOf(value: Evidence, context: HtmlContext, depth: number): Markup {
  const members = membersIn(value);
  const shown = members.slice(0, MOST_MEMBERS).map(([field, member]) => {
    return markup`<span class="pair"><i>${labelIn(field, context)}</i> ${valueOf(field, member, context, depth + 1)}</span> `;
  });
  return markup`${shown}${members.length > shown.length && context.words.cut(members.length - shown.length)}`;
}

/** A text from elsewhere, which may be written from right to left without affecting what is around it. */
function textOf(text: string, { report, words }: HtmlContext): Markup {
  if (text === '') return markup`""`;
  const { text: shown, more } = beginningOf(text, LONGEST_TEXT);
  const label = markup`<bdi>${shown}</bdi>`;
  return markup`${linkTo(text, report.site.url, label, 'plain')}${more > 0 && markup` <i>${words.cut(more)}</i>`}`;
}
