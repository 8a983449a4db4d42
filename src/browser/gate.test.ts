import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { proxyFor } from '../http/address.ts';
import { UNGUARDED } from '../http/connect.ts';
import { openGate, type GateOptions } from './gate.ts';

/** A site, and a gate whose client is curl. */
async function scene(options: Partial<GateOptions> = {}) {
  const server = createServer((_request, response) => response.end('x'.repeat(100_000))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const gate = await openGate({
    guard: UNGUARDED,
    proxyFor: () => null,
    clock: () => performance.now(),
    rules: [],
    family: 0,
    mostBytes: 1_000_000,
    ...options,
  });
  onTestFinished(() => {
    gate.close();
    server.close();
    server.closeAllConnections();
  });
  const curl = async (host: string): Promise<string> => {
    const proxy = gate.address.replace('socks5:', 'socks5h:');
    const args = ['--silent', '--max-time', '10', '--proxy', proxy, '--noproxy', '', `http://${host}:${port}/`];
    const { stdout } = await promisify(execFile)('curl', args);
    return stdout;
  };
  return { gate, curl, port };
}

it.each(['127.0.0.1', 'localhost'])('opens connections to %s, and counts what they receive', async (host) => {
  const { gate, curl } = await scene();
  expect(await curl(host)).toHaveLength(100_000);
  expect(gate.received()).toBeGreaterThan(100_000);
  expect(gate.isExhausted()).toBe(false);
});

it('opens none to an address that is not admitted', async () => {
  const seen: unknown[] = [];
  const guard: GateOptions['guard'] = {
    ...UNGUARDED,
    admit(url, addresses) {
      seen.push([url.host, addresses]);
      throw new Error('blocked');
    },
  };
  const { gate, curl, port } = await scene({ guard });
  await expect(curl('127.0.0.1')).rejects.toMatchObject({ code: 97 });
  expect(seen).toEqual([[`127.0.0.1:${port}`, ['127.0.0.1']]]);
  expect(gate.failureOf(new URL(`http://127.0.0.1:${port}/a`))).not.toBeNull();
});

it('takes an unusable proxy variable for a failure of this machine', async () => {
  const { gate, curl, port } = await scene({ proxyFor: (url) => proxyFor(url, { all_proxy: 'socks5://127.0.0.1:1' }) });
  await expect(curl('127.0.0.1')).rejects.toMatchObject({ code: 97 });
  expect(gate.failureOf(new URL(`http://127.0.0.1:${port}/a`))).toBe('proxy-failed');
});

it('reports why a connection failed', async () => {
  const { gate, curl } = await scene();
  const closed = new URL('http://127.0.0.1:9/');
  await promisify(execFile)('curl', ['--silent', '--noproxy', '', '--proxy', gate.address, closed.href]).catch(
    () => {},
  );
  expect(gate.failureOf(closed)).toBe('refused');
  await expect(curl('127.0.0.1')).resolves.toHaveLength(100_000);
});

it('closes all connections beyond its limit of bytes', async () => {
  const { gate, curl } = await scene({ mostBytes: 50_000 });
  await expect(curl('127.0.0.1')).rejects.toMatchObject({ code: expect.any(Number) as number });
  expect(gate.isExhausted()).toBe(true);
});

it('knows addresses of each kind', async () => {
  const asked: string[] = [];
  const guard: GateOptions['guard'] = {
    ...UNGUARDED,
    admit(url) {
      asked.push(url.host);
      throw new Error('blocked');
    },
  };
  const { gate } = await scene({ guard });
  const requested = async (...address: readonly number[]): Promise<Buffer> => {
    const { hostname, port } = new URL(gate.address);
    const socket = connect(Number(port), hostname);
    socket.write(Buffer.from([5, 1, 0, 5, 1, 0, ...address, 31, 144]));
    return Buffer.concat((await socket.toArray()) as Buffer[]);
  };
  const name = [...Buffer.from('::1')];
  const replies = [
    await requested(1, 10, 0, 0, 1),
    await requested(3, name.length, ...name),
    await requested(4, ...Array.from({ length: 15 }, () => 0), 2),
    await requested(9),
  ];
  expect(asked).toEqual(['10.0.0.1:8080', '[::1]:8080', '[::2]:8080']);
  // Each is refused: the first reply accepts the client.
  for (const reply of replies) {
    expect([...reply.subarray(0, 3)]).toEqual([5, 0, 5]);
    expect(reply[3]).toBeGreaterThan(0);
  }
});
