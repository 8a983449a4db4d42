import { describe, expect, it } from 'vitest';
import { reply } from '../../test/answers.ts';
import { decodedByCharset, readText } from './text.ts';

const bytes = (...values: number[]): Buffer => Buffer.from(values);
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

describe('readText: texts', () => {
  it.each([
    { name: 'ASCII', body: 'a\n', text: 'a\n', byteOrderMark: false },
    { name: 'a byte order mark', body: '\uFEFFa', text: 'a', byteOrderMark: true },
    { name: 'two byte order marks', body: '\uFEFF\uFEFFa', text: '\uFEFFa', byteOrderMark: true },
    { name: 'CJK', body: '港', text: '港', byteOrderMark: false },
    { name: 'right to left', body: 'دليل', text: 'دليل', byteOrderMark: false },
    { name: 'four bytes a character', body: '🛟', text: '🛟', byteOrderMark: false },
    { name: 'a replacement character that was written', body: '\uFFFD', text: '\uFFFD', byteOrderMark: false },
    { name: 'controls other than NUL', body: '\u0007\u001b[1m', text: '\u0007\u001b[1m', byteOrderMark: false },
    { name: 'white space around a word', body: '\n a\r\n', text: '\n a\r\n', byteOrderMark: false },
  ])('$name', ({ body, text, byteOrderMark }) => {
    expect(readText(reply(body))).toEqual({ text, byteOrderMark });
  });
});

describe('readText: no texts', () => {
  it.each([
    { name: 'nothing', body: bytes(), code: 'empty', evidence: { bytes: 0 } },
    { name: 'a space', body: Buffer.from(' '), code: 'empty', evidence: { bytes: 1 } },
    { name: 'line ends', body: Buffer.from('\r\n\n\r'), code: 'empty', evidence: { bytes: 4 } },
    { name: 'odd spaces', body: Buffer.from('\u00a0\u3000\u2028'), code: 'empty', evidence: {} },
    { name: 'only a byte order mark', body: Buffer.from('\uFEFF'), code: 'empty', evidence: { bytes: 3 } },
    { name: 'a byte order mark and a line end', body: Buffer.from('\uFEFF\n'), code: 'empty', evidence: {} },
    { name: 'a NUL byte first', body: bytes(0), code: 'binary', evidence: { offset: 0 } },
    { name: 'a NUL byte at the end', body: Buffer.from('text\0'), code: 'binary', evidence: { offset: 4 } },
    { name: 'UTF-16 without a mark', body: utf16('text'), code: 'binary', evidence: { offset: 1 } },
    { name: 'UTF-16', body: utf16('\uFEFFtext'), code: 'not-utf8', evidence: { offset: 0 } },
    { name: 'UTF-16, big end first', body: utf16('\uFEFFtext').swap16(), code: 'not-utf8', evidence: { offset: 0 } },
    { name: 'Latin-1', body: Buffer.from('caf\u00e9', 'latin1'), code: 'not-utf8', evidence: { offset: 3 } },
    { name: 'Windows-1252', body: bytes(0x61, 0x93, 0x62), code: 'not-utf8', evidence: { offset: 1 } },
    { name: 'an overlong form', body: bytes(0x61, 0xc0, 0xaf), code: 'not-utf8', evidence: { offset: 1 } },
    { name: 'half a surrogate pair', body: bytes(0xed, 0xa0, 0x80), code: 'not-utf8', evidence: { offset: 0 } },
    { name: 'beyond Unicode', body: bytes(0xf4, 0x90, 0x80, 0x80), code: 'not-utf8', evidence: { offset: 0 } },
    { name: 'cut in a character', body: bytes(0x61, 0xe6, 0xb8), code: 'not-utf8', evidence: { offset: 1 } },
    { name: 'bad after a mark', body: bytes(0xef, 0xbb, 0xbf, 0xff), code: 'not-utf8', evidence: { offset: 3 } },
  ])('$name: $code', ({ body, code: rule, evidence }) => {
    expect(readText(reply(body))).toMatchObject({ finding: { rule, evidence: { status: 200, ...evidence } } });
  });
});

describe('decodedByCharset', () => {
  const latin1 = Buffer.from('Marée', 'latin1');
  it.each<{ name: string; body: Buffer; type: string; text: string | null }>([
    { name: 'a mark of UTF-16', body: utf16('\uFEFFMarée'), type: 'text/markdown; charset=utf-8', text: 'Marée' },
    { name: 'a mark of UTF-16, big end first', body: utf16('\uFEFFa').swap16(), type: 'text/plain', text: 'a' },
    { name: 'the charset of the response', body: latin1, type: 'text/plain;Charset="ISO-8859-1"', text: 'Marée' },
    { name: 'no charset', body: latin1, type: 'text/plain', text: null },
    { name: 'an unknown charset', body: latin1, type: 'text/plain; charset=marée', text: null },
  ])('obeys $name', ({ body, type, text }) => {
    const answer = decodedByCharset(reply(body, { contentType: type }));
    const read = answer.kind === 'reply' ? readText(answer) : null;
    expect(read !== null && 'text' in read ? read.text : null).toBe(text);
  });

  it.each([
    ['UTF-8 beyond ASCII', 'Marée', 'text/markdown; charset=ISO-8859-1', 'iso-8859-1'],
    ['ASCII', 'Tide', 'text/markdown; charset=ISO-8859-1', undefined],
    ['UTF-8 that is declared', 'Marée', 'text/markdown; charset=utf-8', undefined],
    ['no charset', 'Marée', 'text/markdown', undefined],
    ['a charset that no browser knows', 'Marée', 'text/markdown; charset=none', undefined],
  ])('marks what is shown with wrong letters: %s', (_, body, contentType, misread) => {
    const answer = decodedByCharset(reply(body, { contentType }));
    expect(answer.kind === 'reply' && answer.misread).toBe(misread);
  });
});
