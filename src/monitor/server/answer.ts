/** Requests and responses of the server, before they are compressed and sent. */
import type { Json } from '../../answer.ts';

/** A response as a handler makes it. Names of headers in small letters. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** UTF-8. */
  readonly body: string;
  /** Sent instead of `body`. */
  readonly bytes?: Uint8Array;
}

/** A request, as handlers see it: the method is GET, or HEAD of which only the headers of the response are sent. */
export interface Asked {
  /** From its first slash on, percent-encoded as it came. */
  readonly path: string;
  readonly search: URLSearchParams;
  /** The first value of a header by its name in small letters. */
  readonly header: (name: string) => string | null;
  /** Aborted when the client no longer waits for the response. */
  readonly signal: AbortSignal;
}

/** JSON that caches may keep, but must revalidate each time: usually the response is 304. */
export function json(value: Json, headers: Readonly<Record<string, string>> = {}): Answered {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache', ...headers },
    body: `${JSON.stringify(value)}\n`,
  };
}
