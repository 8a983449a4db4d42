import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/monitor/store/open.ts';
import { StoreError } from '../../src/monitor/store/store.ts';
import { eachFolder } from './folder.ts';
import { DAY, NOON } from './samples.ts';
import { opensIncident, SITES, timeOf } from './writer.ts';
import { startWriting } from './writing.ts';

const KILLS = 15;

/** What is in the file after a kill, as far as it can be compared. */
async function contentOf(file: string) {
  const store = await openStore(file, { mode: 'shared' });
  try {
    const range = { from: 0, to: NOON + 100 * DAY };
    const sites = await Promise.all(
      SITES.map(async (site) => {
        const rounds = await store.runs({ site, ...range });
        const buckets = await Promise.all(
          (['minute', 'hour', 'day'] as const).map((resolution) => store.buckets({ site, resolution, ...range })),
        );
        return {
          times: rounds.map(({ startedAt }) => startedAt),
          counted: buckets.map((all) => all.reduce((sum, bucket) => sum + bucket.healthy, 0)),
          last: (await store.states()).get(site)?.scopes.core.at ?? null,
        };
      }),
    );
    const incidents = (await store.incidents({})).map(({ id }) => id);
    return { sites, incidents, alerts: (await store.waiting(0)).pending };
  } finally {
    await store.close();
  }
}

function checkIntegrity(file: string): unknown[] {
  const database = new DatabaseSync(file);
  const found = [
    ...database.prepare('PRAGMA integrity_check').all(),
    ...database.prepare('PRAGMA foreign_key_check').all(),
  ];
  database.close();
  return found.map((row) => Object.values(row));
}

describe('a monitor that is killed', () => {
  const folder = eachFolder();

  it(`leaves a sound file with nothing half-written and nothing lost, ${KILLS} times over`, { retry: 0 }, async () => {
    const file = folder.file();
    let kept = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const writing = startWriting(file);
      // Some before anything was kept, some while the file is being opened again, most in the middle.
      if (kill % 4 === 0) await setTimeout(40 + Math.random() * 120);
      else await writing.begun.then(() => setTimeout(Math.random() * 60));
      kept = (await writing.kill()) ?? kept;
      const content = await contentOf(file).catch((error: unknown) => error);
      if (content instanceof StoreError && content.problem === 'missing' && kept === 0) continue;
      if (content instanceof Error) throw content;
      const { sites, incidents, alerts } = content as Awaited<ReturnType<typeof contentOf>>;
      const batches = sites[0]?.times.length ?? 0;
      // What was told to be kept is there; the batch that was being told of may be as well.
      expect([kept, kept + 1]).toContain(batches);
      kept = batches;
      const times = Array.from({ length: batches }, (_, index) => timeOf(index + 1));
      const whole = { times, counted: [batches, batches, batches], last: times.at(-1) ?? null };
      expect(sites).toEqual(SITES.map(() => whole));
      const opened = times.filter((_time, index) => opensIncident(index + 1)).length;
      expect([incidents.length, alerts]).toEqual([opened, opened]);
      expect(checkIntegrity(file)).toEqual([['ok']]);
    }
    expect(kept).toBeGreaterThan(KILLS);
  });
});
