/** How servers send the same files: each shape is one way that HTTP allows and that servers use. */
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { WireOptions } from '../transport/wire-server.ts';

/** One response before it is put on the wire. */
export interface Outgoing {
  readonly status: string;
  readonly fields: readonly string[];
  readonly body: Buffer;
  readonly socket: Socket;
  /** Of the request on its connection, counted from 1. */
  readonly turn: number;
}

type Send = (response: Outgoing) => Promise<void>;

export interface Shape {
  readonly name: string;
  readonly send: Send;
  /** The coding of all bodies; none by default. */
  readonly coding?: keyof typeof CODINGS;
  /** Of the script, compressed. */
  readonly scriptBytes?: number;
  readonly isSecure?: true;
  /** One of each kind is checked in the gate; the others are long tests. */
  readonly isInGate?: true;
  readonly greet?: WireOptions['greet'];
}

const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } } as const;

export const CODINGS = {
  gzip: (body: Buffer): Buffer => gzipSync(body, { level: 1 }),
  br: (body: Buffer): Buffer => brotliCompressSync(body, quick),
};

const KIB = 1024;
const MIB = 1024 * KIB;

const head = ({ status, fields }: Outgoing, ...more: readonly string[]): string =>
  `${[`HTTP/1.1 ${status}`, ...fields, ...more].join('\r\n')}\r\n\r\n`;

async function write(socket: Socket, bytes: Buffer | string): Promise<void> {
  if (socket.destroyed) return;
  await new Promise<void>((resolve) => {
    socket.once('close', resolve);
    socket.write(bytes, () => {
      socket.off('close', resolve);
      resolve();
    });
  });
}

/** With a length, as files are sent. */
const whole: Send = async (response) => {
  const { socket, body } = response;
  await write(socket, Buffer.concat([Buffer.from(head(response, `Content-Length: ${body.length}`)), body]));
};

/** With a length, in pieces of a size with a pause after each. */
const inPieces =
  (bytes: number, pauseMs: number): Send =>
  async (response) => {
    const { socket, body } = response;
    await write(socket, head(response, `Content-Length: ${body.length}`));
    for (let at = 0; at < body.length; at += bytes) {
      await write(socket, body.subarray(at, at + bytes));
      await sleep(pauseMs);
    }
  };

/** A body in chunks of a size, in one buffer: there may be hundreds of thousands. */
function inChunks(body: Buffer, bytes: number): Buffer {
  const full = `${bytes.toString(16)}\r\n`;
  const frame = full.length + 2;
  const chunks = Math.floor(body.length / bytes);
  const framed = Buffer.alloc(chunks * (bytes + frame));
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const at = chunk * (bytes + frame);
    framed.write(full, at, 'latin1');
    body.copy(framed, at + full.length, chunk * bytes, (chunk + 1) * bytes);
    framed.write('\r\n', at + full.length + bytes, 'latin1');
  }
  const rest = body.subarray(chunks * bytes);
  const last = rest.length === 0 ? '' : `${rest.length.toString(16)}\r\n`;
  return Buffer.concat([framed, Buffer.from(last), rest, Buffer.from(`${last === '' ? '' : '\r\n'}0\r\n\r\n`)]);
}

/** In chunks of a size, as what is compressed on the fly is sent. */
const chunked =
  (bytes: number): Send =>
  async (response) => {
    const start = Buffer.from(head(response, 'Transfer-Encoding: chunked'));
    await write(response.socket, Buffer.concat([start, inChunks(response.body, bytes)]));
  };

/** After interim responses. */
const after =
  (...interim: readonly string[]): Send =>
  async (response) => {
    for (const one of interim) await write(response.socket, `HTTP/1.1 ${one}\r\n\r\n`);
    await whole(response);
  };

/** Every so many responses, the connection ends with it. */
const closing =
  (every: number, end: (response: Outgoing) => Promise<void>): Send =>
  (response) =>
    response.turn % every === 0 ? end(response) : whole(response);

const announced: Send = async (response) => {
  await whole({ ...response, fields: [...response.fields, 'Connection: close'] });
  response.socket.end();
};

const unannounced: Send = async (response) => {
  await whole(response);
  response.socket.end();
};

const reset: Send = async ({ socket }) => void socket.resetAndDestroy();

/** HTTP/1.0, its body delimited by a length on a kept connection, or by the end of the connection. */
const old =
  (isKept: boolean): Send =>
  async (response) => {
    const { body, socket } = response;
    const fields = isKept ? ['Connection: keep-alive', `Content-Length: ${body.length}`] : [];
    await write(socket, head(response, ...fields).replace('HTTP/1.1', 'HTTP/1.0'));
    await write(socket, body);
    if (!isKept) socket.end();
  };

/** Reads requests late. */
const hesitate = (socket: Socket): void => {
  socket.pause();
  setTimeout(() => socket.resume(), 100);
};

export const SHAPES: readonly Shape[] = [
  { name: 'gzip with a length, 5 MB', coding: 'gzip', send: whole, scriptBytes: 5 * MIB },
  { name: 'gzip in chunks of 8 KiB', isInGate: true, coding: 'gzip', send: chunked(8 * KIB) },
  { name: 'gzip in chunks of 1 MiB, 5 MB', coding: 'gzip', send: chunked(MIB), scriptBytes: 5 * MIB },
  { name: 'gzip in chunks of 1 byte', coding: 'gzip', send: chunked(1) },
  { name: 'gzip over TLS', isInGate: true, coding: 'gzip', send: chunked(16 * KIB), isSecure: true },
  { name: 'Brotli in chunks, 5 MB', isInGate: true, coding: 'br', send: chunked(64 * KIB), scriptBytes: 5 * MIB },
  { name: 'no coding, 5 MB', send: whole, scriptBytes: 5 * MIB },
  { name: 'a slow link, 5 MB', coding: 'gzip', send: inPieces(64 * KIB, 4), scriptBytes: 5 * MIB },
  { name: 'a slow reader', coding: 'gzip', send: whole, greet: hesitate },
  { name: 'HTTP/1.0', isInGate: true, coding: 'gzip', send: old(false) },
  { name: 'HTTP/1.0, kept alive', coding: 'gzip', send: old(true) },
  { name: 'Connection: close in mid-crawl', isInGate: true, coding: 'gzip', send: closing(3, announced) },
  { name: 'closed right after a response', coding: 'gzip', send: closing(2, unannounced) },
  { name: 'reset when the next request arrives', isInGate: true, coding: 'gzip', send: closing(2, reset) },
  {
    name: 'interim responses first',
    isInGate: true,
    coding: 'gzip',
    send: after('103 Early Hints\r\nLink: </app.js>; rel=preload; as=script', '103 Early Hints', '100 Continue'),
  },
];
