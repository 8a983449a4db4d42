import { describe, expect, it } from 'vitest';
import { excerpt, excerptAt, position, positionsOf } from './position.ts';

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
  const text = 'one\ntwo\r\nthree\rfour';

  it.each([
    { name: 'first line', line: 1, around: 1, firstLine: 1, lines: ['one', 'two'] },
    { name: 'middle line', line: 2, around: 1, firstLine: 1, lines: ['one', 'two', 'three'] },
    { name: 'last line', line: 4, around: 1, firstLine: 3, lines: ['three', 'four'] },
    { name: 'alone', line: 3, around: 0, firstLine: 3, lines: ['three'] },
    { name: 'more than there is', line: 2, around: 9, firstLine: 1, lines: ['one', 'two', 'three', 'four'] },
  ])('$name', ({ line, around, firstLine, lines }) => {
    expect(excerpt(text, line, around)).toEqual({ firstLine, lines });
  });

  it('keeps the caret of a short line', () => {
    expect(excerpt(text, 3, 0, 2)).toEqual({ firstLine: 3, lines: ['three'], caretColumn: 2 });
  });

  it('puts a caret past the end right after the line', () => {
    expect(excerpt('ab', 1, 0, 99)).toEqual({ firstLine: 1, lines: ['ab'], caretColumn: 3 });
  });

  it.each([
    { name: 'near its start', at: 3 },
    { name: 'in the middle', at: 500_000 },
    { name: 'at its end', at: 999_999 },
  ])('cuts a line of a megabyte around a caret $name', ({ at }) => {
    const long = `${'x'.repeat(at)}!${'y'.repeat(1_000_000 - at)}`;
    const { lines, caretColumn } = excerpt(`{\n${long}\n}`, 2, 1, at + 1);
    const shown = lines[1] ?? '';
    expect(lines).toHaveLength(3);
    expect(shown.length).toBeLessThanOrEqual(120);
    expect(shown[(caretColumn ?? 0) - 1]).toBe('!');
    expect([shown.startsWith('…'), shown.endsWith('…')]).toEqual([at > 3, at < 999_999]);
  });

  it('cuts long neighbours at their end', () => {
    const [before] = excerpt(`${'x'.repeat(500)}\nhere`, 2, 1, 1).lines;
    expect(before).toBe(`${'x'.repeat(118)}…`);
  });

  it('never cuts a character in two', () => {
    for (const column of [400, 401, 402, 403]) {
      expect(excerpt('😀'.repeat(500), 1, 0, column).lines[0]).toMatch(/^…(?:😀)+…$/u);
    }
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

describe('excerptAt', () => {
  const wide = 'x'.repeat(300);

  it.each(['ab', 'a\nb\r\nc\rd', 'one\ntwo\r\nthree\rfour\n', `${wide}\n${wide}\n${wide}`, '\n\nx\n\n'])(
    'is as excerpt: %j',
    (text) => {
      for (let offset = 0; offset <= text.length; offset++) {
        // No fault is inside of a line end.
        if (text.slice(offset - 1, offset + 1) === '\r\n') continue;
        const at = position(text, offset);
        expect(excerptAt(text, offset, at)).toEqual(excerpt(text, at.line, 1, at.column));
      }
    },
  );

  it('leaves out neighbours beyond very long lines', () => {
    const long = 'x'.repeat(1_000_000);
    const text = `a\n${long}\nb\n${long}\nc`;
    const b = 1_000_003;
    const cutOff = `${'x'.repeat(118)}…`;
    expect(excerptAt(text, b, { line: 3, column: 1 })).toMatchObject({ firstLine: 3, lines: ['b', cutOff] });
    expect(excerptAt(text, 10, { line: 2, column: 9 })).toMatchObject({ firstLine: 1, lines: ['a', cutOff] });
  });

  it('takes no time that grows with the text', () => {
    const text = 'x'.repeat(10_000_000);
    const at = text.length - 10;
    for (let round = 0; round < 10_000; round++) excerptAt(text, at, { line: 1, column: at + 1 });
    expect(excerptAt(text, at, { line: 1, column: at + 1 })).toMatchObject({ firstLine: 1, caretColumn: 110 });
  });
});
