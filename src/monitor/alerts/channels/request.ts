/**
 * One HTTP request of an alert: bounded in time and size, over a connection of its own, redirects not followed (what is
 * told in confidence goes nowhere else). Proxies of the environment are used where Node can (from 22.21 and 24.5 on).
 */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';

/** What is sent. */
export interface HttpRequest {
  readonly method: string;
  /** With userinfo where it has any; it becomes `Authorization`. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** From the start to the end of the response, in ms. */
  readonly timeoutMs: number;
  /** Longest part of the body that is read, in bytes. */
  readonly mostBytes: number;
  /** Proxies. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** What came back. */
export type HttpResult =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly body: Buffer;
      /** Whether that is all of the body. */
      readonly isWhole: boolean;
    }
  /** `error`: the system's code, or `timeout`, `aborted`. Holds no address. */
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
  // Versions that know nothing of the proxies take no notice of the option.
  const agent = new Agent({ keepAlive: false, proxyEnv: { ...env } });
  return ask(url, { method, headers: { ...headers, ...length }, agent, signal });
}

/** The status has come by now; what becomes of the body changes nothing in that. */
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
    // Cut off, or the time is over.
  }
  response.destroy();
  const { statusCode = 0, headers } = response;
  return { kind: 'reply', status: statusCode, headers, body: Buffer.concat(chunks).subarray(0, mostBytes), isWhole };
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) ? code : 'failed';
}
