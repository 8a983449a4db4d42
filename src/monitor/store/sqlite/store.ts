import { setImmediate } from 'node:timers/promises';
import type { Database } from './database.ts';
import { readIncident, readIncidents, readStates, incidentWriter, stateWriter } from './incidents.ts';
import {
  alertFailed,
  alertSent,
  bringForward,
  outboxWriter,
  readAlertsOf,
  readDueAlerts,
  readOutboxState,
} from './outbox.ts';
import {
  type Store,
  type RunCommit,
  type StartedMaintenance,
  type Bucket,
  type DayCounts,
  type RangeQuery,
  type Resolution,
  type RunRecord,
  StoreError,
} from '../store.ts';
import type { Retention } from '../../settings.ts';
import type { Statement } from './connection.ts';
import { MINUTES, addRun, beginOf, bucketFrom, emptyTally, type Tally } from './tally.ts';
import { packHistogram, unpackHistogram } from './histogram.ts';
import { packChecks, packKind, unpackChecks, unpackKind } from './pack.ts';
import type { Schema } from './schema.ts';

/** What a store stands on: it may be replaced while the store is in use. */
export interface Base {
  readonly file: string;
  current(): Database;
  /** Told of a database that turned out to be damaged. */
  damaged(database: Database): void;
  close(): void;
}

/** A store over SQLite. Writing is synchronous, so that nothing of this process comes between the parts of a transaction. */
export function sqliteStore(base: Base): Store & { readonly file: string } {
  let isClosed = false;
  const using = async <T>(work: (database: Database) => T | Promise<T>): Promise<T> => {
    if (isClosed) throw new StoreError('closed', base.file, 'the database was closed');
    const database = base.current();
    try {
      return await work(database);
    } catch (error) {
      if (error instanceof StoreError && error.problem === 'corrupt') base.damaged(database);
      throw error;
    }
  };
  const commit = perDatabase(commitWriter);
  const writeOutbox = perDatabase(outboxWriter);
  return {
    file: base.file,
    states: () => using(readStates),
    commit: (runs) => using((database) => commit(database)(runs)),
    incidents: (query) => using((database) => readIncidents(database, query)),
    incident: (id) => using((database) => readIncident(database, id)),
    runs: (query) => using((database) => readRuns(database, query)),
    buckets: (query) => using((database) => readBuckets(database, query)),
    days: (query) => using((database) => readDays(database, query)),
    changeOutbox: (changes) =>
      using((database) => {
        if (changes.add.length + changes.cancel.length === 0) return;
        database.write(() => writeOutbox(database)(changes), true);
      }),
    dueAlerts: (now, limit) => using((database) => readDueAlerts(database, now, limit)),
    outboxState: (after) => using((database) => readOutboxState(database, after)),
    alertSent: ({ key }, at) => using((database) => alertSent(database, key, at)),
    alertFailed: ({ key }, { error, dueAt }) => using((database) => alertFailed(database, key, error, dueAt)),
    bringForward: (ms) => using((database) => bringForward(database, ms)),
    alertsOf: (incident) => using((database) => readAlertsOf(database, incident)),
    startMaintenance: (window) => using((database) => startMaintenance(database, window)),
    endMaintenance: (site, at) => using((database) => endMaintenance(database, site, at)),
    maintenance: (at) => using((database) => readMaintenance(database, at)),
    note: (name) => using((database) => readNote(database, name)),
    setNote: (name, text) => using((database) => writeNote(database, name, text)),
    prune: (now, retention) => using((database) => prune(database, now, retention)),
    async close() {
      if (isClosed) return;
      isClosed = true;
      base.close();
    },
  };
}

/** Makes what belongs to a database once for each. */
function perDatabase<T>(make: (database: Database) => T): (database: Database) => T {
  const made = new WeakMap<Database, T>();
  return (database) => {
    const known = made.get(database) ?? make(database);
    made.set(database, known);
    return known;
  };
}

/* Short texts under a name: what a monitor has to know again after a restart. */

async function readNote({ queries }: Database, name: string): Promise<string | null> {
  const row = await queries.selectFrom('meta').select('value').where('key', '=', name).executeTakeFirst();
  return row?.value ?? null;
}

function writeNote(database: Database, name: string, text: string): void {
  const replace = database.statement(database.queries.replaceInto('meta').values({ key: '', value: '' }));
  database.write(() => replace.run([name, text]), false);
}

/** Writes runs and all that follows from them in one transaction. */
type CommitRuns = (runs: readonly RunCommit[]) => void;

export function commitWriter(database: Database): CommitRuns {
  const [writeRuns, writeState] = [runWriter(database), stateWriter(database)];
  const [writeIncident, writeOutbox] = [incidentWriter(database), outboxWriter(database)];
  return (commits) => {
    if (commits.length === 0) return;
    // A run more or less after a power cut is no loss; an incident that people were told of is.
    const isGrave = commits.some(
      ({ incidents, outbox }) => incidents.length + outbox.add.length + outbox.cancel.length > 0,
    );
    database.write(() => {
      writeRuns(commits.map(({ run }) => run));
      for (const { run, state, incidents, outbox } of commits) {
        writeState(run.site, state);
        for (const incident of incidents) writeIncident(incident);
        writeOutbox(outbox);
      }
    }, isGrave);
  };
}

/* Maintenance that was started by hand. */

function startMaintenance(database: Database, window: StartedMaintenance): void {
  const { id, site, from, to, reason } = window;
  const replace = database.statement(
    database.queries.replaceInto('maintenance').values({ id: '', site: '', from_at: 0, to_at: 0, reason: '' }),
  );
  database.write(() => replace.run([id, site, from, to, reason]), true);
}

/** Ends what goes on at a site; what is to begin later stays. */
function endMaintenance(database: Database, site: string, at: number): number {
  const end = database.statement(
    database.queries
      .updateTable('maintenance')
      .set({ to_at: 0 })
      .where('site', '=', '')
      .where('from_at', '<=', 0)
      .where('to_at', '>', 0),
  );
  return Number(database.write(() => end.run([at, site, at, at]).changes, true));
}

async function readMaintenance({ queries }: Database, at: number): Promise<readonly StartedMaintenance[]> {
  const rows = await queries
    .selectFrom('maintenance')
    .selectAll()
    .where('to_at', '>', at)
    .orderBy('from_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id, site, from_at: from, to_at: to, reason }) => ({ id, site, from, to, reason }));
}

/* Removes what is older than it is kept for. */

/** Rows in one transaction: between two, runs are written. */
const CHUNK = 500;

/** Alerts that were sent or given up are kept as long as hours are, but not longer than this. */
const MOST_OUTBOX_MS = 90 * 24 * 3_600_000;

/** Resolves with how many rows went. Each step finds what is old by an index, so that it costs nothing where nothing is. */
async function prune(database: Database, now: number, retention: Retention): Promise<number> {
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

/* Runs and their roll-ups. */

/** Writes runs, inside the transaction that goes on. */
type WriteRuns = (runs: readonly RunRecord[]) => void;

/** A run that is there already (whoever wrote it was not told so) is counted once. */
function runWriter(database: Database): WriteRuns {
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

async function readRuns(database: Database, query: RangeQuery): Promise<readonly RunRecord[]> {
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
async function readBuckets(
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
async function readDays(
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
    if (first > 0) await setImmediate();
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
