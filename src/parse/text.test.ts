import { describe, expect, it } from 'vitest';
import { decodeUtf8, visibleBytes } from './text.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe('decodeUtf8', () => {
  it.each([
    { name: 'nothing', input: bytes(), text: '', bom: false },
    { name: 'ASCII', input: utf8('plain'), text: 'plain', bom: false },
    { name: 'Romanian, CJK, Arabic, emoji', input: utf8('ășț 文档 مرحبا 😀'), text: 'ășț 文档 مرحبا 😀', bom: false },
    { name: 'a BOM', input: bytes(0xef, 0xbb, 0xbf, 0x61), text: 'a', bom: true },
    { name: 'nothing but a BOM', input: bytes(0xef, 0xbb, 0xbf), text: '', bom: true },
    { name: 'a second BOM, which is text', input: utf8('\uFEFF\uFEFFa'), text: '\uFEFFa', bom: true },
    { name: 'NUL, which is valid UTF-8', input: bytes(0x61, 0), text: 'a\0', bom: false },
    { name: 'the last code point', input: utf8('\u{10FFFF}'), text: '\u{10FFFF}', bom: false },
  ])('reads $name', ({ input, text, bom }) => {
    expect(decodeUtf8(input)).toEqual({ ok: true, text, bom });
  });

  it.each([
    { name: 'Latin-1', input: bytes(0x63, 0x61, 0x66, 0xe9), offset: 3 },
    { name: 'Latin-1 in the middle', input: bytes(0x63, 0xe9, 0x61), offset: 1 },
    { name: 'UTF-16 with a BOM', input: bytes(0xff, 0xfe, 0x61, 0), offset: 0 },
    { name: 'a lone continuation byte', input: bytes(0x61, 0x80), offset: 1 },
    { name: 'an overlong slash', input: bytes(0xc0, 0xaf), offset: 0 },
    { name: 'an overlong three-byte form', input: bytes(0x61, 0xe0, 0x80, 0xaf), offset: 1 },
    { name: 'an overlong four-byte form', input: bytes(0xf0, 0x80, 0x80, 0xaf), offset: 0 },
    { name: 'a surrogate', input: bytes(0xed, 0xa0, 0x80), offset: 0 },
    { name: 'a code point above U+10FFFF', input: bytes(0xf4, 0x90, 0x80, 0x80), offset: 0 },
    { name: 'a sequence that the end cuts off', input: bytes(0x61, 0xe2, 0x82), offset: 1 },
    { name: 'a BOM before the bad byte, counted', input: bytes(0xef, 0xbb, 0xbf, 0x61, 0xff), offset: 4 },
    { name: 'a fault after valid multibyte text', input: bytes(...utf8('ăș'), 0xff), offset: 4 },
  ])('refuses $name', ({ input, offset }) => {
    expect(decodeUtf8(input)).toEqual({ ok: false, offset });
  });

  it('finds a fault at the end of 10 MiB', () => {
    const large = new Uint8Array(10 * 1024 * 1024).fill(0x61);
    large[large.length - 1] = 0xff;
    expect(decodeUtf8(large)).toEqual({ ok: false, offset: large.length - 1 });
  });
});

describe('visibleBytes', () => {
  it.each([
    { name: 'text as it is', input: utf8('# Ghid – ăș 文'), shown: '# Ghid – ăș 文' },
    { name: 'line ends and tabs', input: utf8('a\r\n\tb'), shown: 'a␍␤␉b' },
    { name: 'NUL and escape', input: bytes(0, 0x1b, 0x5b, 0x6d), shown: '␀␛[m' },
    { name: 'DEL', input: bytes(0x7f), shown: '␡' },
    { name: 'C1 controls', input: utf8('\u0085\u009b'), shown: '\\u0085\\u009b' },
    { name: 'bidi overrides and isolates', input: utf8('\u202e\u2066'), shown: '\\u202e\\u2066' },
    { name: 'zero width and BOM', input: utf8('\u200b\uFEFF'), shown: '\\u200b\\ufeff' },
    { name: 'spaces that are no spaces', input: utf8('a \u00a0\u2028'), shown: 'a \\u00a0\\u2028' },
    { name: 'tag characters', input: utf8('\u{E0041}'), shown: '\\u{e0041}' },
    { name: 'bytes that are no UTF-8', input: bytes(0x61, 0xff, 0xe9, 0x62), shown: 'a\\xff\\xe9b' },
    { name: 'nothing', input: bytes(), shown: '' },
  ])('shows $name', ({ input, shown }) => {
    expect(visibleBytes(input)).toBe(shown);
  });

  it.each([
    { name: 'exactly the limit', input: utf8('12345'), shown: '12345' },
    { name: 'one more', input: utf8('123456'), shown: '12345…' },
    { name: 'a character across the limit', input: utf8('1234ă6'), shown: '1234…' },
    { name: 'bad bytes', input: bytes(0xff, 0xff, 0xff, 0xff, 0xff, 0xff), shown: '\\xff\\xff\\xff\\xff\\xff…' },
  ])('cuts after five bytes: $name', ({ input, shown }) => {
    expect(visibleBytes(input, 5)).toBe(shown);
  });
});
