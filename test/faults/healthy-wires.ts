/** Every way of sending a healthy file that HTTP allows. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { sampleSite } from '../site/sample.ts';
import { FILES, healthy, TEXTS } from './fault.ts';
import type { Fault } from './fault.ts';
import type { Script } from './script.ts';

const SITE = sampleSite();
const five = Object.values(FILES);
const content = (path: string): string => SITE.get(path) as string;
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/markdown\r\n';
const HOME = content('index.md');

/** Every one of the five, compressed. */
const compressed = (encoding: string, compress: (text: string) => Uint8Array): Fault =>
  healthy(`compressed with ${encoding}`, {
    files: Object.fromEntries(
      five.map((path) => [path, { headers: { 'content-encoding': encoding }, body: compress(content(path)) }]),
    ),
  });

const scripts = (name: string, script: Script): Fault =>
  healthy(`index.md: ${name}`, { scripts: { 'index.md': script } });

export const healthyWires: readonly Fault[] = [
  compressed('gzip', (text) => gzipSync(text)),
  compressed('br', (text) => brotliCompressSync(text)),
  compressed('deflate', (text) => deflateSync(text)),
  compressed('identity', (text) => Buffer.from(text)),
  compressed('X-GZIP', (text) => gzipSync(text)),
  scripts('HTTP/1.0, ended by closing', [
    { send: `HTTP/1.0 200 OK\r\nContent-Type: text/markdown\r\n\r\n${HOME}` },
    'end',
  ]),
  scripts('HTTP/1.1, ended by closing', [{ send: `${OK}\r\n${HOME}` }, 'end']),
  scripts('kept open after its end', [
    { send: `${OK}Content-Length: ${Buffer.byteLength(HOME)}\r\nConnection: keep-alive\r\n\r\n${HOME}` },
    'hold',
  ]),
  scripts('an interim answer first, unasked for', [{ send: `HTTP/1.1 100 Continue\r\n\r\n${OK}\r\n${HOME}` }, 'end']),
  scripts('an interim answer first, in two segments', [
    { send: 'HTTP/1.1 100 Cont' },
    { waitMs: 50 },
    { send: `inue\r\n\r\n${OK}\r\n${HOME}` },
    'end',
  ]),
  scripts('Content-Encoding: none', [{ send: `${OK}Content-Encoding: none\r\n\r\n${HOME}` }, 'end']),
  scripts('early hints first', [
    { send: `HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n${OK}\r\n${HOME}` },
    'end',
  ]),
  scripts('chunked, with an extension and a trailer', [
    { send: `${OK}Transfer-Encoding: chunked\r\n\r\n6;x=y\r\n# Tide\r\n5\r\nwater\r\n0\r\nx-sum: 1\r\n\r\n` },
    'hold',
  ]),
  scripts('no reason phrase, odd header case', [
    { send: `HTTP/1.1 200\r\ncOnTeNt-TyPe:text/markdown\r\n\r\n${HOME}` },
    'end',
  ]),
  scripts('slow, but steadily on its way', [
    { waitMs: 300 },
    { send: `${OK}Content-Length: 40\r\n\r\n` },
    { loop: '# Tide\n\n', times: 5, everyMs: 100 },
    'end',
  ]),
  healthy('four of them close, one stays open', {
    scripts: Object.fromEntries(
      TEXTS.map((id) => [
        FILES[id],
        [
          {
            send: `HTTP/1.1 200 OK\r\nContent-Type: ${id === 'config' ? 'application/json' : 'text/plain'}\r\n\r\n${content(FILES[id])}`,
          },
          'end',
        ],
      ]),
    ),
  }),
];
