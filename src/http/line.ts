import type { Socket } from 'node:net';
import { Failure, failureOf } from './failure.ts';
import { WireTap } from './framing.ts';
import type { Phases } from './phases.ts';
import { ResponseReader, type RawResponse } from './response-reader.ts';
import { Client } from './undici.ts';

const MOST_HEADER_BYTES = 64 * 1024;
/** A TLS record begins so when a TLS server answers plain text with an alert (RFC 8446, section 5.1). */
const TLS_ALERT = 0x15;
/** How a connection ends that its server, or a box on the way, has closed. */
const CLOSED: ReadonlySet<string | undefined> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

export interface WireRequest {
  readonly method: 'GET' | 'HEAD';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Through a plain proxy the request line carries the absolute URL (RFC 9112, section 3.2.2). */
  readonly absolute: boolean;
  /** Most decoded bytes of the body. */
  readonly bodyCap: number;
}

/** HTTP/1.1 over one connected socket: one request after another, each when the one before it has ended well. */
export class Line {
  readonly #socket: Socket;
  readonly #wire: WireTap;
  readonly #client: InstanceType<typeof Client>;
  #reader: ResponseReader | undefined;
  #requests = 0;

  /** `origin`: of the URLs that will be asked for. */
  constructor(socket: Socket, origin: string) {
    this.#socket = socket;
    this.#wire = new WireTap(socket);
    let isGiven = false;
    this.#client = new Client(origin, {
      connect: (_options, callback) => {
        // undici connects anew for a request that it could not send. What is sent again, and where, is not its business.
        const error = isGiven ? Object.assign(new Error('closed'), { code: 'ECONNRESET' }) : null;
        isGiven = true;
        // undici does not expect to be called back before it has finished asking.
        queueMicrotask(() => (error === null ? callback(null, socket) : callback(error, null)));
      },
      maxHeaderSize: MOST_HEADER_BYTES,
      // One timer bounds the whole request; it lives in attempt.ts.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
    });
    this.#wire.onFault = (failure) => this.#reader?.fail(failure);
    socket.on('error', (error) => this.#reader?.onSocketError(error));
    this.#client.on('disconnect', (_origin, _targets, error) => this.#reader?.onDisconnect(error));
  }

  /** Whether another request may be sent. */
  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Called once, when the connection is closed by whomever. */
  onClose(callback: () => void): void {
    this.#socket.once('close', callback);
  }

  /**
   * Whether an error of `send` says no more than that the connection was closed while it was idle
   * (RFC 9112, section 9.3.1): nothing of a response has come, so that the request may be sent again.
   */
  wasClosedIdle(error: unknown): boolean {
    const isUnheard = this.#requests > 1 && this.#wire.firstBytes().length === 0;
    return isUnheard && error instanceof Error && CLOSED.has((error as NodeJS.ErrnoException).code);
  }

  /** Sends one request and reads the whole response. Rejects with what went wrong; the connection is closed then. */
  async send(request: WireRequest, phases: Phases, signal: AbortSignal): Promise<RawResponse> {
    this.#requests += 1;
    phases.enter('headers');
    let onAbort = (): void => {};
    try {
      return await new Promise((resolve, reject) => {
        const { method, bodyCap: cap } = request;
        const reader = new ResponseReader({ method, wire: this.#wire, phases, cap, resolve, reject });
        this.#reader = reader;
        onAbort = () => reader.fail(signal.reason as Error);
        if (signal.aborted) return onAbort();
        signal.addEventListener('abort', onAbort, { once: true });
        this.#client.dispatch({ path: pathOf(request), method, headers: request.headers }, reader);
      });
    } catch (error) {
      const told = speaksTls(this.#wire, error)
        ? new Failure('tls-protocol', { error: 'TLS_ON_HTTP_PORT' })
        : withReceived(error, this.#wire);
      this.close();
      throw told;
    } finally {
      this.#reader = undefined;
      signal.removeEventListener('abort', onAbort);
    }
  }

  close(): void {
    this.#socket.on('error', () => {});
    this.#client.destroy().catch(() => {});
    this.#socket.destroy();
  }
}

function pathOf({ url, absolute }: WireRequest): string {
  const path = `${url.pathname}${url.search}`;
  return absolute ? `${url.origin}${path}` : path;
}

/** Adds the first bytes that came to a failure of the parser, which says only that they are wrong. */
function withReceived(error: unknown, wire: WireTap): unknown {
  if (!(error instanceof Error) || error.name !== 'HTTPParserError') return error;
  const { reason, evidence } = failureOf(error, 'headers');
  return new Failure(reason, { ...evidence, received: wire.firstBytes().toString('latin1') });
}

function speaksTls(wire: WireTap, error: unknown): boolean {
  const bytes = wire.firstBytes();
  return !(error instanceof Failure) && bytes[0] === TLS_ALERT && bytes[1] === 3;
}
