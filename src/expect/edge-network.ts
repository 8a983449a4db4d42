import type { ReadonlyHeaders } from '../answer.ts';

/** Headers that only the networks in front of sites send. */
const SIGNS = ['cf-ray', 'x-amz-cf-id', 'x-amz-cf-pop'] as const;

/**
 * Whether a reply came through Cloudflare or CloudFront: they compress by a list of types that has no `text/markdown`,
 * and the first leaves alone what is marked `no-transform`.
 */
export function isFromEdgeNetwork(headers: ReadonlyHeaders): boolean {
  if (SIGNS.some((name) => headers.get(name) !== null)) return true;
  return /^cloudflare\b/i.test(headers.get('server')?.trim() ?? '');
}
