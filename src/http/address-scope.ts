import { isIP, type BlockList } from 'node:net';

/** `reserved`: of no host on the internet for another reason, such as benchmarking, documentation or multicast. */
export type Scope = 'public' | 'private' | 'loopback' | 'link-local' | 'unspecified' | 'reserved';

type Row = readonly [block: string, scope: Scope, source: string];

/**
 * The IANA IPv4 Special-Purpose Address Registry (RFC 6890), as of 2025-10-09. What it has as globally reachable is
 * `public`.
 */
const IANA_IPV4: readonly Row[] = [
  ['0.0.0.0/8', 'unspecified', 'This network, RFC 791'],
  ['0.0.0.0/32', 'unspecified', 'This host on this network, RFC 1122'],
  ['10.0.0.0/8', 'private', 'Private-Use, RFC 1918'],
  ['100.64.0.0/10', 'private', 'Shared Address Space, RFC 6598'],
  ['127.0.0.0/8', 'loopback', 'Loopback, RFC 1122'],
  ['169.254.0.0/16', 'link-local', 'Link Local, RFC 3927'],
  ['172.16.0.0/12', 'private', 'Private-Use, RFC 1918'],
  ['192.0.0.0/24', 'reserved', 'IETF Protocol Assignments, RFC 6890'],
  ['192.0.0.0/29', 'reserved', 'IPv4 Service Continuity Prefix, RFC 7335'],
  ['192.0.0.8/32', 'reserved', 'IPv4 dummy address, RFC 7600'],
  ['192.0.0.9/32', 'public', 'Port Control Protocol Anycast, RFC 7723'],
  ['192.0.0.10/32', 'public', 'Traversal Using Relays around NAT Anycast, RFC 8155'],
  ['192.0.0.170/31', 'reserved', 'NAT64/DNS64 Discovery, RFC 8880, RFC 7050'],
  ['192.0.2.0/24', 'reserved', 'Documentation (TEST-NET-1), RFC 5737'],
  ['192.31.196.0/24', 'public', 'AS112-v4, RFC 7535'],
  ['192.52.193.0/24', 'public', 'AMT, RFC 7450'],
  ['192.88.99.0/24', 'reserved', 'Deprecated (6to4 Relay Anycast), RFC 7526'],
  ['192.88.99.2/32', 'reserved', '6a44-relay anycast address, RFC 6751'],
  ['192.168.0.0/16', 'private', 'Private-Use, RFC 1918'],
  ['192.175.48.0/24', 'public', 'Direct Delegation AS112 Service, RFC 7534'],
  ['198.18.0.0/15', 'reserved', 'Benchmarking, RFC 2544'],
  ['198.51.100.0/24', 'reserved', 'Documentation (TEST-NET-2), RFC 5737'],
  ['203.0.113.0/24', 'reserved', 'Documentation (TEST-NET-3), RFC 5737'],
  ['240.0.0.0/4', 'reserved', 'Reserved, RFC 1112'],
  ['255.255.255.255/32', 'reserved', 'Limited Broadcast, RFC 8190, RFC 919'],
];

/**
 * The IANA IPv6 Special-Purpose Address Registry (RFC 6890), as of 2025-10-09, without ::ffff:0:0/96, 64:ff9b::/96,
 * 2001::/32 and 2002::/16: those are judged by the IPv4 addresses in them.
 */
const IANA_IPV6: readonly Row[] = [
  ['::1/128', 'loopback', 'Loopback Address, RFC 4291'],
  ['::/128', 'unspecified', 'Unspecified Address, RFC 4291'],
  ['64:ff9b:1::/48', 'private', 'IPv4-IPv6 Translat. (local use), RFC 8215'],
  ['100::/64', 'reserved', 'Discard-Only Address Block, RFC 6666'],
  ['100:0:0:1::/64', 'reserved', 'Dummy IPv6 Prefix, RFC 9780'],
  ['2001::/23', 'reserved', 'IETF Protocol Assignments, RFC 2928'],
  ['2001:1::1/128', 'public', 'Port Control Protocol Anycast, RFC 7723'],
  ['2001:1::2/128', 'public', 'Traversal Using Relays around NAT Anycast, RFC 8155'],
  ['2001:1::3/128', 'public', 'DNS-SD Service Registration Protocol Anycast, RFC 9665'],
  ['2001:2::/48', 'reserved', 'Benchmarking, RFC 5180'],
  ['2001:3::/32', 'public', 'AMT, RFC 7450'],
  ['2001:4:112::/48', 'public', 'AS112-v6, RFC 7535'],
  ['2001:10::/28', 'reserved', 'Deprecated (previously ORCHID), RFC 4843'],
  ['2001:20::/28', 'public', 'ORCHIDv2, RFC 7343'],
  ['2001:30::/28', 'public', 'Drone Remote ID Protocol Entity Tags (DETs) Prefix, RFC 9374'],
  ['2001:db8::/32', 'reserved', 'Documentation, RFC 3849'],
  ['2620:4f:8000::/48', 'public', 'Direct Delegation AS112 Service, RFC 7534'],
  ['3fff::/20', 'reserved', 'Documentation, RFC 9637'],
  ['5f00::/16', 'reserved', 'Segment Routing (SRv6) SIDs, RFC 9602'],
  ['fc00::/7', 'private', 'Unique-Local, RFC 4193'],
  ['fe80::/10', 'link-local', 'Link-Local Unicast, RFC 4291'],
];

/** What those registries do not have. Services of a cloud's own machines count as link-local: no site is there. */
const OWN: readonly Row[] = [
  ['224.0.0.0/4', 'reserved', 'Multicast, RFC 5771'],
  ['168.63.129.16/32', 'link-local', 'Azure: what is IP address 168.63.129.16 (platform, DNS, metadata)'],
  ['100.100.100.200/32', 'link-local', 'Alibaba Cloud: instance metadata'],
  ['192.0.0.192/32', 'link-local', 'Oracle Cloud Infrastructure Classic: instance metadata'],
  ['fd00:ec2::/32', 'link-local', 'AWS: instance metadata, DNS and time over IPv6'],
  ['fd20:ce::254/128', 'link-local', 'Google Cloud: instance metadata over IPv6'],
  ['fec0::/10', 'private', 'Site-local, RFC 3879'],
  ['ff00::/8', 'reserved', 'Multicast, RFC 4291, section 2.7'],
];

/** Of IPv6 only this is assigned to hosts on the internet (RFC 4291, section 2.4, and IANA's IPv6 address space). */
const GLOBAL_IPV6 = '2000::/3';

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

/**
 * The scope of an IP address. An IPv6 address that embeds an IPv4 address has the scope of that, unless it is public; only
 * mapped and translated addresses are public with it. A text that is no address counts as public.
 */
export function scopeOf(address: string): Scope {
  const bytes = bytesOf(address);
  if (bytes === null) return 'public';
  if (bytes.length === 4) return scopeIn(bytes) ?? 'public';
  const found = scopeIn(bytes);
  if (found === 'loopback' || found === 'unspecified') return found;
  const embedded = embeddedIn(bytes).map((one) => ({ ...one, scope: scopeIn(one.bytes) ?? 'public' }));
  const inside = embedded.find(({ scope }) => scope !== 'public')?.scope;
  if (inside !== undefined) return inside;
  // Transition mechanisms that are not relied on (RFC 7526, RFC 4291, section 2.5.5.1); of Teredo and 6to4 IANA does not
  // say that they are globally reachable.
  if (embedded.length > 0) return embedded.some(({ isReachable }) => isReachable) ? 'public' : (found ?? 'reserved');
  return found ?? (isIn(bytes, blockOf(GLOBAL_IPV6)) ? 'public' : 'reserved');
}

/** Whether an address is that of one host on the internet. A text that is no address is not. */
export function isGloballyReachable(address: string): boolean {
  return bytesOf(address) !== null && scopeOf(address) === 'public';
}

interface Block {
  readonly bytes: Uint8Array;
  readonly bits: number;
}

let table: readonly (Block & { readonly scope: Scope })[] | undefined;

/** The scope of the smallest block that has the address; `undefined`: none has. */
function scopeIn(bytes: Uint8Array): Scope | undefined {
  table ??= [...IANA_IPV4, ...IANA_IPV6, ...OWN]
    .map(([block, scope]) => ({ ...blockOf(block), scope }))
    .toSorted((a, b) => b.bits - a.bits);
  return table.find((block) => isIn(bytes, block))?.scope;
}

function blockOf(text: string): Block {
  const [address = '', bits] = text.split('/');
  return { bytes: bytesOf(address) ?? new Uint8Array(), bits: Number(bits) };
}

function isIn(address: Uint8Array, { bytes, bits }: Block): boolean {
  if (bytes.length !== address.length) return false;
  return bytes.every((byte, index) => {
    const mask = (0xff00 >> Math.max(0, Math.min(8, bits - index * 8))) & 0xff;
    return (byte & mask) === ((address[index] ?? 0) & mask);
  });
}

/** `isReachable`: its hosts are those of the IPv4 internet. */
interface Embedded {
  readonly bytes: Uint8Array;
  readonly isReachable: boolean;
}

const EMBEDDING: readonly (readonly [block: string, starts: readonly number[], isReachable: boolean])[] = [
  // Mapped (RFC 4291, section 2.5.5.2), NAT64 (RFC 6052): a network without IPv4 reaches every IPv4 host by the latter.
  ['::ffff:0:0/96', [12], true],
  ['64:ff9b::/96', [12], true],
  // Compatible (RFC 4291, section 2.5.5.1), translated by SIIT (RFC 2765), 6to4 (RFC 3056).
  ['::/96', [12], false],
  ['::ffff:0:0:0/96', [12], false],
  ['2002::/16', [2], false],
  // Teredo (RFC 4380, section 4): its server, and its client with all bits inverted.
  ['2001::/32', [4, -12], false],
];

/** ISATAP (RFC 5214, section 6.1): the interface identifier is `[0200:]5efe` and an IPv4 address. */
const ISATAP: ReadonlySet<number> = new Set([0x00, 0x02]);

function embeddedIn(bytes: Uint8Array): readonly Embedded[] {
  const found = EMBEDDING.filter(([block]) => isIn(bytes, blockOf(block))).flatMap(([, starts, isReachable]) =>
    starts.map((start) => {
      const part = bytes.slice(Math.abs(start), Math.abs(start) + 4);
      return { bytes: start < 0 ? part.map((byte) => byte ^ 0xff) : part, isReachable };
    }),
  );
  const [first = -1, second, third, fourth] = bytes.slice(8, 12);
  const isIsatap = ISATAP.has(first) && second === 0 && third === 0x5e && fourth === 0xfe;
  // With a public IPv4 address in it, the prefix decides.
  return isIsatap && scopeIn(bytes.slice(12)) !== undefined
    ? [...found, { bytes: bytes.slice(12), isReachable: false }]
    : found;
}

/** The bytes of an address, with or without a zone; `null`: a text that is no address. */
export function bytesOf(address: string): Uint8Array | null {
  const ip = address.replace(/%.*$/s, '');
  const family = isIP(ip);
  if (family === 0) return null;
  if (family === 4) return Uint8Array.from(ip.split('.'), Number);
  const [, before = '', dotted] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(ip) ?? [];
  const octets = dotted?.split('.').map(Number);
  const groups = (text: string): number[] =>
    text.split(':').flatMap((group) => {
      const value = parseInt(group || '0', 16);
      return group === '' ? [] : [value >> 8, value & 0xff];
    });
  const [start = '', end] = (octets === undefined ? ip : before.replace(/(?<!:):$/, '')).split('::');
  const [left, right] = [groups(start), [...groups(end ?? ''), ...(octets ?? [])]];
  const bytes = new Uint8Array(16);
  bytes.set(left);
  bytes.set(right, 16 - right.length);
  return bytes;
}

/** Of an address that embeds another one, or has a zone, as of any other; false for a text that is no address. */
export function isWithin(address: string, list: BlockList): boolean {
  const ip = address.replace(/%.*$/s, '');
  const family = isIP(ip);
  return family !== 0 && list.check(ip, family === 6 ? 'ipv6' : 'ipv4');
}
