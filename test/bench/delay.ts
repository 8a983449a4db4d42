/**
 * A host that is far away: a TCP proxy on loopback, in a process of its own, that delays every byte by half a round trip
 * in either direction. The connection itself takes a round trip, too (RFC 9293, section 3.5), but the kernel accepts one
 * on loopback at once: what a client sends on a new connection is delayed for that time as well.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

const ADDRESS = '127.0.0.1';

/** Starts a proxy before a port. */
export async function startDelay(port: number, roundTripMs: number) {
  const child = fork(fileURLToPath(import.meta.url), [String(port), String(roundTripMs)]);
  const [own] = (await once(child, 'message')) as [number];
  return { port: own, stop: (): boolean => child.kill() };
}

/** Passes on what is received, `delayMs` later, and nothing before `from` (as performance.now() counts). */
function pass(source: Socket, sink: Socket, delayMs: number, from: number): void {
  const waiting: { readonly at: number; readonly arrive: () => void }[] = [];
  // One timer at a time, for the first of them: timers of different lengths do not keep their order.
  const next = (): void => {
    const wait = (waiting[0]?.at ?? 0) - performance.now();
    if (wait > 0) return void setTimeout(next, wait);
    waiting.shift()?.arrive();
    if (waiting.length > 0) next();
  };
  const send = (arrive: () => void): void => {
    waiting.push({ at: Math.max(performance.now(), from) + delayMs, arrive });
    if (waiting.length === 1) next();
  };
  source.on('data', (chunk: Buffer) => send(() => void sink.write(chunk)));
  source.on('end', () => send(() => void sink.end()));
  source.on('error', () => send(() => void sink.destroy()));
}

const [, file, port, roundTrip] = process.argv;
if (process.send !== undefined && file === fileURLToPath(import.meta.url)) {
  const roundTripMs = Number(roundTrip);
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const host = connect({ port: Number(port), host: ADDRESS, allowHalfOpen: true, noDelay: true });
    pass(client, host, roundTripMs / 2, performance.now() + roundTripMs);
    pass(host, client, roundTripMs / 2, 0);
  });
  server.listen(0, ADDRESS, () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit());
}
