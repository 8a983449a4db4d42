import type { Answer, Get, GetRequest } from '../check.ts';
import { attempts, type HttpOptions } from './attempt.ts';
import { sendAlone } from './open-line.ts';
import { isWorthRetrying, retry } from './retry.ts';

export type { HttpOptions } from './attempt.ts';

/** Makes the function that all requests go through. Each request has a connection of its own. */
export function createGet(options: HttpOptions): Get {
  return retried(attempts(options, sendAlone), options);
}

/** Tries what failed again, as the options say. */
export function retried(once: (request: GetRequest, count: number) => Promise<Answer>, options: HttpOptions): Get {
  return async (request) => {
    const first = await once(request, 1);
    if (options.retries === 0 || request.once === true || options.signal.aborted) return first;
    return isWorthRetrying(first) ? retry(first, (count) => once(request, count), options) : first;
  };
}
