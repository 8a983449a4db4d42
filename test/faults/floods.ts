/** Hosts that send without end. What matters here is memory and time. */
import { fail, IMPATIENT, raw } from './fault.ts';
import type { Fault } from './fault.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/markdown\r\n';
const PARAGRAPH = 'The river rose by two centimetres over night. '.repeat(20);
const CHUNK = `${PARAGRAPH.length.toString(16)}\r\n${PARAGRAPH}\r\n`;

export const floods: readonly Fault[] = [
  raw('home', 'a body without end', [{ send: `${OK}\r\n` }, { loop: PARAGRAPH }], fail('too-large')),
  raw(
    'navigation',
    'chunks without end',
    [{ send: `${OK}Transfer-Encoding: chunked\r\n\r\n` }, { loop: CHUNK }],
    fail('too-large'),
  ),
  raw('bundle', 'a body without end', [{ send: `${OK}\r\n` }, { loop: PARAGRAPH }], fail('too-large')),
  raw(
    'config',
    'one byte a chunk, without end',
    [{ send: `${OK}Transfer-Encoding: chunked\r\n\r\n` }, { loop: '1\r\n \r\n' }],
    fail('too-large'),
    {
      config: { limits: { body: '200KiB' } },
    },
  ),
  raw('home', 'headers without end', [{ send: OK }, { loop: 'x-more: of the same\r\n' }], fail('headers-too-large')),
  raw(
    'llms-txt',
    'one header without end',
    [{ send: `${OK}x-long: ` }, { loop: 'abcdefgh' }],
    fail('headers-too-large'),
  ),
  raw(
    'navigation',
    'a status line without end',
    [{ send: 'HTTP/1.1 200 ' }, { loop: 'OK and ' }],
    fail('headers-timeout'),
    { args: IMPATIENT },
  ),
  raw(
    'config',
    'chunk extensions without end',
    [{ send: `${OK}Transfer-Encoding: chunked\r\n\r\n5;` }, { loop: 'x=y;' }],
    fail('body-timeout'),
    { args: IMPATIENT },
  ),
  raw(
    'llms-txt',
    'trailers without end',
    [{ send: `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n` }, { loop: 'x-more: of the same\r\n' }],
    fail('headers-too-large'),
  ),
  raw('navigation', 'interim answers without end', [{ loop: 'HTTP/1.1 100 Continue\r\n\r\n' }], fail('bad-framing')),
  raw(
    'home',
    'early hints without end',
    [{ loop: 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n' }],
    fail('bad-framing'),
  ),
];
