/**
 * The vocabulary of docvitals: what a check is, what comes back for a request, what a judge says of it,
 * and the report that every output is made from. Types and the function that declares a check; no behaviour.
 */
import type { Reason } from './http/reasons.ts';
import type { Setting, Settings } from './site.ts';

/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Untranslated facts behind a finding: numbers, header values, positions. Never prose. */
export type Evidence = { readonly [key: string]: Json };

/** Where a fault sits in a text file. `line` and `column` count from 1; `column` counts UTF-16 code units, as editors do. */
export interface Location {
  /** Path relative to the site's base, as `config.json`. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** The lines around a fault, for a code frame. `firstLine` and `caretColumn` count from 1. */
export interface Excerpt {
  readonly firstLine: number;
  /** Long lines are cut around the fault. */
  readonly lines: readonly string[];
  /** The fault's column in its line as cut; equal to `location.column` in a line that is whole. */
  readonly caretColumn?: number;
}

/**
 * How grave a finding code is:
 * `error` fails the check, `warning` warns, `skip` says why the check does not apply,
 * `unknown` says that this machine could not tell (so nothing is held against the site).
 */
export type Grade = 'error' | 'warning' | 'skip' | 'unknown';

/** What a judge says: a code of the check's own list and the facts behind it. The run adds the grade. */
export interface Draft<Code extends string = string> {
  readonly code: Code;
  readonly evidence?: Evidence;
  readonly location?: Location;
  readonly excerpt?: Excerpt;
}

/** A draft with its grade, after the user's `rules`. */
export interface Finding extends Draft {
  readonly grade: Grade;
  readonly evidence: Evidence;
}

/** Durations in milliseconds; `null` for a phase that did not happen (no TLS on http, nothing came back, a reused connection). */
export interface Timings {
  /** Name resolution. */
  readonly dnsMs: number | null;
  /** TCP connection (through a proxy: including the tunnel). */
  readonly connectMs: number | null;
  /** TLS handshake. */
  readonly tlsMs: number | null;
  /** From the request being sent to the end of the response's headers, summed over redirects. */
  readonly firstByteMs: number | null;
  /** The last attempt from its start to the last byte, redirects included. */
  readonly totalMs: number;
}

/** One hop of a redirect chain. */
export interface Redirect {
  readonly url: string;
  readonly status: number;
  readonly location: string;
}

interface AnswerFacts {
  /** The URL that was asked for, without userinfo. */
  readonly requestUrl: string;
  /** The URL that answered last, without userinfo: after redirects another one than `requestUrl`. */
  readonly url: string;
  readonly redirects: readonly Redirect[];
  /** How often the request was sent, 1 or more; 0 when it never left. */
  readonly attempts: number;
  readonly timings: Timings;
}

/** A whole, decoded response. */
export interface Reply extends AnswerFacts {
  readonly kind: 'reply';
  readonly status: number;
  readonly headers: ReadonlyHeaders;
  /** Decoded: content codings are undone, the character encoding is not. */
  readonly body: Uint8Array;
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

/** What came back for one request. */
export type Answer = Reply | NoReply;

/** Response headers. Names are lower case; a name that came several times keeps all its values, in order. */
export interface ReadonlyHeaders {
  /** The values joined with `, ` (RFC 9110, section 5.3), or `null`. */
  get(name: string): string | null;
  all(name: string): readonly string[];
}

/** What the TLS handshake told. Times are ISO 8601. */
export interface TlsFacts {
  readonly protocol: string;
  readonly validFrom: string | null;
  readonly validTo: string | null;
  readonly subject: string | null;
  readonly issuer: string | null;
}

/** One request, as checks make them: always GET. */
export interface GetRequest {
  readonly url: URL;
  /** The `Accept` header. */
  readonly accept: string;
  /** `false`: a redirect is the answer. Followed by default. */
  readonly follow?: boolean;
}

/** Sends one request, with its retries and redirects. Never rejects. */
export type Get = (request: GetRequest) => Promise<Answer>;

/** The site as the run knows it: fetched once, shared by all checks. Every member is lazy and remembered. */
export interface Site {
  /** Base URL: ends with a slash, has no userinfo, query or fragment. */
  readonly base: URL;
  readonly get: Get;
  /** The engine bundle (`index.html`): its bytes are the fingerprint of the host's SPA fallback. */
  bundle(): Promise<Answer>;
  /** `config.json` as it came. */
  config(): Promise<Answer>;
  /** What `config.json` says of the site, or the engine's defaults where it says nothing readable. */
  settings(): Promise<Settings>;
  /**
   * The file that a setting names. The engine's default is asked for at once; where the configuration names another,
   * that one is asked for as well and counts.
   */
  file(setting: Setting): Promise<NamedFile>;
}

/** A file that a setting of `config.json` names, and what is needed to judge it. */
export interface NamedFile extends Gathered {
  readonly answer: Answer;
  readonly bundle: Answer;
  readonly setting: Setting;
  /** As in the configuration; `undefined` where it says nothing, so that the engine's default holds. */
  readonly value: string | null | undefined;
}

/** What a check gathered: the answer that the report shows, and whatever else the judge needs. */
export interface Gathered {
  /** `null`: nothing had to be asked for. */
  readonly answer: Answer | null;
}

/** A declared check. `gather` does the requests, `judge` is pure. */
export interface Check<G extends Gathered = Gathered, Code extends string = string> {
  /** kebab-case noun. */
  readonly id: string;
  /** The default target relative to the base, e.g. `navigation.md`; shown before the run knows better. */
  readonly target: string;
  /** Every code that `judge` may give, with its default grade. */
  readonly codes: Readonly<Record<Code, Grade>>;
  /** Set for what visitors see a blank page without: a failure of it takes the site down. */
  readonly vital?: true;
  gather(site: Site): Promise<G>;
  judge(gathered: G, limits: JudgeLimits): Promise<readonly Draft<Code>[]>;
}

/** What bounds a judge. */
export interface JudgeLimits {
  /** Longest time to spend parsing one body, in milliseconds. */
  readonly parseMs: number;
  /** Aborted when the run ends: nothing more is parsed. */
  readonly signal?: AbortSignal | undefined;
}

/** Declares a check, so that its codes are inferred and its judge may give no other. */
export function defineCheck<G extends Gathered, Code extends string>(check: Check<G, Code>): Check<G, Code> {
  return check;
}

/** A check's outcome. */
export type Status = 'pass' | 'warn' | 'fail' | 'skip' | 'unknown';

/** The site's state. `down`: the bundle or the configuration failed, without which visitors see a blank page. */
export type Verdict = 'healthy' | 'degraded' | 'down' | 'unknown';

export interface CheckResult {
  readonly id: string;
  readonly status: Status;
  /** `GET /navigation.md`: the method and the path that was asked last. */
  readonly target: string;
  /** The URL asked for, without userinfo. */
  readonly url: string;
  /** HTTP status of the answer, `null` when none came. */
  readonly httpStatus: number | null;
  readonly durationMs: number;
  readonly attempts: number;
  readonly timings: Timings;
  /** Errors, warnings and unknowns, in the judge's order. */
  readonly findings: readonly Finding[];
  /** Why the check was skipped; only with status `skip`. */
  readonly skipped?: Finding;
}

/** One run over one site. */
export interface Report {
  readonly tool: { readonly name: string; readonly version: string };
  readonly site: { readonly url: string };
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly verdict: Verdict;
  /** Set when the run was stopped before its end. */
  readonly interrupted: boolean;
  readonly checks: readonly CheckResult[];
}
