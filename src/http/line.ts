import type { Socket } from 'node:net';
import type { Ended } from './heard-socket.ts';
import { OrdinaryResponse } from './ordinary-response.ts';
import type { Phases } from './phases.ts';
import { ResponseReader, type RawResponse } from './response-reader.ts';
import type { StopSignal } from './stop.ts';
import type { UndiciLine } from './undici-line.ts';
import { plainRequest, type WireRequest } from './wire-request.ts';

export type { WireRequest } from './wire-request.ts';

/** How a connection ends that its server, or a box on the way, has closed. */
const CLOSED: ReadonlySet<string | undefined> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** An ordinary response ends where it says; what is sent beyond that makes it odd. */
const NO_SURPLUS = { begin() {}, surplus: () => 0, rest() {} };

/** An exchange under way that is read here. */
interface Exchange {
  readonly response: OrdinaryResponse;
  readonly reader: ResponseReader;
  /** What came last made it `odd`, or the response is `whole`. */
  state: 'more' | 'whole' | 'odd';
  /** Called when it turns out that it has to be read by others. */
  readonly onOdd: () => void;
}

/**
 * HTTP/1.1 over one connected socket: one request after another, each when the one before it has ended well. Ordinary
 * responses are read here. Whatever else comes is undici's to judge, which gets every byte that came and learns how the
 * connection ended; it is loaded for that, and has the connection from then on.
 */
export class Line {
  readonly #socket: Socket;
  /** How a reader slows down what comes too fast for it. */
  readonly #flow: { readonly pause: () => void; readonly resume: () => void };
  readonly #origin: string;
  #exchange: Exchange | undefined;
  #ended: Ended = null;
  #undici: UndiciLine | undefined;
  #requests = 0;
  #isUnheard = true;
  #keptMs = 0;

  /** `origin`: of the URLs that will be asked for. */
  constructor(socket: Socket, origin: string) {
    this.#socket = socket;
    this.#flow = { pause: () => void socket.pause(), resume: () => void socket.resume() };
    this.#origin = origin;
  }

  /** Whether another request may be sent. */
  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** How long it may lie idle before it has to be taken for closed, in milliseconds. undici sees to that by itself. */
  get keptMs(): number {
    return this.#undici === undefined ? this.#keptMs : Infinity;
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
    const isUnheard = this.#requests > 1 && (this.#undici?.isUnheard ?? this.#isUnheard);
    return isUnheard && error instanceof Error && CLOSED.has((error as NodeJS.ErrnoException).code);
  }

  /** Sends one request and reads the whole response. Rejects with what went wrong; the connection is closed then. */
  async send(request: WireRequest, phases: Phases, signal: StopSignal): Promise<RawResponse> {
    this.#requests += 1;
    phases.enter('headers');
    try {
      const bytes = this.#undici === undefined ? plainRequest(request) : null;
      const response = bytes === null ? null : await this.#ask(bytes, request, phases, signal);
      if (response !== null) return response;
      if (this.#requests > 1 && this.#isUnheard && this.#ended !== null) throw this.#ended.error ?? closed();
      this.#undici ??= await this.#handOver(bytes !== null);
      return await this.#undici.send(request, phases, signal);
    } catch (error) {
      this.close();
      throw error;
    } finally {
      this.#exchange = undefined;
    }
  }

  close(): void {
    this.#socket.on('error', () => {});
    this.#undici?.close();
    this.#socket.destroy();
  }

  /** Sends a request; `null`: its response is not an ordinary one, or there is none. */
  async #ask(
    bytes: string,
    { bodyCap: cap }: WireRequest,
    phases: Phases,
    signal: StopSignal,
  ): Promise<RawResponse | null> {
    const { promise, resolve, reject } = Promise.withResolvers<RawResponse | null>();
    const reader = new ResponseReader({ method: 'GET', wire: NO_SURPLUS, phases, cap, resolve, reject });
    const socket = this.#socket;
    const response = new OrdinaryResponse(cap, {
      onHead: (status, rawHeaders) => reader.onResponseStart({ ...this.#flow, rawHeaders }, status),
      onBody: (piece) => reader.onResponseData(this.#flow, piece),
    });
    this.#exchange = { response, reader, state: 'more', onOdd: () => resolve(null) };
    this.#isUnheard = true;
    const onAbort = (): void => reader.fail(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    this.#listen();
    socket.ref().write(bytes, 'latin1');
    try {
      const got = await promise;
      this.#keptMs = response.keptMs;
      if (got === null) return null;
      // A connection that nobody uses does not keep the process alive.
      socket.unref();
      if (response.keptMs === 0 || this.#ended !== null) socket.destroy();
      return got;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #listen(): void {
    if (this.#requests > 1) return;
    this.#socket.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onEnd).on('close', this.#onClose);
  }

  readonly #onData = (bytes: Buffer): void => {
    const exchange = this.#exchange;
    // Nobody has asked: what came may be meant to be taken for the next response.
    if (exchange === undefined) return void this.#socket.destroy();
    this.#isUnheard = false;
    if (exchange.state === 'odd') return void exchange.response.heard.push(bytes);
    exchange.state = exchange.response.push(bytes);
    if (exchange.state === 'whole') exchange.reader.onResponseEnd();
    if (exchange.state === 'odd') this.#leave(exchange);
  };

  readonly #onEnd = (error?: Error): void => {
    this.#ended ??= { error: error ?? null };
    if (this.#exchange?.state === 'more') this.#leave(this.#exchange);
  };

  readonly #onClose = (): void => this.#onEnd();

  #leave(exchange: Exchange): void {
    this.#socket.pause();
    exchange.state = 'odd';
    exchange.onOdd();
    // What was made of it so far is of no use any more.
    exchange.reader.fail(closed());
  }

  async #handOver(isSent: boolean): Promise<UndiciLine> {
    const { UndiciLine } = await import('./undici-line.ts');
    const socket = this.#socket;
    socket.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onEnd).off('close', this.#onClose);
    const bytes = this.#exchange?.response.heard ?? [];
    return new UndiciLine(this.#origin, { socket, bytes, isSent, ended: this.#ended });
  }
}

function closed(): Error {
  return Object.assign(new Error('closed'), { code: 'ECONNRESET' });
}
