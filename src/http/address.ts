import { isIP } from 'node:net';
import { scopeOf, type Scope } from '../address-scope.ts';
import { Failure } from './failure.ts';

/**
 * Throws when an address may not be connected to for this URL. `null` among the addresses: a proxy resolves the name, so
 * that nobody here knows where the request goes.
 */
export type ScopeGuard = (url: URL, addresses: readonly (string | null)[]) => void;

/**
 * Whether a request for a URL may go to an address, asked before each connection of each hop with every address that may
 * be connected to: the site itself, where a redirect leads, what the configuration names. `null`: as in `ScopeGuard`.
 */
export type Admit = (url: URL, address: string | null) => boolean;

/** Lets nothing through but what is admitted: for who has others say what to ask for. */
export function admissionGuard(admit: Admit): ScopeGuard {
  return (url, addresses) => {
    for (const address of addresses) {
      if (admit(url, address)) continue;
      throw new Failure('blocked-address', {
        host: url.host,
        ...(address === null ? {} : { address, scope: scopeOf(address) }),
      });
    }
  };
}

/**
 * The site itself may live anywhere. Another host that it names (in a redirect, in its configuration) must be public
 * or as near as the site is: a public site must not send us to this machine, its network or its cloud's metadata.
 */
export function scopeGuard(site: URL): ScopeGuard {
  const siteAddresses = new Set<string>();
  return (url, addresses) => {
    const known = addresses.filter((address) => address !== null);
    if (url.hostname === site.hostname) {
      for (const address of known) siteAddresses.add(address);
      return;
    }
    for (const address of known) {
      const scope = scopeOf(address);
      if (scope !== 'public' && !hasScope(siteAddresses, scope)) {
        throw new Failure('blocked-address', { host: url.host, address, scope });
      }
    }
    // Behind a proxy, the name alone says that the request would go to the proxy's own machine or link.
    const scope = known.length === addresses.length ? null : ownScope(url);
    if (scope !== null && scope !== ownScope(site)) throw new Failure('blocked-address', { host: url.host, scope });
  };
}

/** The scope of a name that means the machine or link of whoever resolves it; `null`: any other name. */
function ownScope({ hostname }: URL): Scope | null {
  if (/(?:^|\.)localhost\.?$/.test(hostname)) return 'loopback';
  const host = hostname.replace(/^\[|\]$/g, '');
  const scope = isIP(host) === 0 ? 'public' : scopeOf(host);
  return scope === 'public' || scope === 'private' ? null : scope;
}

function hasScope(addresses: ReadonlySet<string>, scope: Scope): boolean {
  for (const address of addresses) if (scopeOf(address) === scope) return true;
  return false;
}
