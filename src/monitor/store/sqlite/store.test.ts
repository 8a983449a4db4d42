import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore } from '../open.ts';
import { describeStore } from '../../../../test/store/contract.ts';

describeStore('SQLite', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals store '));
  const file = path.join(folder, 'docvitals.db');
  let store = await openStore(file, { mode: 'own' });
  return {
    store,
    async reopen() {
      await store.close();
      store = await openStore(file, { mode: 'own' });
      return store;
    },
    async dispose() {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
});
