import type { TlsFacts } from '../check.ts';
import type { AttemptContext, Hop, HopResponse } from './attempt.ts';
import { dial, systemResolver } from './connect.ts';
import type { HttpConnection } from './connection.ts';

/** An open connection and what is known of it. */
export interface OpenConnection {
  readonly http: HttpConnection;
  readonly address: string | null;
  readonly tls: TlsFacts | null;
}

/** Opens a connection for a hop. */
export async function openConnection({ url, proxy, context }: Hop): Promise<OpenConnection> {
  const { options, guard, phases, limit } = context;
  const { resolver = systemResolver, rules, family, secureContext } = options;
  const client = Promise.withResolvers<typeof import('./connection.ts')>();
  // It may fail (no file descriptors) while the connection is still awaited.
  client.promise.catch(() => {});
  const dialed = await dial(url, {
    rules,
    family,
    resolver,
    proxy,
    admit: (addresses) => guard(url, addresses),
    ...(secureContext === undefined ? {} : { secureContext }),
    phases,
    signal: limit.signal,
    // The client takes longer to load than a near host to answer.
    onConnecting: () => client.resolve(import('./connection.ts')),
  });
  const { HttpConnection } = await client.promise;
  return { http: new HttpConnection(dialed.socket, url.origin), address: dialed.address, tls: dialed.tls };
}

/** Sends a hop over an open connection. On failure it rejects, and the connection is closed. */
export async function sendOver({ http, address, tls }: OpenConnection, hop: Hop): Promise<HopResponse> {
  const { phases, limit } = hop.context;
  return { response: await http.send(hop, phases, limit.signal), address, tls };
}

/** Which hops may share a connection: those to one origin, directly or through one proxy. */
export function keyOf(url: URL, proxy: URL | null): string {
  return proxy === null ? url.origin : `${url.origin} ${proxy.href}`;
}

/** Waits for a turn. That time does not count as the request's. */
export async function waitForSlot<T>({ limit, phases }: AttemptContext, slot: Promise<T>): Promise<T> {
  limit.stop();
  phases.suspend();
  try {
    return await slot;
  } finally {
    phases.resume();
    limit.start();
  }
}
