import { BlockList, isIP, isIPv6 } from 'node:net';

/** How far an address reaches. */
export type Scope = 'public' | 'private' | 'loopback' | 'link-local' | 'unspecified';

/** Ranges of the IANA special-purpose registries (RFC 6890, RFC 4193, RFC 6598) that are not public. */
const RANGES: readonly (readonly [Scope, 'ipv4' | 'ipv6', string, number])[] = [
  ['unspecified', 'ipv4', '0.0.0.0', 8],
  ['unspecified', 'ipv6', '::', 128],
  ['loopback', 'ipv4', '127.0.0.0', 8],
  ['loopback', 'ipv6', '::1', 128],
  ['link-local', 'ipv4', '169.254.0.0', 16],
  ['link-local', 'ipv6', 'fe80::', 10],
  ['private', 'ipv4', '10.0.0.0', 8],
  ['private', 'ipv4', '172.16.0.0', 12],
  ['private', 'ipv4', '192.168.0.0', 16],
  ['private', 'ipv4', '100.64.0.0', 10],
  ['private', 'ipv6', 'fc00::', 7],
];

let lists: Map<Scope, BlockList> | undefined;

/** The scope of an IP address. IPv4-mapped IPv6 addresses (`::ffff:a.b.c.d`) count as the IPv4 address inside. */
export function scopeOf(address: string): Scope {
  lists ??= blockLists();
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  for (const [scope, list] of lists) {
    if (isIP(address) !== 0 && list.check(address, family)) return scope;
  }
  return 'public';
}

function blockLists(): Map<Scope, BlockList> {
  const made = new Map<Scope, BlockList>();
  for (const [scope, family, network, prefix] of RANGES) {
    const list = made.get(scope) ?? new BlockList();
    list.addSubnet(network, prefix, family);
    made.set(scope, list);
  }
  return made;
}
