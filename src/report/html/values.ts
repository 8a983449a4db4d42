/** Evidence as a definition list: each field with its label, its value in the language of the page. */
import type { Evidence, EvidenceValue } from '../../check.ts';
import { printable } from '../../printable.ts';
import { beginningOf, shortJson } from '../cut.ts';
import { capitalised, labelOf, wordsFor } from '../facts.ts';
import { linkTo } from './links.ts';
import { markup, NOTHING, type Markup } from './markup.ts';
import type { HtmlContext } from './context.ts';

const LONGEST_TEXT = 600;
const MOST_MEMBERS = 32;
/** Of HTML, in one list of facts. */
const MOST_CHARACTERS = 20_000;
const MOST_ITEMS = 24;
/** A fact with more characters has a line of its own. */
const LONGEST_SHORT = 48;

/** One fact: what stands in `dt` and in `dd`. */
interface Fact {
  readonly name: string;
  readonly value: Markup;
  readonly isLong: boolean;
}

/** Evidence; nothing where there is none. */
export function factsOf(evidence: Evidence, context: HtmlContext): Markup {
  const members = membersIn(evidence);
  if (members.length === 0) return NOTHING;
  const shown: Fact[] = [];
  let room = MOST_CHARACTERS;
  for (const [name, value] of members.slice(0, MOST_MEMBERS)) {
    const fact = factOf(name, value, context);
    room -= fact.name.length + fact.value.html.length;
    if (room >= 0) shown.push(fact);
  }
  const rows = [...shown.filter(({ isLong }) => !isLong), ...shown.filter(({ isLong }) => isLong)];
  return markup`<dl class="facts">${rows.map(rowOf)}${moreRow(members.length - shown.length, context)}</dl>`;
}

function rowOf({ name, value, isLong }: Fact): Markup {
  return markup`<div${isLong ? markup` class="long"` : null}><dt>${name}</dt><dd>${value}</dd></div>`;
}

function moreRow(count: number, { words }: HtmlContext): Markup {
  return count > 0 ? markup`<div class="long"><dt>…</dt><dd>${words.cut(count)}</dd></div>` : NOTHING;
}

/** The fields that have a value. */
function membersIn(evidence: Evidence): readonly (readonly [string, EvidenceValue])[] {
  return Object.entries(evidence).filter(([, value]) => value !== null && value !== undefined);
}

function factOf(name: string, value: EvidenceValue, context: HtmlContext): Fact {
  const label = capitalised(shownLabel(name, context));
  const start = beginningOf(`${label}${shortJson(value, 2 * LONGEST_SHORT)}`, 2 * LONGEST_SHORT).text;
  const isLong = printable(start).length > LONGEST_SHORT;
  return { name: label, value: valueOf(name, value, context, 0), isLong };
}

const shownLabel = (name: string, { texts }: HtmlContext): string =>
  beginningOf(labelOf(name, texts.language), 80).text;

function valueOf(name: string, value: EvidenceValue, context: HtmlContext, depth: number): Markup {
  if (value === null) return markup`null`;
  if (typeof value !== 'object') {
    const words = wordsFor(name, value, context.texts.language);
    if (words !== null) return markup`<span class="words">${words}</span>`;
    return typeof value === 'string' ? textOf(value, context) : markup`${String(value)}`;
  }
  // Words in a list are reported wherever they lie.
  const isPlain = isList(value) && value.every((item) => typeof item !== 'object' || item === null);
  if (depth > 1 && !isPlain) return textOf(shortJson(value, LONGEST_TEXT - 20), context);
  return isList(value) ? listOf(name, value, context, depth) : membersOf(value, context, depth);
}

const isList = (value: EvidenceValue): value is readonly EvidenceValue[] => Array.isArray(value);

/** Short words behind one another, anything else below one another. */
function listOf(name: string, list: readonly EvidenceValue[], context: HtmlContext, depth: number): Markup {
  if (list.length === 0) return markup`[]`;
  const shown = list.slice(0, MOST_ITEMS).map((item) => valueOf(name, item, context, depth + 1));
  const more = list.length - shown.length;
  const rest = more > 0 ? context.words.cut(more) : null;
  if (list.some((item) => typeof item === 'object' && item !== null)) {
    return markup`<ol class="entries">${shown.map((item) => markup`<li>${item}</li>`)}</ol>${rest}`;
  }
  const joined = shown.map((item, index) => (index === 0 ? item : markup`, ${item}`));
  return markup`${joined}${rest === null ? null : markup` ${rest}`}`;
}

function membersOf(value: Evidence, context: HtmlContext, depth: number): Markup {
  const members = membersIn(value);
  const shown = members.slice(0, MOST_MEMBERS).map(([name, member]) => {
    return markup`<span class="pair"><i>${shownLabel(name, context)}</i> ${valueOf(name, member, context, depth + 1)}</span> `;
  });
  return markup`${shown}${members.length > shown.length ? context.words.cut(members.length - shown.length) : null}`;
}

/** A text from elsewhere, which may be written from right to left without turning what stands around it. */
function textOf(text: string, { report, words }: HtmlContext): Markup {
  if (text === '') return markup`""`;
  const { text: shown, more } = beginningOf(text, LONGEST_TEXT);
  const label = markup`<bdi>${shown}</bdi>`;
  return markup`${linkTo(text, report.site.url, label, 'plain')}${more > 0 ? markup` <i>${words.cut(more)}</i>` : null}`;
}
