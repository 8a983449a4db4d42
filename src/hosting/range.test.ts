import { describe, expect, it } from 'vitest';
import { bare, type FileEntry } from './exchange.ts';
import { ranged } from './range.ts';

const FILE: FileEntry = { kind: 'file', bytes: Buffer.from('0123456789'), modified: new Date(0) };
const EMPTY: FileEntry = { ...FILE, bytes: new Uint8Array() };

const ROWS: readonly { range: string; file?: FileEntry; ifRange?: string; status: number; body: string }[] = [
  { range: 'bytes=0-3', status: 206, body: '0123' },
  { range: 'bytes=4-', status: 206, body: '456789' },
  { range: 'bytes=-2', status: 206, body: '89' },
  { range: 'bytes=-99', status: 206, body: '0123456789' },
  { range: 'bytes=8-99', status: 206, body: '89' },
  { range: 'bytes=10-', status: 416, body: '' },
  { range: 'bytes=5-2', status: 416, body: '' },
  { range: 'bytes=-0', status: 416, body: '' },
  { range: 'bytes=0-', file: EMPTY, status: 416, body: '' },
  { range: 'bytes=-', status: 200, body: '0123456789' },
  { range: 'bytes=0-1,3-4', status: 200, body: '0123456789' },
  { range: 'bytes=a-b', status: 200, body: '0123456789' },
  { range: 'pages=1-2', status: 200, body: '0123456789' },
  { range: 'bytes=0-3', ifRange: '"tag"', status: 206, body: '0123' },
  { range: 'bytes=0-3', ifRange: 'Thu, 01 Jan 1970 00:00:00 GMT', status: 206, body: '0123' },
  { range: 'bytes=0-3', ifRange: '"old"', status: 200, body: '0123456789' },
];

describe('ranged', () => {
  it.each(ROWS)('$range, if $ifRange', ({ range, file = FILE, ifRange, status, body }) => {
    const headers = { range, ...(ifRange === undefined ? {} : { 'if-range': ifRange }) };
    const request = { method: 'GET', target: '/', receivedAt: new Date(0), headers };
    const response = ranged(request, file, '"tag"', [], () => bare(416));
    expect({ status: response.status, body: Buffer.from(response.body).toString() }).toEqual({ status, body });
  });
});
