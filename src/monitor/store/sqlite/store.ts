/** A store in an SQLite file. */
import type { SQLInputValue } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { Status, Verdict } from '../../../core/check.ts';
import { MINUTE_MS } from '../../../core/time.ts';
import type { Scope } from '../../incident/incident.ts';
import type { Retention } from '../../settings.ts';
import { closedError, outdated, sqlStore, type Engine, type Sql, type SqlValue } from '../sql.ts';
import { BUCKET_MS, MOST_CHECKS, MOST_RULES, RESOLUTIONS, StoreError } from '../store.ts';
import type { CheckRecord, DayCounts, Resolution, RunRecord, Store } from '../store.ts';
import { addRun, bucketFrom, bucketsOf, emptyTally, LAST_BUCKET } from '../tally.ts';
import type { Histogram, Rollup, Tally } from '../tally.ts';
import type { Connection } from './connection.ts';

export interface Base {
  readonly file: string;
  current(): Connection;
  damaged(database: Connection): void;
  close(): void;
}

/** The name that SQLite gives its schema. */
const inMain = (text: string): string => text.replaceAll('docvitals.', 'main.');

/** Everything of it is done when it returns. */
export function sqlOf(database: Connection): Sql {
  return {
    all: async <Row>(text: string, ...values: readonly SqlValue[]) =>
      database.all<Row>(inMain(text), ...(values as SQLInputValue[])),
    run: async (text, ...values) => database.run(inMain(text), ...(values as SQLInputValue[])),
    writeRuns: async (runs) => writeRuns(database, runs),
    async writeStates(states) {
      for (const [site, state] of states) {
        database.run('REPLACE INTO site_state (site, document) VALUES (?, ?)', site, JSON.stringify(state));
      }
    },
    settle: async () => {},
    time: (ms) => ms,
    listed: 'SELECT value FROM json_each(?)',
    incidentColumns: () => ({}),
  };
}

/** A store over SQLite. One piece of work follows another, so that nothing comes between the parts of a transaction. */
export function sqliteStore(base: Base): Store {
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  const using = <T>(work: (database: Connection) => T | Promise<T>): Promise<T> =>
    inTurn(async () => {
      if (isClosed) throw closedError(base.file);
      const database = base.current();
      try {
        return await work(database);
      } catch (error) {
        if (error instanceof StoreError && error.problem === 'corrupt') base.damaged(database);
        throw error;
      }
    });
  const read: Engine['read'] = (work) => using((database) => work(sqlOf(database)));
  const write: Engine['write'] = (work, isDurable = true) =>
    using(async (database) => {
      database.begin(isDurable);
      try {
        const result = await work(sqlOf(database));
        database.exec('COMMIT');
        return result;
      } catch (error) {
        database.rollBack();
        throw error;
      }
    });
  return sqlStore({
    file: base.file,
    // Its lock is held as long as this process lives.
    demandOwned: async () => {},
    read,
    write,
    runs: (query) => using((database) => readRuns(database, query)),
    buckets: (query) => using((database) => readRollups(database, query).map(bucketFrom)),
    async days({ sites, ...range }) {
      const days = [];
      for (let first = 0; first < sites.length; first += SITES_AT_A_TIME) {
        if (first > 0) await setImmediate();
        const some = sites.slice(first, first + SITES_AT_A_TIME);
        days.push(...(await using((database) => readDays(database, { sites: some, ...range }))));
      }
      return days;
    },
    prune: (now, retention) => prune({ read, write }, now, retention),
    close: () =>
      inTurn(async () => {
        if (isClosed) return;
        isClosed = true;
        base.close();
      }),
  });
}

/** Sites whose days are read before other work has its turn: reading blocks the process. */
const SITES_AT_A_TIME = 100;

/** Rows that are removed in one transaction: between two, runs are written. */
const CHUNK = 500;

/** Removes what is older than it is kept for; how many rows. Each step finds what is old by an index. */
async function prune({ read, write }: Pick<Engine, 'read' | 'write'>, now: number, retention: Retention) {
  let removed = 0;
  const remove = async (table: string, key: string, where: string, ...values: readonly SqlValue[]): Promise<void> => {
    const text = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${CHUNK})`;
    for (let changes = CHUNK; changes === CHUNK; await setImmediate()) {
      changes = await write((sql) => sql.run(text, ...values), false);
      removed += changes;
    }
  };
  const { rawMs, minuteMs, hourMs, dayMs } = retention;
  const kept = { minute: minuteMs, hour: hourMs, day: dayMs };
  for (const { id } of await read((sql) => sql.all<{ id: number }>('SELECT id FROM site'))) {
    await remove('run', 'site, at, kind', 'site = ? AND at < ?', id, now - rawMs);
    for (const resolution of RESOLUTIONS) {
      const before = Math.floor((now - kept[resolution]) / MINUTE_MS);
      await remove('rollup', 'site, size, at', 'site = ? AND size = ? AND at < ?', id, sizeOf(resolution), before);
    }
  }
  for (const [table, where, ...values] of outdated((ms) => ms, now, retention)) {
    await remove(table, 'rowid', where, ...values);
  }
  return removed;
}

/*
 * Runs, and their roll-ups by minute, hour and day. A run is a row of some forty bytes for the core checks, and of never
 * more than is bounded here.
 */

/** Inside the current transaction. */
function writeRuns(database: Connection, runs: readonly RunRecord[]): void {
  const added = runs.filter((run) => {
    const { site, startedAt, durationMs, checks } = run;
    const inserted = database.run(
      'INSERT INTO run (site, at, kind, duration, checks) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      database.idOf('site', site),
      Math.round(startedAt),
      packKind(run),
      Math.max(0, Math.round(durationMs)),
      packChecks(checks, (word) => database.idOf('word', word)),
    );
    return inserted > 0;
  });
  for (const { runs: members, ...bucket } of bucketsOf(added)) {
    const [stored] = readRollups(database, { ...bucket, from: bucket.at, to: bucket.at + 1 });
    const tally = stored?.tally ?? emptyTally();
    for (const run of members) addRun(tally, run);
    const values = Object.values({ ...tally, times: packHistogram(tally.times) });
    database.run(
      `REPLACE INTO rollup (site, size, at, ${TALLY}) VALUES (?, ?, ?${', ?'.repeat(values.length)})`,
      database.idOf('site', bucket.site),
      sizeOf(bucket.resolution),
      bucket.at / MINUTE_MS,
      ...values,
    );
  }
}

/** Roll-ups are found by their length and time in minutes. */
const sizeOf = (resolution: Resolution): number => BUCKET_MS[resolution] / MINUTE_MS;

/** The columns of a tally, in the order of its fields. */
const TALLY = Object.keys(emptyTally()).join(', ');

export function readRollups(
  database: Connection,
  { site, from, to, limit = -1, resolution }: Parameters<Store['buckets']>[0],
): readonly Rollup[] {
  const rows = database.all<Omit<Tally, 'times'> & { readonly at: number; readonly times: Uint8Array | null }>(
    `SELECT at, ${TALLY} FROM rollup
     WHERE site = (SELECT id FROM site WHERE name = ?) AND size = ? AND at >= ? AND at < ? ORDER BY at LIMIT ?`,
    site,
    sizeOf(resolution),
    Math.ceil(from / MINUTE_MS),
    Math.ceil(to / MINUTE_MS),
    limit,
  );
  return rows.map(({ at, ...row }) => {
    return { site, resolution, at: at * MINUTE_MS, tally: { ...row, times: unpackHistogram(row.times) } };
  });
}

export function readRuns(database: Connection, { site, from, to, limit = -1, scope }: Parameters<Store['runs']>[0]) {
  const rows = database.all<{ at: number; kind: number; duration: number; checks: Uint8Array }>(
    `SELECT at, kind, duration, checks FROM run WHERE site = (SELECT id FROM site WHERE name = ?) AND at >= ? AND at < ?
     AND kind & ${SCOPE_MASK} = ifnull(?, kind & ${SCOPE_MASK}) ORDER BY at LIMIT ?`,
    site,
    from,
    to,
    scope === undefined ? null : SCOPE_BITS[scope],
    limit,
  );
  const words = database.all<{ id: number; name: string }>('SELECT id, name FROM word');
  const names = new Map(words.map(({ id, name }) => [id, name]));
  return rows.map(({ at, kind, duration, checks }) => ({
    site,
    ...unpackKind(kind),
    startedAt: at,
    durationMs: duration,
    checks: unpackChecks(checks, names),
  }));
}

function readDays(database: Connection, { sites, from, to }: Parameters<Store['days']>[0]) {
  return database.all<DayCounts>(
    `SELECT name AS site, at * ${MINUTE_MS} AS at, healthy, degraded, down, stale, unknown, maintenance
     FROM site JOIN rollup ON rollup.site = site.id
     WHERE name IN (SELECT value FROM json_each(?)) AND size = ? AND rollup.at >= ? AND rollup.at < ?
     ORDER BY site.id, rollup.at`,
    JSON.stringify(sites),
    sizeOf('day'),
    Math.ceil(from / MINUTE_MS),
    Math.ceil(to / MINUTE_MS),
  );
}

/* A run in few bytes. */

/** By their numbers in the file: new ones are added at the end. */
const STATUSES = ['pass', 'warn', 'fail', 'skip', 'unknown'] as const satisfies readonly Status[];
const VERDICTS = ['healthy', 'degraded', 'down', 'stale', 'unknown'] as const satisfies readonly Verdict[];
/** The first bit is that of full checks; runs in the browser have one above any number of ticks. */
const SCOPE_BITS = { core: 0, full: 8, browser: 2 ** 40 } as const satisfies Record<Scope, number>;
const SCOPE_MASK = SCOPE_BITS.full + SCOPE_BITS.browser;

type Kind = Pick<RunRecord, 'verdict' | 'scope' | 'maintenance' | 'ticks'>;

/** Verdict (three bits), scope, maintenance; the ticks above. */
export function packKind({ verdict, scope, maintenance, ticks }: Kind): number {
  return VERDICTS.indexOf(verdict) + SCOPE_BITS[scope] + (maintenance ? 16 : 0) + ticks * 32;
}

export function unpackKind(kind: number): Kind {
  return {
    verdict: VERDICTS[kind % 8] ?? 'unknown',
    scope: scopeOf(kind),
    maintenance: Math.floor(kind / 16) % 2 === 1,
    ticks: Math.floor((kind % SCOPE_BITS.browser) / 32),
  };
}

function scopeOf(kind: number): Scope {
  if (kind >= SCOPE_BITS.browser) return 'browser';
  return Math.floor(kind / SCOPE_BITS.full) % 2 === 1 ? 'full' : 'core';
}

const FORM = 1;

/** The form of what follows; then of each check its id, its status and how many rules there are, two numbers, the rules. */
function packChecks(checks: readonly CheckRecord[], idOf: (word: string) => number): Uint8Array {
  const numbers = checks.flatMap(({ id, status, rules, httpStatus, durationMs }) => [
    idOf(id),
    STATUSES.indexOf(status) + rules.length * STATUSES.length,
    httpStatus === null ? 0 : httpStatus + 1,
    durationMs === null ? 0 : Math.round(durationMs) + 1,
    ...rules.map(idOf),
  ]);
  return packNumbers([FORM, ...numbers]);
}

/** `names`: by their numbers. */
export function unpackChecks(bytes: Uint8Array, names: ReadonlyMap<number, string>): CheckRecord[] {
  const checks: CheckRecord[] = [];
  const numbers = unpackNumbers(bytes);
  if (numbers[0] !== FORM) return checks;
  for (let at = 1; at < numbers.length && checks.length < MOST_CHECKS;) {
    const [word = 0, state = 0, httpStatus = 0, duration = 0] = numbers.slice(at, at + 4);
    const count = Math.min(Math.floor(state / STATUSES.length), MOST_RULES);
    const id = names.get(word);
    const rules = numbers.slice(at + 4, at + 4 + count).flatMap((code) => names.get(code) ?? []);
    at += 4 + count;
    if (id === undefined) continue;
    checks.push({
      id,
      status: STATUSES[state % STATUSES.length] ?? 'unknown',
      rules,
      httpStatus: httpStatus === 0 ? null : httpStatus - 1,
      durationMs: duration === 0 ? null : duration - 1,
    });
  }
  return checks;
}

/**
 * Whole numbers from 0 on in as few bytes as they need: seven bits a byte, the lowest first, the eighth says that more come.
 * Negative numbers, and invalid numbers, count as 0.
 */
export function packNumbers(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const number of numbers) {
    let rest = number > 0 ? Math.min(Math.round(number), Number.MAX_SAFE_INTEGER) : 0;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  }
  return new Uint8Array(bytes);
}

/** Reads them again. Bytes of a damaged file may end within a number, or go on with it for too long. */
export function unpackNumbers(bytes: Iterable<number>): number[] {
  const numbers: number[] = [];
  let [value, factor] = [0, 1];
  for (const byte of bytes) {
    value += (byte % 128) * factor;
    factor *= 128;
    if (byte >= 128 && factor <= Number.MAX_SAFE_INTEGER) continue;
    numbers.push(value);
    [value, factor] = [0, 1];
  }
  return numbers;
}

/** Pairs of numbers, only for the buckets that are not empty: three bytes for a minute, some hundred for a day. */
export function packHistogram(histogram: Histogram): Uint8Array | null {
  return histogram.size === 0 ? null : packNumbers([...histogram].flat());
}

export function unpackHistogram(bytes: Uint8Array | null): Histogram {
  const histogram: Histogram = new Map();
  const numbers = unpackNumbers(bytes ?? []);
  for (let at = 0; at < numbers.length; at += 2) {
    histogram.set(Math.min(LAST_BUCKET, numbers[at] ?? 0), numbers[at + 1] ?? 0);
  }
  return histogram;
}
