import { Chalk } from 'chalk';
import type { Severity, Status, Verdict } from '../check.ts';

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
