/** Requests to receivers of alerts and GitHub's API. No redirect is followed: secrets are sent nowhere else. */
import { ProxyError, proxyFor } from './address.ts';
import { openConnection, UNGUARDED } from './connect.ts';
import type { RawResponse, WireRequest } from './connection.ts';
import { failureOf } from './failure.ts';
import { credentials } from './headers.ts';
import { timed, type Stopwatch } from './timing.ts';

/** Credentials in `url` become `Authorization`; names of `headers` are in lower case. */
export interface ServiceRequest extends Pick<WireRequest, 'method' | 'url' | 'headers' | 'body' | 'mayCut'> {
  readonly timeoutMs: number;
  readonly mostBytes: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

export type ServiceResponse =
  | ({ readonly ok: true } & Pick<RawResponse, 'status' | 'headers' | 'body'>)
  /** `error`: the system's code, or `timeout`, `aborted`. Contains no address. */
  | { readonly ok: false; readonly error: string };

/** Never rejects. */
export async function requestService(request: ServiceRequest): Promise<ServiceResponse> {
  return timed({ ...request, clock: () => performance.now() }, async (watch) => {
    try {
      return { ok: true, ...(await send(request, watch)) };
    } catch (error) {
      if (request.signal.aborted) return { ok: false, error: 'aborted' };
      return { ok: false, error: watch.signal.aborted ? 'timeout' : errorCode(error, watch) };
    }
  });
}

async function send(request: ServiceRequest, watch: Stopwatch): Promise<RawResponse> {
  const { url, mostBytes: bodyCap, env } = request;
  const proxy = proxyFor(url, env);
  const absolute = proxy !== null && url.protocol === 'http:';
  const toProxy = absolute ? credentials('proxy-authorization', proxy) : {};
  const headers = { ...credentials('authorization', url), ...toProxy, ...request.headers };
  const connection = await openConnection(url, proxy, { rules: [], family: 0, guard: UNGUARDED, watch });
  try {
    return await connection.send({ ...request, headers, absolute, bodyCap, watch });
  } finally {
    connection.close();
  }
}

function errorCode(error: unknown, { phase }: Stopwatch): string {
  if (error instanceof ProxyError) return `bad proxy in ${error.variable}`;
  const { evidence, reason } = failureOf(error, phase);
  const { error: code = reason } = evidence;
  if (code === 'UND_ERR_SOCKET') return 'ECONNRESET';
  return typeof code === 'string' && code !== '' ? code : reason;
}
