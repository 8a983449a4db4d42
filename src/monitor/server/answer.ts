/** What the server answers, before it is packed and sent. */
import type { Json } from '../../answer.ts';

/** An answer as a handler makes it. Names of headers in small letters. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** UTF-8. */
  readonly body: string | Buffer;
}

/** A request, as handlers see it: the method is GET, or HEAD of which only the headers of the answer are sent. */
export interface Asked {
  /** From its first slash on, percent-encoded as it came. */
  readonly path: string;
  readonly search: URLSearchParams;
  /** The first value of a header by its name in small letters. */
  readonly header: (name: string) => string | null;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Whatever is true only now. */
const NEVER_KEPT = { 'cache-control': 'no-store' } as const;

/** JSON that caches may keep, but have to ask for again each time: most often the answer is 304. */
export function json(value: Json, headers: Readonly<Record<string, string>> = {}): Answered {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache', ...headers },
    body: `${JSON.stringify(value)}\n`,
  };
}

/** JSON about this moment. */
export function jsonNow(status: number, value: Json): Answered {
  return { ...json(value, NEVER_KEPT), status };
}

/** The text exposition format 0.0.4 of Prometheus. */
export function exposition(body: Answered['body']): Answered {
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', ...NEVER_KEPT },
    body,
  };
}
