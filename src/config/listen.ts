import { isIP } from 'node:net';

/** Where a server listens, or what is connected to: an IPv6 address is without brackets. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/**
 * Reads `host:port`: a name, an IPv4 address or an IPv6 address in brackets (`127.0.0.1:9464`, `[::1]:9464`,
 * `localhost:0`). The host is not left out: to be reachable from everywhere is to be said (`0.0.0.0:9464`, `[::]:9464`).
 * `undefined` for anything else; never throws.
 */
export function parseHostPort(text: string, leastPort: 0 | 1 = 0): HostPort | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?)):(\d{1,5})$/i.exec(text.trim());
  if (match === null) return undefined;
  const [, literal, name = '', digits] = match;
  const port = Number(digits);
  if (port < leastPort || port > 65_535) return undefined;
  if (literal !== undefined) return isIP(literal) === 6 ? { host: literal, port } : undefined;
  // Digits and dots that are no IPv4 address are a slip, never a name.
  return /^[\d.]+$/.test(name) && isIP(name) !== 4 ? undefined : { host: name, port };
}
