import { BlockList, isIP } from 'node:net';

export type Scope = 'public' | 'private' | 'loopback' | 'link-local' | 'unspecified';

/** Ranges of the IANA special-purpose registries (RFC 6890, RFC 4193, RFC 6598) of private networks. */
const SCOPES: readonly (readonly [Exclude<Scope, 'public'>, BlockList])[] = [
  ['loopback', ranges('127.0.0.0/8', '::1/128')],
  ['unspecified', ranges('0.0.0.0/8', '::/128')],
  ['link-local', ranges('169.254.0.0/16', 'fe80::/10')],
  ['private', ranges('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7')],
];

/** Of IPv6 only this is assigned to hosts on the internet (RFC 4291, section 2.4, as the registry has it), or to IPv4. */
const GLOBAL = ranges('2000::/3', '64:ff9b::/96', '::ffff:0:0/96');

/** Further addresses that are not of one host on the internet (RFC 6890 and its registry). */
const SPECIAL = ranges(
  // Protocol assignments, documentation (RFC 5737), 6to4 relays (RFC 7526), benchmarks (RFC 2544); multicast, reserved.
  ...'192.0.0.0/24 192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 192.88.99.0/24 198.18.0.0/15'.split(' '),
  ...'224.0.0.0/4 240.0.0.0/4'.split(' '),
  // Protocol assignments with Teredo, documentation (RFC 3849, RFC 9637), 6to4.
  ...'2001::/23 2001:db8::/32 3fff::/20 2002::/16'.split(' '),
);

/** An IPv6 literal is without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Whether a host means the machine that resolves it (RFC 6761, section 6.3). */
export function isLoopback(host: string): boolean {
  return /(?:^|\.)localhost\.?$/.test(host) || scopeOf(host) === 'loopback';
}

/** Names that cannot be registered (RFC 6761, RFC 6762, RFC 8375, and `internal` as ICANN has reserved it). */
const INSIDE = /(?:^|\.)(?:localhost|local|internal|home\.arpa|lan|test)\.?$/;

/** Whether a name only exists inside a network. */
export function isInsideName(host: string): boolean {
  return !/\../.test(host) || INSIDE.test(host);
}

/** Whether a site is on the internet, by its name and the address that answered (`null`: not known). */
export function isPublic(url: URL, address: string | null = null): boolean {
  const host = hostOf(url);
  if (isIP(host) === 0 && isInsideName(host)) return false;
  return scopeOf(address ?? host) === 'public';
}

/** The scope of an IP address; of an IPv6 address that embeds an IPv4 address, the scope of that. */
export function scopeOf(address: string): Scope {
  return SCOPES.find(([, list]) => isWithin(address, list))?.[0] ?? 'public';
}

/** Whether an address is that of one host on the internet. Stricter than {@link scopeOf}, for targets that others choose. */
export function isGloballyReachable(address: string): boolean {
  return isWithin(address, GLOBAL) && scopeOf(address) === 'public' && !isWithin(address, SPECIAL);
}

/** Of an address that embeds another one, or has a zone, as of any other; false for a text that is no address. */
export function isWithin(address: string, list: BlockList): boolean {
  const ip = address.replace(/%.*$/s, '');
  const family = isIP(ip);
  return family !== 0 && list.check(ip, family === 6 ? 'ipv6' : 'ipv4');
}

/** Those of IPv4 also as IPv6 addresses embed them; the list itself knows `::ffff:0:0/96` (RFC 4291, section 2.5.5.2). */
function ranges(...networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of networks) {
    const [network = '', bits] = range.split('/');
    const prefix = Number(bits);
    // Not `isIP`: its expression for IPv6 takes milliseconds to compile, at every start.
    if (network.includes(':')) {
      list.addSubnet(network, prefix, 'ipv6');
      continue;
    }
    list.addSubnet(network, prefix, 'ipv4');
    // NAT64 (RFC 6052); IPv4-compatible (RFC 4291, section 2.5.5.1) and 6to4 (RFC 3056), both obsolete.
    list.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6');
    list.addSubnet(`::${network}`, 96 + prefix, 'ipv6');
    const octets = network.split('.').map((octet) => Number(octet).toString(16).padStart(2, '0'));
    list.addSubnet(`2002:${octets.slice(0, 2).join('')}:${octets.slice(2).join('')}::`, 16 + prefix, 'ipv6');
  }
  return list;
}
