/**
 * Fills the small disk that a database is on, and goes on when there is room again: `node full.ts <folder>`. Tells in
 * JSON what became of it.
 */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openStore } from '../../src/monitor/store/open.ts';
import type { Store } from '../../src/monitor/store/store.ts';
import { StoreError } from '../../src/monitor/store/store.ts';
import { alertOf, commitOf, EVER, incidentOf, NOON, opening, roundRecord } from './samples.ts';

/** What became of it. */
export interface FullOutcome {
  /** Rounds that were kept before the disk was full, and after all. */
  readonly kept: number;
  readonly runs: number;
  /** What was said while there was no room, each once. */
  readonly problems: readonly string[];
  /** An incident and its alert that could not be written at first. */
  readonly incidents: number;
  readonly alerts: number;
  /** Reading went on while the disk was full. */
  readonly readable: boolean;
}

const problemOf = (error: unknown): string => (error instanceof StoreError ? error.problem : String(error));

/** Writes rounds until that fails; how many were kept. */
async function fill(store: Store, problems: Set<string>): Promise<number> {
  for (let batch = 0; ; batch += 1) {
    const rounds = Array.from({ length: 50 }, (_, index) =>
      roundRecord({ startedAt: NOON + (batch * 50 + index) * 1000 }),
    );
    const error: unknown = await store
      .append(rounds.map((round) => commitOf({ run: round })))
      .catch((caught: unknown) => caught);
    if (error === undefined) continue;
    problems.add(problemOf(error));
    return batch * 50;
  }
}

async function run(folder: string): Promise<FullOutcome> {
  const problems = new Set<string>();
  const ballast = path.join(folder, 'ballast');
  writeFileSync(ballast, Buffer.alloc(300_000));
  const store = await openStore(path.join(folder, 'docvitals.db'), { mode: 'own' });
  const kept = await fill(store, problems);
  const incident = incidentOf();
  const late = opening(incident, alertOf({ incident }));
  for (let attempt = 0; attempt < 5; attempt++) {
    await store.append([late]).catch((error: unknown) => problems.add(problemOf(error)));
  }
  const readable = (await store.runs({ site: 'docs', ...EVER })).length === kept;
  rmSync(ballast);
  await store.append([late]);
  const outcome = {
    kept,
    runs: (await store.runs({ site: 'docs', ...EVER })).length,
    problems: [...problems],
    incidents: (await store.incidents({ open: true })).length,
    alerts: (await store.waiting(0)).pending,
    readable,
  };
  await store.close();
  return outcome;
}

const folder = process.argv[2];
if (import.meta.main && folder !== undefined) process.stdout.write(JSON.stringify(await run(folder)));
