import { isIP } from 'node:net';

/** How far an address reaches. */
export type Scope = 'public' | 'private' | 'loopback' | 'link-local' | 'unspecified';

/** Ranges of the IANA special-purpose registries (RFC 6890, RFC 4193, RFC 6598) of private networks. */
const RANGES: Readonly<Record<Exclude<Scope, 'public'>, readonly string[]>> = {
  unspecified: ['0.0.0.0/8', '::/128'],
  loopback: ['127.0.0.0/8', '::1/128'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'],
};

/** Of IPv6 only this is handed out for hosts on the internet (RFC 4291, section 2.4, as the registry has it). */
const GLOBAL_UNICAST = ['2000::/3'];

/** What else is not the address of one host on the internet (RFC 6890 and the registry that it began). */
const SPECIAL: readonly string[] = [
  // Protocol assignments, documentation (RFC 5737), 6to4 relays (RFC 7526), benchmarks (RFC 2544).
  ['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  // Multicast; reserved, broadcast among it.
  ['224.0.0.0/4', '240.0.0.0/4'],
  // Protocol assignments with Teredo, documentation (RFC 3849, RFC 9637), 6to4.
  ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
].flat();

/**
 * The scope of an IP address. An IPv6 address that only carries an IPv4 address counts as that: mapped
 * (`::ffff:a.b.c.d`), translated (`64:ff9b::a.b.c.d`), compatible, 6to4.
 */
export function scopeOf(address: string): Scope {
  const ip = withoutZone(address);
  if (isIP(ip) === 0) return 'public';
  const inner = isIPv6(ip) ? (carriedIPv4(ip) ?? tunnelledIPv4(ip)) : null;
  const plain = inner ?? ip;
  const scopes = Object.keys(RANGES) as (keyof typeof RANGES)[];
  return scopes.find((scope) => isWithin(plain, RANGES[scope])) ?? 'public';
}

/**
 * Whether an address is that of one host on the internet: not in a private network, and no multicast,
 * documentation, benchmark, reserved or tunnelled one. `false` for an invalid address. Stricter than {@link scopeOf},
 * for who has others say where to connect to.
 */
export function isGloballyReachable(address: string): boolean {
  if (isIP(address) === 0 || scopeOf(address) !== 'public') return false;
  const plain = isIPv6(address) ? (carriedIPv4(withoutZone(address)) ?? withoutZone(address)) : address;
  return (!isIPv6(plain) || isWithin(plain, GLOBAL_UNICAST)) && !isWithin(plain, SPECIAL);
}

/** `fe80::1%eth0` is `fe80::1` by way of a network card. */
function withoutZone(address: string): string {
  return address.replace(/%.*$/s, '');
}

/** The IPv4 address that an IPv6 address embeds (RFC 4291, section 2.5.5.2; RFC 6052), or `null`. */
function carriedIPv4(address: string): string | null {
  const groups = groupsOf(address);
  const isMapped = groups[5] === 0xffff && areZero(groups, 0, 5);
  const isTranslated = groups[0] === 0x64 && groups[1] === 0xff9b && areZero(groups, 2, 6);
  return isMapped || isTranslated ? dotted(groups[6], groups[7]) : null;
}

/** The same for the forms that are out of use (RFC 4291, section 2.5.5.1; RFC 3056). `::` and `::1` carry nothing. */
function tunnelledIPv4(address: string): string | null {
  const groups = groupsOf(address);
  const [first, second, third, , , , high = 0, low = 0] = groups;
  if (first === 0x2002) return dotted(second, third);
  return areZero(groups, 0, 6) && (high > 0 || low > 1) ? dotted(high, low) : null;
}

function areZero(groups: readonly number[], from: number, to: number): boolean {
  return groups.slice(from, to).every((group) => group === 0);
}

function groupsOf(address: string): readonly number[] {
  // A URL has them all in hexadecimal.
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const before = read(head);
  if (tail === undefined) return before;
  const after = read(tail);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

function dotted(high = 0, low = 0): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** The family of what is known to be an address. Node's own answer takes longer, the first time, than a connection. */
const isIPv6 = (address: string): boolean => address.includes(':');

/** Whether an address is in one of some ranges. Filling Node's `BlockList` takes longer than a site takes to respond. */
function isWithin(address: string, ranges: readonly string[]): boolean {
  const bits = bitsOf(address);
  return ranges.some((range) => {
    const [network = '', prefix] = range.split('/');
    return isIPv6(network) === isIPv6(address) && bits.startsWith(bitsOf(network).slice(0, Number(prefix)));
  });
}

/** The bits of an address, as text. */
function bitsOf(address: string): string {
  const [numbers, length] = isIPv6(address) ? [groupsOf(address), 16] : [address.split('.').map(Number), 8];
  return numbers.map((number) => number.toString(2).padStart(length, '0')).join('');
}
