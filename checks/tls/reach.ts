/** How far a host can be reached from. */
import { isIP } from 'node:net';
import { scopeOf } from '../../src/address-scope.ts';

/** Names that are only used inside a network (RFC 6761, RFC 6762, RFC 8375). */
const INSIDE_NAMES = /(?:^|\.)(?:localhost|local|internal|home\.arpa|lan|test)$/;

/** The host of a URL without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Whether a site is on the internet, by its name and the address that answered (`null`: through a proxy). */
export function isPublic(url: URL, address: string | null): boolean {
  const host = hostOf(url);
  if (isIP(host) === 0 && (!host.includes('.') || INSIDE_NAMES.test(host))) return false;
  const ip = address ?? (isIP(host) === 0 ? null : host);
  return ip === null || scopeOf(ip) === 'public';
}
