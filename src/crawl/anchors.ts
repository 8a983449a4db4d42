/**
 * The anchors of a page. Each engine makes the id of a heading from its text in its own way (GitHub, docsify, marked,
 * VertiWiki, MDwiki). What all have in common is compared here: the letters and digits, in order, and a separator where
 * the heading has a space. Pure.
 */
import type { MarkdownFacts } from '../parse/markdown.ts';
import { decoded } from '../parse/urls.ts';
import type { LinkedFrom, Target } from './frontier.ts';

type Anchored = Pick<MarkdownFacts, 'headings' | 'ids'>;

const LONGEST = 2000;

/**
 * Whether a page has the anchor of a link, which is given without its `#`, as written, percent-encoded or not. `top` and
 * the empty anchor are always there. Of equal headings each has its own: `setup`, `setup-1`, `setup-2`.
 */
export function anchorsOf(facts: Anchored): (anchor: string) => boolean {
  const exact = new Set([...facts.ids, ...facts.headings.map(({ slug }) => slug)].map(folded));
  let headings: Headings | undefined;
  return (anchor) => {
    // What follows `:~:` is for the browser, no part of the anchor (URL Fragment Text Directives).
    const [plain = ''] = anchor.split(':~:', 1);
    const wanted = decoded(plain).slice(0, LONGEST).trim().replace(/^#/, '');
    if (wanted === '' || wanted.toLowerCase() === 'top' || exact.has(folded(wanted))) return true;
    return isHeading((headings ??= readHeadings(facts)), wanted);
  };
}

type Headings = ReturnType<typeof readHeadings>;

function readHeadings({ headings, ids }: Anchored) {
  const known = new Map<string, { shapes: Set<string>; count: number }>();
  const note = (texts: readonly string[]): void => {
    const shapes = new Set(texts.flatMap((text) => [shapeOf(text), shapeOf(asciiOnly(text))]));
    for (const [key, alike] of Map.groupBy(shapes, lettersOf)) {
      const { shapes: before = [], count = 0 } = known.get(key) ?? {};
      known.set(key, { shapes: new Set([...before, ...alike]), count: count + 1 });
    }
  };
  for (const id of ids) note([id.replace(/[-_]/g, ' ')]);
  for (const { text, source = text, slug } of headings) {
    // Of a text that was cut off the slug has the rest.
    const whole = slug.length > text.length ? slug.replaceAll('-', ' ') : text;
    note([text, source, escaped(text), unnamedEmoji(text), withPlainBadges(text), whole]);
  }
  const nameless = headings.filter(({ text }) => !/[\da-z]/i.test(text)).map(({ depth }) => depth);
  return { known, nameless: new Set(nameless) };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };

/** Some engines make ids from HTML, where `&` is `&amp;`. */
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&${ENTITIES[sign]};`);

/** Without `:rocket:`, which becomes a picture where the engine knows it. */
const unnamedEmoji = (text: string): string => text.replace(/:[\w+-]+:/g, '');

const BADGE = /:badge\[([^\]]{1,200})\](?:\{type=[\w-]{1,100}\})?/g;

/** A text with VertiWiki's badges as readers see them: `Guide :badge[New]{type=success}` is `Guide New`. */
export const withPlainBadges = (text: string): string => (text.includes(':badge[') ? text.replace(BADGE, '$1') : text);

const asciiOnly = (text: string): string => text.replace(/[^\0-\x7f]+/g, '.');

const folded = (text: string): string => text.normalize('NFC').toLowerCase();

const lettersOf = (shape: string): string => shape.replace(/[ .]/g, '');

/**
 * The letters and digits of a text, folded and without accents; between two of them a space where the text has one, else
 * a dot where it has anything.
 */
function shapeOf(text: string): string {
  const bare = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return bare.replace(/[^\p{L}\p{N}]+/gu, (between) => (between.includes(' ') ? ' ' : '.')).replace(/^[ .]|[ .]$/g, '');
}

/** Whether an anchor is made from a heading: of one that is not the first of its name, with a number after it. */
function isHeading({ known, nameless }: Headings, anchor: string): boolean {
  const [, depth] = /^heading-([1-6])(?:-\d+)*$/i.exec(anchor) ?? [];
  if (depth !== undefined && nameless.has(Number(depth))) return true;
  let name = anchor;
  let largest = 0;
  for (let counters = 0; counters <= 4; counters++) {
    const shape = shapeOf(name);
    const same = known.get(lettersOf(shape));
    const enough = counters === 0 || largest <= (same?.count ?? 0);
    if (same !== undefined && enough && [...same.shapes].some((heading) => fits(heading, shape))) return true;
    const [counter, number = ''] = /[-_](\d{1,6})$/.exec(name) ?? [];
    if (counter === undefined) return false;
    name = name.slice(0, -counter.length);
    largest = Math.max(largest, Number(number), 2);
  }
  return false;
}

/** Whether an anchor of the same letters has something wherever the heading has a space, and nothing inside its words. */
function fits(heading: string, anchor: string): boolean {
  let at = 0;
  for (const character of heading) {
    const isGap = character === ' ' || character === '.';
    const gap = anchor[at] === ' ' || anchor[at] === '.';
    if (isGap && gap) at++;
    else if (character === ' ' || (!isGap && gap)) return false;
    else if (!isGap) at += character.length;
  }
  return at === anchor.length;
}

const MOST_ANCHORS = 5_000;
/** Another text instead of the page's own, or beside it: its headings do not count. */
const NOT_THE_TEXT: ReadonlySet<string> = new Set(['git-lfs-pointer', 'merge-conflict', 'redirected']);

/** Anchors that nothing in their page answers to; of pages that were read to the end. */
export function missingAnchors(targets: Iterable<Target>) {
  const missing: (LinkedFrom & { readonly path: string; readonly anchor: string })[] = [];
  for (const { path, anchors, ok, facts, findings } of targets) {
    if (anchors.size === 0 || !ok || facts?.whole !== true) continue;
    if (findings.some(({ rule }) => NOT_THE_TEXT.has(rule))) continue;
    const has = anchorsOf(facts);
    for (const [anchor, { locations, count }] of anchors) {
      if (missing.length === MOST_ANCHORS) return missing;
      if (!has(anchor)) missing.push({ path, anchor, locations, count });
    }
  }
  return missing;
}
