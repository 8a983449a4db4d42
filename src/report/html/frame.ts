/** The lines around a fault, with the character at fault marked in its line, so that lines may be broken anywhere. */
import type { Finding } from '../../check.ts';
import { beginningOf } from '../cut.ts';
import { markup, NOTHING, type Markup } from './markup.ts';
import type { HtmlContext } from './context.ts';
import { locationMarkup } from './locations.ts';

const LONGEST_LINE = 400;
const MOST_LINES = 20;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A code frame; nothing where the finding has no excerpt. */
export function frameOf({ excerpt, location }: Finding, context: HtmlContext): Markup {
  if (excerpt === undefined || location === undefined) return NOTHING;
  const { firstLine, lines, caretColumn = location.column } = excerpt;
  const rows = lines.slice(0, MOST_LINES).map((line, index) => {
    const number = firstLine + index;
    if (number !== location.line)
      return markup`<li><code dir="ltr">${spaced(beginningOf(line, LONGEST_LINE).text)}</code></li>`;
    return markup`<li class="fault"><code dir="ltr">${faultyLine(line, caretColumn)}</code></li>`;
  });
  return markup`<figure class="frame"><figcaption>${locationMarkup(location, context)}</figcaption><ol start="${firstLine}">${rows}</ol></figure>`;
}

function faultyLine(line: string, column: number): Markup {
  const start = Math.max(0, column - 1 - LONGEST_LINE / 2);
  const before = line.slice(start, Math.max(0, column - 1));
  const [first] = graphemes.segment(line.slice(Math.max(0, column - 1), column + LONGEST_LINE / 4));
  const fault = first?.segment ?? '';
  const after = beginningOf(line.slice(column - 1 + fault.length), LONGEST_LINE / 2).text;
  // A fault at the end of a line is the character that is not there.
  const mark = fault === '' ? markup`<mark class="end">&nbsp;</mark>` : markup`<mark>${spaced(fault)}</mark>`;
  return markup`${start > 0 ? '…' : null}${spaced(before)}${mark}${spaced(after)}`;
}

const spaced = (text: string): string => text.replaceAll('\t', '  ');
