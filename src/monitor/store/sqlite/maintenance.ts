/** Maintenance that was started by hand. */
import type { StartedMaintenance } from '../store.ts';
import type { Database } from './database.ts';

export function startMaintenance(database: Database, window: StartedMaintenance): void {
  const { id, site, from, to, reason } = window;
  const replace = database.statement(
    database.queries.replaceInto('maintenance').values({ id: '', site: '', from_at: 0, to_at: 0, reason: '' }),
  );
  database.write(() => replace.run([id, site, from, to, reason]), true);
}

/** Ends what goes on at a site; what is to begin later stays. */
export function endMaintenance(database: Database, site: string, at: number): number {
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

export async function readMaintenance({ queries }: Database, at: number): Promise<readonly StartedMaintenance[]> {
  const rows = await queries
    .selectFrom('maintenance')
    .selectAll()
    .where('to_at', '>', at)
    .orderBy('from_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id, site, from_at: from, to_at: to, reason }) => ({ id, site, from, to, reason }));
}
