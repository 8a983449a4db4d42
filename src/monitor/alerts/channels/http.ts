/**
 * One HTTP request of an alert: bounded in time and size, over a connection of its own, redirects not followed, because what
 * is confidential must not be sent elsewhere. Proxies of the environment are used where Node can (from 22.21 and 24.5 on).
 */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { hidden } from '../../../hidden.ts';
import { printable } from '../../../printable.ts';
import { cutText } from '../../../report/cut.ts';
import { VERSION } from '../../../version.ts';
import type { SendResult } from '../alert.ts';

/** Longest time for one request of a webhook. */
const REQUEST_MS = 10_000;
/** How much is read of a response in which only the status counts. */
const ANSWER_BYTES = 2_048;

/** A request. */
export interface HttpRequest {
  readonly method: string;
  /** Credentials in it become `Authorization`. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** From the start to the end of the response, in ms. */
  readonly timeoutMs: number;
  /** Longest part of the body that is read, in bytes. */
  readonly mostBytes: number;
  /** For proxies. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** A response, or the reason why there is none. */
export type HttpResult =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly body: Buffer;
      /** Whether that is all of the body. */
      readonly isWhole: boolean;
    }
  /** `error`: the system's code, or `timeout`, `aborted`. Contains no address. */
  | { readonly kind: 'failed'; readonly error: string };

/** Sends a request. Never rejects. */
export function request(options: HttpRequest): Promise<HttpResult> {
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([options.signal, deadline]);
  const failed = (error: unknown): HttpResult => {
    if (deadline.aborted) return { kind: 'failed', error: 'timeout' };
    return { kind: 'failed', error: options.signal.aborted ? 'aborted' : codeOf(error) };
  };
  return new Promise((resolve) => {
    try {
      const sent = clientFor(options, signal);
      sent.on('error', (error) => resolve(failed(error)));
      sent.on('response', (response) => void read(response, options.mostBytes).then(resolve, () => {}));
      sent.end(options.body ?? undefined);
    } catch (error) {
      resolve(failed(error));
    }
  });
}

function clientFor({ method, url, headers, body, env }: HttpRequest, signal: AbortSignal): http.ClientRequest {
  const { Agent, request: ask } = url.protocol === 'https:' ? https : http;
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  // Older versions ignore the option.
  const agent = new Agent({ keepAlive: false, proxyEnv: { ...env } });
  return ask(url, { method, headers: { ...headers, ...length }, agent, signal });
}

/** The status has been received; a failure of the body does not change it. */
async function read(response: IncomingMessage, mostBytes: number): Promise<HttpResult> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isWhole = false;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > mostBytes) break;
    }
    isWhole = response.complete;
  } catch {
    // The connection was cut, or the time is over.
  }
  response.destroy();
  const { statusCode = 0, headers } = response;
  return { kind: 'reply', status: statusCode, headers, body: Buffer.concat(chunks).subarray(0, mostBytes), isWhole };
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) ? code : 'failed';
}

/** Posts an alert as JSON. `channel`: the address and headers as configured; `url`: where it goes. */
export async function post(
  channel: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  {
    url,
    body,
    headers,
    now,
    env,
    signal,
    secrets = [],
  }: {
    readonly url: URL;
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly now: number;
    readonly env: HttpRequest['env'];
    readonly signal: AbortSignal;
    readonly secrets?: readonly string[];
  },
): Promise<SendResult> {
  // Header names in lower case, so that a configured `content-type` does not stand beside ours.
  const given = Object.entries(channel.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const result = await request({
    method: 'POST',
    url,
    headers: { ...Object.fromEntries(given), 'user-agent': `docvitals/${VERSION}`, ...headers },
    body,
    timeoutMs: REQUEST_MS,
    mostBytes: ANSWER_BYTES,
    env,
    signal,
  });
  return resultOf(result, now, [...secretsOf(URL.parse(channel.url) ?? url, channel.headers), ...secrets]);
}

/** The result for a URL that cannot be used. */
export const BAD_ADDRESS: SendResult = { ok: false, error: 'bad-address', permanent: true, retryAfterMs: null };

/** Client errors that are temporary (RFC 9110, 15.5.9; RFC 8470; RFC 6585). */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

const LONGEST_REPLY = 200;

/** 2xx means received, everything else not. `secrets` of the request are hidden, in case the receiver echoes them. */
function resultOf(result: HttpResult, now: number, secrets: readonly string[]): SendResult {
  if (result.kind === 'failed') return { ok: false, error: result.error, permanent: false, retryAfterMs: null };
  const { status, headers } = result;
  if (status >= 200 && status < 300) return { ok: true, status };
  return {
    ok: false,
    error: `http ${status}${replyText(result, secrets)}`,
    permanent: status < 500 && !PASSING.has(status),
    retryAfterMs: retryAfterOf(headers['retry-after'], now),
  };
}

/** The receiver's explanation as one short line; web pages are left out. */
function replyText({ headers, body }: Extract<HttpResult, { kind: 'reply' }>, secrets: readonly string[]): string {
  const type = String(headers['content-type'] ?? '');
  if (!/^(?:text\/plain|application\/(?:[\w.+-]+\+)?json)\b/i.test(type)) return '';
  const text = printable(body.toString('utf8').trim().replaceAll(/\s+/g, ' '));
  return text === '' ? '' : `: ${cutText(hidden(text, secrets), LONGEST_REPLY)}`;
}

/** Seconds, or a date (RFC 9110, section 10.2.3), in ms from now; `null`: neither. */
function retryAfterOf(value: string | string[] | undefined, now: number): number | null {
  const text = String(value ?? '').trim();
  // Some receivers send fractions of seconds.
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** The parts of an address that can be secrets: credentials, segments of the path, values of the query. */
function secretsOf(url: URL, headers: Readonly<Record<string, string>>): readonly string[] {
  const parts = [
    url.username,
    url.password,
    decoded(url.password),
    // Short words before the last segment belong to the interface: `services`, `webhooks`.
    ...url.pathname.split('/').filter((part, at, all) => at === all.length - 1 || !/^[a-z]{1,10}$/.test(part)),
    ...url.searchParams.values(),
    ...Object.values(headers).flatMap((value) => [value, ...value.split(' ')]),
  ];
  return [...new Set(parts)].filter((part) => part.length >= 6).toSorted((a, b) => b.length - a.length);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** More than any response of GitHub: a page of a hundred long issues. */
const FETCH_BYTES = 32 * 2 ** 20;
const FETCH_MS = 60_000;

/** As much of `fetch` as the client of GitHub's API needs, with the proxies of the environment, which Node's own ignores. */
export function fetchThrough(env: Readonly<Record<string, string | undefined>>): typeof fetch {
  return async (address, init = {}) => {
    const result = await request({
      method: init.method ?? 'GET',
      url: new URL(address instanceof Request ? address.url : address),
      headers: init.headers as Readonly<Record<string, string>>,
      body: typeof init.body === 'string' ? init.body : null,
      timeoutMs: FETCH_MS,
      mostBytes: FETCH_BYTES,
      env,
      signal: init.signal ?? new AbortController().signal,
    });
    if (result.kind === 'failed' || !result.isWhole) {
      const code = result.kind === 'failed' ? result.error : 'ECONNRESET';
      throw Object.assign(new TypeError('fetch failed', { cause: { code } }), {
        name: init.signal?.aborted === true ? 'TimeoutError' : 'TypeError',
      });
    }
    const { status, headers, body } = result;
    const empty = status === 204 || status === 205 || status === 304;
    const pairs = Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    );
    return new Response(empty ? null : new Uint8Array(body), { status, headers: pairs });
  };
}
