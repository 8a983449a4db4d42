import { describe, expect, it } from 'vitest';
import { beyondBase } from './link.ts';

describe('beyondBase', () => {
  it.each([
    ['docs/a.md', 'https://docs.example/up/docs/a.md'],
    ['./a.md#b', 'https://docs.example/up/a.md#b'],
    ['../a.md', 'https://docs.example/a.md'],
    ['/docs/a.md', 'https://docs.example/docs/a.md'],
    ['//other.example/a.md', 'https://other.example/a.md'],
    ['?page=a', 'https://docs.example/up/llms.txt?page=a'],
    ['https://other.example/a.md', 'https://other.example/a.md'],
    ['mailto:a@b.c', 'mailto:a@b.c'],
    ['#/a.md', '#/a.md'],
    ['//[', '//['],
  ])('%s: %s', (written, is) => {
    expect(beyondBase(written, new URL('https://docs.example/up/llms.txt'))).toBe(is);
  });
});
