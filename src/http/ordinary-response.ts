import { Chunks } from './chunks.ts';

/** A status line and fields that no parser could read in two ways (RFC 9112, sections 4 and 5). */
const HEAD =
  /^HTTP\/1\.1 ([2-5]\d\d) [\t\x20-\x7e\x80-\xff]*\r\n(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n$/;
const HEAD_END = '\r\n\r\n';
/** Longer header sections are not read here, nor bodies that are longer on the wire. In bytes. */
const LONGEST_HEAD = 16 * 1024;
const LONGEST_BODY = 1024 * 1024;

/** How long a connection is kept whose server says nothing about that, in milliseconds. */
const KEPT_MS = 4_000;
const LONGEST_KEPT_MS = 600_000;
/** A server closes at the time that it names: what is sent shortly before may be lost. */
const EARLY_MS = 2_000;

/** `odd`: this is no response of the ordinary form, whatever else it may be. */
export type Progress = 'more' | 'whole' | 'odd';

/** What is told of a response as it comes. */
export interface ResponseEvents {
  /** `fields`: names and values in turn, white space around them included. */
  readonly onHead: (status: number, fields: readonly string[]) => void;
  readonly onBody: (piece: Buffer) => void;
}

/**
 * Reads a response to GET in the form in which nearly all servers send files: a header section that comes at once, then
 * a body of a length that is told, or in plain chunks (RFC 9112, section 6). It answers for nothing else: what is odd in
 * the least is left to a parser that knows all of HTTP, which gets `heard`.
 */
export class OrdinaryResponse {
  /** All that came. */
  readonly heard: Buffer[] = [];
  /** How long the connection may lie idle for another request, in milliseconds; 0: it must not be used again. */
  keptMs = KEPT_MS;
  readonly #events: ResponseEvents;
  readonly #longest: number;
  #chunks: Chunks | null = null;
  /** Bytes that are still to come of a body whose length is told; `null`: the header section is to come. */
  #left: number | null = null;
  #isWhole = false;

  /** `cap`: most bytes of a body. */
  constructor(cap: number, events: ResponseEvents) {
    this.#events = events;
    this.#longest = Math.min(cap, LONGEST_BODY);
  }

  /** Takes what came next. What comes after `whole` is odd; after `odd` nothing may be pushed. */
  push(bytes: Buffer): Progress {
    this.heard.push(bytes);
    if (this.#isWhole) return 'odd';
    const start = this.#left === null ? this.#readHead(bytes) : 0;
    if (start === -1) return 'odd';
    const progress = this.#chunks?.push(bytes, start) ?? this.#readBody(bytes, start);
    this.#isWhole = progress === 'whole';
    return progress;
  }

  /** Where the body begins in the first bytes; -1: they are no ordinary header section. */
  #readHead(bytes: Buffer): number {
    const end = bytes.indexOf(HEAD_END);
    if (end === -1 || end > LONGEST_HEAD) return -1;
    const head = bytes.toString('latin1', 0, end + HEAD_END.length);
    const status = HEAD.exec(head)?.[1];
    if (status === undefined) return -1;
    const fields = fieldsOf(head);
    const left = this.#readFraming(status, framingOf(fields));
    if (left === null || left > this.#longest) return -1;
    this.#left = left;
    this.#events.onHead(Number(status), fields);
    return end + HEAD_END.length;
  }

  /** The length of the body, 0 where it comes in chunks; `null`: it is not framed in one of the usual ways. */
  #readFraming(status: string, framing: Framing | null): number | null {
    if (framing === null || !CONNECTIONS.has(framing.connection)) return null;
    const { connection, 'keep-alive': kept, 'content-length': length, 'transfer-encoding': coding } = framing;
    this.keptMs = connection === 'close' ? 0 : keptMs(kept);
    const isChunked = coding === 'chunked';
    if (coding !== undefined && (!isChunked || length !== undefined)) return null;
    if (status === '204' || status === '304') return isChunked || length !== undefined ? null : 0;
    if (!isChunked) return /^\d{1,7}$/.test(length ?? '') ? Number(length) : null;
    this.#chunks = new Chunks(this.#longest, this.#events.onBody);
    return 0;
  }

  #readBody(bytes: Buffer, start: number): Progress {
    const came = bytes.length - start;
    this.#left = (this.#left ?? 0) - came;
    if (this.#left < 0) return 'odd';
    if (came > 0) this.#events.onBody(bytes.subarray(start));
    return this.#left === 0 ? 'whole' : 'more';
  }
}

type Framing = Partial<Record<string, string>>;

/** Fields that say where a message ends and what becomes of its connection. */
const FRAMING: ReadonlySet<string> = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);
/** Fields that say so in ways that are no longer usual. */
const UNUSUAL: ReadonlySet<string> = new Set(['proxy-connection', 'upgrade']);
const CONNECTIONS: ReadonlySet<string | undefined> = new Set([undefined, 'keep-alive', 'close']);

/** The values of the framing fields in lower case; `null`: one of them stands twice, or is not usual. */
function framingOf(fields: readonly string[]): Framing | null {
  const framing: Framing = {};
  for (let index = 0; index < fields.length; index += 2) {
    const name = (fields[index] as string).toLowerCase();
    if (UNUSUAL.has(name) || framing[name] !== undefined) return null;
    if (!FRAMING.has(name)) continue;
    framing[name] = (fields[index + 1] as string).replaceAll(/^[\t ]+|[\t ]+$/g, '').toLowerCase();
  }
  return framing;
}

function fieldsOf(head: string): string[] {
  const fields: string[] = [];
  const lines = head.split('\r\n');
  for (const line of lines.slice(1, -2)) {
    const colon = line.indexOf(':');
    fields.push(line.slice(0, colon), line.slice(colon + 1));
  }
  return fields;
}

/** How long a connection may lie idle, by its server's `Keep-Alive: timeout=5` (in seconds). */
function keptMs(header: string | undefined): number {
  const seconds = /timeout=(\d{1,9})/.exec(header ?? '')?.[1];
  if (seconds === undefined) return KEPT_MS;
  return Math.min(LONGEST_KEPT_MS, Math.max(0, Number(seconds) * 1000 - EARLY_MS));
}
