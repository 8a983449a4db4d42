/** Connections to PostgreSQL, the lock of the monitor, and what the database's errors mean to a store. */
import { hostname } from 'node:os';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import { DatabaseError, Pool, type PoolClient } from 'pg';
import { type Owner, shownDatabase, StoreError, type StoreProblem } from '../store.ts';
import generated from '../../../generated/sql.json' with { type: 'json' };

export type Database = Kysely<unknown>;

/** Each migrates the tables from the version that is its index to the next one. */
const MIGRATIONS: readonly string[] = generated.postgres;

const LOCK_SPACE = 0x64_6f_63_76;
const LOCK = { monitor: 1, migration: 2 } as const;

/** A statement may take this long on the server; the client waits a little longer, in case the server is gone. */
const STATEMENT_MS = 30_000;
const CONNECT_MS = 5_000;

const READERS = 4;

export type Connections = ReturnType<typeof connections>;

/**
 * Nothing is connected before the first query. `owner`: for the only monitor of the database; `isLockedOnce`: not again
 * after the connection with its lock was lost. `null`: for others.
 */
export function connections(
  address: string,
  owner: { readonly now: () => number; readonly isLockedOnce: boolean } | null = null,
) {
  const name = shownDatabase(address);
  if (!URL.canParse(address)) throw new StoreError('unreadable', name, 'invalid address');
  const read = connected(address, READERS, 10_000);
  let hadLock = false;
  let lockedBy: number | null = null;
  /** Of a monitor: one connection, which holds its lock; without the lock nothing is written. */
  const write =
    owner === null
      ? read
      : connected(address, 1, 0, async (client) => {
          if (hadLock && owner.isLockedOnce) throw lostLock();
          lockedBy = await takeLock(client, name, owner.now);
          hadLock = true;
        });
  const lostLock = (): StoreError => new StoreError('locked', name, 'the connection with the lock was lost');
  return {
    name,
    read,
    write,
    /**
     * Rejects with a `StoreError` where the monitor's lock is lost, or where that cannot be found out. By another
     * connection, because that of the lock may be busy for long.
     */
    async demandLock() {
      const { rows } = await sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = ${lockedBy}
        AND classid = ${LOCK_SPACE} AND objid = ${LOCK.monitor}`.execute(read);
      if (rows.length === 0) throw lostLock();
    },
    async close() {
      // The end of a connection reaches the server later: the next monitor may start at once.
      try {
        if (hadLock) await sql`DELETE FROM docvitals.note WHERE name = 'owner'`.execute(write);
        if (hadLock) await sql`SELECT pg_advisory_unlock_all()`.execute(write);
      } catch {
        // A server that is gone has released the lock.
      }
      for (const database of new Set([write, read])) await database.destroy();
    },
  };
}

/** `prepare`: what a new connection does first. */
function connected(
  connectionString: string,
  max: number,
  idleTimeoutMillis: number,
  prepare: (client: PoolClient) => Promise<void> = async () => {},
): Database {
  const pool = new Pool({
    application_name: 'docvitals',
    connectionString,
    max,
    idleTimeoutMillis,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + CONNECT_MS,
    keepAlive: true,
  });
  // A connection that breaks rejects its query, and is replaced for the next one: there is nothing else to do.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const prepared = new WeakSet<PoolClient>();
  const guardedPool: PostgresPool = {
    options: pool.options,
    async connect() {
      const client = await pool.connect();
      try {
        if (!prepared.has(client)) await prepare(client);
        prepared.add(client);
        return guarded(client);
      } catch (error) {
        client.release(true);
        throw error;
      }
    },
    end: () => pool.end(),
  };
  return new Kysely({ dialect: new PostgresDialect({ pool: guardedPool }) });
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

/**
 * The lock belongs to the connection: it goes with the process, or with the network between it and the server. Resolves
 * with the process of the server that has it.
 */
async function takeLock(client: PoolClient, name: string, now: () => number): Promise<number> {
  const { rows } = await client.query<{ free: boolean; pid: number }>(
    'SELECT pg_try_advisory_lock($1, $2) AS free, pg_backend_pid() AS pid',
    [LOCK_SPACE, LOCK.monitor],
  );
  if (rows[0]?.free !== true) throw new StoreError('locked', name, 'another monitor has it', await ownerOf(client));
  // The server has to notice within seconds that this machine is gone, so that another monitor can start.
  await client.query(
    'SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 2; SET tcp_user_timeout = 8000',
  );
  await migrate(client, name);
  const owner: Owner = { pid: process.pid, host: hostname(), since: now() };
  await client.query(
    "INSERT INTO docvitals.note VALUES ('owner', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    [JSON.stringify(owner)],
  );
  return rows[0].pid;
}

async function ownerOf(client: PoolClient): Promise<Owner | null> {
  try {
    const { rows } = await client.query<{ value: string }>("SELECT value FROM docvitals.note WHERE name = 'owner'");
    return rows[0] === undefined ? null : (JSON.parse(rows[0].value) as Owner);
  } catch {
    return null;
  }
}

async function migrate(client: PoolClient, name: string): Promise<void> {
  const query = async (text: string, values: unknown[] = []) =>
    (await client.query<Record<string, unknown>>(text, values)).rows[0];
  if ((await versionOf(query, name)) === MIGRATIONS.length) return;
  await client.query('BEGIN');
  try {
    await client.query("SET LOCAL lock_timeout = '10s'");
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', [LOCK_SPACE, LOCK.migration]);
    // Not `IF NOT EXISTS`, which needs the right to create schemas even where an administrator made this one.
    const schema = await query("SELECT to_regnamespace('docvitals') IS NOT NULL AS exists");
    if (schema?.['exists'] !== true) await client.query('CREATE SCHEMA docvitals');
    for (let version = await versionOf(query, name); version < MIGRATIONS.length; version += 1) {
      await client.query(MIGRATIONS[version] ?? '');
      await client.query('INSERT INTO docvitals.migration (version) VALUES ($1)', [version + 1]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** The version of the tables; 0: there are none. Throws a `StoreError`: `newer`. */
async function versionOf(
  query: (text: string) => Promise<Record<string, unknown> | undefined>,
  name: string,
  mayBeNewer = false,
): Promise<number> {
  const table = await query("SELECT to_regclass('docvitals.migration') IS NOT NULL AS exists");
  if (table?.['exists'] !== true) return 0;
  const row = await query('SELECT max(version) AS version FROM docvitals.migration');
  const version = Number(row?.['version'] ?? 0);
  if (version <= MIGRATIONS.length || mayBeNewer) return version;
  throw new StoreError('newer', name, `its form is ${version}, the newest that is known is ${MIGRATIONS.length}`);
}

/**
 * For a command beside the monitor, which leaves the tables as they are. `mayBeNewer`: for one that only uses what each
 * later version keeps, so that it continues while the machines of a fleet are updated one after the other.
 */
export async function demandTables({ read, name }: Connections, mayBeNewer = false): Promise<void> {
  const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(read)).rows[0];
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
