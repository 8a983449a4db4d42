/**
 * A host that is far away: a TCP proxy on loopback, in a process of its own, that lets every byte travel for half a round
 * trip in either direction. The connection itself costs a round trip, too (RFC 9293, section 3.5), but the kernel accepts
 * one on loopback at once: so what a client sends on a new connection is held for that time besides.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

export interface Delay {
  /** Where it listens, on 127.0.0.1. */
  readonly port: number;
  stop(): void;
}

export interface DelayOptions {
  /** The port that it stands in front of, on 127.0.0.1. */
  readonly port: number;
  readonly roundTripMs: number;
}

/** Starts it. */
export async function startDelay({ port, roundTripMs }: DelayOptions): Promise<Delay> {
  const child = fork(fileURLToPath(import.meta.url), [String(port), String(roundTripMs)]);
  const ended = once(child, 'exit').then(() => {
    throw new Error('the proxy that delays has ended');
  });
  const [told] = (await Promise.race([once(child, 'message'), ended])) as [number];
  return { port: told, stop: () => void child.kill() };
}

/** Passes on what comes, `delayMs` after it came, and nothing before `from` (as performance.now() counts). */
function pass(source: Socket, sink: Socket, delayMs: number, from: number): void {
  const onTheWay: { readonly at: number; readonly arrive: () => void }[] = [];
  // One timer at a time, for the first of them: timers of different lengths do not keep their order.
  const next = (): void => {
    const wait = (onTheWay[0]?.at ?? 0) - performance.now();
    if (wait > 0) return void setTimeout(next, wait);
    onTheWay.shift()?.arrive();
    if (onTheWay.length > 0) next();
  };
  const send = (arrive: () => void): void => {
    onTheWay.push({ at: Math.max(performance.now(), from) + delayMs, arrive });
    if (onTheWay.length === 1) next();
  };
  source.on('data', (chunk: Buffer) => send(() => void sink.write(chunk)));
  source.on('end', () => send(() => void sink.end()));
  source.on('error', () => send(() => void sink.destroy()));
}

function serve(port: number, roundTripMs: number): void {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const host = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    pass(client, host, roundTripMs / 2, performance.now() + roundTripMs);
    pass(host, client, roundTripMs / 2, 0);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  // Nobody is left to stop it.
  process.on('disconnect', () => process.exit());
}

const [, file, port, roundTripMs] = process.argv;
if (process.send !== undefined && file === fileURLToPath(import.meta.url)) serve(Number(port), Number(roundTripMs));
