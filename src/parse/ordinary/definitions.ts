/** Link reference definitions (CommonMark, section 4.7), those that stand in a line each. */
import { decoded } from './decode.ts';
import { destinationEnd, labelEnd, titleEnd } from './links.ts';
import { notOrdinary } from './not-ordinary.ts';

export interface Definition {
  /** In the parser's normal form. */
  readonly label: string;
  readonly url: string;
}

/** A label in the parser's normal form: two labels are one where these are the same. */
export function normalLabel(label: string): string {
  const collapsed = label.replace(/[\t\n\r ]+/g, ' ').replace(/^ | $/g, '');
  return collapsed.toLowerCase().toUpperCase();
}

/** What a line of the beginning of a paragraph defines; `following` are the lines after it. `null`: nothing. */
export function readDefinition(line: string, following: Iterable<string>): Definition | null {
  if (line.charCodeAt(0) !== 0x5b) return null;
  const label = labelEnd(line, 0);
  if (label === -1) return isLongLabel([line, ...following].join('\n')) ? notOrdinary() : null;
  if (line.charAt(label) !== ':') return null;
  const start = spaceEnd(line, label + 1);
  if (start === line.length) return firstOf(following) === '' ? null : notOrdinary();
  const destination = destinationEnd(line, start, Infinity);
  if (destination === -1) return null;
  if (!endsWell(line, destination, following)) return null;
  const raw = line.slice(start, destination);
  return {
    label: normalLabel(line.slice(1, label - 1)),
    url: decoded(raw.startsWith('<') ? raw.slice(1, -1) : raw),
  };
}

function firstOf(lines: Iterable<string>): string {
  for (const line of lines) return line;
  return '';
}

/** Whether a label goes on in further lines, and a colon follows it. */
function isLongLabel(text: string): boolean {
  return /^\[(?:[^[\]\\]|\\[^])*\]:/.test(text);
}

function spaceEnd(line: string, from: number): number {
  let at = from;
  while (line.charAt(at) === ' ' || line.charAt(at) === '\t') at++;
  return at;
}

/** Whether nothing but a title stands between a destination and the end of its line. */
function endsWell(line: string, destination: number, following: Iterable<string>): boolean {
  const after = spaceEnd(line, destination);
  if (after === line.length) return /^["'(]/.test(firstOf(following)) ? notOrdinary() : true;
  if (after === destination || !/["'(]/.test(line.charAt(after))) return false;
  const title = titleEnd(line, after);
  if (title === -1) return notOrdinary();
  return spaceEnd(line, title) === line.length;
}
