import type { Get } from '../check.ts';
import { attempts, connect, type Hop, type HopResponse, type HttpOptions } from './attempt.ts';
import { Line } from './line.ts';
import { isWorthRetrying, retry } from './retry.ts';

export type { HttpOptions } from './attempt.ts';

/** Makes the function that all requests go through. Each request has a connection of its own. */
export function createGet(options: HttpOptions): Get {
  const once = attempts(options, sendAlone);
  return async (request) => {
    const first = await once(request, 1);
    if (options.retries === 0 || request.once === true || options.signal.aborted) return first;
    return isWorthRetrying(first) ? retry(first, (count) => once(request, count), options) : first;
  };
}

/** One request over a connection that it uses up. */
async function sendAlone(hop: Hop): Promise<HopResponse> {
  const { phases, limit } = hop.context;
  hop.context.sent += 1;
  const { socket, address, tls } = await connect(hop);
  const line = new Line(socket, hop.url.origin);
  try {
    return { response: await line.send(hop, phases, limit.signal), address, tls };
  } finally {
    line.close();
  }
}
