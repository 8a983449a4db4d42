import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { isIP, connect as connectTcp, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { hostOf } from './address-scope.ts';
import { portOf, type ScopeGuard } from './address.ts';
import type { HttpConnection } from './connection.ts';
import { Failure } from './failure.ts';
import { credentials } from './headers.ts';
import { untilAborted, untilEvent, type Stopwatch } from './timing.ts';

/** Connects to an address instead of resolving a name, as `curl --resolve host:port:address` does. */
export interface ResolveRule {
  /** Lower case, or `*` for every host; an IPv6 literal without brackets. */
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
}

/** Resolves a host name to all its addresses. */
export type Resolver = (host: string, family: 0 | 4 | 6) => Promise<readonly LookupAddress[]>;

export interface ConnectOptions {
  readonly rules: readonly ResolveRule[];
  /** 4 or 6: only addresses of that family; 0: either, in the resolver's order. */
  readonly family: 0 | 4 | 6;
  /** Defaults to the system's `getaddrinfo`. */
  readonly resolver?: Resolver | undefined;
  /** Decides which addresses may be connected to, and learns which one was. */
  readonly guard: ScopeGuard;
  readonly watch: Stopwatch;
  readonly onConnecting?: () => void;
  /** Costly to make, so that a run, or a monitor's many, share one. Absent: each connection makes its own. */
  readonly secureContext?: (() => Promise<SecureContext>) | undefined;
}

export const systemResolver: Resolver = (host, family) => lookup(host, { all: true, family });

/** The trusted authorities are costly to load, so connections share them. Made for the first connection. */
export function sharedContext(): () => Promise<SecureContext> {
  let made: SecureContext | undefined;
  return async () => (made ??= (await import('./tls.ts')).createSecureContext());
}

/** For hosts that the user names: they may be on any network. */
export const UNGUARDED: ScopeGuard = { admit: (_url, addresses) => addresses, connected: () => {} };

/** Opens a connection for a URL's origin: name, TCP (or a proxy's tunnel), TLS. Rejects with the system's errors. */
export async function openConnection(url: URL, proxy: URL | null, options: ConnectOptions): Promise<HttpConnection> {
  const connecting = Promise.withResolvers<void>();
  const isSecure = url.protocol === 'https:';
  // The client and TLS take longer to load than a near host to answer, so they are loaded while the host is awaited.
  const loaded = connecting.promise.then(async () => {
    const client = await import('./connection.ts');
    const tls = isSecure ? await import('./tls.ts') : null;
    return { ...client, tls, secureContext: isSecure ? await options.secureContext?.() : undefined };
  });
  // It may fail (no file descriptors) before it is awaited.
  loaded.catch(() => {});
  // Node connects in the next tick. Loading a module blocks it until then.
  const socket = await openTcp(url, proxy, { ...options, onConnecting: () => void setImmediate(connecting.resolve) });
  const address = proxy === null ? (socket.remoteAddress ?? null) : null;
  if (isSecure) options.watch.enter('tls');
  const { httpConnection, tls, secureContext } = await loaded;
  if (tls === null) return httpConnection(socket, url.origin, { address, tls });
  const secured = await tls.startTls(socket, hostOf(url), options.watch.signal, secureContext);
  return httpConnection(secured.socket, url.origin, { address, tls: secured.facts });
}

/** Opens a TCP connection, through a proxy's tunnel where there is one. Rejects with the system's errors. */
export function openSocket(url: URL, proxy: URL | null, options: ConnectOptions): Promise<Socket> {
  // Only for `https` a proxy is asked for a tunnel.
  return openTcp(proxy === null ? url : new URL(`https://${url.hostname}:${portOf(url)}`), proxy, options);
}

async function openTcp(url: URL, proxy: URL | null, options: ConnectOptions): Promise<Socket> {
  if (proxy === null) return reach(url, options);
  const host = hostOf(url);
  const { signal } = options.watch;
  options.guard.admit(url, [isIP(host) === 0 ? null : host]);
  try {
    // --resolve and the scope of addresses are about the site's hosts, not about the proxy.
    const socket = await reach(proxy, { ...options, rules: [], guard: UNGUARDED });
    return await openTunnel(socket, url, proxy, signal);
  } catch (error) {
    if (signal.aborted || error instanceof Failure) throw error;
    throw new Failure('proxy-failed', { proxy: proxy.host, error: (error as NodeJS.ErrnoException).code ?? null });
  }
}

/**
 * How long one of several addresses is tried alone, in milliseconds. Node gives up that address then, where RFC 8305
 * tries the next one beside it: its default of 250 ms is too short for a host that is far away, or a busy machine.
 */
const ADDRESS_MS = 2_000;

async function reach(url: URL, options: ConnectOptions): Promise<Socket> {
  const host = hostOf(url);
  const port = portOf(url);
  const resolved = await addressesOf(host, port, options);
  const admitted = new Set(
    options.guard.admit(
      url,
      resolved.map(({ address }) => address),
    ),
  );
  const addresses = resolved.filter(({ address }) => admitted.has(address));
  options.watch.enter('connect');
  const [only] = addresses;
  const socket = connectTcp({
    host: addresses.length === 1 && only !== undefined ? only.address : host,
    port,
    lookup: (_host, _options, callback) => callback(null, [...addresses]),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_MS,
    noDelay: true,
  });
  const connecting = untilEvent(socket, 'connect', options.watch.signal);
  options.onConnecting?.();
  const connected = await connecting;
  // It may be closed again already.
  if (connected.remoteAddress !== undefined) options.guard.connected(url, connected.remoteAddress);
  return connected;
}

async function addressesOf(host: string, port: number, options: ConnectOptions): Promise<readonly LookupAddress[]> {
  const { rules, family, watch, resolver = systemResolver } = options;
  const rule = rules.find((one) => (one.host === host || one.host === '*') && one.port === port);
  const literals = rule?.addresses ?? (isIP(host) === 0 ? null : [host]);
  if (literals === null) {
    watch.restart('dns');
    return untilAborted(resolver(host, family), watch.signal);
  }
  watch.restart('connect');
  const wanted = literals.filter((address) => family === 0 || isIP(address) === family);
  if (wanted.length === 0) throw new Failure('dns-not-found', { host, family: `IPv${family}` });
  return wanted.map((address) => ({ address, family: isIP(address) }));
}

/**
 * Makes a connected proxy ready for a URL: TLS to the proxy where its URL is https, and a `CONNECT` tunnel
 * (RFC 9110, section 9.3.6) where the site's is. Plain http needs no tunnel: its requests have the absolute URL.
 */
async function openTunnel(socket: Socket, url: URL, proxy: URL, signal: AbortSignal): Promise<Socket> {
  let toProxy = socket;
  if (proxy.protocol === 'https:') {
    const { startTls } = await import('./tls.ts');
    const secured = await startTls(socket, hostOf(proxy), signal).catch((error: unknown) => {
      throw error instanceof Failure ? new Failure('proxy-failed', { proxy: proxy.host, ...error.evidence }) : error;
    });
    toProxy = secured.socket;
  }
  if (url.protocol === 'http:') return toProxy;
  const { request } = await import('node:http');
  const authority = `${url.hostname}:${portOf(url)}`;
  const headers = { host: authority, ...credentials('proxy-authorization', proxy) };
  const asked = request({ method: 'CONNECT', path: authority, headers, createConnection: () => toProxy });
  // The connection is to last as long as the tunnel.
  asked.removeHeader('connection');
  // It fails again when its connection is closed below.
  asked.on('error', () => {}).end();
  try {
    const [{ statusCode: status = 0 }, , ahead] = (await once(asked, 'connect', { signal })) as ConnectEvent;
    if (status < 200 || status >= 300) throw new Failure('proxy-failed', { proxy: proxy.host, status });
    toProxy.unshift(ahead);
    return toProxy;
  } catch (error) {
    toProxy.destroy();
    throw error;
  }
}

/** `ahead`: what the site sent with the proxy's response. */
type ConnectEvent = [response: IncomingMessage, socket: Socket, ahead: Buffer];
