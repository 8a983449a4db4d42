/** What is known of runs that blocked this process, from one start to the next. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { HOUR_MS, MINUTE_MS } from '../../core/time.ts';

/** The process was ended; `runs`: in progress at that time, as `<site> <scope>`. */
export interface Block {
  readonly at: number;
  readonly runs: readonly string[];
}

/** How long a run is held back, doubled each time. */
const FIRST_MS = 10 * MINUTE_MS;
const LONGEST_MS = 24 * HOUR_MS;
const MOST_BLOCKS = 50;

export function partsOf(run: string) {
  const at = run.lastIndexOf(' ');
  return { site: run.slice(0, at), scope: run.slice(at + 1) };
}

type Suspects = Map<string, { readonly times: number; readonly heldUntil: number | null }>;

/** What blocks say of the runs in progress; `heldUntil`: of those of the only site that is suspected, `null`: it may be another. */
export function suspectsOf(blocks: readonly Block[]): Suspects {
  const suspects: Suspects = new Map();
  for (const { at, runs } of blocks) {
    const known = runs.filter((run) => suspects.has(run));
    const sites = new Set((known.length > 0 ? known : runs).map((run) => partsOf(run).site));
    const isBlamed = (run: string): boolean => sites.has(partsOf(run).site);
    // One site explains the earlier blocks, too.
    if (sites.size === 1)
      for (const [run, { heldUntil }] of suspects) if (!isBlamed(run) && heldUntil === null) suspects.delete(run);
    for (const run of new Set([...suspects.keys(), ...runs].filter(isBlamed))) {
      const { times, heldUntil } = suspects.get(run) ?? { times: 0, heldUntil: null };
      const isAgain = runs.includes(run);
      const until = at + Math.min(LONGEST_MS, FIRST_MS * 2 ** (isAgain ? times : times - 1));
      suspects.set(run, { times: isAgain ? times + 1 : times, heldUntil: sites.size === 1 ? until : heldUntil });
    }
  }
  return suspects;
}

export function readBlocks(file: string): readonly Block[] {
  try {
    const blocks = JSON.parse(readFileSync(file, 'utf8')) as unknown;
    return Array.isArray(blocks) ? blocks.filter(isBlock).slice(-MOST_BLOCKS) : [];
  } catch {
    // Missing, or it could not be written whole.
    return [];
  }
}

function isBlock(value: unknown): value is Block {
  const { at, runs } = (value ?? {}) as Partial<Block>;
  return Number.isSafeInteger(at) && Array.isArray(runs) && runs.every((run) => typeof run === 'string');
}

export function writeBlocks(file: string, blocks: readonly Block[]): void {
  try {
    if (blocks.length === 0) rmSync(file, { force: true });
    else writeFileSync(file, JSON.stringify(blocks), { mode: 0o600 });
  } catch {
    // A full disk, or a folder that is only read: nothing is known at the next start.
  }
}
