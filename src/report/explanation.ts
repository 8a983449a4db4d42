import { inlineCode, makeStyle } from './style.ts';
import { wrapText } from '../text-width.ts';

const WIDEST_PROSE = 100;

/** A page of the documentation (Markdown source) for a terminal: headings set off, paragraphs wrapped, code left alone. */
export function explanation(source: string, columns: number, colour: boolean): string {
  const style = makeStyle(colour);
  const width = Math.min(columns, WIDEST_PROSE);
  let fenced = false;
  const lines = source
    .trimEnd()
    .split('\n')
    .map((line) => {
      const fence = /^\s*(```|~~~)/.test(line);
      if (fence) fenced = !fenced;
      if (fence || fenced) return style.quiet(line);
      if (line.startsWith('#')) return style.strong(colour ? line.replace(/^#+ /, '') : line);
      return wrapText(inlineCode(line, style, colour), width);
    });
  return `${lines.join('\n')}\n`;
}
