/** Connections to PostgreSQL, its tables, and what the database's errors mean to a store. */
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import { DatabaseError, Pool, type PoolClient } from 'pg';
import { shownDatabase, StoreError, type StoreProblem } from '../store.ts';
import { openLease, type Query } from './lease.ts';
import generated from '../../../generated/sql.json' with { type: 'json' };

export type Database = Kysely<unknown>;

/** Each migrates the tables from the version that is its index to the next one. */
const MIGRATIONS: readonly string[] = generated.postgres;

/** A statement may take this long on the server; the client waits a little longer, in case the server is gone. */
const STATEMENT_MS = 30_000;
const CONNECT_MS = 5_000;

const READERS = 4;
/** The lease is renewed while the server responds at all: nothing of it takes longer. */
const LEASE = { connectMs: 2_000, statementMs: 2_000, graceMs: 500 } as const;
const QUEUE_CONNECTIONS = 4;
const QUEUE_STATEMENT_MS = 10_000;
const QUEUE_LOCK = '2s';

export type Connections = ReturnType<typeof connections>;

/**
 * Nothing is connected before the first query. `owner`: for the monitor that has the lease of the database; `isLockedOnce`:
 * not again after it was lost. `null`: for others.
 */
export function connections(
  address: string,
  owner: { readonly now: () => number; readonly isLockedOnce: boolean } | null = null,
) {
  const name = shownDatabase(address);
  if (!URL.canParse(address)) throw new StoreError('unreadable', name, 'invalid address');
  const read = kyselyOn(openPool(address, { max: READERS, idleMs: 10_000 }));
  if (owner === null) return { name, read, write: read, lease: null, queue: null, close: () => read.destroy() };
  const leasePool = openPool(address, { max: 2, ...LEASE });
  const lease = openLease({
    name,
    now: owner.now,
    isTakenOnce: owner.isLockedOnce,
    query: (text, values) => withClient(leasePool, name, (query) => query(text, values)),
    migrate: () => withClient(leasePool, name, (query) => migrate(query, name)),
  });
  const prepare = (client: PoolClient): Promise<void> => lease.admit(queryOf(client));
  const write = kyselyOn(openPool(address, { max: 1, prepare }));
  const prepareQueue = async (client: PoolClient): Promise<void> => {
    await prepare(client);
    // A session of a runner may keep the rows of its own queue locked.
    await client.query(`SET lock_timeout = '${QUEUE_LOCK}'`);
  };
  const queuePool = openPool(address, {
    max: QUEUE_CONNECTIONS,
    statementMs: QUEUE_STATEMENT_MS,
    prepare: prepareQueue,
  });
  /** What pg-boss executes its statements by. */
  const queue = {
    async executeSql(text: string, values: unknown[] = []): Promise<{ rows: never[] }> {
      const client = await queuePool.connect();
      try {
        return (await client.query(text, values)) as unknown as { rows: never[] };
      } finally {
        client.release();
      }
    },
  };
  return {
    name,
    read,
    write,
    lease,
    queue,
    async close() {
      await Promise.all([write.destroy(), queuePool.end()]);
      await lease.close();
      await Promise.all([read.destroy(), leasePool.end()]);
    },
  };
}

const kyselyOn = (pool: PostgresPool): Database => new Kysely({ dialect: new PostgresDialect({ pool }) });

async function withClient<T>(pool: PostgresPool, name: string, work: (query: Query) => Promise<T>): Promise<T> {
  try {
    const client = await pool.connect();
    try {
      return await work(queryOf(client));
    } finally {
      client.release();
    }
  } catch (error) {
    throw storeErrorOf(error, name);
  }
}

const queryOf =
  (client: Pick<PostgresPoolClient, 'query'> | PoolClient): Query =>
  async (text, values = []) => {
    const { rows } = await (client as PoolClient).query<Record<string, unknown>>(text, [...values]);
    return rows;
  };

interface PoolOptions {
  readonly max: number;
  /** Unused connections are closed after so long; default: never. */
  readonly idleMs?: number;
  readonly connectMs?: number;
  /** How long a statement may take on the server. */
  readonly statementMs?: number;
  /** How much longer the client waits, in case the server is gone. */
  readonly graceMs?: number;
  /** What a new connection does first. */
  readonly prepare?: (client: PoolClient) => Promise<void>;
}

function openPool(
  connectionString: string,
  { max, idleMs = 0, connectMs = CONNECT_MS, statementMs = STATEMENT_MS, graceMs = CONNECT_MS, prepare }: PoolOptions,
): PostgresPool {
  const pool = new Pool({
    application_name: 'docvitals',
    connectionString,
    max,
    idleTimeoutMillis: idleMs,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + graceMs,
    keepAlive: true,
  });
  // A connection that breaks rejects its query, and is replaced for the next one: there is nothing else to do.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const prepared = new WeakSet<PoolClient>();
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect();
      try {
        if (!prepared.has(client)) await prepare?.(client);
        prepared.add(client);
        return guarded(client);
      } catch (error) {
        client.release(true);
        throw error;
      }
    },
    end: () => pool.end(),
  };
}

function guarded(client: PoolClient): PostgresPoolClient {
  let failure: Error | undefined;
  const query = async (text: string, values: unknown[]): Promise<unknown> => {
    if (failure !== undefined) throw failure;
    try {
      return await client.query(text, values);
    } catch (error) {
      // The server ends a connection with an error of its own, before the connection is seen to end.
      const isOver = !(error instanceof DatabaseError) || UNREACHABLE.test(error.code ?? '');
      if (error instanceof Error && isOver) failure = error;
      throw error;
    }
  };
  const release = (isDiscarded?: boolean): void => client.release(failure !== undefined || isDiscarded === true);
  return { query, release } as unknown as PostgresPoolClient;
}

/** Two monitors may create the tables at once, before there is a lease: the second one finds them. */
async function migrate(query: Query, name: string): Promise<void> {
  if ((await versionOf(query, name)) === MIGRATIONS.length) return;
  await query('BEGIN');
  try {
    await query("SET LOCAL lock_timeout = '10s'");
    // Not `IF NOT EXISTS`, which needs the right to create schemas even where an administrator made this one.
    const [schema] = await query("SELECT to_regnamespace('docvitals') IS NOT NULL AS exists");
    if (schema?.['exists'] !== true) await query('CREATE SCHEMA docvitals');
    for (let version = await versionOf(query, name); version < MIGRATIONS.length; version += 1) {
      await query(MIGRATIONS[version] ?? '');
      await query('INSERT INTO docvitals.migration (version) VALUES ($1)', [version + 1]);
    }
    await query('COMMIT');
  } catch (error) {
    await query('ROLLBACK').catch(() => {});
    if ((await versionOf(query, name).catch(() => 0)) < MIGRATIONS.length) throw error;
  }
}

/** The version of the tables; 0: there are none. Throws a `StoreError`: `newer`. */
async function versionOf(query: Query, name: string, mayBeNewer = false): Promise<number> {
  const [table] = await query("SELECT to_regclass('docvitals.migration') IS NOT NULL AS exists");
  if (table?.['exists'] !== true) return 0;
  const [row] = await query('SELECT max(version) AS version FROM docvitals.migration');
  const version = Number(row?.['version'] ?? 0);
  if (version <= MIGRATIONS.length || mayBeNewer) return version;
  throw new StoreError('newer', name, `its form is ${version}, the newest that is known is ${MIGRATIONS.length}`);
}

/**
 * For a command beside the monitor, which leaves the tables as they are. `mayBeNewer`: for one that only uses what each
 * later version keeps, so that it continues while the machines of a fleet are updated one after the other.
 */
export async function demandTables({ read, name }: Connections, mayBeNewer = false): Promise<void> {
  const query: Query = async (text) => (await sql.raw<Record<string, unknown>>(text).execute(read)).rows;
  const version = await versionOf(query, name, mayBeNewer);
  if (version === 0) throw new StoreError('missing', name, 'there is nothing in it yet');
  if (version < MIGRATIONS.length) throw new StoreError('older', name, `its form is ${version}`);
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const PROBLEMS: Readonly<Record<string, StoreProblem>> = {
  '25006': 'read-only', // a standby, or default_transaction_read_only
  '3D000': 'unreadable', // no such database: a monitor does not create it
  '3F000': 'missing', // no such schema
  '40001': 'busy',
  '40P01': 'busy', // deadlock
  '42501': 'unreadable', // no privilege
  '42P01': 'missing', // no such table
  '42P07': 'foreign', // a table of that name that is not docvitals'
  '53100': 'full',
  '53200': 'busy', // out of memory
  '53300': 'busy', // too many connections
  '55P03': 'busy', // lock not available
  '57014': 'busy', // cancelled, or it took too long
  '58030': 'unreadable', // I/O error
  XX001: 'unreadable', // damaged data
  XX002: 'unreadable', // damaged index
};

/** Connections that were refused or ended by the server, failed logins, a server that starts or stops. */
const UNREACHABLE = /^(?:08|28|57P)/;

/** What pg's own errors are about, which have no code. */
const CONNECTION = /connection|connecting|timeout|queryable|ssl|socket|sasl|scram|password/i;

/** What an error of pg means to a store; any other error is a bug, and stays as it is. */
export function storeErrorOf(error: unknown, name: string): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  const { message } = error;
  const { code } = error as { readonly code?: string };
  if (error instanceof DatabaseError) {
    const problem = PROBLEMS[code ?? ''] ?? (UNREACHABLE.test(code ?? '') ? 'unreadable' : undefined);
    return problem === undefined ? error : new StoreError(problem, name, message);
  }
  // Of the system, such as ECONNREFUSED; an error for several addresses has no message.
  if (code !== undefined && /^(?:E[A-Z]+|ERR_(?:SSL|TLS|OSSL).*|[A-Z_]*(?:CERT|SIGNATURE|CRL)[A-Z_]*)$/.test(code))
    return new StoreError('unreadable', name, message === '' ? code : message);
  return CONNECTION.test(message) ? new StoreError('unreadable', name, message) : error;
}

/* How values are written so that PostgreSQL takes them. */

/** The years 1 to 9999: queries for all time are bounded by them. */
const [FIRST, LAST] = [-62_135_596_800_000, 253_402_300_799_999];

export function time(ms: number): string {
  return new Date(Math.round(Math.min(Math.max(ms, FIRST), LAST))).toISOString();
}

/** PostgreSQL's texts, also those in a list, cannot contain the character 0. */
export function withoutZero(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutZero);
  return typeof value === 'string' ? value.replaceAll('\0', '\u{FFFD}') : value;
}

/** Rows for `json_to_recordset`: one parameter, however many there are. */
export const recordset = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'string' ? withoutZero(value) : value));
