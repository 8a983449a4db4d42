import { describe, expect, it } from 'vitest';
import { cellCode, codeBlock } from './markdown-text.ts';

describe('a cell of code', () => {
  it.each([
    ['a pipe', 'a|b', '`a\\|b`'],
    ['two pipes', 'a||b', '`a\\|\\|b`'],
    ['a pipe behind a backslash', String.raw`a\|b`, '`a\\\\u007cb`'],
    ['pipes behind backslashes', String.raw`a\\||b`, '`a\\\\\\u007c\\|b`'],
    ['backslashes before no pipe', String.raw`a\\b|`, '`a\\\\b\\|`'],
    ['very many backslashes', '\\'.repeat(200_000), `\`${'\\'.repeat(200)}… +199800\``],
  ])('%s', (_, text, cell) => {
    expect(cellCode(text)).toBe(cell);
  });
});

it('a block of code has a fence that none of its lines ends', () => {
  expect(codeBlock(['plain'], '  ')).toEqual(['  ```text', '  plain', '  ```']);
  expect(codeBlock(['a ``` b', '````'])).toEqual(['`````text', 'a ``` b', '````', '`````']);
});
