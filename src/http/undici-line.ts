import { Failure, failureOf } from './failure.ts';
import { WireTap } from './framing.ts';
import { HeardSocket, type Heard } from './heard-socket.ts';
import { targetOf, type WireRequest } from './wire-request.ts';
import type { Phases } from './phases.ts';
import { ResponseReader, type RawResponse } from './response-reader.ts';
import type { StopSignal } from './stop.ts';
import { Client } from './undici.ts';

const MOST_HEADER_BYTES = 64 * 1024;
/** A TLS record begins so when a TLS server answers plain text with an alert (RFC 8446, section 5.1). */
const TLS_ALERT = 0x15;

/** All of HTTP/1.1 over a connection whose server answers in another than the ordinary form: undici judges what comes. */
export class UndiciLine {
  readonly #wire: WireTap;
  readonly #client: InstanceType<typeof Client>;
  #reader: ResponseReader | undefined;

  /** `origin`: of the URLs that will be asked for. */
  constructor(origin: string, heard: Heard) {
    const socket = new HeardSocket(heard);
    this.#wire = new WireTap(socket);
    let isGiven = false;
    this.#client = new Client(origin, {
      connect: (_options, callback) => {
        // undici connects anew for a request that it could not send. What is sent again, and where, is not its business.
        const error = isGiven ? Object.assign(new Error('closed'), { code: 'ECONNRESET' }) : null;
        isGiven = true;
        // undici does not expect to be called back before it has finished asking. It takes any stream for a socket.
        queueMicrotask(() =>
          error === null ? callback(null, socket as unknown as Heard['socket']) : callback(error, null),
        );
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

  /** Whether nothing has come of the response under way. */
  get isUnheard(): boolean {
    return this.#wire.firstBytes().length === 0;
  }

  /** Sends one request and reads the whole response. Rejects with what went wrong; the connection has to be closed then. */
  async send(request: WireRequest, phases: Phases, signal: StopSignal): Promise<RawResponse> {
    let onAbort = (): void => {};
    try {
      return await new Promise((resolve, reject) => {
        const { method, bodyCap: cap } = request;
        const reader = new ResponseReader({ method, wire: this.#wire, phases, cap, resolve, reject });
        this.#reader = reader;
        onAbort = () => reader.fail(signal.reason);
        if (signal.aborted) return onAbort();
        signal.addEventListener('abort', onAbort, { once: true });
        this.#client.dispatch({ path: targetOf(request), method, headers: request.headers }, reader);
      });
    } catch (error) {
      throw speaksTls(this.#wire, error)
        ? new Failure('tls-protocol', { error: 'TLS_ON_HTTP_PORT' })
        : withReceived(error, this.#wire);
    } finally {
      this.#reader = undefined;
      signal.removeEventListener('abort', onAbort);
    }
  }

  close(): void {
    this.#client.destroy().catch(() => {});
  }
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
