import { blankStart, frontMatterLength } from './front-matter.ts';
import type { MarkdownFacts, Prepared } from './markdown-types.ts';

/** Longest text that is parsed, in UTF-16 code units. The parser takes up to 3.5 KB of heap for one. */
const LONGEST = 64 * 1024;

/** Takes front matter out (lines keep their numbers) and cuts the text to what will be parsed. */
export function prepare(text: string): Prepared {
  const start = frontMatterLength(text);
  const body = blankStart(text, start);
  if (body.length <= LONGEST) return { text: body, whole: true, moreContent: false };
  const head = body.slice(0, LONGEST);
  const end = Math.max(head.lastIndexOf('\n'), head.lastIndexOf('\r')) + 1;
  // Without a line end it is one endless line. A half surrogate pair at the cut does no harm.
  const cut = end === 0 || head.slice(0, end).trim() === '' ? LONGEST : end;
  return { text: body.slice(0, cut), whole: false, moreContent: /\S/.test(body.slice(cut)) };
}

/** Runs one synchronous stage of the work; given to `readFacts` to bound it. */
export type RunStage = <T>(stage: () => T) => T;

/**
 * Reads the facts of a prepared text. The parsers are loaded here, so that nothing of them is loaded before they are
 * needed; raw HTML brings its own.
 */
export async function readFacts(prepared: Prepared, run: RunStage): Promise<MarkdownFacts> {
  const { readTree } = await import('./markdown-tree.ts');
  const tree = run(() => readTree(prepared.text));
  const links = [...tree.links];
  if (tree.html.length > 0) {
    const { readHtml } = await import('./markdown-html.ts');
    links.push(...run(() => readHtml(tree.html, prepared.text)));
    links.sort((a, b) => a.line - b.line || a.column - b.column);
  }
  // Of a text that was cut nothing is known for certain, so it is never called empty.
  const hasContent = tree.hasContent || prepared.moreContent;
  return { ok: true, hasContent, whole: prepared.whole, links, headings: tree.headings };
}
