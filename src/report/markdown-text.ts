/**
 * GitHub-flavoured Markdown that shows any text as it is. Text of a site is printed as code only: that is where
 * neither Markdown nor HTML means anything, and where GitHub looks for no mention, reference, address or shortcode.
 * Pure.
 */
import { printable } from '../printable.ts';
import { cutText } from './cut.ts';

const LONGEST_TEXT = 1_000;
const LONGEST_CELL = 200;

/** A text as a code span (CommonMark 0.31, section 6.1), on one line. */
export function codeSpan(text: string, most = LONGEST_TEXT): string {
  const shown = cutText(printable(text), most);
  // A span cannot be empty.
  if (shown === '') return '`""`';
  const fence = '`'.repeat(longestRun(shown) + 1);
  // A backtick at an end would lengthen the fence, and one space at both ends is taken off.
  const isBare = !shown.startsWith('`') && !shown.endsWith('`') && !(shown.startsWith(' ') && shown.endsWith(' '));
  // Spaces alone stay as they are.
  return isBare || shown.trim() === '' ? `${fence}${shown}${fence}` : `${fence} ${shown} ${fence}`;
}

/**
 * A text as a code span for a cell of a table, where a bare pipe ends the cell even in code, and renderers do not agree
 * on what backslashes before an escaped pipe mean: such a pipe is written by its number.
 */
export function cellCode(text: string): string {
  const shown = printable(text).replaceAll(/(?<=\\)\|/g, String.raw`\u007c`);
  return codeSpan(shown, LONGEST_CELL).replaceAll('|', String.raw`\|`);
}

/** Lines as a block of code (section 4.5), indented for a list. */
export function codeBlock(lines: readonly string[], indent = ''): string[] {
  const shown = lines.map((line) => cutText(printable(line), LONGEST_TEXT));
  const fence = '`'.repeat(Math.max(3, ...shown.map((line) => longestRun(line) + 1)));
  return [`${fence}text`, ...shown, fence].map((line) => `${indent}${line}`.trimEnd());
}

/** A sentence of ours: code in backticks stays code, nothing else in it is markup. */
export function prose(text: string): string {
  return text.split('\n').map(proseLine).join('\n');
}

function proseLine(text: string): string {
  return printable(text)
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? codeSpan(part.slice(1, -1)) : plain(part)))
    .join('');
}

/** A text of ours in which nothing is markup. */
export function plain(text: string): string {
  return printable(text).replaceAll(/[\\`*_[\]<>#|~&$]/g, String.raw`\$&`);
}

/** A link to an address that the user gave; code where it cannot be a link. */
export function siteLink(url: string): string {
  const shown = codeSpan(url);
  return /^https?:\/\/[\x21-\x7e]+$/.test(url) && !/[<>\\]/.test(url)
    ? `[${shown}](<${url.replaceAll('&', '&amp;')}>)`
    : shown;
}

/** How many backticks occur in a row at most. */
function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}
