/** Characters that Markdown is made of, as UTF-16 code units. Comparing them needs no regular expression to be compiled. */
export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const QUOTATION_MARK = 0x22;
export const HASH = 0x23;
export const APOSTROPHE = 0x27;
export const OPENING_PARENTHESIS = 0x28;
export const CLOSING_PARENTHESIS = 0x29;
export const ASTERISK = 0x2a;
export const PLUS = 0x2b;
export const DASH = 0x2d;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const COLON = 0x3a;
export const LESS_THAN = 0x3c;
export const EQUALS = 0x3d;
export const GREATER_THAN = 0x3e;
export const OPENING_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSING_BRACKET = 0x5d;
export const UNDERSCORE = 0x5f;
export const BACKTICK = 0x60;
export const PIPE = 0x7c;
export const TILDE = 0x7e;
export const DELETE = 0x7f;

/** White space within a line. */
export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** White space, line ends included. */
export function isSpace(code: number): boolean {
  return code === SPACE || code === TAB || code === LINE_FEED || code === CARRIAGE_RETURN;
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Where the white space within a line ends that begins at `from`, at `to` at the latest. */
export function blankEnd(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** Where the white space within a line begins that ends at `to`, at `from` at the earliest. */
export function blankStart(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Where a run of one character ends that begins at `from`. */
export function runEnd(text: string, from: number): number {
  const code = text.charCodeAt(from);
  let at = from;
  while (at < text.length && text.charCodeAt(at) === code) at++;
  return at;
}
