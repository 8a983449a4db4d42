import { describe, expect, it } from 'vitest';
import { readHeaders } from '../../src/http/headers.ts';
import { isChanged } from './implementation.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');

describe('since an ETag', () => {
  it.each([
    ['the same', '"abc"', '"abc"', false],
    ['another', '"abd"', '"abc"', true],
    ['weak where it was strong', 'W/"65f1c2a3-1f4"', '"65f1c2a3-1f4"', false],
    ['strong where it was weak', '"65f1c2a3-1f4"', 'W/"65f1c2a3-1f4"', false],
    ['weak and another', 'W/"65f1c2a4-1f4"', '"65f1c2a3-1f4"', true],
    ['compressed by Apache', '"2aa-5d-gzip"', '"2aa-5d"', false],
    ['compressed with Brotli by Apache', '"2aa-5d-br"', '"2aa-5d-gzip"', false],
    ['compressed by Jetty', 'W/"xyz--gzip"', 'W/"xyz"', false],
    ['given without quotes', '"abc"', 'abc', false],
    ['given with white space', '"abc"', ' "abc"\n', false],
    ['in other letter case', '"ABC"', '"abc"', true],
    ['with a comma', '"a,b"', '"a,b"', false],
    ['empty', '""', '"abc"', null],
    ['none', null, '"abc"', null],
  ])('%s', (_, etag, given, changed) => {
    const headers = readHeaders(etag === null ? ['Last-Modified', 'Sun, 01 Mar 2026 13:00:00 GMT'] : ['ETag', etag]);
    expect(isChanged(headers, { etag: given })).toBe(changed);
  });
});

describe('since a time', () => {
  it.each([
    ['later', 'Sun, 01 Mar 2026 12:00:01 GMT', true],
    ['the same', 'Sun, 01 Mar 2026 12:00:00 GMT', false],
    ['earlier', 'Sat, 28 Feb 2026 12:00:00 GMT', false],
    ['no date', 'yesterday', null],
    ['none', null, null],
  ])('%s', (_, modified, changed) => {
    const headers = readHeaders(modified === null ? ['ETag', '"abc"'] : ['Last-Modified', modified]);
    expect(isChanged(headers, { modifiedMs: NOON })).toBe(changed);
  });
});
