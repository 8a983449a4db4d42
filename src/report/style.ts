import { Chalk } from 'chalk';
import { wrapText } from '../text-width.ts';

/** The few styles of the terminal outputs. */
export type Style = ReturnType<typeof makeStyle>;

/** Styles with the sixteen basic colours, which every terminal theme sets to be readable, or with none. */
export function makeStyle(colour: boolean) {
  const chalk = new Chalk({ level: colour ? 1 : 0 });
  const { green, red, yellow, dim, bold, cyan } = chalk;
  return { good: green, bad: red, doubtful: yellow, quiet: dim, strong: bold, code: cyan };
}

/** Markdown's inline code in a text: coloured without its backticks, or left as it is. */
export function inlineCode(text: string, style: Style, colour: boolean): string {
  return colour ? text.replaceAll(/`([^`]+)`/g, (_whole, code: string) => style.code(code)) : text;
}

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
      const text = colour ? line.replaceAll(/\*\*(.+?)\*\*/g, (_whole, bold: string) => style.strong(bold)) : line;
      const lead = text.startsWith('- ') ? '- ' : '';
      const wrapped = wrapText(inlineCode(text.slice(lead.length), style, colour), width - lead.length);
      return lead + wrapped.replaceAll('\n', `\n${' '.repeat(lead.length)}`);
    });
  return `${lines.join('\n')}\n`;
}
