/**
 * Whether a request is meant for this server, by its `Host`.
 *
 * A page of some website can have its own name resolve to 127.0.0.1 and then read, in a browser on this machine, what
 * listens there (DNS rebinding). Who listens on this machine only therefore answers for names that no one else can
 * have. A server that listens for others is public, under whatever name.
 */
import { isIP } from 'node:net';
import { scopeOf } from '../../address-scope.ts';
import type { ListenAddress } from '../settings.ts';

/** Names that always mean this machine (RFC 6761, section 6.3). */
const OWN_NAME = /^(?:.+\.)?localhost\.?$/;

export function isMeantForUs(host: string, listening: string, named: readonly string[]): boolean {
  if (scopeOf(listening) !== 'loopback') return true;
  const name = hostnameOf(host);
  if (name === null) return false;
  return isIP(name) !== 0 || OWN_NAME.test(name) || named.includes(name);
}

export function namedHosts(listen: Pick<ListenAddress, 'host'>, pageUrl: string | null): readonly string[] {
  const page = pageUrl !== null && URL.canParse(pageUrl) ? [new URL(pageUrl).hostname] : [];
  return [listen.host.toLowerCase(), ...page];
}

/** A host in small letters, without port and brackets; `null` if invalid. */
function hostnameOf(host: string): string | null {
  const found = /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<name>[a-z0-9_.-]+))(?::\d{1,5})?$/i.exec(host)?.groups;
  return (found?.['v6'] ?? found?.['name'] ?? null)?.toLowerCase() ?? null;
}
