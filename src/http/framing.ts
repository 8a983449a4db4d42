import type { Duplex } from 'node:stream';
import type { ReadonlyHeaders } from '../check.ts';
import { Failure } from './failure.ts';

const MOST_HEADER_BYTES = 80 * 1024;
const MOST_INTERIM_RESPONSES = 16;
const START = 'HTTP/1.';

/**
 * Sits between a socket and undici's parser. Passes interim (1xx) responses over, as a client must (RFC 9110, section
 * 15.2; undici refuses a `100 Continue` that it did not ask for), and counts what is read of the body, since undici
 * stops at the announced length and does not tell what came after.
 */
export class WireTap {
  /** Called, once at most, for what undici has no limit for: header sections without end, interim responses without end. */
  onFault: (failure: Failure) => void = () => {};
  #head = new Head();
  #isResting = false;
  #bodyBytes = 0;
  /** undici puts back what it does not take, or not yet: that must not be counted twice. */
  #putBack = 0;
  readonly #socket: Duplex;

  constructor(socket: Duplex) {
    this.#socket = socket;
    const read = socket.read.bind(socket);
    const unshift = socket.unshift.bind(socket);
    socket.unshift = (chunk: Buffer): void => {
      this.#putBack += chunk.length;
      unshift(chunk);
    };
    socket.read = (size?: number): Buffer | null => {
      for (;;) {
        const chunk = read(size) as Buffer | null;
        if (chunk === null) return null;
        const passed = this.#pass(chunk);
        if (passed !== null) return passed;
      }
    };
  }

  /** A request is being sent: what comes from now on is its response. The first begins by itself. */
  begin(): void {
    this.#isResting = false;
  }

  /** The response is whole: whatever comes before the next request closes the connection. */
  rest(): void {
    this.#isResting = true;
    this.#head = new Head();
    this.#bodyBytes = this.#putBack = 0;
  }

  /** The first bytes of the response, for evidence; empty while none came. */
  firstBytes(): Buffer {
    return this.#head.firstBytes;
  }

  /**
   * Bytes that were sent beyond the announced `Content-Length` (RFC 9112, section 6.3), as far as they have been read.
   * A client that keeps to the length shows a page that is cut off, so they are not harmless.
   */
  surplus(headers: ReadonlyHeaders): number {
    const length = headers.get('content-length');
    if (!this.#head.over || length === null || headers.get('transfer-encoding') !== null) return 0;
    return Math.max(0, this.#bodyBytes - Number(length));
  }

  /** What of a chunk undici gets now. */
  #pass(chunk: Buffer): Buffer | null {
    if (this.#isResting) {
      this.#socket.destroy();
      return null;
    }
    if (this.#head.over) {
      const again = Math.min(this.#putBack, chunk.length);
      this.#putBack -= again;
      this.#bodyBytes += chunk.length - again;
      return chunk;
    }
    const taken = this.#head.take(chunk);
    if (taken === null) return null;
    if (taken instanceof Failure) {
      this.onFault(taken);
      return null;
    }
    this.#bodyBytes += taken.bodyBytes;
    return taken.bytes;
  }
}

interface Released {
  readonly bytes: Buffer;
  /** How many of them are the body's. */
  readonly bodyBytes: number;
}

/** Holds the start of a response back until its final header section is whole. */
class Head {
  firstBytes: Buffer = Buffer.alloc(0);
  /** Whether the final header section has been released. */
  over = false;
  #held: Buffer = Buffer.alloc(0);
  #interim = 0;

  /** The final header section with what follows it, as soon as it is whole; `null` before. */
  take(chunk: Buffer): Released | Failure | null {
    this.#held = Buffer.concat([this.#held, chunk]);
    if (this.firstBytes.length < 64) this.firstBytes = this.#held.subarray(0, 64);
    // What is no HTTP response at all is the parser's to refuse.
    if (!startsResponse(this.#held)) return this.#release(this.#held.length, false);
    for (;;) {
      const end = sectionEnd(this.#held);
      if (end === -1) break;
      if (!isInterim(this.#held)) return this.#release(end, true);
      this.#held = this.#held.subarray(end);
      this.#interim += 1;
      if (this.#interim > MOST_INTERIM_RESPONSES)
        return new Failure('bad-framing', { interimResponses: this.#interim });
    }
    if (this.#held.length <= MOST_HEADER_BYTES) return null;
    return new Failure('headers-too-large', { limitBytes: MOST_HEADER_BYTES });
  }

  #release(headerBytes: number, isResponse: boolean): Released {
    this.over = true;
    const body = this.#held.subarray(headerBytes);
    const header = isResponse ? tolerated(this.#held.subarray(0, headerBytes)) : this.#held.subarray(0, headerBytes);
    this.#held = Buffer.alloc(0);
    return { bytes: Buffer.concat([header, body]), bodyBytes: body.length };
  }
}

const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+[ \t]*:/;

/**
 * A header section as undici takes it, of what browsers take as well: bare line feeds, folded lines (RFC 9112,
 * sections 2.2 and 5.2), fields whose names are no tokens (left out), and repetitions of one and the same
 * `Content-Length` (section 6.3).
 */
function tolerated(header: Buffer): Buffer {
  const [status = '', ...lines] = header
    .toString('latin1')
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/);
  const fields = lines.filter((line) => line !== '' && (FIELD_NAME.test(line) || !line.includes(':')));
  const seen = new Set<string>();
  const kept = fields.filter((field) => {
    const length = /^content-length:[ \t]*(\d+)[ \t]*$/i.exec(field)?.[1];
    if (length === undefined) return true;
    const repeated = seen.has(length);
    seen.add(length);
    return !repeated;
  });
  return Buffer.from([status, ...kept, '', ''].join('\r\n'), 'latin1');
}

function startsResponse(bytes: Buffer): boolean {
  return START.startsWith(bytes.toString('latin1', 0, START.length));
}

/** Just after the blank line that ends a header section, or -1. A bare LF is taken too: whether it may be, the parser says. */
function sectionEnd(bytes: Buffer): number {
  const ends = ['\n\r\n', '\n\n'].flatMap((mark) => {
    const at = bytes.indexOf(mark);
    return at === -1 ? [] : [at + mark.length];
  });
  return ends.length === 0 ? -1 : Math.min(...ends);
}

/** 1xx, except 101, after which no HTTP follows. */
function isInterim(bytes: Buffer): boolean {
  return /^HTTP\/1\.[01] 1(?!01)/.test(bytes.toString('latin1', 0, 12));
}
