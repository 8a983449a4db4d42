/** A small client of GitHub's REST API, bounded in time and size. */
import { STATUS_CODES } from 'node:http';
import type { Json, ReadonlyHeaders } from '../core/answer.ts';
import { isTemporary } from '../http/reasons.ts';
import { repeat, retryAfterMs } from '../http/retry.ts';
import { requestService, type ServiceResponse } from '../http/service.ts';
import { member, parseJson } from '../parse/json.ts';
import { VERSION } from '../core/version.ts';

export interface RestOptions {
  /** `https://api.github.com`, or that of a GitHub Enterprise server; from `GITHUB_API_URL`. */
  readonly apiUrl: string;
  readonly token: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when no request may be sent any more. */
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** Longest time for one request. Default: ten seconds. */
  readonly timeoutMs?: number;
}

export type RestProblem =
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'gone'
  | 'invalid'
  | 'redirected'
  | 'rate-limited'
  | 'server-error'
  | 'unreachable';

export class Refused extends Error {
  readonly problem: RestProblem;
  /** `null`: no response. */
  readonly status: number | null;
  /** GitHub's message, or the system's code; untrusted. */
  readonly detail: string;
  /** How long to wait before the next attempt; `null`: none. */
  readonly pauseMs: number | null;

  constructor(problem: RestProblem, status: number | null, detail: string, pauseMs: number | null) {
    super(`${problem}: ${detail}`);
    this.problem = problem;
    this.status = status;
    this.detail = detail;
    this.pauseMs = pauseMs;
  }

  /** Whether the same request may succeed at another time. */
  get isPassing(): boolean {
    return ['rate-limited', 'server-error', 'unreachable'].includes(this.problem);
  }
}

export interface RestRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the API's address, as `/repos/o/r/issues?per_page=100`; or `GRAPHQL`. */
  readonly path: string;
  readonly body?: Json;
}

/** Sends a request to GitHub; resolves with the JSON of the response. Rejects with a `Refused`. */
export type Rest = (request: RestRequest) => Promise<Json>;

export const GRAPHQL = '/graphql';

const REQUEST_MS = 10_000;
const PAUSE_MS = 1_000;
/** Longest time to wait for the end of a rate limit; a workflow that waits longer costs more than a comment is worth. */
const LONGEST_PAUSE_MS = 30_000;
const ATTEMPTS = 3;
/** A page of a hundred comments of the longest kind has some 26 MiB. */
const MOST_BYTES = 32 * 2 ** 20;
/** More redirects than any renaming and moving makes. */
const MOST_REDIRECTS = 5;

export function createRest(options: RestOptions): Rest {
  return async (request) => {
    const attempt = () => send(options, request);
    const pauseAfter = (last: Json | Refused, count: number): number | null =>
      last instanceof Refused && count < ATTEMPTS ? last.pauseMs : null;
    const result = await repeat(await attempt(), attempt, pauseAfter, options.signal, options.sleep);
    if (result instanceof Refused) throw result;
    return result;
  };
}

async function send(options: RestOptions, request: RestRequest): Promise<Json | Refused> {
  const response = await follow(options, request);
  // What was perhaps done is not done twice.
  const pauseMs = request.method === 'POST' ? null : PAUSE_MS;
  if (!response.ok) return new Refused('unreachable', null, response.error, pauseMs);
  const { status, headers, body } = response;
  const parsed = parseJson(Buffer.from(body).toString('utf8'), Infinity);
  const value = parsed.ok ? (parsed.value as Json) : null;
  if (status >= 200 && status < 300) return value;
  const message = member(value, 'message');
  const detail = typeof message === 'string' ? message : (STATUS_CODES[status] ?? '');
  // What a rate limit refused was not done, so it may be sent again whatever it is.
  if (isRateLimit(status, headers, detail)) {
    return new Refused('rate-limited', status, detail, rateLimitMs(headers, options.now()));
  }
  return new Refused(problemOf(status), status, detail, isTemporary(status) ? pauseMs : null);
}

/** A 403 may be a missing permission or a rate limit: GitHub says so by its headers, or in words only. */
function isRateLimit(status: number, headers: ReadonlyHeaders, detail: string): boolean {
  if (status !== 403) return status === 429;
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0';
  return headers.get('retry-after') !== null || isUsedUp || /\brate limit\b/i.test(detail);
}

/** How long a rate limit lasts; `null`: too long, or unknown. */
function rateLimitMs(headers: ReadonlyHeaders, now: number): number | null {
  const reset = headers.get('x-ratelimit-remaining') === '0' ? Number(headers.get('x-ratelimit-reset') ?? NaN) : NaN;
  const ms = retryAfterMs(headers, now) ?? Math.max(0, reset * 1_000 - now);
  return ms <= LONGEST_PAUSE_MS ? ms : null;
}

const PROBLEMS: Readonly<Partial<Record<number, RestProblem>>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  410: 'gone',
};

function problemOf(status: number): RestProblem {
  if (status < 400) return 'redirected';
  return PROBLEMS[status] ?? (status >= 500 ? 'server-error' : 'invalid');
}

/**
 * The response at the end of redirects, which GitHub sends for repositories that were renamed or moved; the redirect itself
 * if it is not followed. Token and text are sent to the API's origin only.
 */
async function follow(options: RestOptions, { method, path, body }: RestRequest): Promise<ServiceResponse> {
  const { apiUrl, token, env, signal, timeoutMs = REQUEST_MS } = options;
  const endsAt = performance.now() + timeoutMs;
  const root = apiUrl.replace(/\/+$/, '');
  // An Enterprise server has its GraphQL beside the version of its REST API: `/api/graphql`, `/api/v3`.
  const first = URL.parse(`${path === GRAPHQL ? root.replace(/\/v3$/, '') : root}${path}`);
  if (first === null) return { ok: false, error: 'bad-address' };
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'user-agent': `docvitals/${VERSION}`,
    'x-github-api-version': '2022-11-28',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const text = body === undefined ? undefined : JSON.stringify(body);
  let url = first;
  for (let redirects = 0; ; redirects++) {
    const leftMs = Math.max(1, endsAt - performance.now());
    const request = { method, url, headers, body: text, timeoutMs: leftMs, mostBytes: MOST_BYTES, env, signal };
    const response = await requestService(request);
    const next = response.ok && redirects < MOST_REDIRECTS ? redirectOf(response, method, url) : null;
    if (next === null) return response;
    url = next;
  }
}

/**
 * Where a redirect leads that may be followed: to the same origin, and by a status that keeps the method (RFC 9110,
 * section 15.4). `null` for all other responses.
 */
function redirectOf(
  { status, headers }: Extract<ServiceResponse, { ok: true }>,
  method: RestRequest['method'],
  from: URL,
): URL | null {
  const isKept = status === 307 || status === 308 || (method === 'GET' && (status === 301 || status === 302));
  const location = headers.get('location');
  const to = isKept && location !== null ? URL.parse(location, from.href) : null;
  return to?.origin === from.origin ? to : null;
}
