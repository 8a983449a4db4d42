/** Answers that break HTTP/1.1's framing (RFC 9112), and connections that break off. */
import { fail, raw } from './fault.ts';
import type { Fault } from './fault.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/markdown\r\n';
const BODY = '# Tidewater\n\nSee [the stations](stations/index.md).\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

const truncated: readonly Fault[] = [
  raw(
    'home',
    'shorter than its Content-Length',
    [{ send: `${OK}Content-Length: 5000\r\n\r\n${BODY}` }, 'end'],
    fail('truncated'),
  ),
  raw(
    'bundle',
    'shorter than its Content-Length',
    [{ send: `${OK}Content-Length: 5000\r\n\r\n<!doctype html>` }, 'end'],
    fail('truncated'),
  ),
  raw(
    'config',
    'shorter than its Content-Length, yet whole JSON',
    [{ send: `${OK}Content-Length: 5\r\n\r\n{}` }, 'end'],
    fail('truncated'),
  ),
  raw('navigation', 'chunks without the last one', [{ send: CHUNKED + chunk(BODY) }, 'end'], fail('truncated')),
  raw('llms-txt', 'a chunk that ends early', [{ send: `${CHUNKED}ffff\r\n${BODY}` }, 'end'], fail('truncated')),
];

const broken: readonly Fault[] = [
  raw(
    'home',
    'more than its Content-Length',
    [{ send: `${OK}Content-Length: 10\r\n\r\n${BODY}` }, 'end'],
    fail('bad-framing'),
  ),
  raw(
    'home',
    'more than its Content-Length, on a connection kept open',
    [{ send: `${OK}Content-Length: 10\r\n\r\n${BODY}` }, 'hold'],
    fail('bad-framing'),
  ),
  raw(
    'config',
    'a second answer that nobody asked for',
    [{ send: `${OK}Content-Length: 2\r\n\r\n{}${OK}Content-Length: 2\r\n\r\n{}` }, 'end'],
    fail('bad-framing'),
  ),
  raw(
    'navigation',
    'a chunk size that is no number',
    [{ send: `${CHUNKED}zz\r\n${BODY}\r\n0\r\n\r\n` }, 'end'],
    fail('bad-framing'),
  ),
  raw(
    'navigation',
    'a chunk longer than its size',
    [{ send: `${CHUNKED}5\r\n${BODY}\r\n0\r\n\r\n` }, 'end'],
    fail('bad-framing'),
  ),
  raw(
    'llms-txt',
    'Content-Length and chunks',
    [{ send: `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(BODY)}0\r\n\r\n` }, 'end'],
    fail('bad-framing'),
  ),
  raw(
    'home',
    'two different Content-Lengths',
    [{ send: `${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\n${BODY}` }, 'end'],
    fail('bad-framing'),
  ),
  raw(
    'home',
    'a Content-Length that is no number',
    [{ send: `${OK}Content-Length: many\r\n\r\n${BODY}` }, 'end'],
    fail('bad-framing'),
  ),
  raw(
    'home',
    'header lines that end in bare line feeds',
    [{ send: `HTTP/1.1 200 OK\nContent-Length: ${BODY.length}\n\n${BODY}` }, 'end'],
    fail('bad-framing'),
  ),
  raw('config', 'another protocol', [{ send: 'SSH-2.0-OpenSSH_9.2\r\n' }, 'hold'], fail('bad-framing')),
  raw('config', 'no status line at all', [{ send: '<!doctype html><title>Hello</title>' }, 'end'], fail('bad-framing')),
  raw(
    'bundle',
    'NUL in a header',
    [{ send: `${OK}x-odd: a\0b\r\nContent-Length: 0\r\n\r\n` }, 'end'],
    fail('bad-framing'),
  ),
];

const reset: readonly Fault[] = [
  raw('navigation', 'reset before the headers', ['reset'], fail('reset')),
  raw('bundle', 'reset before the headers', ['reset'], fail('reset')),
  raw('home', 'reset in the headers', [{ send: OK }, { waitMs: 100 }, 'reset'], fail('reset')),
  raw(
    'llms-txt',
    'reset in the body',
    [{ send: `${OK}Content-Length: 5000\r\n\r\n${BODY}` }, { waitMs: 100 }, 'reset'],
    fail('reset'),
  ),
  raw('config', 'closed without a word', ['end'], fail('reset')),
];

export const framing: readonly Fault[] = [...truncated, ...broken, ...reset];
