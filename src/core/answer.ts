/** What is sent and received: a request as checks make it, and its answer. Types only. */
import type { EvidenceWords } from '../generated/locales/evidence.ts';
import type { Reason } from '../http/reasons.ts';

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Untranslated facts behind a finding: numbers, header values, positions. Never prose. */
export type Evidence = { readonly [Field in MemberOf<EvidenceWords[keyof EvidenceWords]>]?: EvidenceValue };

/** Of any member of a union. */
type MemberOf<T> = T extends unknown ? keyof T : never;

/** A value of evidence. */
export type EvidenceValue = null | boolean | number | string | readonly EvidenceValue[] | Evidence;

/** `null` for a phase that did not happen: no TLS on http, no response, a reused connection. */
export interface Timings {
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** From the request to the end of the response's headers, summed over redirects. */
  readonly firstByteMs: number | null;
  /** The last attempt, redirects included. */
  readonly totalMs: number;
}

/** A redirect that was followed. */
export interface Redirect {
  readonly url: string;
  readonly status: number;
  readonly location: string;
}

interface AnswerFacts {
  readonly requestUrl: string;
  /** Where the answer came from, after redirects. Both URLs are without userinfo. */
  readonly url: string;
  readonly redirects: readonly Redirect[];
  /** 0: the request was never sent. */
  readonly attempts: number;
  readonly timings: Timings;
}

/** A response, whatever its status. */
export interface Reply extends AnswerFacts {
  readonly kind: 'reply';
  readonly status: number;
  readonly headers: ReadonlyHeaders;
  /** Without content codings, in the received character encoding. */
  readonly body: Uint8Array;
  /** Of the body as sent, before content codings were undone. */
  readonly encodedBytes: number;
  /** The charset that the response names, where readers obey it and the body is UTF-8 all the same: they see wrong letters. */
  readonly misread?: string;
  /** The host confirmed an earlier body (status 304): status and body are those. */
  readonly isRevalidated?: true;
  /** `null` through a proxy. */
  readonly address: string | null;
  readonly tls: TlsFacts | null;
}

/** No usable response. A network failure is a value, never a throw. */
export interface NoReply extends AnswerFacts {
  readonly kind: 'no-reply';
  readonly reason: Reason;
  readonly evidence: Evidence;
}

/** What came back: a response, or the reason why none did. */
export type Answer = Reply | NoReply;

/** Response headers. Names are lower case. */
export interface ReadonlyHeaders {
  /** The values joined with `, ` (RFC 9110, section 5.3), or `null`. */
  get(name: string): string | null;
  all(name: string): readonly string[];
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

/** A request of a check. */
export interface GetRequest {
  readonly url: URL;
  readonly method?: 'GET' | 'HEAD';
  readonly accept: string;
  /** Names in lower case. What frames the message, names the host or carries secrets is left out. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly follow?: boolean;
  /** `true`: no further attempts. */
  readonly once?: true;
  /** `true`: over a connection of its own, so that its time is complete. */
  readonly alone?: true;
  /** `true`: over the connection of the bundle, which saves the time of another one. */
  readonly reuse?: true;
}

/** Sends one request, with its retries and redirects. Never rejects. */
export type Get = (request: GetRequest) => Promise<Answer>;
