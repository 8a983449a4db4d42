/** The files of a source, or why nothing can be compared with them. */
import type { Draft } from '../../src/check.ts';
import type { Source, SourceFile } from '../../src/source/types.ts';
import type { GatheredSource, SourceCode } from './check.ts';

/** The files of a source, or what stood in the way of reading them. */
export async function filesOf(source: Source): Promise<ReadonlyMap<string, SourceFile> | Error> {
  try {
    return await source.files();
  } catch (error) {
    return error as Error;
  }
}

/** Nothing was compared, for a reason. */
export function stopped(code: SourceCode, evidence: Draft['evidence'] & object): GatheredSource {
  return { answer: null, draft: { code, evidence } };
}
