/** Link reference definitions (CommonMark, section 4.7). */
import { COLON, OPENING_BRACKET } from './characters.ts';
import { decoded } from './decode.ts';
import { destinationEnd, labelEnd, spaceEnd, titleEnd } from './links.ts';
import { notOrdinary } from './not-ordinary.ts';

export interface Definition {
  /** In the parser's normal form. */
  readonly label: string;
  readonly url: string;
  /** Where the line begins after it. */
  readonly end: number;
}

/** A label in the parser's normal form: two labels are one where these are the same. */
export function normalLabel(label: string): string {
  const collapsed = label.replace(/[\t\n\r ]+/g, ' ').replace(/^ | $/g, '');
  return collapsed.toLowerCase().toUpperCase();
}

/** What the line of a paragraph's text that begins at `from` defines, perhaps with lines after it; `null`: nothing. */
export function readDefinition(text: string, from: number): Definition | null {
  if (text.charCodeAt(from) !== OPENING_BRACKET) return null;
  const label = labelEnd(text, from);
  if (label === -1 || text.charCodeAt(label) !== COLON) return null;
  const start = spaceEnd(text, label + 1);
  const destination = destinationEnd(text, start, Infinity);
  if (destination === -1) return null;
  const end = endAfterTitle(text, destination) ?? lineEnd(text, destination);
  if (end === null) return null;
  const raw = text.slice(start, destination);
  return {
    label: normalLabel(text.slice(from + 1, label - 1)),
    url: decoded(raw.startsWith('<') ? raw.slice(1, -1) : raw),
    end,
  };
}

function endAfterTitle(text: string, destination: number): number | null {
  const start = spaceEnd(text, destination);
  if (start === destination || !/["'(]/.test(text.charAt(start))) return null;
  const end = titleEnd(text, start);
  // Looking for its end again and again would take quadratic time.
  return end === -1 ? notOrdinary() : lineEnd(text, end);
}

/** Where the next line begins, with nothing but white space before it; `null`: something stands there. */
function lineEnd(text: string, from: number): number | null {
  const rest = /[ \t]*(?:\r?\n|$)/y;
  rest.lastIndex = from;
  return rest.test(text) ? rest.lastIndex : null;
}
