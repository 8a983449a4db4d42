/** Reads ordinary Markdown much faster than the full parser, and exactly as that one does, or not at all. */
import { bareUrlReader } from '../markdown-bare-urls.ts';
import { hasHtmlContent } from '../markdown-tree.ts';
import type { TreeFacts, TreeLink, Wanted } from '../markdown-types.ts';
import { readBlocks } from './blocks.ts';
import { decoded } from './decode.ts';
import type { FoundBlocks, Html, TextBlock } from './found-blocks.ts';
import { InlineText } from './inline-text.ts';
import { ifOrdinary, notOrdinary } from './not-ordinary.ts';
import { partsOf } from './parts.ts';
import { headingOf } from './heading.ts';
import { type Known, readSpans, type Span } from './spans.ts';

/**
 * What a text holds, as `readTree` tells it of the full parser's tree; `null` where the text holds something that only
 * the parser is sure of. Where all of `enough` is found, what is in the blocks after it may be missing. Linear in time and
 * memory. Pure.
 */
export function readOrdinary(text: string, enough?: readonly Wanted[]): TreeFacts | null {
  if (!isPlain(text)) return null;
  return ifOrdinary(() => new FactsReader(text, text.length > LONGEST_GLANCE ? undefined : enough).read());
}

/** Much longer texts can be made of short blocks such that the parser takes seconds for them, which is to be told. */
const LONGEST_GLANCE = 16 * 1024;

/** Without what is rare and read in a way of its own: NUL, a mark of byte order, line ends of old. */
function isPlain(text: string): boolean {
  return text.charCodeAt(0) !== 0xfeff && !text.includes('\0') && !(text.includes('\r') && /\r(?!\n)/.test(text));
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

/** Whether `://` may stand in a text, escaped or not, or written with character references. */
function mayHoldUrl(text: string): boolean {
  return text.includes('//') || text.includes('/\\/') || (text.includes('&') && /&(?:#|colon|sol)/.test(text));
}

/**
 * In a longer block the runs of `*` and `_` are counted. With more than so many it is left to the parser to say whether
 * it can be read in time: engines read it no faster than that one.
 */
const LONG_BLOCK = 2000;
const MOST_RUNS = 1000;

/** Tags that nest take the HTML parser more than linear time. */
const LONGEST_HTML = 16 * 1024;

function isLong(block: TextBlock | Html): boolean {
  const length = 'value' in block ? block.value.length : (block.lines.at(-1)?.end ?? 0) - block.place.offset;
  return length > LONG_BLOCK;
}

class FactsReader {
  readonly #text: string;
  readonly #blocks: FoundBlocks;
  readonly #known: Known;
  /** Made for the first of them. */
  #urls: ReturnType<typeof bareUrlReader> | undefined;
  readonly #found: Pick<Mutable<TreeFacts>, 'hasContent' | 'links' | 'headings' | 'html'>;
  readonly #enough: readonly Wanted[] | undefined;
  /** What of all that may be wanted is found. */
  readonly #has: Record<Wanted, boolean> = { content: false, link: false, title: false };
  /** What comes before this offset is in a link, whose text makes no links. */
  #inLinkUntil = 0;

  constructor(text: string, enough: readonly Wanted[] | undefined) {
    this.#text = text;
    this.#enough = enough;
    this.#blocks = readBlocks(text);
    // Each run is compared with a few others.
    this.#known = { labels: this.#blocks.labels, patience: { left: 1000 + text.length } };
    this.#found = { hasContent: this.#blocks.code.length > 0, links: [], headings: [], html: [] };
  }

  read(): TreeFacts {
    for (const block of this.#blocks.content) {
      if (this.#isEnough() && !isLong(block)) continue;
      if ('value' in block) this.#addHtml(block);
      else this.#addText(block);
    }
    const { definitions, code, tables } = this.#blocks;
    return { ...this.#found, definitions, code, tables };
  }

  #isEnough(): boolean {
    this.#has.content = this.#found.hasContent;
    return this.#enough?.every((what) => this.#has[what]) === true;
  }

  #addHtml(html: Html): void {
    if (html.value.length > LONGEST_HTML) notOrdinary();
    this.#found.html.push(html);
    this.#found.hasContent ||= hasHtmlContent(html.value);
  }

  #addText(block: TextBlock): void {
    const text = new InlineText(this.#text, block.lines);
    const { value } = text;
    if (value.length > LONG_BLOCK && (value.match(/[*_]+/g)?.length ?? 0) > MOST_RUNS) notOrdinary();
    const hasUrl = mayHoldUrl(value);
    // Emphasis tells where text begins and ends, and nothing else.
    const withRuns = block.depth > 0 || hasUrl || !this.#found.hasContent;
    if (!withRuns && !value.includes('[') && !value.includes('<')) return;
    const spans = readSpans(value, this.#known, withRuns);
    if (block.depth > 0) this.#found.headings.push(headingOf(block, value, spans, this.#text));
    this.#has.title ||= block.depth === 1;
    this.#walk(text, spans);
  }

  /** Goes through the text and what is in it in order. */
  #walk(text: InlineText, spans: readonly Span[]): void {
    for (const part of partsOf(text.value, spans)) {
      const { span } = part;
      if (span === null) this.#addPlain(text, part.start, part.end);
      else if (span.type === 'html') {
        this.#addHtml({ value: text.html(span.start, span.end), ...text.placeOf(span.start) });
      } else this.#addSpan(text, span);
    }
  }

  #addPlain(text: InlineText, start: number, end: number): void {
    const raw = text.value.slice(start, end);
    const hasUrl = mayHoldUrl(raw);
    if (this.#found.hasContent && !hasUrl) return;
    const value = decoded(raw);
    // The parser divides text at line breaks, and that may tell of another place.
    if (hasUrl && value !== raw && raw.includes('\n')) notOrdinary();
    this.#found.hasContent ||= value.trim() !== '';
    const offset = text.offsetOf(start);
    if (hasUrl && offset >= this.#inLinkUntil) {
      this.#urls ??= bareUrlReader(this.#text);
      this.#found.links.push(...this.#urls(value, offset, text.offsetOf(end)));
    }
  }

  #addSpan(text: InlineText, span: Exclude<Span, { type: 'html' }>): void {
    if (span.type !== 'link') this.#found.hasContent = true;
    if (span.type !== 'link' && span.type !== 'image' && span.type !== 'autolink') return;
    const place = text.placeOf(span.start);
    const isImage = span.type === 'image';
    if (!isImage) this.#inLinkUntil = text.offsetOf(span.type === 'link' ? span.until : span.end);
    const link: TreeLink = { ...span.target, kind: isImage ? 'image' : 'link', ...place };
    // A footnote to engines.
    if (!isImage && link.label?.startsWith('^') === true) return;
    this.#found.links.push(link);
    this.#has.link ||= !isImage;
  }
}
