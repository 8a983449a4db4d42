/** Says why a file that every site has is missing, where that can be found out. */
import type { Answer, Draft, Gathered, Grade, Site } from '../check.ts';
import { isFallback } from '../expect/fallback.ts';
import { isHtmlDocument } from '../parse/html.ts';

export const MISSING_FILE_CODES = { 'wrong-base': 'error' } as const satisfies Record<string, Grade>;

export type MissingFileCode = keyof typeof MISSING_FILE_CODES;

/** A file of the site as it was requested. */
interface File extends Gathered {
  readonly answer: Answer;
  readonly why?: WhyMissing;
}

/** Why a file is missing. */
export interface WhyMissing {
  readonly code: MissingFileCode;
  readonly suggestion: string;
}

/** The same with the reason why the file is missing, where it is and the reason is known. */
export async function withReason<F extends File>(file: F, site: Site): Promise<F> {
  const bundle = await site.bundle();
  // A host with a fallback has a bundle at every address: that of a healthy site does not wait for the other files.
  if (!(file.answer === bundle ? isGone(bundle) : isAbsent(file.answer, bundle))) return file;
  const above = await site.baseAbove();
  return above === null ? file : { ...file, why: { code: 'wrong-base', suggestion: above.href } };
}

/** The finding that a missing file has instead of those about what came in its place; `null`: the reason is not known. */
export function missingFile({ answer, why }: File): readonly [Draft<MissingFileCode>] | null {
  if (why === undefined) return null;
  return [{ code: why.code, evidence: { url: answer.requestUrl, suggestion: why.suggestion } }];
}

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
