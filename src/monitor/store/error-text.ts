/** What is wrong with a database, for a person. */
import { printable } from '../../printable.ts';
import type { Language } from '../../texts.ts';
import { iso } from '../iso-time.ts';
import type { StoreError } from './store-error.ts';
import { loadStoreWords } from './words/load.ts';

/** In one line. */
export async function storeErrorText(
  { problem, file, message, owner }: StoreError,
  language: Language,
): Promise<string> {
  const words = await loadStoreWords(language);
  const [name, detail] = [printable(file), printable(message)];
  if (problem !== 'locked') return words.problems[problem](name, detail);
  if (owner === null) return words.locked(name, null);
  const { pid, host, since } = owner;
  return words.locked(name, { pid, host: printable(host), since: iso(since) });
}

/** The exit status of a command: 2 where another file has to be named, 3 where this one could not be used. */
export function storeErrorStatus({ problem }: StoreError): 2 | 3 {
  return problem === 'missing' || problem === 'foreign' ? 2 : 3;
}
