/** Reports why a file that every site has is missing, instead of what came in its place. */
import type { Answer, Draft, Evidence, Gathered, Grade, Site } from '../check.ts';
import { MISSPELLING_CODES } from '../expect/misspelling.ts';
import { isAbsent, isGone } from './absent.ts';
import type { Setting } from './settings.ts';

/** The rules of a file whose name no setting changes. */
export const MISSING_FILE_CODES = { 'wrong-base': 'error', 'letter-case': 'error' } as const satisfies Record<
  string,
  Grade
>;

/** The rules of a file that a setting may name. */
export const MISSING_NAMED_CODES = {
  ...MISSING_FILE_CODES,
  ...MISSPELLING_CODES,
  'wrong-setting': 'error',
} as const satisfies Record<string, Grade>;

export type MissingFileCode = keyof typeof MISSING_FILE_CODES;
export type MissingNamedCode = keyof typeof MISSING_NAMED_CODES;

/** Why a file is missing. */
export interface WhyMissing {
  /** `null`: only more evidence was found. */
  readonly code: MissingNamedCode | null;
  readonly evidence: Evidence;
  /** The place in `config.json` that names the file. */
  readonly at?: Pick<Draft, 'location' | 'excerpt'>;
}

/** A file of the site as it was requested. */
export interface File extends Gathered {
  readonly answer: Answer;
  /** Set for a file that a setting may name. */
  readonly setting?: Setting;
  /** As in the configuration. */
  readonly value?: string | null | undefined;
  readonly why?: WhyMissing;
}

/** The rules that a file may have. */
type CodeOf<F extends File> = F extends { readonly setting: Setting } ? MissingNamedCode : MissingFileCode;

/** The same with the reason why the file is missing, where it is and the reason is known. */
export async function withReason<F extends File>(file: F, site: Site): Promise<F> {
  const bundle = await site.bundle();
  // A host with a fallback has a bundle at every address: that of a healthy site does not wait for the other files.
  if (!(file.answer === bundle ? isGone(bundle) : isAbsent(file.answer, bundle))) return file;
  const { reasonFor } = await import('./why-missing.ts');
  const why = await reasonFor(file, site, bundle);
  return why === null ? file : { ...file, why };
}

/** What came instead of a missing file. */
const IN_ITS_PLACE: ReadonlySet<string> = new Set(['not-found', 'spa-fallback', 'html']);

/** The findings of a file, or why it is missing instead of those about what came in its place. */
export async function explained<F extends File, D extends Draft>(
  { answer, why }: F,
  judge: () => Promise<readonly D[]>,
): Promise<readonly (D | Draft<CodeOf<F>>)[]> {
  if (why === undefined) return judge();
  const { code, evidence, at = {} } = why;
  const asked = { url: answer.requestUrl, ...(answer.kind === 'reply' ? { status: answer.status } : {}) };
  if (code !== null) return [{ code: code as CodeOf<F>, evidence: { ...asked, ...evidence }, ...at }];
  return (await judge()).map((draft) =>
    IN_ITS_PLACE.has(draft.code) ? { ...draft, evidence: { ...draft.evidence, ...evidence } } : draft,
  );
}
