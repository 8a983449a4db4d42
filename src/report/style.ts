import { Chalk } from 'chalk';

/** The few styles of the terminal outputs. Without colour every one is the identity. */
export interface Style {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly doubtful: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly code: (text: string) => string;
}

/** Styles with the sixteen basic colours, which every terminal theme sets to be readable, or with none. */
export function makeStyle(colour: boolean): Style {
  const chalk = new Chalk({ level: colour ? 1 : 0 });
  return {
    good: chalk.green,
    bad: chalk.red,
    doubtful: chalk.yellow,
    quiet: chalk.dim,
    strong: chalk.bold,
    code: chalk.cyan,
  };
}

/** Markdown's inline code in a text: coloured without its backticks, or left as it is. */
export function inlineCode(text: string, style: Style, colour: boolean): string {
  return colour ? text.replaceAll(/`([^`]+)`/g, (_whole, code: string) => style.code(code)) : text;
}
