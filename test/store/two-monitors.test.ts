import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/monitor/store/open.ts';
import { eachFolder } from './folder.ts';
import { commitOf, EVER } from './samples.ts';
import { startWriting } from './writing.ts';

describe('two monitors on one database', () => {
  const folder = eachFolder();

  it('are one too many, until the first one ends', async () => {
    const file = folder.file();
    const first = startWriting(file);
    await first.begun;
    const second = await startWriting(file).ended();
    expect(second).toEqual({ status: 3, stderr: `locked ${first.child.pid}\n` });
    await first.kill();
    const third = await openStore(file, { mode: 'own' });
    await third.close();
  });

  it.each([
    ['by its own name', (file: string) => file],
    ['by a relative path', (file: string) => path.relative(process.cwd(), file)],
    ['through a link', (file: string) => link(file, `${file}.link`)],
    [
      'through a folder that is a link',
      (file: string) => path.join(link(path.dirname(file), `${file}.folder`), path.basename(file)),
    ],
  ])('know each other %s', async (_name, other) => {
    const file = folder.file();
    const since = 1_700_000_000_000;
    const store = await openStore(file, { mode: 'own', now: () => since });
    const name = other(file);
    await expect(openStore(name, { mode: 'own' })).rejects.toMatchObject({
      problem: 'locked',
      owner: { pid: process.pid, since },
    });
    await store.close();
    await (await openStore(name, { mode: 'own' })).close();
  });

  it('leave room for the commands beside them', async () => {
    const file = folder.file();
    const monitor = await openStore(file, { mode: 'own' });
    const command = await openStore(file, { mode: 'shared' });
    await command.startMaintenance({ id: 'm', site: 'docs', from: 0, to: 10, reason: null });
    await monitor.append([commitOf()]);
    expect(await monitor.maintenance(1)).toHaveLength(1);
    expect(await command.runs({ site: 'docs', ...EVER })).toHaveLength(1);
    await command.close();
    await monitor.append([commitOf()]);
    await monitor.close();
  });
});

function link(target: string, name: string): string {
  symlinkSync(target, name);
  return name;
}
