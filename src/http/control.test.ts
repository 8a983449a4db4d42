import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { resolves } from './control.ts';

let open: Socket | undefined;
afterEach(() => {
  open?.close();
  open = undefined;
});

/** A name server (RFC 1035) that answers each question with a response code and, where that is 0, one address. */
async function nameServer(code: number | 'silent'): Promise<string> {
  const socket = (open = createSocket('udp4'));
  socket.on('message', (question, { port, address }) => {
    if (code === 'silent') return;
    // Behind the header come the labels of the name, an empty one, its type and its class.
    const asked = question.subarray(12, question.indexOf(0, 12) + 5);
    const header = Buffer.from([
      ...question.subarray(0, 2),
      0x81,
      0x80 | code,
      0,
      1,
      0,
      code === 0 ? 1 : 0,
      0,
      0,
      0,
      0,
    ]);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]);
    socket.send(Buffer.concat([header, asked, ...(code === 0 ? [answer] : [])]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

describe('resolves', () => {
  it.each([
    ['has an address', 0, true],
    ['cannot be told of', 2, false],
    ['does not exist', 3, false],
    ['nobody answers for', 'silent', false],
  ] as const)('a name that %s', async (_, code, expected) => {
    const servers = [await nameServer(code)];
    expect(await resolves('docs.example.com', code === 'silent' ? 100 : 2_000, servers)).toBe(expected);
  });

  it.each([
    ['a name that is none', 'x'.repeat(300), ['127.0.0.1:9']],
    ['a server that is none', 'docs.example.com', ['nowhere']],
  ])('is no trouble with %s', async (_, name, servers) => {
    expect(await resolves(name, 200, servers)).toBe(false);
  });
});
