import { describe, expect, it } from 'vitest';
import { addition } from './implementation.ts';

describe('addition', () => {
  it.each([
    ['a', 'a', null],
    ['ab', 'axb', 'x'],
    ['a\nb', 'a\nx\nb', 'x\n'],
    ['a\nb\nc', 'x\na\ny\nb\nc\nz', 'x\ny\nz'],
    ['a\nb', 'b\na\nx', null],
    ['a\nb\nc', 'a\nx\nc and more', null],
    ['a', 'b and more', null],
    ['', 'a', null],
  ])('%j → %j: %j', (source, live, added) => {
    expect(addition(source, live)).toBe(added);
  });
});
