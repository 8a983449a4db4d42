/** Raw HTML, as micromark reads it (CommonMark, sections 4.6 and 6.6). */
import { SLASH } from './characters.ts';
import { notOrdinary } from './not-ordinary.ts';

const NAMES =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|' +
  'track|ul';
const RAW = /^<(?:pre|script|style|textarea)(?:[ \t>]|$)/i;
const RAW_END = /<\/(?:pre|script|style|textarea)>/i;
const BLOCK = new RegExp(`^</?(?:${NAMES})(?:[ \\t>]|/>|$)`, 'i');

/** What ends a block of HTML: a line with something in it; `null`: an empty line. */
export interface HtmlEnd {
  readonly ends: ((line: string) => boolean) | null;
  /** Whether it can stand right after a line of a paragraph. */
  readonly interrupts: boolean;
}

/** How the block of HTML ends that a line begins, given without its indentation; `null`: it begins none. */
export function htmlStart(line: string): HtmlEnd | null {
  if (!/^<[A-Za-z!/?]/.test(line)) return null;
  if (RAW.test(line)) return { ends: (next) => RAW_END.test(next), interrupts: true };
  if (line.startsWith('<!--')) return { ends: (next) => next.includes('-->'), interrupts: true };
  // Instructions, declarations and CDATA are rare.
  if (line.startsWith('<?') || line.startsWith('<!')) return notOrdinary();
  if (BLOCK.test(line)) return { ends: null, interrupts: true };
  const end = tagEnd(line, 0, line.length);
  return end !== -1 && /^[ \t]*$/.test(line.slice(end)) ? { ends: null, interrupts: false } : null;
}

const NAME = /[A-Za-z][A-Za-z0-9-]*/y;
const CLOSING_REST = /[ \t\r\n]*>/y;
const ATTRIBUTE = /[ \t\r\n]*([:_A-Za-z][-.:_A-Za-z0-9]*)/y;
const EQUALS = /[ \t\r\n]*=[ \t\r\n]*/y;
const UNQUOTED = /[^ \t\r\n"'/<=>`]+/y;
const TAG_REST = /[ \t\r\n]*\/?>/y;

function matched(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Where a tag ends that begins at `from`; -1: there is none before `to`. Linear. */
export function tagEnd(text: string, from: number, to: number): number {
  const closing = text.charCodeAt(from + 1) === SLASH;
  const at = matched(NAME, text, from + (closing ? 2 : 1));
  if (at === -1) return -1;
  const end = closing ? matched(CLOSING_REST, text, at) : openTagEnd(text, at, to);
  return end > to ? -1 : end;
}

function openTagEnd(text: string, afterName: number, to: number): number {
  if (!/[ \t\r\n/>]/.test(text.charAt(afterName))) return -1;
  let at = afterName;
  for (;;) {
    const end = matched(TAG_REST, text, at);
    if (end !== -1) return end;
    const name = matched(ATTRIBUTE, text, at);
    if (name === -1 || name > to) return -1;
    const value = valueEnd(text, name, to);
    if (value === -1) return -1;
    at = value;
  }
}

function valueEnd(text: string, name: number, to: number): number {
  const value = matched(EQUALS, text, name);
  if (value === -1) return name;
  const quote = text.charAt(value);
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, value + 1);
    if (end === -1 || end >= to) return -1;
    return /[ \t\r\n/>]/.test(text.charAt(end + 1)) ? end + 1 : -1;
  }
  const end = matched(UNQUOTED, text, value);
  // Tags in a line and those of a block are not read alike here.
  if (end === -1 || !/[ \t\r\n>]/.test(text.charAt(end))) return notOrdinary();
  return end;
}
