/** What outputs for a terminal are made of: styles, wrapped prose, and code frames. */
import { Chalk } from 'chalk';
import type { Excerpt, Location } from '../core/finding.ts';
import type { Status } from '../core/check.ts';
import { printable } from '../text/printable.ts';
import { charactersOf, textWidth, wrapText } from '../text/width.ts';
import { cutText } from './cut.ts';
import type { ReportOptions } from './formats.ts';

export type Style = ReturnType<typeof makeStyle>;

/** Styles with the sixteen basic colours, which every terminal theme sets to be readable, or with none. */
export function makeStyle(colour: boolean) {
  const { green, red, yellow, dim, bold, cyan } = new Chalk({ level: colour ? 1 : 0 });
  /** Markdown's inline code in a text: coloured without its backticks, or left as it is. */
  const code = (text: string): string =>
    colour ? text.replaceAll(/`([^`]+)`/g, (_whole, inside: string) => cyan(inside)) : text;
  return { good: green, bad: red, doubtful: yellow, quiet: dim, strong: bold, code };
}

export const STYLE_OF = {
  pass: 'good',
  warn: 'doubtful',
  fail: 'bad',
  skip: 'quiet',
  unknown: 'doubtful',
} as const satisfies Readonly<Record<Status, keyof Style>>;

/** Prose is easier to read in lines that are not longer than this, however wide the terminal is. */
const WIDEST_PROSE = 100;
const NARROWEST = 30;
/** Breaking into lines takes long where nothing but its length can break a text, and no one reads so much at once. */
const LONGEST_TEXT = 5_000;

/** How texts become indented lines of a terminal. */
export function layoutOf({ columns: given, colour }: Pick<ReportOptions, 'columns' | 'colour'>) {
  const columns = Math.max(NARROWEST, given);
  const style = makeStyle(colour);
  const broken = (text: string, indent: number, widest: number): string[] => {
    const width = Math.max(NARROWEST / 2, Math.min(columns, widest) - indent);
    const lines = (width === Infinity ? text : wrapText(text, width, true)).split('\n');
    return lines.map((line) => `${' '.repeat(indent)}${line}`);
  };
  const wrapped = (text: string, indent: number): string[] => broken(cutText(text, LONGEST_TEXT), indent, Infinity);
  return {
    columns,
    style,
    wrapped,
    quietly: (text: string, indent: number): string[] => wrapped(text, indent).map((line) => style.quiet(line)),
    prose: (text: string, indent: number): string[] =>
      // Cut before it is coloured, so that no colour is left open.
      style
        .code(cutText(text, LONGEST_TEXT))
        .split('\n')
        .flatMap((line) => broken(line, indent, WIDEST_PROSE)),
  };
}

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
      const wrapped = wrapText(style.code(text.slice(lead.length)), width - lead.length);
      return lead + wrapped.replaceAll('\n', `\n${' '.repeat(lead.length)}`);
    });
  return `${lines.join('\n')}\n`;
}

const SHARE_BEFORE_FAULT = 0.7;

/** The lines around a fault with a caret under it, as wide as `columns` at most. */
export function codeFrame(excerpt: Excerpt, location: Location, columns: number, style: Style): readonly string[] {
  const gutter = String(excerpt.firstLine + excerpt.lines.length - 1).length;
  const room = Math.max(10, columns - gutter - 5);
  const caretColumn = excerpt.caretColumn ?? location.column;
  const faultyLine = excerpt.lines[location.line - excerpt.firstLine] ?? '';
  const before = cellsOf(faultyLine.slice(0, caretColumn - 1)).at(-1)?.end ?? 0;
  const from = Math.max(0, before - Math.floor(room * SHARE_BEFORE_FAULT));
  return excerpt.lines.flatMap((line, index) => {
    const number = excerpt.firstLine + index;
    const isFaulty = number === location.line;
    const shown = cellsOf(line).filter(({ start, end }) => start >= from && end <= from + room);
    const text = shown.map((cell) => cell.text).join('');
    const row = `${isFaulty ? '>' : ' '} ${String(number).padStart(gutter)} | ${text}`.trimEnd();
    if (!isFaulty) return [style.quiet(row)];
    const caret = `${' '.repeat(before - (shown[0]?.start ?? from))}^`;
    return [row, style.bad(`  ${' '.repeat(gutter)} | ${caret}`)];
  });
}

/** The characters of a line, each made printable, and their columns from 0. Tabs are one column wide. */
function cellsOf(line: string) {
  let end = 0;
  return charactersOf(line.replaceAll('\t', ' ')).map((character) => {
    const text = printable(character);
    const start = end;
    end += textWidth(text);
    return { text, start, end };
  });
}

const PLAIN_COLUMNS = 100;
const LONGEST_LINE = 2_000;

/** The code frame of a finding or an incident as plain text; empty where it has none. */
export function frameLines(fault: { readonly excerpt?: Excerpt; readonly location?: Location | null }) {
  const { excerpt, location = null } = fault;
  if (excerpt === undefined || location === null) return [];
  // Lines are cut around the fault where they are read; were one not, measuring it would take long.
  const lines = excerpt.lines.map((line) => line.slice(0, LONGEST_LINE));
  return codeFrame({ ...excerpt, lines }, location, PLAIN_COLUMNS, makeStyle(false));
}
