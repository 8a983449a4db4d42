/** Runs, and their roll-ups by minute, hour and day. */
import type { Bucket, DayCounts, RangeQuery, Resolution, RunRecord, Store } from '../store.ts';
import type { Connection } from './connection.ts';
import { packChecks, packKind, scopeBits, unpackChecks, unpackKind } from './pack.ts';
import {
  addRun,
  bucketFrom,
  bucketsOf,
  countsOf,
  emptyTally,
  MINUTES,
  packHistogram,
  unpackHistogram,
  type Tally,
} from './tally.ts';

/** Writes runs, inside the current transaction. One that is stored already (its writer was not informed) is counted once. */
export function writeRuns(database: Connection, runs: readonly RunRecord[]): void {
  const added = runs.filter((run) => {
    const { site, startedAt, durationMs, checks } = run;
    const inserted = database.run(
      'INSERT INTO round (site, at, kind, duration, checks) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      database.sites.idOf(site),
      Math.round(startedAt),
      packKind(run),
      Math.max(0, Math.round(durationMs)),
      packChecks(checks, database.words),
    );
    return inserted > 0;
  });
  for (const bucket of bucketsOf(added)) {
    const { at } = bucket;
    const [site, size] = [database.sites.idOf(bucket.site), MINUTES[bucket.resolution]];
    const tally = tallyAt(database, site, size, at);
    for (const run of bucket.runs) addRun(tally, run);
    const { total, least, most, times } = tally;
    database.run(
      'REPLACE INTO bucket VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      site,
      size,
      at,
      ...Object.values(countsOf(tally)),
      total,
      least,
      most,
      packHistogram(times),
    );
  }
}

export type BucketRow = Omit<Tally, 'times'> & { readonly at: number; readonly times: Uint8Array | null };

/** The tally of a bucket. Only this process writes any, so that the last one of each site and size need not be read again. */
function tallyAt(database: Connection, site: number, size: number, at: number): Tally {
  const key = `${site} ${size}`;
  const known = database.tallies.get(key);
  if (known?.at === at) return known.tally;
  const [row] = database.all<BucketRow>('SELECT * FROM bucket WHERE site = ? AND size = ? AND at = ?', site, size, at);
  const tally = row === undefined ? emptyTally() : tallyOf(row);
  database.tallies.set(key, { at, tally });
  return tally;
}

export function tallyOf({ times, total, least, most, ...row }: BucketRow): Tally {
  return { ...countsOf(row), total, least, most, times: unpackHistogram(times) };
}

export function readRuns(
  database: Connection,
  { site, from, to, limit = -1, scope }: Parameters<Store['runs']>[0],
): readonly RunRecord[] {
  const { mask, value } = scope === undefined ? { mask: 0, value: 0 } : scopeBits(scope);
  const rows = database.all<{ at: number; kind: number; duration: number; checks: Uint8Array }>(
    'SELECT at, kind, duration, checks FROM round WHERE site = ? AND at >= ? AND at < ? AND kind & ? = ? ORDER BY at LIMIT ?',
    database.sites.known(site) ?? -1,
    from,
    to,
    mask,
    value,
    limit,
  );
  return rows.map(({ at, kind, duration, checks }) => ({
    site,
    ...unpackKind(kind),
    startedAt: at,
    durationMs: duration,
    checks: unpackChecks(checks, database.words),
  }));
}

export function readBuckets(
  database: Connection,
  { site, from, to, limit = -1, resolution }: RangeQuery & { readonly resolution: Resolution },
): readonly Bucket[] {
  const rows = database.all<BucketRow>(
    'SELECT * FROM bucket WHERE site = ? AND size = ? AND at >= ? AND at < ? ORDER BY at LIMIT ?',
    database.sites.known(site) ?? -1,
    MINUTES[resolution],
    Math.ceil(from / 60_000),
    Math.ceil(to / 60_000),
    limit,
  );
  return rows.map((row) => bucketFrom(site, row.at, tallyOf(row)));
}

export function readDays(
  database: Connection,
  { sites, from, to }: Parameters<Store['days']>[0],
): readonly DayCounts[] {
  const ids = sites.flatMap((site) => database.sites.known(site) ?? []);
  const rows = database.all<Omit<DayCounts, 'site'> & { readonly site: number }>(
    `SELECT site, at, healthy, degraded, down, stale, unknown, maintenance FROM bucket
     WHERE site IN (SELECT value FROM json_each(?)) AND size = ? AND at >= ? AND at < ? ORDER BY site, at`,
    JSON.stringify(ids),
    MINUTES.day,
    Math.ceil(from / 60_000),
    Math.ceil(to / 60_000),
  );
  return rows.map((row) => ({ ...row, site: database.sites.nameOf(row.site) ?? '', at: row.at * 60_000 }));
}
