import type { ReadonlyHeaders } from '../check.ts';
import { Failure } from './failure.ts';

/** The statuses that `fetch` follows for a GET (Fetch standard, "redirect status"). */
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** Where a response leads to, or `null` when it is no redirect. Throws a `bad-redirect` failure. */
export function redirectTarget(
  response: { readonly status: number; readonly headers: ReadonlyHeaders },
  from: URL,
): { readonly url: URL; readonly location: string } | null {
  if (!REDIRECT_STATUSES.has(response.status)) return null;
  const locations = [...new Set(response.headers.all('location'))];
  const [location] = locations;
  const evidence = { status: response.status, locations: locations.map((one) => one.slice(0, 500)).slice(0, 3) };
  if (location === undefined || locations.length > 1 || !URL.canParse(location, from.href)) {
    throw new Failure('bad-redirect', evidence);
  }
  const url = new URL(location, from);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Failure('bad-redirect', evidence);
  return { url, location: location.slice(0, 500) };
}
