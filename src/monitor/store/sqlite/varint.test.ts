import { describe, expect, it } from 'vitest';
import { VarintReader, VarintWriter } from './pack.ts';

function written(...values: readonly number[]): Uint8Array {
  const writer = new VarintWriter();
  for (const value of values) writer.write(value);
  return writer.bytes();
}

describe('varints', () => {
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
    const packed = written(value);
    expect(packed).toHaveLength(bytes);
    expect(new VarintReader(packed).read()).toBe(value);
  });

  it.each([
    [-1, 0],
    [NaN, 0],
    [Infinity, Number.MAX_SAFE_INTEGER],
    [1.6, 2],
  ])('%d is taken for %d', (value, taken) => {
    expect(new VarintReader(written(value)).read()).toBe(taken);
  });

  it('may be many', () => {
    const values = Array.from({ length: 5000 }, (_, index) => index * index);
    const reader = new VarintReader(written(...values));
    expect(values.map(() => reader.read())).toEqual(values);
    expect(reader.atEnd).toBe(true);
  });

  it.each([[[]], [[0x80]], [Array.from({ length: 40 }, () => 0xff)]])('end where the bytes do: %j', (bytes) => {
    const reader = new VarintReader(Uint8Array.from(bytes));
    for (let count = 0; count < 10; count++) expect(Number.isSafeInteger(Math.min(reader.read(), 1))).toBe(true);
    expect(reader.atEnd).toBe(true);
  });
});
