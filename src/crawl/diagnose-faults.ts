import type { Diagnosis } from '../check.ts';
import { hasExtension, hrefOfPath, isMarkdownPath } from '../site/link-path.ts';
import { guesses, type Guess, type GuessContext, type KnownPaths, type LinkContext } from './diagnose.ts';
import { inOrder } from './in-order.ts';
import type { Fault } from './record.ts';
import type { Target } from './frontier.ts';

/** What a diagnosis may use, and what it may cost. */
export interface DiagnosisContext {
  readonly base: URL;
  /** Requests a file. */
  readonly look: (path: string, url: string, kind: Target['kind']) => Promise<{ readonly ok: boolean }>;
  readonly known: KnownPaths;
  /** The paths of the source's files; empty where there is no source. */
  readonly source: ReadonlySet<string>;
  /** Whether a file was asked for: what came of it, or `undefined`. */
  readonly observed: (path: string) => boolean | undefined;
  readonly stop: AbortSignal;
  /** Counts down over all calls of a run. */
  readonly budget: GuessContext & { faults: number; requests: number };
}

/** For all faults of a run: how many are looked into, and how many requests and comparisons of names that may take. */
export const DIAGNOSIS_BUDGET = { faults: 2_000, requests: 200, comparing: 100_000_000 } as const;
const MOST_REQUESTS = 8;
const CONCURRENCY = 8;

/** Finds out what links to missing files most likely mean: only what is there is told. */
export async function diagnoseFaults(faults: Iterable<Fault>, context: DiagnosisContext): Promise<void> {
  const open = [...faults].filter(isOpen).slice(0, context.budget.faults);
  context.budget.faults -= open.length;
  await inOrder<Fault, Diagnosis | null>({
    items: open,
    atOnce: CONCURRENCY,
    stop: context.stop,
    work: (fault) => {
      const holders = new Set(fault.locations.map(({ path }) => path));
      return diagnose(fault.path, context, { written: fault.written, holders });
    },
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

/** Finds out what one broken link most likely means; `null`: nothing that the host has. */
export async function diagnose(
  path: string,
  context: DiagnosisContext,
  link: LinkContext = {},
): Promise<Diagnosis | null> {
  const { source } = context;
  // What the source has is the likeliest to be there: nothing else is requested before it.
  const all = guesses(path, context.known, context.budget, link);
  const ordered = [...all.filter((guess) => source.has(guess.path)), ...all.filter((guess) => !source.has(guess.path))];
  // A file that the source has under this very name was not deployed.
  let left = source.has(path) ? 0 : MOST_REQUESTS;
  for (const guess of ordered) {
    if (context.stop.aborted) return null;
    const observed = context.observed(guess.path);
    if (observed === true) return reported(guess);
    if (observed === false || left === 0 || context.budget.requests === 0) continue;
    left -= 1;
    context.budget.requests -= 1;
    const url = context.base.href + hrefOfPath(guess.path);
    const { ok } = await context.look(guess.path, url, isMarkdownPath(guess.path) ? 'page' : 'file');
    if (ok) return reported(guess);
  }
  return null;
}

const reported = ({ rule, path }: Guess): Diagnosis => ({ rule, suggestion: path });
