/** What a text of one block holds besides text: code, HTML, links and images (CommonMark, chapter 6). */
import { runEnd } from './characters.ts';
import { decoded } from './decode.ts';
import { normalLabel } from './definitions.ts';
import { type Patience, readRun, resolveRuns, type Run } from './emphasis.ts';
import { tagEnd } from './html.ts';
import { labelEnd, readResource } from './links.ts';
import { notOrdinary } from './not-ordinary.ts';

/** What a link leads to: a URL, or what the label in the parser's normal form defines. */
export type Target = { readonly url: string } | { readonly label: string };

/** A part of the text that is not just text, in the order of their beginnings. */
export type Span =
  | { readonly type: 'code' | 'html'; readonly start: number; readonly end: number }
  | { readonly type: 'autolink'; readonly start: number; readonly end: number; readonly target: Target }
  | Run
  | Bracket
  | { readonly type: 'link-end'; readonly start: number; readonly end: number };

/** An opening bracket, and what it turned out to begin. */
export interface Bracket {
  type: 'bracket' | 'link' | 'image';
  readonly isImage: boolean;
  readonly start: number;
  /** Where its text begins; of an image: where all of it ends. */
  end: number;
  /** Where all of a link ends; of an image: where its text does. */
  until: number;
  target: Target;
  /** What an image has in its text. */
  inner: readonly Span[];
}

/** What is known of the whole text. */
export interface Known {
  /** Labels that are defined, in the parser's normal form. */
  readonly labels: ReadonlySet<string>;
  readonly patience: Patience;
}

const NOTHING: Target = { url: '' };
/** What may begin or end something. */
const MARKS = /[\\`<[\]]/g;
const MARKS_AND_RUNS = /[\\`<[\]*_]/g;

/** The spans of a text, those that emphasis needs only where `withRuns`. */
export function readSpans(text: string, known: Known, withRuns: boolean): Span[] {
  return new SpanReader(text, known, withRuns).read();
}

class SpanReader {
  readonly #text: string;
  readonly #known: Known;
  readonly #withRuns: boolean;
  readonly #spans: Span[] = [];
  /** Those whose emphasis is not found yet. */
  readonly #runs: Run[] = [];
  readonly #open: Bracket[] = [];
  /** How many of them a link has begun after: they begin no links, because there are no links in links. */
  #inactive = 0;
  /** Where the last backticks stand, by how many there are in a row. */
  #fences: ReadonlyMap<number, number> | undefined;

  constructor(text: string, known: Known, withRuns: boolean) {
    this.#text = text;
    this.#known = known;
    this.#withRuns = withRuns;
  }

  read(): Span[] {
    const marks = this.#withRuns ? MARKS_AND_RUNS : MARKS;
    let at = 0;
    for (;;) {
      marks.lastIndex = at;
      const found = marks.exec(this.#text);
      if (found === null) break;
      at = this.#readMark(found[0], found.index, at);
    }
    this.#resolve(0);
    return this.#spans;
  }

  /** Reads what begins at a mark; gives where to go on. `from`: what comes before that is something else's. */
  #readMark(mark: string, at: number, from: number): number {
    if (mark === '\\') return /[!-/:-@[-`{-~]/.test(this.#text.charAt(at + 1)) ? at + 2 : at + 1;
    if (mark === '`') return this.#readCode(at);
    if (mark === '<') return this.#readAngle(at);
    if (mark === '[') return this.#openBracket(at, from);
    if (mark === ']') return this.#closeBracket(at);
    const run = readRun(this.#text, at);
    this.#spans.push(run);
    this.#runs.push(run);
    return run.end;
  }

  #readCode(start: number): number {
    const length = runEnd(this.#text, start) - start;
    this.#fences ??= lastFences(this.#text);
    if ((this.#fences.get(length) ?? -1) <= start) return start + length;
    let at = this.#text.indexOf('`', start + length);
    while (at !== -1) {
      const end = runEnd(this.#text, at);
      if (end - at === length) {
        this.#spans.push({ type: 'code', start, end });
        return end;
      }
      at = this.#text.indexOf('`', end);
    }
    return start + length;
  }

  #readAngle(start: number): number {
    const target = autolink(this.#text, start);
    if (target !== null) {
      const end = this.#text.indexOf('>', start) + 1;
      this.#spans.push({ type: 'autolink', start, end, target });
      return end;
    }
    const end = htmlEnd(this.#text, start);
    if (end === -1) return start + 1;
    this.#spans.push({ type: 'html', start, end });
    return end;
  }

  #openBracket(at: number, from: number): number {
    const isImage = at > from && this.#text.charAt(at - 1) === '!';
    const bracket: Bracket = {
      type: 'bracket',
      isImage,
      start: isImage ? at - 1 : at,
      end: at + 1,
      until: at + 1,
      target: NOTHING,
      inner: [],
    };
    this.#spans.push(bracket);
    this.#open.push(bracket);
    return at + 1;
  }

  #closeBracket(at: number): number {
    const bracket = this.#open.pop();
    const isInactive = this.#inactive > this.#open.length;
    this.#inactive = Math.min(this.#inactive, this.#open.length);
    if (bracket === undefined || (isInactive && !bracket.isImage)) return at + 1;
    const found = this.#readTarget(bracket, at);
    if (found === null) return at + 1;
    const index = this.#spans.lastIndexOf(bracket);
    this.#resolve(bracket.start);
    bracket.target = found.target;
    if (bracket.isImage) {
      bracket.type = 'image';
      bracket.inner = this.#spans.splice(index + 1);
      bracket.until = at;
      bracket.end = found.end;
    } else {
      bracket.type = 'link';
      bracket.until = found.end;
      this.#spans.push({ type: 'link-end', start: at, end: found.end });
      this.#inactive = this.#open.length;
    }
    return found.end;
  }

  #readTarget(bracket: Bracket, at: number): { readonly target: Target; readonly end: number } | null {
    const next = this.#text.charAt(at + 1);
    if (next === '(') {
      const resource = readResource(this.#text, at + 1);
      if (resource !== null) return { target: { url: decoded(resource.destination) }, end: resource.end };
    }
    if (this.#known.labels.size === 0) return null;
    const first = this.#readLabel(bracket.end - 1);
    const own = first?.end === at + 1 ? first : null;
    if (next !== '[') return own;
    const full = this.#readLabel(at + 1);
    if (full !== null) return full;
    return own !== null && this.#text.charAt(at + 2) === ']' ? { ...own, end: at + 3 } : null;
  }

  /** The label that begins with the `[` at `from`, where it is defined. */
  #readLabel(from: number): { readonly target: Target; readonly end: number } | null {
    const end = labelEnd(this.#text, from);
    const label = end === -1 ? '' : normalLabel(this.#text.slice(from + 1, end - 1));
    return this.#known.labels.has(label) ? { target: { label: label.toLowerCase() }, end } : null;
  }

  /** Finds the emphasis among the runs from `from` on: no run in a link belongs to one outside. */
  #resolve(from: number): void {
    let first = this.#runs.length;
    while (first > 0 && (this.#runs[first - 1]?.start ?? 0) >= from) first--;
    resolveRuns(this.#runs.splice(first), this.#known.patience);
  }
}

function lastFences(text: string): ReadonlyMap<number, number> {
  const last = new Map<number, number>();
  for (const { 0: fence, index } of text.matchAll(/`+/g)) last.set(fence.length, index);
  return last;
}

const URI = /<([A-Za-z][A-Za-z0-9+.-]{1,24}:[^\0-\x20<>\x7f]*)>/y;
const LONG_SCHEME = /<[A-Za-z][A-Za-z0-9+.-]{25,40}:/y;
const MAIL = /<([#-'*+\--9=?A-Z^-~]+@[A-Za-z0-9.-]*)>/y;

/** An autolink that begins at the `<` (section 6.5). */
function autolink(text: string, start: number): Target | null {
  URI.lastIndex = start;
  const [, url] = URI.exec(text) ?? [];
  if (url !== undefined) return { url };
  LONG_SCHEME.lastIndex = start;
  if (LONG_SCHEME.test(text)) return notOrdinary();
  MAIL.lastIndex = start;
  const [, mail] = MAIL.exec(text) ?? [];
  if (mail === undefined) return null;
  return /@[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?:\.[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)*$/.test(mail) && mail.length < 60
    ? { url: `mailto:${mail}` }
    : notOrdinary();
}

/** Where raw HTML ends that begins at the `<`; -1: none begins there. */
function htmlEnd(text: string, start: number): number {
  if (text.startsWith('!--', start + 1)) {
    const end = text.indexOf('-->', start + 2);
    return end === -1 ? notOrdinary() : end + 3;
  }
  const next = text.charAt(start + 1);
  if (next === '?' || next === '!') return notOrdinary();
  return tagEnd(text, start, text.length);
}
