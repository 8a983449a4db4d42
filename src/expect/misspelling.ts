/** The rules for names that differ from those of their files, shared by the checks that report them. */
import type { Diagnosis, Grade } from '../check.ts';

export const MISSPELLING_CODES = {
  'letter-case': 'error',
  'unicode-form': 'error',
  encoding: 'error',
  'missing-extension': 'error',
  'wrong-extension': 'error',
  'folder-index': 'error',
  moved: 'error',
} as const satisfies Record<string, Grade>;

export type MisspellingCode = keyof typeof MISSPELLING_CODES;

/** The rule for a diagnosis; `null`: the file is not known, or its name is only similar. */
export function misspellingCode(diagnosis: Diagnosis | null): MisspellingCode | null {
  return diagnosis === null || diagnosis.code === 'similar-name' ? null : diagnosis.code;
}
