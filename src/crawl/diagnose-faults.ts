import type { Diagnosis } from '../check.ts';
import { hasExtension, hrefOfPath, isMarkdownPath } from '../site/link-path.ts';
import type { Asker } from './ask.ts';
import { guesses, type Guess, type GuessWork, type KnownPaths } from './diagnose.ts';
import { inOrder } from './in-order.ts';
import type { Fault } from './record.ts';

/** What a diagnosis may look at, and what it may cost. */
export interface DiagnosisContext {
  readonly base: URL;
  readonly asker: Asker;
  readonly known: KnownPaths;
  /** Whether a file was asked for: what came of it, or `undefined`. */
  readonly seen: (path: string) => boolean | undefined;
  readonly stop: AbortSignal;
  /** Counts down over all calls of a run. */
  readonly budget: GuessWork & { faults: number; requests: number };
}

/** For all faults of a run: how many are looked into, and how many requests and comparisons of names that may take. */
export const DIAGNOSIS_BUDGET = { faults: 2_000, requests: 200, comparing: 100_000_000 } as const;
const MOST_REQUESTS = 8;
const AT_ONCE = 8;

/** Finds out what links to missing files most likely mean: only what is there is told. */
export async function diagnoseFaults(faults: Iterable<Fault>, context: DiagnosisContext): Promise<void> {
  const open = [...faults].filter(isOpen).slice(0, context.budget.faults);
  context.budget.faults -= open.length;
  await inOrder<Fault, Diagnosis | null>({
    items: open,
    atOnce: AT_ONCE,
    stop: context.stop,
    work: (fault) => diagnosed(fault, context),
    take: (diagnosis, fault) => {
      fault.diagnosis = diagnosis;
    },
  });
}

/** Not there; or refused, or without extension, as folders are. */
function isOpen({ missing, status, path, diagnosis, nobody, ok }: Fault): boolean {
  if (diagnosis !== null || nobody || ok) return false;
  return missing || status === 403 || !hasExtension(path);
}

async function diagnosed(fault: Fault, context: DiagnosisContext): Promise<Diagnosis | null> {
  let left = MOST_REQUESTS;
  for (const guess of guesses(fault.path, context.known, context.budget)) {
    if (context.stop.aborted) return null;
    const seen = context.seen(guess.path);
    if (seen === true) return told(guess);
    if (seen === false || left === 0 || context.budget.requests === 0) continue;
    left -= 1;
    context.budget.requests -= 1;
    const url = context.base.href + hrefOfPath(guess.path);
    const visit = await context.asker.look(guess.path, url, isMarkdownPath(guess.path) ? 'page' : 'file');
    if (visit.ok) return told(guess);
  }
  return null;
}

const told = ({ code, path }: Guess): Diagnosis => ({ code, suggestion: path });
