import { describe, expect, it } from 'vitest';
import { packNumbers, unpackNumbers } from './store.ts';

describe('packed numbers', () => {
  it.each([
    [0, 1],
    [1, 1],
    [127, 1],
    [128, 2],
    [300, 2],
    [16_383, 2],
    [16_384, 3],
    [2 ** 31, 5],
    [2 ** 32 + 5, 5],
    [Number.MAX_SAFE_INTEGER, 8],
  ])('%d comes back from %d bytes', (value, bytes) => {
    const packed = packNumbers([value]);
    expect(packed).toHaveLength(bytes);
    expect(unpackNumbers(packed)).toEqual([value]);
  });

  it.each([
    [-1, 0],
    [NaN, 0],
    [Infinity, Number.MAX_SAFE_INTEGER],
    [1.6, 2],
  ])('%d counts as %d', (value, counted) => {
    expect(unpackNumbers(packNumbers([value]))).toEqual([counted]);
  });

  it('may be many', () => {
    const values = Array.from({ length: 5000 }, (_, index) => index * index);
    expect(unpackNumbers(packNumbers(values))).toEqual(values);
  });

  it.each([[[]], [[0x80]], [Array.from({ length: 40 }, () => 0xff)]])('end where the bytes do: %j', (bytes) => {
    const numbers = unpackNumbers(Uint8Array.from(bytes));
    expect(numbers.length).toBeLessThanOrEqual(bytes.length);
    expect(numbers.every((number) => Number.isSafeInteger(Math.min(number, 1)))).toBe(true);
  });
});
