import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { connectTcp } from './connectivity.ts';

async function listening(host: string): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

describe('connectTcp', () => {
  it('reaches what listens', async () => {
    const { port, close } = await listening('127.0.0.1');
    expect(await connectTcp(`127.0.0.1:${port}`, 2_000)).toBe(true);
    await close();
  });

  it('does not reach what does not', async () => {
    const { port, close } = await listening('127.0.0.1');
    await close();
    expect(await connectTcp(`127.0.0.1:${port}`, 2_000)).toBe(false);
  });

  it.each(['[::1]', 'localhost'])('takes the host %s', async (host) => {
    const { port, close } = await listening(host.replaceAll(/[[\]]/g, ''));
    expect(await connectTcp(`${host}:${port}`, 2_000)).toBe(true);
    await close();
  });

  it('does not wait for ever', async () => {
    // Of the block that is kept for documentation (RFC 5737): nobody answers there.
    expect(await connectTcp('192.0.2.1:443', 50)).toBe(false);
  });

  it.each(['host.invalid:443', '127.0.0.1:99999', '127.0.0.1', ''])('is no trouble with %j', async (address) => {
    expect(await connectTcp(address, 2_000)).toBe(false);
  });
});
