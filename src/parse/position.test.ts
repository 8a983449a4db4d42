import { describe, expect, it } from 'vitest';
import { excerpt, position, positionsOf } from './position.ts';

describe('position', () => {
  it.each([
    { name: 'the start', text: 'ab', offset: 0, line: 1, column: 1 },
    { name: 'the end', text: 'ab', offset: 2, line: 1, column: 3 },
    { name: 'after \\n', text: 'a\nb', offset: 2, line: 2, column: 1 },
    { name: 'after \\r\\n', text: 'a\r\nb', offset: 3, line: 2, column: 1 },
    { name: 'between \\r and \\n', text: 'a\r\nb', offset: 2, line: 1, column: 3 },
    { name: 'after \\r', text: 'a\rb', offset: 2, line: 2, column: 1 },
    { name: 'after empty lines of every kind', text: '\n\r\n\r\rx', offset: 5, line: 5, column: 1 },
    { name: 'at a line end', text: 'ab\ncd', offset: 2, line: 1, column: 3 },
    { name: 'after an emoji, in UTF-16 code units', text: '😀x', offset: 2, line: 1, column: 3 },
    { name: 'past the end', text: 'a\nb', offset: 99, line: 2, column: 2 },
    { name: 'before the start', text: 'a', offset: -1, line: 1, column: 1 },
    { name: 'in nothing', text: '', offset: 0, line: 1, column: 1 },
  ])('$name', ({ text, offset, line, column }) => {
    expect(position(text, offset)).toEqual({ line, column });
  });
});

describe('excerpt', () => {
  const at = (text: string, offset: number) => excerpt(text, offset, position(text, offset).line);
  const cutOff = `${'x'.repeat(118)}…`;

  it.each([
    { name: 'first line', offset: 2, firstLine: 1, lines: ['one', 'two'], caretColumn: 3 },
    { name: 'middle line', offset: 4, firstLine: 1, lines: ['one', 'two', 'three'], caretColumn: 1 },
    { name: 'last line', offset: 15, firstLine: 3, lines: ['three', 'four'], caretColumn: 1 },
    { name: 'the end', offset: 19, firstLine: 3, lines: ['three', 'four'], caretColumn: 5 },
  ])('$name', ({ offset, firstLine, lines, caretColumn }) => {
    expect(at('one\ntwo\r\nthree\rfour', offset)).toEqual({ firstLine, lines, caretColumn });
  });

  it.each([
    { name: 'near its start', at: 3 },
    { name: 'in the middle', at: 500_000 },
    { name: 'at its end', at: 999_999 },
  ])('cuts a line of a megabyte around a caret $name', ({ at: column }) => {
    const long = `${'x'.repeat(column)}!${'y'.repeat(1_000_000 - column)}`;
    const { lines, caretColumn } = excerpt(`{\n${long}\n}`, column + 2, 2);
    const shown = lines.find((line) => line.includes('!')) ?? '';
    expect(shown.length).toBeLessThanOrEqual(120);
    expect(shown[(caretColumn ?? 0) - 1]).toBe('!');
    expect([shown.startsWith('…'), shown.endsWith('…')]).toEqual([column > 3, column < 999_999]);
  });

  it('cuts long neighbours at their end', () => {
    const [before] = at(`${'x'.repeat(500)}\nhere`, 501).lines;
    expect(before).toBe(cutOff);
  });

  it('never cuts a character in two', () => {
    for (const offset of [400, 401, 402, 403]) {
      expect(at('😀'.repeat(500), offset).lines[0]).toMatch(/^…(?:😀)+…$/u);
    }
  });

  it('leaves out neighbours beyond very long lines', () => {
    const long = 'x'.repeat(1_000_000);
    const text = `a\n${long}\nb\n${long}\nc`;
    expect(excerpt(text, 1_000_003, 3)).toMatchObject({ firstLine: 3, lines: ['b', cutOff] });
    expect(excerpt(text, 10, 2)).toMatchObject({ firstLine: 1, lines: ['a', cutOff] });
  });

  it('takes no time that grows with the text', () => {
    const text = 'x'.repeat(10_000_000);
    const last = text.length - 10;
    for (let round = 0; round < 10_000; round++) excerpt(text, last, 1);
    expect(excerpt(text, last, 1)).toMatchObject({ firstLine: 1, caretColumn: 110 });
  });
});

describe('positionsOf', () => {
  const texts = ['', 'ab', 'a\nb\r\nc\rd', '\n\r\n\r\rx', '\r\n\r\n', '😀x\n😀', 'one\ntwo\r\nthree\rfour\n'];

  it.each(texts)('is as position, whatever the order: %j', (text) => {
    const offsets = Array.from({ length: text.length + 3 }, (_, index) => index - 1).toReversed();
    const all = positionsOf(text, [...offsets, ...offsets]);
    expect(all).toEqual(new Map(offsets.map((offset) => [offset, position(text, offset)])));
  });

  it('takes many places of a long text', () => {
    const text = 'a\n'.repeat(1_000_000);
    const offsets = Array.from({ length: 100_000 }, (_, index) => text.length - index);
    expect(positionsOf(text, offsets).get(text.length)).toEqual({ line: 1_000_001, column: 1 });
  });
});
