import { describe, expect, it } from 'vitest';
import { parseBase } from './rules.ts';

const ROWS: readonly { given: string; base: string | null }[] = [
  { given: '/', base: '/' },
  { given: '/docs/', base: '/docs/' },
  { given: 'docs', base: '/docs/' },
  { given: '/a/b', base: '/a/b/' },
  { given: '//docs//', base: '/docs/' },
  { given: '/v1.2/~me/x_y-z/', base: '/v1.2/~me/x_y-z/' },
  { given: '', base: null },
  { given: ' ', base: null },
  { given: '/../', base: null },
  { given: '/a/./b/', base: null },
  { given: '/a b/', base: null },
  { given: '/ghid ș/', base: null },
  { given: '/a%20b/', base: null },
  { given: '/docs/; deny all; #', base: null },
  { given: '/$uri/', base: null },
  { given: '/:path*/', base: null },
  { given: 'https://docs.example.com/docs/', base: null },
];

describe('parseBase', () => {
  it.each(ROWS)('$given is $base', ({ given, base }) => {
    expect(parseBase(given)).toBe(base);
  });
});
