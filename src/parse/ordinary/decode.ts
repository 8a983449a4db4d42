import { notOrdinary } from './not-ordinary.ts';

/** Those that documentation is full of; with any other the text is not ordinary. */
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
    copy: '©',
    reg: '®',
    trade: '™',
    hellip: '…',
    mdash: '—',
    ndash: '–',
    rarr: '→',
    larr: '←',
    times: '×',
    middot: '·',
    bull: '•',
    laquo: '«',
    raquo: '»',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    deg: '°',
  }),
);

const ESCAPE_OR_REFERENCE = /\\([!-/:-@[-`{-~]|\r?\n)|&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([\da-zA-Z]{1,31}));/g;

/** A string with its escapes and character references decoded (CommonMark, sections 2.4 and 2.5). */
export function decoded(raw: string): string {
  if (!raw.includes('\\') && !raw.includes('&')) return raw;
  return raw.replace(ESCAPE_OR_REFERENCE, (_, escaped?: string, decimal?: string, hex?: string, name?: string) => {
    if (escaped !== undefined) return escaped;
    if (name !== undefined) return NAMED.get(name) ?? notOrdinary();
    return ofNumber(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(decimal, 10));
  });
}

/** Printable ASCII and letters of the first planes; for what is replaced instead, the parser is asked. */
function ofNumber(code: number): string {
  if ((code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code < 0xd800)) return String.fromCharCode(code);
  return notOrdinary();
}
