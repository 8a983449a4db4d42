import { chmodSync, existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/monitor/store/open.ts';
import { eachFolder } from '../../store/folder.ts';
import { commitOf, EVER } from '../../store/samples.ts';

/** `nobody`. Permissions mean nothing to root, who may be somebody else for a while. */
const NOBODY = 65_534;

async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe.runIf(process.getuid?.() === 0)('somebody who may only read', () => {
  const folder = eachFolder();
  const round = commitOf();

  const made = async () => {
    const file = folder.file();
    chmodSync(path.dirname(file), 0o755);
    const store = await openStore(file, { mode: 'own' });
    await store.append([round]);
    return store;
  };

  const closed = async () => {
    const store = await made();
    await store.close();
    return store;
  };

  it('reads beside a monitor that runs', async () => {
    const monitor = await made();
    await asNobody(async () => {
      const store = await openStore(monitor.file, { mode: 'shared' });
      expect(await store.runs({ site: 'docs', ...EVER })).toEqual(round.runs);
      const window = { id: 'm', site: 'docs', from: 0, to: 1, reason: null };
      await expect(store.startMaintenance(window)).rejects.toMatchObject({ problem: 'read-only' });
      await store.close();
    });
    await monitor.close();
  });

  it('reads what a monitor has left', async () => {
    const { file } = await closed();
    await asNobody(async () => {
      const store = await openStore(file, { mode: 'shared' });
      expect(await store.runs({ site: 'docs', ...EVER })).toEqual(round.runs);
      await store.close();
    });
    expect(existsSync(`${file}-shm`)).toBe(false);
  });

  it.each([
    ['a file', 0o644, 0o777],
    ['a folder', 0o666, 0o755],
    ['both', 0o644, 0o755],
  ])('is no monitor where %s may not be written to', async (_name, fileMode, folderMode) => {
    const { file } = await closed();
    chmodSync(file, fileMode);
    chmodSync(path.dirname(file), folderMode);
    await asNobody(() => expect(openStore(file, { mode: 'own' })).rejects.toMatchObject({ name: 'StoreError' }));
    await (await openStore(file, { mode: 'own' })).close();
  });

  it('begins nothing in a folder that may not be written to', async () => {
    const file = folder.file('new.db');
    chmodSync(path.dirname(file), 0o755);
    await asNobody(() => expect(openStore(file, { mode: 'own' })).rejects.toMatchObject({ problem: 'unreadable' }));
  });

  it('may not look into a folder that is closed to others', async () => {
    const { file } = await closed();
    chmodSync(path.dirname(file), 0o700);
    await asNobody(() => expect(openStore(file, { mode: 'shared' })).rejects.toMatchObject({ problem: 'unreadable' }));
  });
});
