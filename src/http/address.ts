import { isIP, BlockList, isIPv6 } from 'node:net';
import { hostOf, isLoopback, isWithin, scopeOf, type Scope } from './address-scope.ts';
import { Failure } from './failure.ts';

export const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);

/** Which addresses a run may connect to. */
export interface ScopeGuard {
  /** The addresses that may be connected to for this URL; `null`: a proxy resolves the name. Throws where none may. */
  readonly admit: <Address extends string | null>(url: URL, addresses: readonly Address[]) => readonly Address[];
  /** Called with the address that a connection for this URL was made to. */
  readonly connected: (url: URL, address: string) => void;
}

/** Whether a request may go to an address, asked before each connection of each hop. `null`: as in `ScopeGuard`. */
export type Admit = (url: URL, address: string | null) => boolean;

/** The guard of a run. `admit` replaces the rules for other hosts than the site's, for sites whose addresses others choose. */
export function guardOf({ admit, site }: { readonly admit?: Admit | undefined; readonly site: URL }): ScopeGuard {
  const guard = scopeGuard(site);
  if (admit === undefined) return guard;
  return {
    ...guard,
    admit(url, addresses) {
      const refused = addresses.find((address) => !admit(url, address));
      if (refused !== undefined)
        throw blocked(url, refused === null ? {} : { address: refused, scope: scopeOf(refused) });
      return url.hostname === site.hostname ? guard.admit(url, addresses) : addresses;
    },
  };
}

function blocked({ host }: URL, evidence: { readonly address?: string; readonly scope?: Scope }): Failure {
  return new Failure('blocked-address', { host, ...evidence });
}

/** Scopes of one machine or link. Where a name has other addresses, too, no site is there. */
const NARROW: ReadonlySet<Scope> = new Set<Scope>(['loopback', 'link-local', 'unspecified']);

/**
 * The site itself may live anywhere. The first connection to it fixes its scope: from then on its own name may lead
 * there or to the internet, and nowhere nearer. Another host that it names (in a redirect, in its configuration) must be
 * public or of that scope: a public site must not send us to this machine, its network or its cloud's metadata. An address
 * that was only resolved opens nothing.
 */
export function scopeGuard(site: URL): ScopeGuard {
  /** Of the connection to the site. */
  let fixed: Scope | null = null;
  /** Of the first addresses of the site: connections that are opened at once may lead to no others. */
  let expected: ReadonlySet<Scope> | null = null;

  const admitOwn = <Address extends string | null>(url: URL, addresses: readonly Address[]): readonly Address[] => {
    const scopes = addresses.flatMap((address) => (address === null ? [] : [scopeOf(address)]));
    if (expected === null && scopes.length > 0) {
      const wide = scopes.filter((scope) => !NARROW.has(scope));
      expected = new Set(wide.length > 0 ? wide : scopes);
    }
    const isOpen = (scope: Scope): boolean => scope === 'public' || (expected?.has(scope) ?? false);
    const open = addresses.filter((address) => address === null || isOpen(scopeOf(address)));
    const [first] = addresses;
    if (open.length > 0 || first === undefined || first === null) return open;
    throw blocked(url, { address: first, scope: scopeOf(first) });
  };

  return {
    admit(url, addresses) {
      if (url.hostname === site.hostname) return admitOwn(url, addresses);
      const known = addresses.filter((address) => address !== null);
      for (const address of known) {
        const scope = scopeOf(address);
        if (scope !== 'public' && scope !== fixed) throw blocked(url, { address, scope });
      }
      // Behind a proxy, the name alone says that the request would go to the proxy's own machine or link.
      const scope = known.length === addresses.length ? null : ownScope(url);
      if (scope !== null && scope !== ownScope(site)) throw blocked(url, { scope });
      return addresses;
    },
    connected(url, address) {
      if (fixed !== null || url.hostname !== site.hostname) return;
      fixed = scopeOf(address);
      expected = new Set([fixed]);
    },
  };
}

/** The scope of a name that means the machine or link that resolves it; `null`: any other name. */
function ownScope(url: URL): Scope | null {
  const host = hostOf(url);
  if (isLoopback(host)) return 'loopback';
  const scope = isIP(host) === 0 ? 'public' : scopeOf(host);
  return NARROW.has(scope) ? scope : null;
}

export class ProxyError extends Failure {
  override readonly name = 'ProxyError';
  /** Its name; what it holds may be secret. */
  readonly variable: string;

  constructor(variable: string) {
    super('proxy-failed', { variable });
    this.message = `${variable} holds no usable proxy URL`;
    this.variable = variable;
  }
}

/**
 * The proxy for a URL by `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in lower or upper case, or `null`.
 * Follows curl, which leaves out `HTTP_PROXY` in upper case, where Node does not. A proxy without a scheme is an HTTP
 * proxy; an entry of `NO_PROXY` is a host name (it and its subdomains, with or without a leading dot), an address, a CIDR
 * block or `*`, each optionally with `:port`.
 * Throws a `ProxyError` when the variable holds no usable proxy URL.
 */
export function proxyFor(url: URL, environment: Readonly<Record<string, string | undefined>>): URL | null {
  const scheme = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  for (const name of [scheme, 'all_proxy']) {
    const variable = environment[name] ? name : name.toUpperCase();
    const value = environment[variable];
    if (value === undefined || value === '') continue;
    if (bypasses(url, environment['no_proxy'] ?? environment['NO_PROXY'] ?? '')) return null;
    const proxy = URL.parse(value.includes('://') ? value : `http://${value}`);
    if (proxy === null || !['http:', 'https:'].includes(proxy.protocol)) throw new ProxyError(variable);
    return proxy;
  }
  return null;
}

function bypasses(url: URL, list: string): boolean {
  const host = hostOf(url).toLowerCase();
  const port = String(portOf(url));
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => entry === '*' || entryMatches(entry, host, port));
}

function entryMatches(entry: string, host: string, port: string): boolean {
  const parts = /^(?:\[(?<v6>[^\]]+)\]|(?<name>[^:]+|.*:.*:.*?))(?::(?<port>\d+))?$/.exec(entry)?.groups;
  const wanted = isIPv6(entry) ? entry : (parts?.['v6'] ?? parts?.['name'] ?? entry);
  if (!isIPv6(entry) && parts?.['port'] !== undefined && parts['port'] !== port) return false;
  if (isIP(host) !== 0) return isInNetwork(host, wanted);
  const name = wanted.replace(/^\*?\./, '');
  return host === name || host.endsWith(`.${name}`);
}

function isInNetwork(address: string, entry: string): boolean {
  const network = networkOf(entry);
  // `::/0` is all of IPv6; a list of it has IPv4, too.
  return network !== null && entry.includes(':') === isIPv6(address) && isWithin(address, network);
}

/** `10.0.0.0/8` or `192.0.2.7`; `null`: neither. */
export function networkOf(entry: string): BlockList | null {
  const [address = '', prefix, ...more] = entry.split('/');
  if (isIP(address) === 0 || more.length > 0 || !/^\d{1,3}$/.test(prefix ?? '0')) return null;
  const most = isIPv6(address) ? 128 : 32;
  const bits = Number(prefix ?? most);
  if (bits > most) return null;
  const network = new BlockList();
  network.addSubnet(address, bits, isIPv6(address) ? 'ipv6' : 'ipv4');
  return network;
}
