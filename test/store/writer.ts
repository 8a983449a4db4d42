/**
 * A monitor's writing, for tests that end it at some moment: `node writer.ts <file>`. Commits batches of rounds without
 * end and tells the number of each, once it is kept, on standard output.
 */
import { writeSync } from 'node:fs';
import { openStore } from '../../src/monitor/store/open.ts';
import { StoreError, type Entry } from '../../src/monitor/store/store.ts';
import { alertOf, commitOf, incidentOf, NOON, roundRecord, siteState } from './samples.ts';
import { checkedAt } from '../monitor/incident/state.ts';

/** Rounds in a batch: one of each site. */
export const SITES = ['a', 'b', 'c', 'd', 'e'];

/** When the rounds of a batch began. */
export const timeOf = (batch: number): number => NOON + batch * 7_000;

/** Every third batch opens an incident. */
export const opensIncident = (batch: number): boolean => batch % 3 === 0;

function batchOf(batch: number): Entry[] {
  const startedAt = timeOf(batch);
  return SITES.map((site, index) => {
    const incident = incidentOf({ id: `${site}-${batch}`, site, detectedAt: startedAt });
    const isOpened = index === 0 && opensIncident(batch);
    return commitOf({
      run: roundRecord({ site, startedAt }),
      state: siteState(checkedAt(startedAt)),
      incidents: isOpened ? [incident] : [],
      notifications: isOpened ? [alertOf({ incident })] : [],
    });
  });
}

async function write(file: string): Promise<void> {
  const store = await openStore(file, { mode: 'own' });
  const last = (await store.states()).get('a')?.scopes.core.at ?? NOON;
  for (let batch = Math.round((last - NOON) / 7_000) + 1; ; batch += 1) {
    await store.append(batchOf(batch));
    // At once: what is written to a stream may still be in this process when it is killed.
    writeSync(1, `${batch}\n`);
  }
}

const file = process.argv[2];
if (import.meta.main && file !== undefined) {
  await write(file).catch((error: unknown) => {
    writeSync(2, error instanceof StoreError ? `${error.problem} ${error.owner?.pid}\n` : String(error));
    process.exit(3);
  });
}
