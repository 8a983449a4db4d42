/** Whether a file that every site has is there. Pure. */
import type { Answer } from '../check.ts';
import { isFallback } from '../expect/fallback.ts';
import { isHtmlDocument } from '../parse/html.ts';

/** Read of a file, in bytes. */
const BEGINNING = 64 * 1024;

export const beginningOf = (body: Uint8Array): string => Buffer.from(body.subarray(0, BEGINNING)).toString('utf8');

/** Whether a text file is not there: the host says so, or sends a page instead. */
export function isAbsent(answer: Answer, bundle: Answer): boolean {
  if (isGone(answer)) return true;
  if (answer.kind !== 'reply' || answer.status !== 200 || answer.redirects.length > 0) return false;
  return isFallback(answer, bundle) || isHtmlDocument(beginningOf(answer.body));
}

export function isGone(answer: Answer): boolean {
  return answer.kind === 'reply' && answer.redirects.length === 0 && (answer.status === 404 || answer.status === 410);
}
