import { Chalk } from 'chalk';
import type { Severity, Status, Verdict } from '../check.ts';
import { wrapText } from '../text-width.ts';

/** The few styles of the terminal outputs. Without colour every one is the identity. */
export interface Style {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly doubtful: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly code: (text: string) => string;
}

const asItIs = (text: string): string => text;
const WITHOUT_COLOUR: Style = {
  good: asItIs,
  bad: asItIs,
  doubtful: asItIs,
  quiet: asItIs,
  strong: asItIs,
  code: asItIs,
};

/** Styles with the sixteen basic colours, which every terminal theme sets to be readable, or with none. */
export function makeStyle(colour: boolean): Style {
  if (!colour) return WITHOUT_COLOUR;
  const chalk = new Chalk({ level: 1 });
  return {
    good: chalk.green,
    bad: chalk.red,
    doubtful: chalk.yellow,
    quiet: chalk.dim,
    strong: chalk.bold,
    code: chalk.cyan,
  };
}

/** The status whose colour a severity has. */
export const SEVERITY_STATUS: Readonly<Record<Severity, Status>> = {
  error: 'fail',
  info: 'pass',
  warning: 'warn',
  skip: 'skip',
  unknown: 'unknown',
};

/** The status whose colour a verdict has. */
export const VERDICT_STATUS: Readonly<Record<Verdict, Status>> = {
  healthy: 'pass',
  degraded: 'fail',
  down: 'fail',
  stale: 'fail',
  unknown: 'unknown',
};

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
