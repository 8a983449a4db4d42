import { describe, expect, it } from 'vitest';
import { OrdinaryResponse } from './ordinary-response.ts';

interface Read {
  readonly progress: string;
  readonly status: number;
  readonly fields: readonly string[];
  readonly body: string;
  readonly keptMs: number;
  readonly heard: string;
}

function read(...pieces: readonly string[]): Read {
  const got = { status: 0, fields: [] as readonly string[], body: '' };
  const response = new OrdinaryResponse(1000, {
    onHead: (status, fields) => Object.assign(got, { status, fields }),
    onBody: (piece) => {
      got.body += piece.toString('latin1');
    },
  });
  let progress = 'more';
  for (const piece of pieces) if (progress !== 'odd') progress = response.push(Buffer.from(piece, 'latin1'));
  return { progress, ...got, keptMs: response.keptMs, heard: Buffer.concat(response.heard).toString('latin1') };
}

const head = (...fields: readonly string[]): string => ['HTTP/1.1 200 OK', ...fields, '', ''].join('\r\n');

describe('an ordinary response', () => {
  it.each<readonly [name: string, head: string, wire: string, body: string]>([
    ['of a length', head('Content-Length: 3'), 'abc', 'abc'],
    ['of no length', head('content-length:0'), '', ''],
    ['in chunks', head('Transfer-Encoding: chunked'), '3\r\nabc\r\n0\r\n\r\n', 'abc'],
    ['in chunks, in capitals', head('TRANSFER-ENCODING: Chunked'), '3\r\nabc\r\n0\r\n\r\n', 'abc'],
    ['that is not modified', 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n', '', ''],
    ['without content', 'HTTP/1.1 204 No Content\r\n\r\n', '', ''],
    ['that is missing', 'HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\n', 'abc', 'abc'],
    ['without words for its status', 'HTTP/1.1 200 \r\nContent-Length: 3\r\n\r\n', 'abc', 'abc'],
    ['with a field twice', head('Vary: a', 'Vary: b', 'Content-Length: 3'), 'abc', 'abc'],
    ['with odd but whole fields', head('X:', 'X-Y:\t \u00e9 ', 'Content-Length: 3 '), 'abc', 'abc'],
  ])('%s', (_name, first, wire, body) => {
    const whole = read(first + wire);
    expect(whole).toMatchObject({ progress: 'whole', body, heard: first + wire });
    // The header section comes at once, the body as it likes.
    for (let at = 0; at < wire.length; at++) {
      expect(read(first + wire.slice(0, at), wire.slice(at))).toEqual(whole);
    }
    expect(read(`${first}${wire}x`).progress).toBe('odd');
    expect(read(first + wire, 'x').progress).toBe('odd');
  });

  it('tells the status and the fields as they stand', () => {
    const fields = ['Content-Length', ' 0', 'X', '', 'Y', ' a: b '];
    expect(read(head('Content-Length: 0', 'X:', 'Y: a: b '))).toMatchObject({ status: 200, fields });
  });

  it.each<readonly [fields: readonly string[], keptMs: number]>([
    [[], 4_000],
    [['Connection: keep-alive'], 4_000],
    [['Connection: Keep-Alive', 'Keep-Alive: timeout=5, max=100'], 3_000],
    [['Keep-Alive: timeout=1'], 0],
    [['Keep-Alive: timeout=99999'], 600_000],
    [['Connection: close'], 0],
  ])('with %j is kept for %i ms', (fields, keptMs) => {
    expect(read(head(...fields, 'Content-Length: 0'))).toMatchObject({ progress: 'whole', keptMs });
  });
});

describe('odd', () => {
  it.each([
    ['another version', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['an interim response', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['a status that there is not', 'HTTP/1.1 600 X\r\nContent-Length: 0\r\n\r\n'],
    ['a status without a space', 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['a header section in pieces', 'HTTP/1.1 200 OK\r\n'],
    ['a header section that is long', head(`X: ${'x'.repeat(20_000)}`, 'Content-Length: 0')],
    ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n'],
    ['a bare carriage return', head('X: a\rb', 'Content-Length: 0')],
    ['a folded line', head('X: a', ' b', 'Content-Length: 0')],
    ['a name that is no token', head('X Y: a', 'Content-Length: 0')],
    ['a space before the colon', head('Content-Length : 0')],
    ['a line without a colon', head('X', 'Content-Length: 0')],
    ['a control character', head('X: a\0b', 'Content-Length: 0')],
    ['no length', head()],
    ['two lengths', head('Content-Length: 0', 'Content-Length: 0')],
    ['a length that is none', head('Content-Length: +1')],
    ['a length in a no-break space', head('Content-Length:\u00a00')],
    ['two lengths in one', head('Content-Length: 0, 0')],
    ['a length beyond the cap', head('Content-Length: 1001')],
    ['length and chunks', head('Content-Length: 0', 'Transfer-Encoding: chunked')],
    ['another transfer coding', head('Transfer-Encoding: gzip, chunked')],
    ['content where none may be', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n'],
    ['an upgrade', head('Upgrade: h2c', 'Connection: upgrade', 'Content-Length: 0')],
    ['two connection fields', head('Connection: close', 'Connection: close', 'Content-Length: 0')],
    ['a proxy’s field', head('Proxy-Connection: close', 'Content-Length: 0')],
  ])('%s', (_name, wire) => {
    expect(read(wire).progress).toBe('odd');
  });
});
