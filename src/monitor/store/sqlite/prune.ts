/** Removes what is older than it is kept for. */
import { setImmediate } from 'node:timers/promises';
import type { Retention } from '../../settings.ts';
import type { Statement } from './connection.ts';
import type { Database } from './database.ts';
import { MINUTES } from './tally.ts';

/** Rows in one transaction: between two, runs are written. */
const CHUNK = 500;

/** Alerts that were sent or given up are kept as long as hours are, but not longer than this. */
const MOST_OUTBOX_MS = 90 * 24 * 3_600_000;

/** Resolves with how many rows went. Each step finds what is old by an index, so that it costs nothing where nothing is. */
export async function prune(database: Database, now: number, retention: Retention): Promise<number> {
  let removed = 0;
  for (const [statement, parameters] of steps(database, now, retention)) {
    let changes = CHUNK;
    while (changes === CHUNK) {
      changes = Number(database.write(() => statement.run([...parameters, CHUNK]).changes, false));
      removed += changes;
      await setImmediate();
    }
  }
  return removed;
}

type Step = readonly [statement: Statement, parameters: readonly number[]];

function steps(database: Database, now: number, { rawMs, minuteMs, hourMs, dayMs }: Retention): Step[] {
  const { connection } = database;
  const sites = connection.prepare('SELECT id FROM site').all([]) as { readonly id: number }[];
  const runs = connection.prepare(
    'DELETE FROM round WHERE (site, at, kind) IN (SELECT site, at, kind FROM round WHERE site = ? AND at < ? LIMIT ?)',
  );
  const buckets = connection.prepare(
    'DELETE FROM bucket WHERE (site, size, at) IN (SELECT site, size, at FROM bucket WHERE site = ? AND size = ? AND at < ? LIMIT ?)',
  );
  const kept = { minute: minuteMs, hour: hourMs, day: dayMs };
  const ofSites = sites.flatMap(({ id }): Step[] => [
    [runs, [id, now - rawMs]],
    ...(['minute', 'hour', 'day'] as const).map((name): Step => {
      return [buckets, [id, MINUTES[name], Math.floor((now - kept[name]) / 60_000)]];
    }),
  ]);
  return [
    ...ofSites,
    [
      // Where an incident is open, who was told of it still counts.
      connection.prepare(
        'DELETE FROM outbox WHERE seq IN (SELECT seq FROM outbox JOIN incident ON incident.id = incident WHERE state <> 0 AND recovered_at IS NOT NULL AND created_at < ? LIMIT ?)',
      ),
      [now - Math.min(hourMs, MOST_OUTBOX_MS)],
    ],
    [
      connection.prepare(
        'DELETE FROM incident WHERE id IN (SELECT id FROM incident WHERE recovered_at < ? AND NOT EXISTS (SELECT 1 FROM outbox WHERE incident = id AND state = 0) LIMIT ?)',
      ),
      [now - dayMs],
    ],
    [
      connection.prepare('DELETE FROM maintenance WHERE id IN (SELECT id FROM maintenance WHERE to_at < ? LIMIT ?)'),
      [now - dayMs],
    ],
  ];
}
