import type { Socket } from 'node:net';
import type { ReadonlyHeaders } from '../check.ts';
import { bodySink, type BodySink } from './decode.ts';
import { Failure, failureOf } from './failure.ts';
import { tap, type WireTap } from './framing.ts';
import { readHeaders } from './headers.ts';
import type { Phases } from './phases.ts';
import { Client, type Dispatcher } from './undici.ts';

const MOST_HEADER_BYTES = 64 * 1024;
/** A TLS record begins so when a TLS server answers plain text with an alert (RFC 8446, section 5.1). */
const TLS_ALERT = 0x15;

export interface ExchangeRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Through a plain proxy the request line carries the absolute URL (RFC 9112, section 3.2.2). */
  readonly absolute: boolean;
  /** Most decoded bytes of the body. */
  readonly bodyCap: number;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyHeaders;
  readonly body: Uint8Array;
}

/** Sends one GET over a connected socket, which it uses up, and reads the whole response. Rejects with what went wrong. */
export async function exchange(
  socket: Socket,
  request: ExchangeRequest,
  phases: Phases,
  signal: AbortSignal,
): Promise<RawResponse> {
  const wire = tap(socket);
  const client = new Client(request.url.origin, {
    // undici does not expect to be called back before it has finished asking.
    connect: (_options, callback) => queueMicrotask(() => callback(null, socket)),
    maxHeaderSize: MOST_HEADER_BYTES,
    // One timer bounds the whole request; it lives in get.ts.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  });
  try {
    phases.enter('headers');
    const path = `${request.url.pathname}${request.url.search}`;
    return await new Promise((resolve, reject) => {
      const handler = new ResponseReader({ wire, phases, cap: request.bodyCap, resolve, reject });
      wire.onFault = (failure) => handler.fail(failure);
      signal.addEventListener('abort', () => handler.fail(signal.reason as Error), { once: true });
      socket.on('error', (error) => handler.onSocketError(error));
      client.on('disconnect', (_origin, _targets, error) => handler.onDisconnect(error));
      client.dispatch(
        {
          path: request.absolute ? `${request.url.origin}${path}` : path,
          method: 'GET',
          headers: request.headers,
        },
        handler,
      );
    });
  } catch (error) {
    throw speaksTls(wire, error)
      ? new Failure('tls-protocol', { error: 'TLS_ON_HTTP_PORT' })
      : withReceived(error, wire);
  } finally {
    socket.on('error', () => {});
    client.destroy().catch(() => {});
    socket.destroy();
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

interface Ending {
  readonly wire: WireTap;
  readonly phases: Phases;
  readonly cap: number;
  readonly resolve: (response: RawResponse) => void;
  readonly reject: (error: Error) => void;
}

/** Collects one response from undici's parser. Settles once; what comes later is ignored. */
class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #ending: Ending;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: ReadonlyHeaders = readHeaders([]);
  #sink: BodySink | undefined;
  #socketError: Error | undefined;
  #settled = false;

  constructor(ending: Ending) {
    this.#ending = ending;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    this.#ending.phases.enter('body');
    this.#status = status;
    this.#headers = readHeaders(controller.rawHeaders as Buffer[]);
    try {
      this.#sink = bodySink(this.#headers.get('content-encoding'), this.#ending.cap, {
        onDrain: () => controller.resume(),
        onError: (error) => this.fail(error),
      });
    } catch (error) {
      this.fail(error as Error);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    try {
      if (this.#sink?.write(chunk) === false) controller.pause();
    } catch (error) {
      this.fail(error as Error);
    }
  }

  onResponseEnd(): void {
    // A reset may end a body that is delimited by the end of the connection; such a body is not whole.
    if (this.#socketError !== undefined) return this.fail(this.#socketError);
    // What was sent beyond the message is seen by the parser, or by the tap, in this turn or the next.
    setImmediate(() => {
      const surplusBytes = this.#ending.wire.surplus(this.#headers);
      if (surplusBytes > 0) return this.fail(new Failure('bad-framing', { surplusBytes }));
      this.#sink?.finish().then(
        (body) => this.#succeed(body),
        (error: Error) => this.fail(error),
      );
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  onSocketError(error: Error): void {
    this.#socketError = error;
  }

  /** After a whole message only a parser error counts: bytes followed that are no response. */
  onDisconnect(error: Error): void {
    if (error.name === 'HTTPParserError') this.fail(error);
  }

  fail(error: Error): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#sink?.destroy();
    this.#ending.reject(error);
    this.#controller?.abort(error);
  }

  #succeed(body: Uint8Array): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#ending.phases.charge();
    this.#ending.resolve({ status: this.#status, headers: this.#headers, body });
  }
}
