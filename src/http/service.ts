/**
 * Requests to services, such as the receivers of alerts and GitHub's API: bounded in time and size, each over a
 * connection of its own; redirects are not followed, so that secrets are sent nowhere else.
 */
import type { ReadonlyHeaders } from '../check.ts';
import { ProxyError, proxyFor } from './address.ts';
import { openConnection } from './connect.ts';
import { Ended } from './ended.ts';
import { failureOf } from './failure.ts';
import { authorization } from './headers.ts';
import { Phases, TimeLimit } from './timing.ts';

export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Credentials in it become `Authorization`. */
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** From the start to the end of the response. */
  readonly timeoutMs: number;
  /** Of the response's body. */
  readonly mostBytes: number;
  /** Only the status counts: a body that is too long or breaks off is cut. */
  readonly mayCut?: boolean;
  /** For proxies. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

export type ServiceResponse =
  | { readonly ok: true; readonly status: number; readonly headers: ReadonlyHeaders; readonly body: Uint8Array }
  /** `error`: the system's code, or `timeout`, `aborted`. Contains no address. */
  | { readonly ok: false; readonly error: string };

/** Sends a request. Never rejects. */
export async function requestService(request: ServiceRequest): Promise<ServiceResponse> {
  const { url, timeoutMs, mostBytes: bodyCap, env, signal } = request;
  const clock = (): number => performance.now();
  const [phases, limit] = [new Phases(clock), new TimeLimit(timeoutMs, clock)];
  const onAbort = (): void => limit.end(new Ended('interrupt'));
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  limit.start();
  try {
    const proxy = proxyFor(url, env);
    const absolute = proxy !== null && url.protocol === 'http:';
    const credentials = {
      authorization: authorization(url),
      'proxy-authorization': absolute ? authorization(proxy) : null,
    };
    const given = Object.entries(credentials).flatMap(([name, value]) =>
      value === null ? [] : [[name, value] as const],
    );
    const headers = { ...Object.fromEntries(given), ...request.headers };
    // The addresses come from the operator's configuration: they may be on any network.
    const options = { rules: [], family: 0, admit: () => {}, phases, signal: limit.signal } as const;
    const { http } = await openConnection(url, proxy, options);
    try {
      const response = await http.send({ ...request, headers, absolute, bodyCap }, phases, limit.signal);
      return { ok: true, ...response };
    } finally {
      http.close();
    }
  } catch (error) {
    return { ok: false, error: errorCode(limit.signal.aborted ? limit.signal.reason : error, phases) };
  } finally {
    limit.stop();
    signal.removeEventListener('abort', onAbort);
  }
}

function errorCode(error: unknown, { current }: Phases): string {
  if (error instanceof Ended) return error.by === 'timeout' ? 'timeout' : 'aborted';
  if (error instanceof ProxyError) return `bad proxy in ${error.variable}`;
  const { evidence, reason } = failureOf(error, current);
  const { error: code = reason } = evidence;
  if (code === 'UND_ERR_SOCKET') return 'ECONNRESET';
  return typeof code === 'string' && code !== '' ? code : reason;
}
