import type { Answer, Get, GetRequest } from '../check.ts';
import {
  attempts,
  type AttemptContext,
  type Hop,
  type HopResponse,
  type HttpOptions,
  type SendHop,
} from './attempt.ts';
import { openConnection, type ConnectOptions, type OpenConnection } from './connect.ts';
import { retry } from './retry.ts';

export type { HttpOptions } from './attempt.ts';

/** Makes the function that sends each request over a connection of its own. */
export function createGet(options: HttpOptions): Get {
  return retried(attempts(options, sendAlone), options);
}

/**
 * Makes the function for a few requests at once that should cost little: those to the origin of the first share one
 * connection, one after the other, until anything about it is slow or wrong. The others have connections of their own.
 * The shared connection is closed when `options.signal` is aborted.
 */
export function createSharedGet(options: HttpOptions, patienceMs = PATIENCE_MS): Get {
  return retried(attempts(options, shareConnection(options.signal, patienceMs)), options);
}

function retried(once: (request: GetRequest, count: number) => Promise<Answer>, options: HttpOptions): Get {
  return async (request) => {
    const first = await once(request, 1);
    return request.once === true ? first : retry(first, (count) => once(request, count), options);
  };
}

export function connectFor({ url, proxy, context }: Hop): Promise<OpenConnection> {
  const { options, guard, phases, limit } = context;
  const admit: ConnectOptions['admit'] = (addresses) => guard(url, addresses);
  return openConnection(url, proxy, { ...options, admit, phases, signal: limit.signal });
}

/** Sends a hop over an open connection. On failure it rejects, and the connection is closed. */
export async function sendOver({ http, address, tls }: OpenConnection, hop: Hop): Promise<HopResponse> {
  const { phases, limit } = hop.context;
  return { response: await http.send(hop, phases, limit.signal), address, tls };
}

/** Which hops may share a connection: those to one origin, directly or through one proxy. */
export function keyOf(url: URL, proxy: URL | null): string {
  return proxy === null ? url.origin : `${url.origin} ${proxy.href}`;
}

/** Waits for a slot. That time does not count as the request's. */
export async function waitForSlot<T>({ limit, phases }: AttemptContext, slot: Promise<T>): Promise<T> {
  limit.stop();
  phases.suspend();
  try {
    return await slot;
  } finally {
    phases.resume();
    limit.start();
  }
}

/** Sends one hop over a connection that it uses up. */
async function sendAlone(hop: Hop): Promise<HopResponse> {
  hop.context.sent += 1;
  const open = await connectFor(hop);
  try {
    return await sendOver(open, hop);
  } finally {
    open.http.close();
  }
}

/** How long the next request waits for the one before it, in milliseconds. */
const PATIENCE_MS = 1_000;

/** Retries have connections of their own, and so has whatever is not the plain request for a file. */
function isShareable({ method, context: { request, count } }: Hop): boolean {
  return method === 'GET' && count === 1 && request.alone !== true;
}

/** What a request leaves to the next one: an open connection, the task of opening it, or nothing. */
type Slot = OpenConnection | 'first' | null;

function shareConnection(signal: AbortSignal, patienceMs: number): SendHop {
  let sharedKey: string | undefined;
  let last: Promise<Slot> = Promise.resolve('first');
  let opened: OpenConnection | undefined;
  signal.addEventListener('abort', () => opened?.http.close(), { once: true });

  const take = async (slot: OpenConnection | 'first', hop: Hop, leave: (slot: Slot) => void): Promise<HopResponse> => {
    let isLate = false;
    const patience = setTimeout(() => {
      isLate = true;
      leave(null);
    }, patienceMs);
    hop.context.sent += 1;
    try {
      if (slot !== 'first') hop.context.phases.restart('headers');
      const open = slot === 'first' ? await connectFor(hop) : slot;
      opened = open;
      const got = await sendOver(open, hop);
      if (isLate || signal.aborted) open.http.close();
      leave(open.http.isOpen ? open : null);
      return got;
    } catch (error) {
      leave(null);
      if (slot === 'first' || hop.context.limit.signal.aborted || !slot.http.wasStale(error)) throw error;
    } finally {
      clearTimeout(patience);
    }
    hop.context.sent -= 1;
    return sendAlone(hop);
  };

  return async (hop) => {
    if (!isShareable(hop)) return sendAlone(hop);
    const key = keyOf(hop.url, hop.proxy);
    sharedKey ??= key;
    if (key !== sharedKey) return sendAlone(hop);
    const before = last;
    const { promise, resolve: leave } = Promise.withResolvers<Slot>();
    last = promise;
    const slot = await waitForSlot(hop.context, before);
    if (slot !== null && (slot === 'first' || slot.http.isOpen) && !signal.aborted) return take(slot, hop, leave);
    leave(null);
    if (signal.aborted) throw signal.reason as Error;
    return sendAlone(hop);
  };
}
