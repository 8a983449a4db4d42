import type { TreeHeading } from '../markdown-types.ts';
import { blankStart } from './characters.ts';
import { decoded } from './decode.ts';
import type { TextBlock } from './found-blocks.ts';
import { notOrdinary } from './not-ordinary.ts';
import { type Part, partsOf } from './parts.ts';
import type { Span } from './spans.ts';

/** Longest heading that is read here, in UTF-16 code units; the parser's are cut at as many. */
const LONGEST_HEADING = 1000;

/** A heading as the parser tells of it; `value` is the text of its line, `whole` the text that it stands in. */
export function headingOf(
  { depth, lines, place }: TextBlock,
  value: string,
  spans: readonly Span[],
  whole: string,
): TreeHeading {
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return { depth, text: '', source: '', ...place };
  if (lines.length > 1 || value.length >= LONGEST_HEADING) notOrdinary();
  const source = whole.slice(first.offset, blankStart(whole, first.offset, last.end));
  return { depth, text: textOf(value, partsOf(value, spans)).trim(), source, ...place };
}

function textOf(text: string, parts: Iterable<Part>, withHtml = false): string {
  let found = '';
  for (const { start, end, span } of parts) {
    const source = text.slice(start, end);
    if (span === null) found += decoded(source);
    else if (span.type === 'code') found += codeText(source);
    else if (span.type === 'autolink') found += source.slice(1, -1);
    else if (span.type === 'image') found += textOf(text, partsOf(text, span.inner, start + 2, span.until), true);
    else if (span.type === 'html' && withHtml) found += source;
  }
  return found;
}

/** Of code: without its backticks, and without a space at both ends where there is one. */
function codeText(source: string): string {
  const inside = source.replace(/^`+|`+$/g, '');
  return /^ [^]*[^ ][^]* $/.test(inside) ? inside.slice(1, -1) : inside;
}
