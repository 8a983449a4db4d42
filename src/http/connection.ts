import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import type { Reply } from '../core/answer.ts';
import { Failure, isBadFraming } from './failure.ts';
import { readHeaders } from './headers.ts';
import type { KnownBodies, KnownBody } from './repeated-body.ts';
import { connectionClosed, type Stopwatch } from './timing.ts';
import { Client, withoutOptimizing, type Dispatcher } from './undici.ts';

export interface WireRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Through a plain proxy the request line has the absolute URL (RFC 9112, section 3.2.2). */
  readonly absolute: boolean;
  /** Most bytes of the response's body, as it is sent and decoded. */
  readonly bodyCap: number;
  /** Only the status counts: a body that is too long or breaks off is cut, and not decoded. */
  readonly mayCut?: boolean | undefined;
  readonly known?: KnownBodies | undefined;
  readonly onReceived?: ((bytes: number) => void) | undefined;
  readonly watch: Stopwatch;
}

type Peer = Pick<Reply, 'address' | 'tls'>;
type Received = Pick<Reply, 'status' | 'headers' | 'body' | 'encodedBytes'>;
export type RawResponse = Received & Peer;

const MOST_HEADER_BYTES = 64 * 1024;
const MOST_INTERIM_RESPONSES = 16;

/** How a connection ends that its server, or a box on the way, has closed. */
const CLOSED: ReadonlySet<string | undefined> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** HTTP/1.1 over one connected socket: an undici client that never opens another connection. */
export function httpConnection(socket: Socket, origin: string, peer: Peer) {
  let isUsed = false;
  const client = new Client(origin, {
    connect: (_options, callback) => {
      // undici connects again for a request that it could not send. Whether to send it again is decided in the pool.
      const error = isUsed || socket.destroyed ? connectionClosed() : null;
      isUsed = true;
      // undici does not expect the callback before this function has returned.
      queueMicrotask(() => (error === null ? withoutOptimizing(() => callback(null, socket)) : callback(error, null)));
    },
    maxHeaderSize: MOST_HEADER_BYTES,
    // The stopwatch bounds the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  });

  /** Sends one request and reads the whole response. On failure it rejects, and the connection is closed. */
  const send = async (request: WireRequest): Promise<RawResponse> => {
    const { method, url, headers, body, absolute, watch } = request;
    const { signal } = watch;
    const before = socket.bytesRead;
    watch.enter('headers');
    const stopSkipping = skipInterim(socket);
    const reader = readResponse(request);
    const onAbort = (): void => reader.fail(signal.reason as Error);
    socket.on('error', reader.onSocketError);
    try {
      if (signal.aborted) onAbort();
      else {
        signal.addEventListener('abort', onAbort, { once: true });
        const path = `${absolute ? url.origin : ''}${url.pathname}${url.search}`;
        client.dispatch({ path, method, headers, body: body ?? null }, reader.handler);
      }
      const response = await reader.response;
      watch.charge();
      if (!reader.isWhole()) socket.destroy();
      return { ...response, ...peer };
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      request.onReceived?.(socket.bytesRead - before);
      stopSkipping();
      socket.off('error', reader.onSocketError);
      signal.removeEventListener('abort', onAbort);
    }
  };

  /** As `send`; `null`: the connection was closed while it was idle, so that another one has to send the request. */
  const sendAgain = async (request: WireRequest): Promise<RawResponse | null> => {
    const { watch } = request;
    const before = socket.bytesRead;
    watch.restart('headers');
    try {
      return await send(request);
    } catch (error) {
      // RFC 9112, section 9.3.1; or surplus bytes of the last response came.
      const isUnanswered = socket.bytesRead === before;
      const isStale = isBadFraming(error) || (isUnanswered && CLOSED.has((error as NodeJS.ErrnoException).code));
      if (watch.signal.aborted || !isStale) throw error;
      return null;
    }
  };

  return {
    isOpen: (): boolean => !socket.destroyed,
    onClose: (callback: () => void): void => void socket.once('close', callback),
    send,
    sendAgain,
    close: (): void => void socket.destroy(),
  };
}

export type HttpConnection = ReturnType<typeof httpConnection>;

function readResponse({ method, known, bodyCap, mayCut, watch }: WireRequest) {
  const { promise: response, resolve, reject } = Promise.withResolvers<Received>();
  const collected = collector(bodyCap);
  let controller: Dispatcher.DispatchController | undefined;
  let status = 0;
  let headers = readHeaders([]);
  let decode: Decode = (body) => body;
  /** The body that this one most likely is. */
  let candidate: KnownBody | undefined;
  let interim = 0;
  let socketError: Error | undefined;
  let isWhole = false;

  const succeed = (body: Uint8Array, encodedBytes: number): void => resolve({ status, headers, body, encodedBytes });
  const fail = (error: Error): void => {
    const body = collected.whole();
    if (mayCut === true && status !== 0) succeed(body, body.length);
    else reject(error);
    controller?.abort(error);
  };
  const finish = async (): Promise<void> => {
    const encoded = collected.whole();
    const body = await decode(encoded);
    if (status === 200 && method === 'GET') known?.add(headers, encoded, body);
    succeed(body, encoded.length);
  };
  // What a method of it throws comes back as `onResponseError`.
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started;
    },
    onResponseStart({ rawHeaders }, received) {
      if (received < 200) {
        interim += 1;
        if (interim > MOST_INTERIM_RESPONSES) throw new Failure('bad-framing', { interimResponses: interim });
        return;
      }
      watch.enter('body');
      status = received;
      headers = readHeaders(rawHeaders as readonly (Buffer | string)[]);
      // A body that does not exist (RFC 9112, section 6.3) needs no decoder.
      if (method === 'HEAD' || status === 204 || status === 304) return;
      decode = decoderFor(headers.get('content-encoding'), bodyCap);
      collected.expect(Number(headers.get('content-length')));
      if (status === 200) candidate = known?.find(headers);
    },
    onResponseData(_controller, chunk) {
      collected.add(chunk);
      if (candidate === undefined) return;
      const start = collected.whole().subarray(0, candidate.start.length);
      if (start.length < candidate.start.length) return;
      const { body, encodedBytes } = candidate;
      const isSame = start.equals(candidate.start);
      candidate = undefined;
      if (!isSame) return;
      // The rest of the response is known: the connection ends in the middle of it.
      succeed(body, encodedBytes);
      controller?.abort(connectionClosed());
    },
    onResponseEnd() {
      isWhole = true;
      // A reset may end a body that is delimited by the end of the connection; such a body is not whole.
      if (socketError !== undefined) return fail(socketError);
      // What was sent beyond the message makes undici destroy the socket in this turn.
      setImmediate(() => {
        // After HEAD it is a harmless mistake of the server.
        if (method !== 'HEAD' && isBadFraming(socketError)) fail(socketError);
        else finish().catch(fail);
      });
      return undefined;
    },
    onResponseError: (_controller, error) => fail(error),
  };
  const onSocketError = (error: Error): void => {
    socketError = error;
  };
  return { response, handler, fail, onSocketError, isWhole: () => isWhole };
}

/** Interim responses, whole. After 101 no HTTP follows. */
const INTERIM = /^(?:HTTP\/1\.[01] 1(?!01)\d\d[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)+/;
/** An interim response whose end is missing; and the beginnings of its status line. */
const UNFINISHED = /^HTTP\/1\.[01] 1(?!01)\d\d(?:[^\r\n]|\r\n)*\r?$/;
const BEGINNING = /^HTTP\/1\.[01] 1\d?$/;
const SHORTEST = 'HTTP/1.1 1';
const MOST_INTERIM_BYTES = 16 * 1024;

function mayBecomeInterim(text: string): boolean {
  if (text.length < SHORTEST.length) return SHORTEST.startsWith(text.replace('1.0', '1.1'));
  return BEGINNING.test(text) || UNFINISHED.test(text);
}

/**
 * Removes interim responses before the next response (RFC 9110, section 15.2), in however many segments they come: undici
 * refuses `100 Continue`.
 */
function skipInterim(socket: Socket): () => void {
  let skipped = 0;
  /** Received, and possibly the beginning of an interim response. */
  let held: Buffer = Buffer.alloc(0);
  const stop = (): void => void socket.off('readable', onReadable);
  const onReadable = (): void => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const text = held.toString('latin1', 0, MOST_INTERIM_BYTES);
    const bytes = INTERIM.exec(text)?.[0].length ?? 0;
    skipped += bytes;
    held = held.subarray(bytes);
    const isTooLong = skipped + held.length > MOST_INTERIM_BYTES;
    if (!isTooLong && mayBecomeInterim(text.slice(bytes))) return;
    stop();
    if (held.length > 0) socket.unshift(held);
    held = Buffer.alloc(0);
  };
  socket.prependListener('readable', onReadable);
  return stop;
}

/** No codings at all. */
const PLAIN = new Set(['', 'identity']);

/** Browsers undo it, and it is not undone here. */
const NOT_SUPPORTED = 'zstd';

const MOST_CODINGS = 3;

/** Longest encoded body that is decoded in this thread: another one costs more. */
const SHORT = 64 * 1024;
/** Longest decoded body of those, in bytes. */
const LONG = 1024 * 1024;

/** Undoes content codings. Rejects with what is wrong with the body. */
type Decode = (encoded: Buffer) => Promise<Uint8Array> | Uint8Array;

/** The content codings that browsers know; they take other words for none. */
export const isCoding = (word: string): boolean => DECODERS.has(word) || word === NOT_SUPPORTED;

/** Not zstd: before Node 24 it is experimental, and a body that is cut off decodes without an error. */
const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', 'gunzip'],
  ['x-gzip', 'gunzip'],
  ['br', 'brotliDecompress'],
  ['deflate', 'inflate'],
]);

type Decoder = 'gunzip' | 'brotliDecompress' | 'inflate';

/**
 * The decoder for a `Content-Encoding`. What is no coding (`aws-chunked`, `utf8`, `binary`) is, as in browsers, a body as it
 * is. Throws a `bad-encoding` failure for a coding that is not supported, and for too many.
 */
function decoderFor(encoding: string | null, cap: number): Decode {
  const codings = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !PLAIN.has(coding));
  if (codings.length > MOST_CODINGS || codings.includes(NOT_SUPPORTED)) {
    throw new Failure('bad-encoding', { contentEncoding: encoding });
  }
  const decoders = codings.toReversed().flatMap((coding) => DECODERS.get(coding) ?? []);
  // Chromium undoes none of several codings of which it does not know one.
  if (decoders.length < codings.length || decoders.length === 0) return (body) => body;
  return async (encoded) => {
    let body = encoded;
    // Hosts label empty bodies with the coding that they would have used.
    for (const decoder of encoded.length === 0 ? [] : decoders) body = await decoded(decoder, body, cap);
    return body;
  };
}

async function decoded(decoder: Decoder, encoded: Buffer, cap: number): Promise<Buffer> {
  const zlib = process.getBuiltinModule('node:zlib');
  const decode: typeof zlib.gunzip = zlib[decoder];
  try {
    if (encoded.length > SHORT) return await promisify(decode)(encoded, { maxOutputLength: cap });
    const most = Math.min(cap, LONG);
    try {
      return zlib[`${decoder}Sync`](encoded, { maxOutputLength: most });
    } catch (error) {
      if (most === cap || !isTooLarge(error)) throw error;
    }
    // In one part: joining many takes twice the memory.
    return await promisify(decode)(encoded, { maxOutputLength: cap, chunkSize: cap });
  } catch (error) {
    throw isTooLarge(error) ? new Failure('too-large', { limitBytes: cap }) : error;
  }
}

const isTooLarge = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';

const FIRST_BYTES = 16 * 1024;

/** Collects the chunks of a body up to a cap. They are copied: many small ones take more memory than they hold. */
function collector(cap: number) {
  let bytes = Buffer.alloc(0);
  let length = 0;
  const grow = (least: number): void => {
    const larger = Buffer.allocUnsafeSlow(Math.min(cap, Math.max(FIRST_BYTES, least, bytes.length * 2)));
    bytes.copy(larger, 0, 0, length);
    bytes = larger;
  };
  return {
    /** Reserves room at once. The system gives memory only to what is really received. */
    expect(whole: number): void {
      if (whole > bytes.length && whole <= cap) grow(whole);
    },
    add(chunk: Buffer): void {
      const longer = length + chunk.length;
      if (longer > cap) throw new Failure('too-large', { limitBytes: cap });
      if (longer > bytes.length) grow(longer);
      chunk.copy(bytes, length);
      length = longer;
    },
    whole: (): Buffer => bytes.subarray(0, length),
  };
}
