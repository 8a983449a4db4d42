/** Whether this machine reaches anything that has nothing to do with the site. Each answer takes 2 seconds at most. */
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import net from 'node:net';

/** Public name servers of different operators, by address: no name has to be resolved; and names of theirs. */
export const PUBLIC_SERVERS = [
  { host: '1.1.1.1', port: 443 },
  { host: '9.9.9.9', port: 443 },
] as const;
export const PUBLIC_NAMES = ['one.one.one.one', 'dns.quad9.net'] as const;

const REACH_MS = 2_000;

/** Resolve with `false` where nothing responds. */
export interface Control {
  reachesServers(): Promise<boolean>;
  resolvesNames(): Promise<boolean>;
}

export const PUBLIC_CONTROL: Control = {
  reachesServers: () => anyOf(PUBLIC_SERVERS.map((server) => connects(server, REACH_MS))),
  resolvesNames: () => anyOf(PUBLIC_NAMES.map((name) => resolves(name, REACH_MS))),
};

async function anyOf(attempts: readonly Promise<boolean>[]): Promise<boolean> {
  // The first that responds settles it.
  const reached = attempts.map(async (attempt) => (await attempt) || Promise.reject(new Error('silent')));
  return Promise.any(reached).catch(() => false);
}

/** Opens a TCP connection and closes it at once; sends nothing. Never rejects. */
export async function connects(server: { readonly host: string; readonly port: number }, timeoutMs: number) {
  const socket = net.connect(server);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * Queries name servers: by default those of this machine. Not by `getaddrinfo`, whose few threads may all be waiting for
 * names of sites that cannot be resolved. Never rejects.
 */
export async function resolves(name: string, timeoutMs: number, servers?: readonly string[]): Promise<boolean> {
  // A new one each time: it reads the current servers, and caches nothing.
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  const timer = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    if (servers !== undefined) resolver.setServers(servers);
    return (await resolver.resolve4(name)).length > 0;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
