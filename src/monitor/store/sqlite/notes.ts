/** Short texts under a name: what a monitor has to know again after a restart. */
import type { Database } from './database.ts';

export async function readNote({ queries }: Database, name: string): Promise<string | null> {
  const row = await queries.selectFrom('meta').select('value').where('key', '=', name).executeTakeFirst();
  return row?.value ?? null;
}

export function writeNote(database: Database, name: string, text: string): void {
  const replace = database.statement(database.queries.replaceInto('meta').values({ key: '', value: '' }));
  database.write(() => replace.run([name, text]), false);
}
