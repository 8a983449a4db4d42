import type { Socket } from 'node:net';
import { Failure } from './failure.ts';
import { untilEvent } from './waiting.ts';
import { authorization } from './authorization.ts';
import type { StopSignal } from './stop.ts';

const MOST_HEADER_BYTES = 16 * 1024;

/**
 * Makes a connected proxy ready for a URL: TLS to the proxy where its URL is https, and a `CONNECT` tunnel
 * (RFC 9110, section 9.3.6) where the site's is. Plain http needs no tunnel: it is asked for by absolute URL.
 * Rejects with `proxy-failed`.
 */
export async function openTunnel(socket: Socket, url: URL, proxy: URL, signal: StopSignal): Promise<Socket> {
  let toProxy = socket;
  if (proxy.protocol === 'https:') {
    const { startTls } = await import('./tls.ts');
    const secured = await startTls(socket, proxy.hostname, signal).catch((error: unknown) => {
      throw error instanceof Failure ? new Failure('proxy-failed', { proxy: proxy.host, ...error.evidence }) : error;
    });
    toProxy = secured.socket;
  }
  if (url.protocol === 'http:') return toProxy;
  const authority = `${url.hostname}:${url.port || '443'}`;
  const credentials = authorization(proxy);
  const authorize = credentials === null ? '' : `Proxy-Authorization: ${credentials}\r\n`;
  toProxy.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorize}\r\n`);
  const status = await statusOf(toProxy, signal);
  if (status >= 200 && status < 300) return toProxy;
  toProxy.destroy();
  throw new Failure('proxy-failed', { proxy: proxy.host, status });
}

/** Reads exactly the header section of the proxy's answer, leaving what follows it in the socket. */
async function statusOf(socket: Socket, signal: StopSignal): Promise<number> {
  let head = Buffer.alloc(0);
  while (head.length <= MOST_HEADER_BYTES) {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) await untilEvent(socket, 'readable', signal);
    else head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) continue;
    socket.unshift(head.subarray(end + 4));
    return Number(/^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1', 0, 20))?.[1] ?? 0);
  }
  return 0;
}
