/** Files that the engine reads from another origin (docsify's `basePath`): browsers ask that host whether this page may (CORS). */
import type { Evidence } from '../core/answer.ts';
import type { Finding } from '../core/finding.ts';
import type { NamedFile } from './types.ts';
import { isThere } from '../expect/fallback.ts';

export const OTHER_ORIGIN_RULES = { cors: 'error' } as const;

/** What a file says instead of allowing the page to read it (Fetch, section 4.9); `null`: the page may read it, or one of them is missing. */
export function closedToPage({ answer, bundle }: NamedFile): Evidence | null {
  if (!isThere(answer) || !isThere(bundle)) return null;
  const { origin } = new URL(bundle.url);
  const { origin: from } = new URL(answer.requestUrl);
  // The host may redirect the page, and its other files with it.
  if (from === origin || from === new URL(bundle.requestUrl).origin) return null;
  const allowOrigin = answer.headers.get('access-control-allow-origin');
  const isAllowed = allowOrigin?.trim() === '*' || allowOrigin?.trim() === origin;
  return isAllowed ? null : { url: answer.requestUrl, status: answer.status, allowOrigin };
}

/** Whether two findings are about files of one host. */
export function isOnOneHost(one: Finding, other: Finding): boolean {
  const [first, second] = [one, other].map(({ evidence: { url } }) =>
    typeof url === 'string' ? URL.parse(url)?.host : undefined,
  );
  return first !== undefined && first === second;
}
