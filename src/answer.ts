/**
 * What goes over the wire: a request as checks make it, and what came back for it. Types only.
 */
import type { EvidenceField } from './evidence-fields.ts';
import type { Reason } from './http/reasons.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Untranslated facts behind a finding: numbers, header values, positions. Never prose. Each field has its label. */
export type Evidence = { readonly [Field in EvidenceField]?: EvidenceValue };

export type EvidenceValue = null | boolean | number | string | readonly EvidenceValue[] | Evidence;

/** Durations in milliseconds; `null` for a phase that did not happen (no TLS on http, nothing came back, a reused connection). */
export interface Timings {
  readonly dnsMs: number | null;
  /** TCP connection (through a proxy: including the tunnel). */
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** From the request being sent to the end of the response's headers, summed over redirects. */
  readonly firstByteMs: number | null;
  /** The last attempt from its start to the last byte, redirects included. */
  readonly totalMs: number;
}

export interface Redirect {
  readonly url: string;
  readonly status: number;
  readonly location: string;
}

interface AnswerFacts {
  /** The URL that was requested, without userinfo. */
  readonly requestUrl: string;
  /** The URL that answered last, without userinfo: after redirects another one than `requestUrl`. */
  readonly url: string;
  readonly redirects: readonly Redirect[];
  /** How often the request was sent, 1 or more; 0 when it never left. */
  readonly attempts: number;
  readonly timings: Timings;
}

export interface Reply extends AnswerFacts {
  readonly kind: 'reply';
  readonly status: number;
  readonly headers: ReadonlyHeaders;
  /** Decoded: content codings are undone, the character encoding is not. */
  readonly body: Uint8Array;
  /** Bytes of the body as they were sent, before content codings were undone; transfer codings do not count. */
  readonly encodedBytes: number;
  /** Set where the host said that a body from before has not changed (status 304): status and body are those. */
  readonly isRevalidated?: true;
  /** The address that answered, e.g. `127.0.0.1`; `null` through a proxy. */
  readonly address: string | null;
  readonly tls: TlsFacts | null;
}

/** No usable response. A network failure is a value, never a throw. */
export interface NoReply extends AnswerFacts {
  readonly kind: 'no-reply';
  readonly reason: Reason;
  /** Facts about the failure: system error code, limit, certificate dates, … */
  readonly evidence: Evidence;
}

export type Answer = Reply | NoReply;

/** Response headers. Names are lower case; a name that came several times keeps all its values, in order. */
export interface ReadonlyHeaders {
  /** The values joined with `, ` (RFC 9110, section 5.3), or `null`. */
  get(name: string): string | null;
  all(name: string): readonly string[];
  /** The names of all headers that came, in lower case, each once. */
  names(): readonly string[];
}

/** Facts of the TLS handshake. Times are ISO 8601. */
export interface TlsFacts {
  readonly protocol: string;
  readonly validFrom: string | null;
  readonly validTo: string | null;
  readonly subject: string | null;
  readonly issuer: string | null;
}

export interface GetRequest {
  readonly url: URL;
  /** `GET` by default. The answer to `HEAD` has no body. */
  readonly method?: 'GET' | 'HEAD';
  /** The `Accept` header; none is sent where it is empty. */
  readonly accept: string;
  /**
   * Further request headers, e.g. `if-none-match`; `accept-encoding` replaces ours. Names in lower case. What frames the
   * message, names the host or carries the user's secrets is left out.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** `false`: a redirect is the answer. Followed by default. */
  readonly follow?: boolean;
  /** `true`: the first answer is the answer, whatever it is. Tried again by default, as the run says. */
  readonly once?: true;
  /** `true`: over a connection of its own, so that its time is whole. As the run says by default. */
  readonly alone?: true;
}

/** Sends one request, with its retries and redirects. Never rejects. */
export type Get = (request: GetRequest) => Promise<Answer>;
