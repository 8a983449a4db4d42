/** Runs and their roll-ups. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Bucket, DayCounts, RangeQuery, Resolution, RunRecord, Store } from '../store.ts';
import type { Database } from './database.ts';
import { packHistogram, unpackHistogram } from './histogram.ts';
import { packChecks, packKind, unpackChecks, unpackKind } from './pack.ts';
import type { Schema } from './schema.ts';
import { addRun, beginOf, bucketFrom, emptyTally, MINUTES, type Tally } from './tally.ts';

/** Writes runs, inside the transaction that goes on. */
export type WriteRuns = (runs: readonly RunRecord[]) => void;

/** A run that is there already (whoever wrote it was not told so) is counted once. */
export function runWriter(database: Database): WriteRuns {
  const { queries, sites, words } = database;
  const insert = database.statement(
    queries
      .insertInto('round')
      .values({ site: 0, at: 0, kind: 0, duration: 0, checks: new Uint8Array() })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const roll = bucketWriter(database);
  return (runs) => {
    const added = runs.filter((run) => {
      const { site, startedAt, durationMs, checks } = run;
      const bytes = packChecks(checks, words);
      const row = [sites.idOf(site), Math.round(startedAt), packKind(run), Math.max(0, Math.round(durationMs)), bytes];
      return Number(insert.run(row).changes) > 0;
    });
    roll(added);
  };
}

function bucketWriter(database: Database): WriteRuns {
  const { queries, sites } = database;
  const replace = database.statement(
    queries.replaceInto('bucket').values({ site: 0, size: 0, at: 0, ...emptyTally(), times: null }),
  );
  const tallies = currentTallies(database);
  return (runs) => {
    for (const { site, size, at, members } of groups(runs)) {
      const id = sites.idOf(site);
      const tally = tallies(id, size, at);
      for (const run of members) addRun(tally, run);
      const { healthy, degraded, down, stale, unknown, maintenance, total, least, most, times } = tally;
      const counts = [healthy, degraded, down, stale, unknown, maintenance, total, least, most];
      replace.run([id, size, at, ...counts, packHistogram(times)]);
    }
  };
}

/**
 * Gives the tally of a bucket. Nobody else writes any, so that those that were given last, of each site and size, need
 * not be read again.
 */
function currentTallies(database: Database): (site: number, size: number, at: number) => Tally {
  const read = database.statement(
    database.queries.selectFrom('bucket').selectAll().where('site', '=', 0).where('size', '=', 0).where('at', '=', 0),
  );
  const sizes = new Map<number, Map<number, { readonly at: number; readonly tally: Tally }>>();
  database.onRollback(() => sizes.clear());
  return (site, size, at) => {
    const current = sizes.get(size) ?? new Map<number, { readonly at: number; readonly tally: Tally }>();
    sizes.set(size, current);
    const known = current.get(site);
    if (known?.at === at) return known.tally;
    const [row] = read.all([site, size, at]) as Schema['bucket'][];
    const tally = row === undefined ? emptyTally() : tallyOf(row);
    current.set(site, { at, tally });
    return tally;
  };
}

interface Group {
  readonly site: string;
  readonly size: number;
  readonly at: number;
  readonly members: RunRecord[];
}

/** The runs by the buckets that they fall into, so that each bucket is written once. */
function groups(runs: readonly RunRecord[]): Iterable<Group> {
  const found = new Map<string, Group>();
  for (const run of runs) {
    for (const size of Object.values(MINUTES)) {
      const at = beginOf(run.startedAt, size);
      const key = `${size} ${at} ${run.site}`;
      const group = found.get(key) ?? { site: run.site, size, at, members: [] };
      if (group.members.push(run) === 1) found.set(key, group);
    }
  }
  return found.values();
}

function tallyOf(row: Schema['bucket']): Tally {
  const { site: _site, size: _size, at: _at, times, ...counts } = row;
  return { ...counts, times: unpackHistogram(times) };
}

export async function readRuns(database: Database, query: RangeQuery): Promise<readonly RunRecord[]> {
  const { site, from, to, limit } = query;
  const id = database.sites.known(site);
  if (id === undefined) return [];
  const rows = await database.queries
    .selectFrom('round')
    .select(['at', 'kind', 'duration', 'checks'])
    .where('site', '=', id)
    .where('at', '>=', from)
    .where('at', '<', to)
    .orderBy('at')
    .limit(limit ?? -1)
    .execute();
  return rows.map(({ at, kind, duration, checks }) => ({
    site,
    ...unpackKind(kind),
    startedAt: at,
    durationMs: duration,
    checks: unpackChecks(checks, database.words),
  }));
}

/** Buckets that begin in the range. */
export async function readBuckets(
  database: Database,
  { site, from, to, limit, resolution }: RangeQuery & { readonly resolution: Resolution },
): Promise<readonly Bucket[]> {
  const id = database.sites.known(site);
  if (id === undefined) return [];
  const rows = await database.queries
    .selectFrom('bucket')
    .selectAll()
    .where('site', '=', id)
    .where('size', '=', MINUTES[resolution])
    .where('at', '>=', Math.ceil(from / 60_000))
    .where('at', '<', Math.ceil(to / 60_000))
    .orderBy('at')
    .limit(limit ?? -1)
    .execute();
  return rows.map((row) => bucketFrom(site, row.at, tallyOf(row)));
}

/** Sites of which the days are read before others have their turn: reading holds up the process. */
const SITES_AT_A_TIME = 100;

/** The days of many sites, without what only response times need. */
export async function readDays(
  database: Database,
  { sites, from, to }: Parameters<Store['days']>[0],
): Promise<readonly DayCounts[]> {
  const names = new Map<number, string>();
  for (const site of sites) {
    const id = database.sites.known(site);
    if (id !== undefined) names.set(id, site);
  }
  const ids = [...names.keys()];
  const days: DayCounts[] = [];
  for (let first = 0; first < ids.length; first += SITES_AT_A_TIME) {
    if (first > 0) await turn();
    const rows = await database.queries
      .selectFrom('bucket')
      .select(['site', 'at', 'healthy', 'degraded', 'down', 'stale', 'unknown', 'maintenance'])
      .where('site', 'in', ids.slice(first, first + SITES_AT_A_TIME))
      .where('size', '=', MINUTES.day)
      .where('at', '>=', Math.ceil(from / 60_000))
      .where('at', '<', Math.ceil(to / 60_000))
      .orderBy('site')
      .orderBy('at')
      .execute();
    for (const row of rows) days.push({ ...row, site: names.get(row.site) ?? '', at: row.at * 60_000 });
  }
  return days;
}
