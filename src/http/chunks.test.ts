import { describe, expect, it } from 'vitest';
import { Chunks } from './chunks.ts';

function read(wire: string, at: readonly number[] = []): { state: string; data: string } {
  let data = '';
  const chunks = new Chunks(100, (piece) => {
    data += piece.toString('latin1');
  });
  let state = 'more';
  const ends = [...at, wire.length];
  for (const [index, end] of ends.entries()) {
    if (state !== 'odd') state = chunks.push(Buffer.from(wire.slice(ends[index - 1] ?? 0, end), 'latin1'), 0);
  }
  return { state, data };
}

describe('a body in chunks', () => {
  it.each([
    ['none', '0\r\n\r\n', ''],
    ['one', '3\r\nabc\r\n0\r\n\r\n', 'abc'],
    ['several', '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n', 'abcde'],
    ['sizes in hexadecimal', 'a\r\n0123456789\r\n0B\r\nabcdefghijk\r\n0\r\n\r\n', '0123456789abcdefghijk'],
    ['zeros before a size and as the last', '0003\r\nabc\r\n000\r\n\r\n', 'abc'],
    ['data that look like chunks', '7\r\n0\r\n\r\n\r\n\r\n0\r\n\r\n', '0\r\n\r\n\r\n'],
  ])('%s', (_name, wire, data) => {
    expect(read(wire)).toEqual({ state: 'whole', data });
    for (let at = 1; at < wire.length; at++) expect(read(wire, [at])).toEqual({ state: 'whole', data });
    for (let end = 1; end < wire.length; end++) expect(read(wire.slice(0, end)).state).toBe('more');
  });

  it.each([
    ['an extension', '3;a=b\r\nabc\r\n0\r\n\r\n'],
    ['a trailer', '3\r\nabc\r\n0\r\nx: y\r\n\r\n'],
    ['no size', '\r\nabc\r\n0\r\n\r\n'],
    ['a size that is none', 'g\r\nabc\r\n0\r\n\r\n'],
    ['a sign', '+3\r\nabc\r\n0\r\n\r\n'],
    ['white space', '3 \r\nabc\r\n0\r\n\r\n'],
    ['a bare line feed', '3\nabc\r\n0\r\n\r\n'],
    ['a size without end', '00000000'],
    ['data that are longer than their size', '3\r\nabcd\r\n0\r\n\r\n'],
    ['data that are shorter than their size', '4\r\nabc\r\n0\r\n\r\n'],
    ['something after the last chunk', '3\r\nabc\r\n0\r\n\r\nx'],
    ['more than there may be', `64\r\n${'x'.repeat(100)}\r\n1\r\nx\r\n0\r\n\r\n`],
  ])('odd: %s', (_name, wire) => {
    expect(read(wire).state).toBe('odd');
    for (let at = 1; at < wire.length; at++) expect(read(wire, [at]).state).toBe('odd');
  });
});
