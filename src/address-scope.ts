import { isIP } from 'node:net';

export type Scope = 'public' | 'private' | 'loopback' | 'link-local' | 'unspecified';

/** Ranges of the IANA special-purpose registries (RFC 6890, RFC 4193, RFC 6598) of private networks. */
const RANGES: Readonly<Record<Exclude<Scope, 'public'>, readonly string[]>> = {
  unspecified: ['0.0.0.0/8', '::/128'],
  loopback: ['127.0.0.0/8', '::1/128'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'],
};

/** Of IPv6 only this is assigned to hosts on the internet (RFC 4291, section 2.4, as the registry has it). */
const GLOBAL_UNICAST = ['2000::/3'];

/** Further addresses that are not of one host on the internet (RFC 6890 and its registry). */
const SPECIAL: readonly string[] = [
  // Protocol assignments, documentation (RFC 5737), 6to4 relays (RFC 7526), benchmarks (RFC 2544).
  ['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  // Multicast; reserved, broadcast among it.
  ['224.0.0.0/4', '240.0.0.0/4'],
  // Protocol assignments with Teredo, documentation (RFC 3849, RFC 9637), 6to4.
  ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
].flat();

/** The scope of an IP address; of an IPv6 address that embeds an IPv4 address, the scope of that. */
export function scopeOf(address: string): Scope {
  const ip = withoutZone(address);
  if (isIP(ip) === 0) return 'public';
  const inner = isIPv6(ip) ? (carriedIPv4(ip) ?? tunnelledIPv4(ip)) : null;
  const plain = inner ?? ip;
  const scopes = Object.keys(RANGES) as (keyof typeof RANGES)[];
  return scopes.find((scope) => isWithin(plain, RANGES[scope])) ?? 'public';
}

/** Whether an address is that of one host on the internet. Stricter than {@link scopeOf}, for targets that others choose. */
export function isGloballyReachable(address: string): boolean {
  if (isIP(address) === 0 || scopeOf(address) !== 'public') return false;
  const plain = isIPv6(address) ? (carriedIPv4(withoutZone(address)) ?? withoutZone(address)) : address;
  return (!isIPv6(plain) || isWithin(plain, GLOBAL_UNICAST)) && !isWithin(plain, SPECIAL);
}

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

/** The same for obsolete forms (RFC 4291, section 2.5.5.1; RFC 3056). `::` and `::1` embed nothing. */
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

/** Of a valid address. Loading Node's own `isIPv6` takes longer than a connection. */
const isIPv6 = (address: string): boolean => address.includes(':');

/** Filling Node's `BlockList` takes longer than a site takes to respond. */
function isWithin(address: string, ranges: readonly string[]): boolean {
  const bits = bitsOf(address);
  return ranges.some((range) => {
    const [network = '', prefix] = range.split('/');
    return isIPv6(network) === isIPv6(address) && bits.startsWith(bitsOf(network).slice(0, Number(prefix)));
  });
}

function bitsOf(address: string): string {
  const [numbers, length] = isIPv6(address) ? [groupsOf(address), 16] : [address.split('.').map(Number), 8];
  return numbers.map((number) => number.toString(2).padStart(length, '0')).join('');
}
