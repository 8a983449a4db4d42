import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startDelay } from './delay.ts';

it('hands everything on in order, either way, and the ends of both', async () => {
  const words = Array.from({ length: 200 }, (_, index) => `word ${index}\n`);
  // Answers when it has heard everything.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    void text(socket).then((heard) => socket.end(`heard ${heard.length}\n${heard}`));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const delay = await startDelay({ port: (server.address() as AddressInfo).port, roundTripMs: 4 });
  try {
    const client = connect({ port: delay.port, host: '127.0.0.1', allowHalfOpen: true });
    for (const word of words) client.write(word);
    client.end();
    const all = words.join('');
    expect(await text(client)).toBe(`heard ${all.length}\n${all}`);
  } finally {
    delay.stop();
    server.close();
  }
});
