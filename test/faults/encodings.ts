/** Content codings: broken, cut off, unknown, and decompression bombs. */
import {
  brotliCompressSync,
  createBrotliCompress,
  createDeflateRaw,
  gzipSync,
  zstdCompressSync,
  type Zlib,
} from 'node:zlib';
import type { Transform } from 'node:stream';
import { fail, file, healthy } from './fault.ts';
import type { CheckId, Fault } from './fault.ts';
import type { FileReply } from '../site/handlers.ts';

const TEXT = Array.from({ length: 400 }, (_, line) => `- [Reading ${line * 7919}](readings/${line * 104_729}.md)`).join(
  '\n',
);

const GZIP = gzipSync(TEXT);
const HALF: Readonly<Record<string, Uint8Array>> = {
  gzip: GZIP.subarray(0, GZIP.length / 2),
  br: brotliCompressSync(TEXT).subarray(0, 400),
};

const coded = (encoding: string, body: NonNullable<FileReply['body']>): FileReply => ({
  headers: { 'content-encoding': encoding },
  body,
});

/** The same bytes with one in the middle of the compressed data changed. */
function corrupt(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

const MIB = 2 ** 20;

/**
 * The beginning of a stream that unfolds to 600 MiB of spaces. What a compressor makes of the second MiB, it makes of
 * each further one: compressing all of them would take longer than a request may.
 */
async function bomb(compressor: Transform & Zlib): Promise<Uint8Array> {
  const block = Buffer.alloc(MIB, ' ');
  const parts: Buffer[] = [];
  for (const _ of [1, 2]) {
    compressor.write(block);
    // Until here, on a whole byte.
    await new Promise<void>((resolve) => compressor.flush(resolve));
    parts.push(compressor.read() as Buffer);
  }
  const [first = block, next = block] = parts;
  return Buffer.concat([first, ...Array.from({ length: 599 }, () => next)]);
}

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
// Without the trailer: nobody should read that far.
const GZIP_BOMB = Buffer.concat([GZIP_HEADER, await bomb(createDeflateRaw())]);
const BROTLI_BOMB = await bomb(createBrotliCompress());

const cutOff: readonly Fault[] = Object.entries(HALF).map(([encoding, body], index) =>
  file(
    (['navigation', 'home'] as const satisfies CheckId[])[index] ?? 'home',
    `${encoding} cut off`,
    coded(encoding, body),
    fail('truncated'),
  ),
);

export const encodings: readonly Fault[] = [
  ...cutOff,
  file('bundle', 'gzip cut off', coded('gzip', HALF['gzip'] ?? ''), fail('truncated')),
  file('config', 'gzip without its trailer', coded('gzip', gzipSync('{}').subarray(0, -8)), fail('truncated')),
  file('navigation', 'gzip with a wrong checksum', coded('gzip', corrupt(GZIP, GZIP.length - 8)), fail('bad-encoding')),
  file('navigation', 'corrupt gzip', coded('gzip', corrupt(GZIP, 11)), fail('bad-encoding')),
  file('home', 'corrupt brotli', coded('br', corrupt(brotliCompressSync(TEXT), 3)), fail('bad-encoding')),
  file('llms-txt', 'zstd, which was not offered', coded('zstd', zstdCompressSync(TEXT)), fail('bad-encoding')),
  file('config', 'gzip in name only', coded('gzip', '{"title": "Tidewater"}'), fail('bad-encoding')),
  file('bundle', 'brotli in name only', coded('br', '<!doctype html><title>Tidewater</title>'), fail('bad-encoding')),
  // Browsers take these for no coding.
  ...['aws-chunked', 'utf8', 'binary', 'x-tidal', 'identity'].map((encoding) =>
    healthy(`index.md: ${encoding}, which is no coding`, { files: { 'index.md': coded(encoding, '# Tidewater') } }),
  ),
  file('home', 'gzip beside what is no coding', coded('gzip, aws-chunked', gzipSync(TEXT)), fail('binary')),
  file(
    'home',
    'twenty codings, one in the other',
    coded(Array.from({ length: 20 }, () => 'gzip').join(', '), GZIP),
    fail('bad-encoding'),
  ),
  file('llms-txt', 'larger than the limit that was set', { body: TEXT }, fail('too-large'), {
    config: { limits: { body: '4KiB' } },
  }),
];

/** Small bodies that unfold to enormous ones: what matters here is memory. */
export const bombs: readonly Fault[] = [
  file('config', 'a bomb of gzip', coded('gzip', GZIP_BOMB), fail('too-large')),
  file('navigation', 'a bomb of brotli', coded('br', BROTLI_BOMB), fail('too-large')),
  file('llms-txt', 'a bomb in a bomb', coded('gzip, gzip', gzipSync(GZIP_BOMB)), fail('too-large')),
  file('bundle', 'a bomb of gzip', coded('gzip', GZIP_BOMB), fail('too-large')),
];
