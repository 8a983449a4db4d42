import type { Socket } from 'node:net';
import type { ReadonlyHeaders } from '../check.ts';

const MOST_HEADER_BYTES = 80 * 1024;

/** What passed over the wire, seen beside undici's parser. */
export interface WireTap {
  /** The first bytes that came, for evidence. */
  firstBytes(): Buffer;
  /**
   * Bytes that were sent beyond the announced `Content-Length` (RFC 9112, section 6.3), as far as they have been read.
   * A client that keeps to the length shows a page that is cut off, so they are not harmless.
   */
  surplus(headers: ReadonlyHeaders): number;
}

/** Counts what is read from a socket. undici stops at the announced length and does not tell what came after. */
export function tap(socket: Socket): WireTap {
  const read = socket.read.bind(socket);
  let head = Buffer.alloc(0);
  let total = 0;
  let bodyStart = -1;
  // undici puts back what it could not take yet: that must not be counted twice.
  const unshift = socket.unshift.bind(socket);
  socket.unshift = (chunk: Buffer): void => {
    total -= chunk.length;
    unshift(chunk);
  };
  socket.read = (size?: number): Buffer | null => {
    const chunk = read(size) as Buffer | null;
    if (chunk === null) return chunk;
    if (bodyStart === -1 && total >= head.length && head.length < MOST_HEADER_BYTES) {
      head = Buffer.concat([head, chunk]);
      bodyStart = finalHeaderEnd(head);
    }
    total += chunk.length;
    return chunk;
  };
  return {
    firstBytes: () => head.subarray(0, 64),
    surplus(headers) {
      const length = headers.get('content-length');
      if (bodyStart === -1 || length === null || headers.get('transfer-encoding') !== null) return 0;
      return Math.max(0, total - bodyStart - Number(length));
    },
  };
}

/** Where the header section of the final response ends; interim (1xx) responses before it are passed over. */
function finalHeaderEnd(bytes: Buffer): number {
  let start = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n', start);
    if (end === -1) return -1;
    const status = /^HTTP\/1\.[01] (\d)/.exec(bytes.toString('latin1', start, start + 16))?.[1];
    if (status !== '1') return end + 4;
    start = end + 4;
  }
}
