/** Reads Markdown under limits of time and memory that really interrupt it. */
import { plainOutline, prepare, type Prepared } from './markdown-text.ts';
import { withinTime } from './time-limit.ts';

/** `line` and `column` count from 1, columns in UTF-16 code units. */
export interface MarkdownLink {
  /** The target as written, entities and escapes decoded, percent-encoding kept. */
  readonly url: string;
  /** `html`: an `<a href>` in raw HTML. `bare`: a URL in the text. What raw HTML shows or plays is an `image`. */
  readonly kind: 'link' | 'image' | 'html' | 'bare';
  readonly title?: string;
  readonly raw?: true;
  readonly line: number;
  readonly column: number;
}

/** `loose`: spaces or two titles; `unbalanced`: an open parenthesis; `items`: in VertiWiki's navigation. */
export interface EngineLink extends MarkdownLink {
  readonly dialect: 'wikilinks' | 'loose' | 'unbalanced' | 'items';
}

export interface MarkdownHeading {
  readonly depth: number;
  /** The text without markup and without an id at its end (`{#id}`), at most 200 UTF-16 code units. */
  readonly text: string;
  readonly line: number;
  /** The id that GitHub gives it, equal headings before it counted (`setup`, `setup-1`). */
  readonly slug: string;
  /** As written, where that differs from its text; some engines make their ids from it. At most 200 code units. */
  readonly source?: string;
}

/** What a Markdown text holds. All lists are in the order of the text. */
export interface MarkdownFacts {
  readonly ok: true;
  /** Any text, code, image, or HTML that is not only comments. Definitions, thematic breaks and front matter do not count. */
  readonly hasContent: boolean;
  /** False when not all of the text was read or kept: the lists may lack something. */
  readonly whole: boolean;
  /** Links, resolved reference links, images, and those of raw HTML; not those in code or comments. */
  readonly links: readonly MarkdownLink[];
  readonly engineLinks?: readonly EngineLink[];
  readonly headings: readonly MarkdownHeading[];
  /** `id` and `name` attributes and the headings' texts of raw HTML, ids after headings (`{#id}`, `:id=id`). */
  readonly ids: readonly string[];
  /** `language`: the first word after an opening fence; `null` for an indented block or a fence without one. */
  readonly code: readonly { readonly language: string | null; readonly line: number }[];
  /** `columns`: cells of the header row; `rows`: those below the delimiter row. */
  readonly tables: readonly { readonly columns: number; readonly rows: number; readonly line: number }[];
}

export interface MarkdownOutline extends Readonly<Record<Wanted, boolean>> {
  readonly ok: true;
  /** False when only the beginning was read. */
  readonly whole: boolean;
}

/**
 * What of an outline a caller wants: once all of it is found, the rest of the text need not be read. `hasLink`: any link,
 * raw HTML included; images and bare URLs do not count. `hasTitle`: any first-level heading.
 */
export type Wanted = 'hasContent' | 'hasLink' | 'hasTitle';

/** Parsing took more time or memory than allowed; `ended`: the caller no longer waits, and nothing is known. */
export interface MarkdownLimit {
  readonly ok: false;
  readonly limit: 'time' | 'memory' | 'ended';
}

export interface MarkdownLimits {
  /** In milliseconds. */
  readonly limitMs: number;
  /** How long of that may block this thread, in milliseconds; 0 for a worker from the start. */
  readonly inlineMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Of the worker's heap. */
  readonly memoryMb?: number;
}

const INLINE_MS = 100;
const MEMORY_MB = 48;
/** What is read of a text, in UTF-16 code units: enough to evaluate a page. */
const LONGEST = 64 * 1024;

/** Of the first 64 KiB. Never rejects on what a text holds. */
export async function parseMarkdown(text: string, limits: MarkdownLimits): Promise<MarkdownFacts | MarkdownLimit> {
  const { readFacts } = await import('./markdown-facts.ts');
  return limited(text, limits, null, readFacts);
}

/** With remark-parse, unless all that is wanted is found without a parser. */
export async function outlineMarkdown(
  text: string,
  limits: MarkdownLimits,
  wanted: readonly Wanted[],
): Promise<MarkdownOutline | MarkdownLimit> {
  const plain = plainOutline(prepare(text, LONGEST).text);
  if (wanted.every((what) => plain[what])) return { ...plain, ok: true, whole: false };
  const { readOutline } = await import('./markdown-outline.ts');
  return limited(text, limits, wanted, (prepared) => readOutline(prepared, wanted));
}

/** Reads in this thread; what takes longer there goes to a thread of its own, which ends with the call. */
async function limited<T extends MarkdownFacts | MarkdownOutline>(
  text: string,
  { limitMs, inlineMs = INLINE_MS, signal, memoryMb = MEMORY_MB }: MarkdownLimits,
  wanted: readonly Wanted[] | null,
  read: (prepared: Prepared) => T,
): Promise<T | MarkdownLimit> {
  const here = Math.min(inlineMs, limitMs);
  try {
    const parsed = withinTime(here, () => read(prepare(text, LONGEST)));
    if (parsed.done) return parsed.value;
  } catch (error) {
    // Out of stack.
    if (error instanceof RangeError) return { ok: false, limit: 'memory' };
    throw error;
  }
  if (limitMs <= here) return { ok: false, limit: 'time' };
  const { createMarkdownPool } = await import('./markdown-pool.ts');
  const pool = createMarkdownPool<T>({ wanted, limitMs: limitMs - here, signal, memoryMb, longest: LONGEST });
  const parsed = lastEnd.then(() => pool.parse(text));
  // One thread at a time, so that several hostile bodies cost the memory of one.
  lastEnd = parsed.catch(() => {}).then(() => pool.close());
  return parsed;
}

let lastEnd: Promise<unknown> = Promise.resolve();

/** With the first entries of each list. */
export function boundedFacts(facts: MarkdownFacts, most: number): MarkdownFacts {
  const lists = Object.entries(facts).filter((entry): entry is [string, readonly unknown[]] => Array.isArray(entry[1]));
  if (lists.every(([, { length }]) => length <= most)) return facts;
  return { ...facts, whole: false, ...Object.fromEntries(lists.map(([name, list]) => [name, list.slice(0, most)])) };
}
