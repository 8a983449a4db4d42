import { createScanner } from 'jsonc-parser';

/** The scanner's token kinds (jsonc-parser declares them as a const enum, which isolated modules cannot read). */
export const TOKEN = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  null: 7,
  true: 8,
  false: 9,
  string: 10,
  number: 11,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  space: 15,
  unknown: 16,
  end: 17,
} as const;

/** One of the kinds of `TOKEN`. */
export type TokenKind = (typeof TOKEN)[keyof typeof TOKEN];

/** A token of JSON, comment or unknown text. `end` is the offset after it. */
export interface Token {
  readonly kind: TokenKind;
  readonly offset: number;
  readonly end: number;
  /** Set when the scanner found the token itself faulty: an open string, a bad escape, `1.` */
  readonly faulty: boolean;
}

/** The tokens of a text, one by one, white space left out, comments kept. After the last comes `end`, again and again. */
export interface Tokens {
  next(): Token;
  /** The text of the latest token; strings without quotes and with their escapes undone. */
  value(): string;
}

export function tokens(text: string): Tokens {
  const scanner = createScanner(text, false);
  return {
    next: () => {
      const at = scanner.getPosition();
      const start = skipSpace(text, at);
      if (start > at) scanner.setPosition(start);
      const kind = scanner.scan() as TokenKind;
      const offset = scanner.getTokenOffset();
      return {
        kind,
        offset,
        end: offset + scanner.getTokenLength(),
        faulty: (scanner.getTokenError() as number) !== 0,
      };
    },
    value: () => scanner.getTokenValue(),
  };
}

/** White space of RFC 8259. The scanner would gather it into a string, letter by letter. */
function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

/** True for the kinds that a value can begin with. */
export function beginsValue(kind: TokenKind): boolean {
  return kind === TOKEN.openBrace || kind === TOKEN.openBracket || (kind >= TOKEN.null && kind <= TOKEN.number);
}

/** True for `//` and `/*` comments. */
export function isComment(kind: TokenKind): boolean {
  return kind === TOKEN.lineComment || kind === TOKEN.blockComment;
}
