/** GitHub-flavoured Markdown for any text. Text of a site is code only: GitHub finds no mention or address in it. Pure. */
import { printable } from '../text/printable.ts';
import { cutText } from './cut.ts';

const LONGEST_TEXT = 1_000;
const LONGEST_CELL = 200;

/** A text as a code span (CommonMark 0.31, section 6.1), on one line. */
export function codeSpan(text: string, most = LONGEST_TEXT): string {
  const shown = cutText(printable(text), most);
  if (shown === '') return '`""`';
  const fence = '`'.repeat(longestRunOfBackticks(shown) + 1);
  // A backtick at an end would lengthen the fence; one space at both ends is removed.
  const isBare = !shown.startsWith('`') && !shown.endsWith('`') && !(shown.startsWith(' ') && shown.endsWith(' '));
  return isBare || shown.trim() === '' ? `${fence}${shown}${fence}` : `${fence} ${shown} ${fence}`;
}

/** For a cell of a table, which a bare pipe ends; renderers disagree on backslashes before an escaped pipe. */
export function cellCode(text: string): string {
  const shown = printable(text).replaceAll(/(?<=\\)\|/g, String.raw`\u007c`);
  return codeSpan(shown, LONGEST_CELL).replaceAll('|', String.raw`\|`);
}

export function codeBlock(lines: readonly string[], indent = ''): string[] {
  const shown = lines.map((line) => cutText(printable(line), LONGEST_TEXT));
  const fence = '`'.repeat(Math.max(3, ...shown.map((line) => longestRunOfBackticks(line) + 1)));
  return [`${fence}text`, ...shown, fence].map((line) => `${indent}${line}`.trimEnd());
}

/** Our own sentence: code in backticks stays code, nothing else is markup. */
export function prose(text: string): string {
  return text.split('\n').map(proseLine).join('\n');
}

function proseLine(text: string): string {
  return printable(text)
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? codeSpan(part.slice(1, -1)) : plain(part)))
    .join('');
}

/** Our own text without markup. */
export function plain(text: string): string {
  return printable(text).replaceAll(/[\\`*_[\]<>#|~&$]/g, String.raw`\$&`);
}

/** A link to an address that the user gave; code where that is not possible. */
export function siteLink(url: string): string {
  const shown = codeSpan(url);
  return /^https?:\/\/[\x21-\x7e]+$/.test(url) && !/[<>\\]/.test(url)
    ? `[${shown}](<${url.replaceAll('&', '&amp;')}>)`
    : shown;
}

function longestRunOfBackticks(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}
