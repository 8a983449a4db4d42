/** The rules for names that differ from those of their files, shared by the checks that report them. */
import type { Diagnosis, Severity } from '../check.ts';

export const MISSPELLING_RULES = {
  'letter-case': 'error',
  'unicode-form': 'error',
  encoding: 'error',
  'missing-extension': 'error',
  'wrong-extension': 'error',
  'folder-index': 'error',
  moved: 'error',
} as const satisfies Record<string, Severity>;

export type MisspellingRule = keyof typeof MISSPELLING_RULES;

/** The rule for a diagnosis; `null`: the file is not known, or its name is only similar. */
export function misspellingRule(diagnosis: Diagnosis | null): MisspellingRule | null {
  return diagnosis === null || diagnosis.rule === 'similar-name' ? null : diagnosis.rule;
}
