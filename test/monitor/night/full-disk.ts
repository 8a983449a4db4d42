/** A database whose disk can be full: SQLite itself says so, since its file may not grow any more. */
import { Connection } from '../../../src/monitor/store/sqlite/connection.ts';
import { sqliteStore } from '../../../src/monitor/store/sqlite/store.ts';
import type { Store } from '../../../src/monitor/store/store.ts';

export interface Disk {
  /** Stands between a monitor and its database. */
  wrap(store: Store): Store;
  full(): void;
  free(): void;
}

const MOST_PAGES = 1_073_741_823;

export function disk(): Disk {
  let limit = (_pages: number): void => {};
  return {
    wrap(own) {
      // Limits hold for one connection: beside that of the monitor's own, which keeps the lock.
      const { file } = own as Store & { readonly file: string };
      const connection = new Connection(file, { access: 'write', busyMs: 1_000 });
      limit = (pages) => connection.exec(`PRAGMA max_page_count = ${pages}`);

      const close = (): void => connection.close();
      const store = sqliteStore({ file, current: () => connection, damaged: () => {}, close });
      return {
        ...store,
        async close() {
          await store.close();
          await own.close();
        },
      };
    },
    // What is requested is less than there is: it becomes as much as there is.
    full: () => limit(1),
    free: () => limit(MOST_PAGES),
  };
}
