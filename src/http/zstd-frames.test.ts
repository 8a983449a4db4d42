import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ZstdFrames } from './zstd-frames.ts';

const random = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919 + (index >> 3)) % 251));
const skippable = Buffer.concat([Buffer.from([0x53, 0x2a, 0x4d, 0x18, 5, 0, 0, 0]), Buffer.from('extra')]);

const bodies: [string, Buffer][] = [
  ['a short text', zstdCompressSync('hello')],
  ['nothing', zstdCompressSync('')],
  ['many blocks', zstdCompressSync(random)],
  ['one run', zstdCompressSync(Buffer.alloc(400_000))],
  ['two frames', Buffer.concat([zstdCompressSync('one'), zstdCompressSync('two')])],
  ['a skippable frame', Buffer.concat([skippable, zstdCompressSync('after')])],
  ['a frame with a checksum', zstdCompressSync('sum', { params: { 201: 1 } })],
];

function followed(body: Buffer, step: number): boolean {
  const frames = new ZstdFrames();
  for (let at = 0; at < body.length; at += step) frames.push(body.subarray(at, at + step));
  return frames.whole;
}

describe.each(bodies)('%s', (_name, body) => {
  it('is whole, however it comes', () => {
    expect([1, 7, body.length].map((step) => followed(body, step))).toEqual([true, true, true]);
  });

  it.each([1, 2, 3, 4])('is not whole without its last %i bytes', (cut) => {
    expect(followed(body.subarray(0, body.length - cut), 11)).toBe(false);
  });
});

it('leaves what is no zstd to the decoder', () => {
  expect(followed(Buffer.from('no zstd at all'), 3)).toBe(true);
});
