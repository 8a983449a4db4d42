/** Tables that grow have a partition for each day (UTC): what is too old is dropped instead of deleted row by row. */
import { sql } from 'kysely';
import { type Database, time } from './connection.ts';

const DAY_MS = 86_400_000;

const PARTITIONED = { run: 'started_at', run_check: 'started_at', rollup_minute: 'at' } as const;

type Partitioned = keyof typeof PARTITIONED;

const partitionOf = (table: string, day: number): string =>
  `${table}_${time(day * DAY_MS)
    .slice(0, 10)
    .replaceAll('-', '')}`;

/** Creates the partitions that runs of these times need and that are missing, inside the current transaction. */
export async function createPartitions(transaction: Database, times: readonly number[]): Promise<void> {
  const days = new Set(times.map((ms) => Math.floor(ms / DAY_MS)));
  const needed = [...days].flatMap((day) =>
    Object.keys(PARTITIONED).map((table) => ({ table, day, name: partitionOf(table, day) })),
  );
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM unnest(${needed.map(({ name }) => name)}::text[]) AS name
    WHERE to_regclass('docvitals.' || name) IS NULL`.execute(transaction);
  if (rows.length === 0) return;
  await sql`SET LOCAL lock_timeout = '5s'`.execute(transaction);
  const missing = new Set(rows.map(({ name }) => name));
  for (const { table, day, name } of needed.filter((partition) => missing.has(partition.name))) {
    const [parent, partition] = [sql.table(`docvitals.${table}`), sql.table(`docvitals.${name}`)];
    const [from, to] = [day, day + 1].map((begin) => sql.lit(time(begin * DAY_MS)));
    await sql`CREATE TABLE ${partition} (LIKE ${parent} INCLUDING DEFAULTS)`.execute(transaction);
    // `PARTITION OF` would wait for every reader of the table, such as a backup.
    const range = sql`FOR VALUES FROM (${from}) TO (${to})`;
    await sql`ALTER TABLE ${parent} ATTACH PARTITION ${partition} ${range}`.execute(transaction);
  }
}

/**
 * Drops what is wholly older than `before`, and returns how many rows went. The rest of the last day goes with it a day
 * later, but is deleted where `isExact`.
 */
export async function dropPartitions(
  database: Database,
  table: Partitioned,
  { before, isExact }: { readonly before: number; readonly isExact: boolean },
): Promise<number> {
  const parent = sql.table(`docvitals.${table}`);
  const partitions = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = ${`docvitals.${table}`}::regclass`.execute(database);
  let removed = 0;
  for (const { name } of partitions.rows) {
    const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
    const begin = Date.UTC(Number(year), Number(month) - 1, Number(day));
    if (!(begin + DAY_MS <= before)) continue;
    const partition = sql.table(`docvitals.${name}`);
    removed += await database.transaction().execute(async (transaction) => {
      // Who reads is not to be waited for, nor to wait: the next time will do.
      await sql`SET LOCAL lock_timeout = '5s'`.execute(transaction);
      // Checks are deleted with their runs; their number is not reported.
      const counted = table === 'run_check' ? sql`0` : sql`(SELECT count(*) FROM ${partition})`;
      const { rows } = await sql<{ count: string }>`SELECT ${counted} AS count`.execute(transaction);
      await sql`DROP TABLE ${partition}`.execute(transaction);
      return Number(rows[0]?.count ?? 0);
    });
  }
  if (!isExact) return removed;
  const { numAffectedRows = 0n } =
    await sql`DELETE FROM ${parent} WHERE ${sql.ref(PARTITIONED[table])} < ${time(before)}`.execute(database);
  return removed + Number(numAffectedRows);
}
