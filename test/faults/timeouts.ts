/** Hosts that say nothing, or too slowly. */
import { all, fail, file, IMPATIENT, raw, row } from './fault.ts';
import type { Fault } from './fault.ts';

const HEADERS = 'HTTP/1.1 200 OK\r\nContent-Type: text/markdown\r\n';
const quick = { args: IMPATIENT } as const;

export const timeouts: readonly Fault[] = [
  raw('navigation', 'silence after the request', ['hold'], fail('headers-timeout'), quick),
  raw('bundle', 'silence after the request', ['hold'], fail('headers-timeout'), quick),
  raw('config', 'silence after the request', ['hold'], fail('headers-timeout'), quick),
  raw(
    'home',
    'headers drip in',
    [{ send: HEADERS }, { loop: 'x-slow: 1\r\n', everyMs: 100 }],
    fail('headers-timeout'),
    quick,
  ),
  raw(
    'llms-txt',
    'the status line drips in',
    [{ loop: 'H', everyMs: 400, times: 1 }, 'hold'],
    fail('headers-timeout'),
    quick,
  ),
  raw(
    'home',
    'the body drips in',
    [{ send: `${HEADERS}Content-Length: 100000\r\n\r\n# Tidewater` }, { loop: '.', everyMs: 50 }],
    fail('body-timeout'),
    quick,
  ),
  raw(
    'navigation',
    'the body drips in chunks',
    [{ send: `${HEADERS}Transfer-Encoding: chunked\r\n\r\n` }, { loop: '1\r\n.\r\n', everyMs: 50 }],
    fail('body-timeout'),
    quick,
  ),
  raw(
    'config',
    'the body stops half-way',
    [{ send: `${HEADERS}Content-Length: 500\r\n\r\n{"a":` }, 'hold'],
    fail('body-timeout'),
    quick,
  ),
  raw(
    'llms-txt',
    'the body has no end and says nothing',
    [{ send: `${HEADERS}\r\n# Tidewater` }, 'hold'],
    fail('body-timeout'),
    quick,
  ),
];

/** Rows whose outcome depends on the deadline. */
export const deadlines: readonly Fault[] = [
  row(
    'every file is silent until the deadline',
    {
      scripts: Object.fromEntries(
        ['index.html', 'config.json', 'navigation.md', 'index.md', 'llms.txt'].map((path) => [path, ['hold']]),
      ),
    },
    all(fail('headers-timeout')),
    { args: ['--retries', '2', '--timeout', '30s', '--deadline', '1s'] },
  ),
  file(
    'config',
    '503 for as long as one asks: tried again until the deadline',
    {
      status: 503,
      headers: { 'retry-after': '100000' },
      body: '',
    },
    fail('server-error'),
    { args: ['--retries', '2', '--deadline', '8s'] },
  ),
];
