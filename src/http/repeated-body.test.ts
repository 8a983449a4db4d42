import { describe, expect, it } from 'vitest';
import { readHeaders } from './headers.ts';
import { knownBodies } from './repeated-body.ts';

const KIB = 1024;
const SHORTEST = 256 * KIB;
const headersOf = (etag: string | null, length = SHORTEST, coding: string | null = null) =>
  readHeaders([
    ...(etag === null ? [] : ['ETag', etag]),
    ...(coding === null ? [] : ['Content-Encoding', coding]),
    'Content-Length',
    String(length),
  ]);
const bytes = (length: number, value = 7): Buffer => Buffer.alloc(length, value);

describe('a body is known again', () => {
  it('by its ETag, coding and length, with its first 64 KiB as they were sent', () => {
    const known = knownBodies();
    const body = bytes(9, 1);
    known.add(headersOf('"a"', SHORTEST, 'gzip'), bytes(SHORTEST), body);
    const found = known.find(headersOf('"a"', SHORTEST, 'gzip'));
    expect(found?.body).toBe(body);
    expect([found?.encodedBytes, found?.start.length, found?.start[0]]).toEqual([SHORTEST, 64 * KIB, 7]);
    const others = [headersOf('"b"', SHORTEST, 'gzip'), headersOf('"a"', 1, 'gzip'), headersOf('"a"'), headersOf(null)];
    expect(others.map((headers) => known.find(headers))).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('not without an ETag, and not where it is shorter than 256 KiB', () => {
    const known = knownBodies();
    known.add(headersOf(null), bytes(SHORTEST), bytes(1));
    known.add(headersOf('"a"', SHORTEST - 1), bytes(SHORTEST - 1), bytes(1));
    expect([known.find(headersOf(null)), known.find(headersOf('"a"', SHORTEST - 1))]).toEqual([undefined, undefined]);
  });

  it('as it was first, of the first four', () => {
    const known = knownBodies();
    for (const [index, etag] of ['"a"', '"b"', '"a"', '"c"', '"d"', '"e"'].entries())
      known.add(headersOf(etag), bytes(SHORTEST), bytes(1, index));
    const found = ['"a"', '"b"', '"c"', '"d"', '"e"'].map((etag) => known.find(headersOf(etag))?.body[0]);
    expect(found).toEqual([0, 1, 3, 4, undefined]);
  });
});
