/** Reports why a file that every site has is missing, instead of the finding about what was received instead. */
import type { Answer, RawFinding, Evidence, Gathered, Site } from '../check.ts';
import { MISSPELLING_RULES } from '../expect/text.ts';
import { isAbsent, isGone } from '../expect/fallback.ts';
import type { Setting } from '../engines/engine.ts';

export const MISSING_FILE_RULES = { 'wrong-base': 'error', 'letter-case': 'error' } as const;

export const MISSING_NAMED_RULES = { ...MISSING_FILE_RULES, ...MISSPELLING_RULES, 'wrong-setting': 'error' } as const;

export type MissingFileRule = keyof typeof MISSING_FILE_RULES;
export type MissingNamedRule = keyof typeof MISSING_NAMED_RULES;

export interface WhyMissing {
  /** `null`: only more evidence was found. */
  readonly rule: MissingNamedRule | null;
  readonly evidence: Evidence;
  /** The place in `config.json` that names the file. */
  readonly at?: Pick<RawFinding, 'location' | 'excerpt'>;
}

export interface File extends Gathered {
  readonly answer: Answer;
  /** Set for a file that a setting may name. */
  readonly setting?: Setting;
  readonly value?: string | null | undefined;
  readonly why?: WhyMissing;
}

type RuleOf<F extends File> = F extends { readonly setting: Setting } ? MissingNamedRule : MissingFileRule;

/** The same with the reason why the file is missing, where it is and the reason is known. */
export async function withReason<F extends File>(file: F, site: Site): Promise<F> {
  const bundle = await site.bundle();
  // A host with a fallback has a bundle at every address: that of a healthy site does not wait for the other files.
  if (!(file.answer === bundle ? isGone(bundle) : isAbsent(file.answer, bundle))) return file;
  const { reasonFor } = await import('./why-missing.ts');
  const why = await reasonFor(file, site, bundle);
  return why === null ? file : { ...file, why };
}

const SERVED_INSTEAD: ReadonlySet<string> = new Set(['not-found', 'spa-fallback', 'html']);

/** The findings of a file, or why it is missing instead of those about what came in its place. */
export async function explained<F extends File, D extends RawFinding>(
  { answer, why }: F,
  evaluate: () => Promise<readonly D[]>,
): Promise<readonly (D | RawFinding<RuleOf<F>>)[]> {
  if (why === undefined) return evaluate();
  const { rule, evidence, at = {} } = why;
  const asked = { url: answer.requestUrl, ...(answer.kind === 'reply' ? { status: answer.status } : {}) };
  if (rule !== null) return [{ rule: rule as RuleOf<F>, evidence: { ...asked, ...evidence }, ...at }];
  return (await evaluate()).map((finding) =>
    SERVED_INSTEAD.has(finding.rule) ? { ...finding, evidence: { ...finding.evidence, ...evidence } } : finding,
  );
}
