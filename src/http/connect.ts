import dns, { type LookupAddress } from 'node:dns';
import { isIP, connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { TlsFacts } from '../check.ts';
import { Failure } from './failure.ts';
import { type Phases, untilAborted, untilEvent, type StopSignal } from './timing.ts';
import { openTunnel } from './address.ts';

/** Asks an address instead of resolving a name, as `curl --resolve host:port:address` does. */
export interface ResolveRule {
  /** Lower case, or `*` for every host. */
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
}

/** Resolves a host name to all its addresses. The default is the system's `getaddrinfo`. */
export type Resolver = (host: string, family: 0 | 4 | 6) => Promise<readonly LookupAddress[]>;

export interface DialOptions {
  readonly rules: readonly ResolveRule[];
  /** 0: either, in the resolver's order, raced (RFC 8305). */
  readonly family: 0 | 4 | 6;
  readonly resolver: Resolver;
  readonly proxy: URL | null;
  /** Throws for addresses that must not be connected to. `null`: a proxy resolves the name. */
  readonly admit: (addresses: readonly (string | null)[]) => void;
  readonly phases: Phases;
  /** Called when the first connection is under way: time to load what is needed next. */
  readonly onConnecting: () => void;
  readonly secureContext?: () => Promise<SecureContext>;
  readonly signal: StopSignal;
}

export interface Connection {
  readonly socket: Socket;
  /** The address connected to; `null` through a proxy. */
  readonly address: string | null;
  readonly tls: TlsFacts | null;
}

/** The system's resolver. */
export const systemResolver: Resolver = (host, family) =>
  new Promise((resolve, reject) => {
    dns.lookup(host, { all: true, family }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });

/** Opens a connection for a URL's origin: name, TCP (or a proxy's tunnel), TLS. Rejects with the system's errors. */
export async function dial(url: URL, options: DialOptions): Promise<Connection> {
  const secure = url.protocol === 'https:';
  const via = options.proxy;
  const connecting = Promise.withResolvers<void>();
  const onConnecting = (): void => {
    // Node connects in the next tick. Loading a module blocks it until then, which the round trip is there for.
    setImmediate(() => {
      connecting.resolve();
      options.onConnecting();
    });
  };
  const reaching = { ...options, onConnecting };
  const reached = via === null ? reach(url, reaching) : reachProxy(url, via, reaching);
  const tls = secure ? connecting.promise.then(() => readyTls(options)) : null;
  // It may fail (no file descriptors) before anybody waits for it.
  tls?.catch(() => {});
  const socket = await reached;
  const address = via === null ? (socket.remoteAddress ?? null) : null;
  if (tls === null) return { socket, address, tls: null };
  options.phases.enter('tls');
  const { startTls, secureContext } = await tls;
  const secured = await startTls(socket, url.hostname, options.signal, secureContext);
  return { socket: secured.socket, address, tls: secured.facts };
}

/** What connections over TLS share: the trusted authorities above all, which are costly to load. Made for the first connection. */
export function sharedContext(): () => Promise<SecureContext> {
  let made: SecureContext | undefined;
  return async () => (made ??= (await import('./tls.ts')).createSecureContext());
}

/** Loads TLS. */
async function readyTls({ secureContext }: DialOptions) {
  const { startTls } = await import('./tls.ts');
  return { startTls, secureContext: await secureContext?.() };
}

async function reachProxy(url: URL, proxy: URL, options: DialOptions): Promise<Socket> {
  // The proxy resolves names; an address it is given as such can be evaluated here.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  options.admit([isIP(host) === 0 ? null : host]);
  try {
    // --resolve and the scope of addresses are about the site's hosts, not about the proxy.
    const socket = await reach(proxy, { ...options, rules: [], admit: () => {} });
    return await openTunnel(socket, url, proxy, options.signal);
  } catch (error) {
    if (options.signal.aborted) throw error;
    if (error instanceof Failure) throw error;
    throw new Failure('proxy-failed', { proxy: proxy.host, error: (error as NodeJS.ErrnoException).code ?? null });
  }
}

async function reach(url: URL, options: DialOptions): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const addresses = await addressesOf(host, port, options);
  options.admit(addresses.map(({ address }) => address));
  options.phases.enter('connect');
  const socket = openSocket(host, port, addresses, options.signal);
  options.onConnecting();
  return socket;
}

async function addressesOf(host: string, port: number, options: DialOptions): Promise<readonly LookupAddress[]> {
  const rule = options.rules.find((one) => (one.host === host || one.host === '*') && one.port === port);
  const literals = rule?.addresses ?? (isIP(host) === 0 ? null : [host]);
  if (literals !== null) {
    options.phases.restart('connect');
    const wanted = literals.filter((address) => options.family === 0 || isIP(address) === options.family);
    if (wanted.length === 0) throw new Failure('dns-not-found', { host, family: `IPv${options.family}` });
    return wanted.map((address) => ({ address, family: isIP(address) }));
  }
  options.phases.restart('dns');
  return untilAborted(options.resolver(host, options.family), options.signal);
}

/**
 * How long one of several addresses is tried alone, in milliseconds. Node gives up that address then, where RFC 8305
 * tries the next one beside it: its default of 250 ms is too short for a host that is far away, or a busy machine.
 */
const ATTEMPT_MS = 2_000;

function openSocket(
  host: string,
  port: number,
  addresses: readonly LookupAddress[],
  signal: StopSignal,
): Promise<Socket> {
  const lookup: LookupFunction = (_host, _options, callback) => callback(null, [...addresses]);
  const only = addresses.length === 1 ? addresses[0]?.address : undefined;
  const socket = connectTcp({
    host: only ?? host,
    port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    noDelay: true,
  });
  return untilEvent(socket, 'connect', signal);
}
