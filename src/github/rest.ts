/**
 * A small client of GitHub's REST API: one request after another, bounded in time and size. What goes wrong is a value,
 * never a throw.
 */
import type { Json } from '../answer.ts';
import { member } from '../parse/json.ts';

/** How GitHub is asked. */
export interface RestOptions {
  /** `https://api.github.com`, or that of a GitHub Enterprise server; from `GITHUB_API_URL`. */
  readonly apiUrl: string;
  readonly token: string;
  readonly userAgent: string;
  readonly fetch: typeof fetch;
  /** Resolves after so many milliseconds. */
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Milliseconds since 1970, to read `x-ratelimit-reset` against. */
  readonly now: () => number;
  /** Aborted when nothing may be asked any more. */
  readonly signal: AbortSignal;
  /** Longest time for one request. Default: ten seconds. */
  readonly timeoutMs?: number;
}

/** Why GitHub did not do what it was asked. */
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

/** What came of one request. */
export type RestResult =
  | { readonly ok: true; readonly value: Json }
  | {
      readonly ok: false;
      readonly problem: RestProblem;
      /** `null`: there was no answer. */
      readonly status: number | null;
      /** What GitHub says, or what the system does; untrusted. */
      readonly detail: string;
    };

export interface RestRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the API's address, as `/repos/o/r/issues?per_page=100`; or `GRAPHQL`. */
  readonly path: string;
  readonly body?: Json;
}

/** Asks GitHub. Never rejects. */
export type Rest = (request: RestRequest) => Promise<RestResult>;

const REQUEST_MS = 10_000;
/** Longest time to sit out a rate limit; a workflow that waits longer costs more than a comment is worth. */
const LONGEST_PAUSE_MS = 30_000;
const TRIES = 3;
/** A server that let the time run out is asked once more only: three times would take half of the time that there is. */
const TRIES_IN_SILENCE = 2;
/** A page of a hundred comments of the longest kind has some 26 MiB. */
const MOST_BYTES = 32 * 2 ** 20;

/** A client for one token. */
export function createRest(options: RestOptions): Rest {
  return async (request) => {
    for (let tries = 1; ; tries++) {
      const { result, pauseMs, tries: most = TRIES } = await ask(options, request);
      if (pauseMs === null || tries >= most || options.signal.aborted) return result;
      await options.sleep(pauseMs);
      if (options.signal.aborted) return result;
    }
  };
}

interface Outcome {
  readonly result: RestResult;
  /** How long to wait before it is asked again; `null`: it is not. */
  readonly pauseMs: number | null;
  /** How often it is asked in all, where that is not as usual. */
  readonly tries?: number;
}

async function ask(options: RestOptions, request: RestRequest): Promise<Outcome> {
  const { method } = request;
  try {
    const response = await send(options, request, AbortSignal.timeout(options.timeoutMs ?? REQUEST_MS));
    const text = await textOf(response);
    if (response.ok) return { result: { ok: true, value: valueOf(text) }, pauseMs: null };
    return refused(response, text, method, options.now());
  } catch (error) {
    const detail = causeOf(error);
    // What was perhaps done is not done twice.
    const pauseMs = method === 'POST' ? null : 1000;
    const isSilent = (error as { name?: unknown } | null)?.name === 'TimeoutError';
    const result = { ok: false, problem: 'unreachable', status: null, detail } as const;
    return { result, pauseMs, ...(isSilent ? { tries: TRIES_IN_SILENCE } : {}) };
  }
}

/** The body as text. Throws where it is too long. */
async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body = response.body as AsyncIterable<Uint8Array> | null;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function valueOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

function refused(response: Response, text: string, method: RestRequest['method'], now: number): Outcome {
  const { status, headers } = response;
  const message = member(valueOf(text), 'message');
  const detail = typeof message === 'string' ? message : response.statusText;
  const limited = isRateLimit(status, headers, detail);
  const problem = limited ? 'rate-limited' : problemOf(status);
  return { result: { ok: false, problem, status, detail }, pauseMs: pauseOf(problem, method, headers, now) };
}

/** A 403 may be a missing permission or a rate limit: GitHub tells by its headers, or in words only. */
function isRateLimit(status: number, headers: Headers, detail: string): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0' || /\brate limit\b/i.test(detail);
}

function problemOf(status: number): RestProblem {
  if (status < 400) return 'redirected';
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not-found';
  if (status === 410) return 'gone';
  return status >= 500 ? 'server-error' : 'invalid';
}

/** What a rate limit refused was not done, so that it may be asked again whatever it is. */
function pauseOf(problem: RestProblem, method: RestRequest['method'], headers: Headers, now: number): number | null {
  if (problem === 'server-error') return method === 'POST' ? null : 1000;
  if (problem !== 'rate-limited') return null;
  const after = headers.get('retry-after');
  const reset = headers.get('x-ratelimit-remaining') === '0' ? headers.get('x-ratelimit-reset') : null;
  const pauseMs = pauseBy(after, reset, now);
  return pauseMs <= LONGEST_PAUSE_MS ? pauseMs : null;
}

/** `Infinity` where GitHub does not say. */
function pauseBy(after: string | null, reset: string | null, now: number): number {
  if (after !== null && /^\d{1,9}$/.test(after)) return Number(after) * 1000;
  return reset !== null && /^\d{1,12}$/.test(reset) ? Math.max(0, Number(reset) * 1000 - now) : Infinity;
}

/** `fetch` says only that it failed; what stood in the way is the cause. */
function causeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
}

/** The path of the GraphQL API. */
export const GRAPHQL = '/graphql';

/** More redirects than any renaming and moving makes. */
const MOST_REDIRECTS = 5;

/**
 * The answer at the end of redirects, which GitHub gives for repositories that were renamed or moved; the redirect itself
 * where it is not followed. Token and text go nowhere but where they were meant to go. Rejects where there is no answer.
 */
async function send(options: RestOptions, request: RestRequest, timeout: AbortSignal): Promise<Response> {
  const { method, body } = request;
  let address = new URL(addressOf(options.apiUrl, request.path));
  for (let redirects = 0; ; redirects++) {
    const response = await options.fetch(address, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${options.token}`,
        'user-agent': options.userAgent,
        'x-github-api-version': '2022-11-28',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([options.signal, timeout]),
    });
    const next = redirects < MOST_REDIRECTS ? redirectOf(response, method, address) : null;
    if (next === null) return response;
    await response.body?.cancel();
    address = next;
  }
}

/** An Enterprise server has its GraphQL beside the version of its REST API: `/api/graphql`, `/api/v3`. */
function addressOf(apiUrl: string, path: string): string {
  const root = apiUrl.replace(/\/+$/, '');
  return path === GRAPHQL ? `${root.replace(/\/v3$/, '')}${path}` : `${root}${path}`;
}

/**
 * Where a redirect leads that may be followed: to the same origin, and by a status that keeps the method (RFC 9110,
 * section 15.4). `null` for the others and for what is none.
 */
function redirectOf({ status, headers }: Response, method: RestRequest['method'], from: URL): URL | null {
  const isKept = status === 307 || status === 308 || (method === 'GET' && (status === 301 || status === 302));
  const location = headers.get('location');
  if (!isKept || location === null || !URL.canParse(location, from.href)) return null;
  const to = new URL(location, from);
  return to.origin === from.origin ? to : null;
}
