import type { ReadonlyHeaders } from '../check.ts';
import { bodySink, type BodySink } from './decode.ts';
import { Failure } from './failure.ts';
import type { WireTap } from './framing.ts';
import { readHeaders } from './headers.ts';
import type { Phases } from './phases.ts';
import type { Dispatcher } from './undici.ts';

export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyHeaders;
  readonly body: Uint8Array;
  /** Bytes of the body before content codings were undone. */
  readonly encodedBytes: number;
}

interface Ending {
  readonly method: 'GET' | 'HEAD';
  readonly wire: Pick<WireTap, 'begin' | 'surplus' | 'rest'>;
  readonly phases: Phases;
  /** Most decoded bytes of the body. */
  readonly cap: number;
  readonly resolve: (response: RawResponse) => void;
  readonly reject: (error: Error) => void;
}

/** What a parser lets its reader do. */
type Flow = Pick<Dispatcher.DispatchController, 'pause' | 'resume'>;

const NO_HEADERS = readHeaders([]);

/** Collects one response from a parser, undici's or our own. Settles once; what comes later is ignored. */
export class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #ending: Ending;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: ReadonlyHeaders = NO_HEADERS;
  #sink: BodySink | undefined;
  #encodedBytes = 0;
  #socketError: Error | undefined;
  #settled = false;

  constructor(ending: Ending) {
    this.#ending = ending;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#ending.wire.begin();
  }

  onResponseStart(controller: Flow & { readonly rawHeaders?: unknown }, status: number): void {
    this.#ending.phases.enter('body');
    this.#status = status;
    this.#headers = readHeaders(controller.rawHeaders as readonly (Buffer | string)[]);
    // Where there is no body (RFC 9112, section 6.3) it does not matter which coding one would have had.
    const isBodiless = this.#ending.method === 'HEAD' || status === 204 || status === 304;
    const coding = isBodiless ? null : this.#headers.get('content-encoding');
    try {
      this.#sink = bodySink(coding, this.#ending.cap, {
        onDrain: () => controller.resume(),
        onError: (error) => this.fail(error),
      });
    } catch (error) {
      this.fail(error as Error);
    }
  }

  onResponseData(controller: Flow, chunk: Buffer): void {
    this.#encodedBytes += chunk.length;
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
      // A body after HEAD is a server's mistake that harms nobody: the connection is not used again.
      const surplusBytes = this.#ending.method === 'HEAD' ? 0 : this.#ending.wire.surplus(this.#headers);
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
    this.#ending.wire.rest();
    const encodedBytes = this.#encodedBytes;
    this.#ending.resolve({ status: this.#status, headers: this.#headers, body, encodedBytes });
  }
}
