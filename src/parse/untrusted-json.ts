import { explainJson } from './json.ts';
import type { Result } from './readers.ts';
import { LONGEST_HERE, readUntrusted, type ReadLimit, type ReadLimits } from './untrusted.ts';

/** What is wrong with JSON of a site, or odd in it: of a long text in a worker. */
export async function explainUntrusted(
  text: string,
  isValid: boolean,
  limits: ReadLimits,
): Promise<Result<'json'> | ReadLimit> {
  if (text.length <= LONGEST_HERE) return { ok: true, remarks: explainJson(text, isValid) };
  return readUntrusted('json', text, { isValid }, limits);
}
