import { scopeOf, type Scope } from '../address-scope.ts';
import { Failure } from './failure.ts';

/** Throws when an address may not be connected to for this URL. */
export type ScopeGuard = (url: URL, addresses: readonly string[]) => void;

/**
 * The site itself may live anywhere. Another host that it names (in a redirect, in its configuration) must be public
 * or as near as the site is: a public site must not send us to this machine, its network or its cloud's metadata.
 */
export function scopeGuard(site: URL): ScopeGuard {
  const siteScopes = new Set<Scope>();
  return (url, addresses) => {
    if (url.hostname === site.hostname) {
      for (const address of addresses) siteScopes.add(scopeOf(address));
      return;
    }
    for (const address of addresses) {
      const scope = scopeOf(address);
      if (scope !== 'public' && !siteScopes.has(scope)) {
        throw new Failure('blocked-address', { host: url.host, address, scope });
      }
    }
  };
}
