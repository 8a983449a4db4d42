import { describe, expect, it } from 'vitest';
import { nginxPath } from './nginx-path.ts';

const ROWS: readonly { target: string; path: string | null; query?: string }[] = [
  { target: '/', path: '/' },
  { target: '/a/b.md', path: '/a/b.md' },
  { target: '/a/?x=/../y', path: '/a/', query: '?x=/../y' },
  { target: '/a#b', path: '/a' },
  { target: '/a%20b/%C8%99', path: '/a b/ș' },
  { target: '/a%3Fb%23c', path: '/a?b#c' },
  { target: '//a///b', path: '/a/b' },
  { target: '/a/./b/.', path: '/a/b/' },
  { target: '/a/b/..', path: '/a/' },
  { target: '/a/..', path: '/' },
  { target: '/a/%2e%2e/b', path: '/b' },
  { target: '/a%2fb', path: '/a/b' },
  { target: '/a/...', path: '/a/...' },
  { target: 'http://docs.example/a?b', path: '/a', query: '?b' },
  { target: '/..', path: null },
  { target: '/a/../..', path: null },
  { target: '/%2e%2e/a', path: null },
  { target: '/a%', path: null },
  { target: '/a%zz', path: null },
  { target: '/a%00', path: null },
  { target: '*', path: null },
  { target: '', path: null },
];

describe('nginxPath', () => {
  it.each(ROWS)('$target', ({ target, path, query = '' }) => {
    expect(nginxPath(target)).toEqual(path === null ? null : { path, query });
  });

  it('takes a long path', () => {
    expect(nginxPath(`/${'a/../'.repeat(100_000)}b`)?.path).toBe('/b');
  });
});
