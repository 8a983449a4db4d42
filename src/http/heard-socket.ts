import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** How a connection was closed; `null`: it is open. */
export type Ended = { readonly error: Error | null } | null;

/** A connection on which an exchange has begun. */
export interface Heard {
  readonly socket: Socket;
  /** Whether the request was sent. */
  readonly isSent: boolean;
  /** What was received of its response. */
  readonly bytes: readonly Buffer[];
  readonly ended: Ended;
}

/**
 * A connection over which a request may have been sent already, and part of its response read: gives that part again to
 * whoever sends the same request over it (it is not sent twice), then what is still to come, and ends as the connection
 * ends.
 */
export class HeardSocket extends Duplex {
  readonly #socket: Socket;
  #heard: Buffer | null;
  #ended: Ended;
  #isSent: boolean;
  /** Nothing is given before it is asked for: a response to no request is none. */
  #isAsked = false;
  #isWanted = false;

  constructor({ socket, isSent, bytes, ended }: Heard) {
    // Each piece is given when it is wanted, and so all of them before the end.
    super({ readableHighWaterMark: 0, allowHalfOpen: false });
    this.#socket = socket;
    this.#isSent = isSent;
    this.#heard = bytes.length === 0 ? null : Buffer.concat(bytes);
    this.#ended = ended;
    if (ended === null) this.#listen();
  }

  ref(): void {
    this.#socket.ref();
  }

  unref(): void {
    this.#socket.unref();
  }

  override _read(): void {
    this.#isWanted = true;
    this.#goOn();
  }

  /** Gives what is next, if it is asked for and wanted. */
  #goOn(): void {
    if (!this.#isAsked || !this.#isWanted) return;
    if (this.#heard !== null) {
      const bytes = this.#heard;
      this.#heard = null;
      this.#give(bytes);
    } else if (this.#ended === null) {
      this.#socket.resume();
    } else if (this.#ended.error === null) {
      this.push(null);
    } else {
      this.destroy(this.#ended.error);
    }
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#isSent) done();
    else this.#socket.write(chunk, done);
    this.#isSent = false;
    this.#isAsked = true;
    this.#goOn();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #listen(): void {
    const end = (error: Error | null): void => {
      this.#ended ??= { error };
      if (this.#heard === null) this.#goOn();
    };
    this.#socket
      .on('data', (bytes: Buffer) => {
        this.#socket.pause();
        this.#give(bytes);
      })
      .on('end', () => end(null))
      .on('error', end)
      .on('close', () => end(null));
    this.#socket.pause();
  }

  #give(bytes: Buffer): void {
    this.#isWanted = false;
    this.push(bytes);
  }
}
