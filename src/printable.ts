/** Controls, format and bidi characters, line separators, private and unassigned ones: everything a terminal may act on. */
const ACTING = /[\p{C}\p{Zl}\p{Zp}]/gu;
/** Most texts; compiling the other pattern takes a while. */
const PLAIN = /^[\x20-\x7e]*$/;

/** A text from elsewhere as it may go to a terminal: one line, nothing in it that moves, colours or reorders. */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(ACTING, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '␡';
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
