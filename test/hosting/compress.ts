/** Platforms compress text by themselves, for clients that accept it, and say so to caches. */
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';

interface Sent {
  readonly body: Buffer;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A response as the client gets it. Small files are not compressed. */
export function compressed(request: IncomingMessage, { body, headers }: Sent): Sent {
  if (!/^text\/|\b(?:javascript|json)\b|\+xml/.test(headers['content-type'] ?? '')) return { body, headers };
  const { vary = '' } = headers;
  const varied = /accept-encoding/i.test(vary) ? vary : [vary, 'Accept-Encoding'].filter(Boolean).join(', ');
  const accepts = /\bgzip\b/.test(request.headers['accept-encoding']?.toString() ?? '');
  if (!accepts || body.length < 1_000) return { body, headers: { ...headers, vary: varied } };
  const packed = gzipSync(body);
  const length = 'content-length' in headers ? { 'content-length': String(packed.length) } : {};
  return { body: packed, headers: { ...headers, ...length, vary: varied, 'content-encoding': 'gzip' } };
}
