import { Resolver } from 'node:dns/promises';
import type { ResolveName } from './connectivity.ts';

/**
 * Asks name servers for a name's addresses: those of this machine, unless told others (`address` or `address:port`). Not
 * by `getaddrinfo`, of whose few threads the names of sites that cannot be resolved may hold all.
 */
export function queryNameServers(servers?: readonly string[]): ResolveName {
  return async (name, timeoutMs) => {
    // A new one each time: it knows the servers of now, and remembers no answer.
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
  };
}
