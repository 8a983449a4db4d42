/** The files of a source, or why nothing can be compared with them. */
import type { RawFinding } from '../../src/check.ts';
import type { Source, SourceFile } from '../../src/source/types.ts';
import type { GatheredSource, SourceRule } from './check.ts';

/** The files of a source, or what stood in the way of reading them. */
export async function filesOf(source: Source): Promise<ReadonlyMap<string, SourceFile> | Error> {
  try {
    return await source.files();
  } catch (error) {
    return error as Error;
  }
}

/** Nothing was compared, for a reason. */
export function stopped(rule: SourceRule, evidence: RawFinding['evidence'] & object): GatheredSource {
  return { answer: null, finding: { rule, evidence } };
}
