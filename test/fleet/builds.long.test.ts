/** Two builds of docvitals on one database at once: this one, and an earlier one with the same names. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { postgresWanted } from '../hosts/postgres.ts';
import { allHealthy, beginOutage, endOutage, faultsAfter, startFleet, until, type Fleet } from './fleet.ts';

/** The commit of the earlier build. */
const EARLIER = '1802ab15b125';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const git = (...args: readonly string[]) => spawnSync('git', ['-C', ROOT, ...args], { maxBuffer: 1e9 });

/** A clone without history cannot build it. */
function isInHistory(): boolean {
  const found = git('cat-file', '-e', `${EARLIER}^{commit}`).status === 0;
  if (!found) console.warn(`Commit ${EARLIER} is not in this clone: two builds at once are left out.`);
  return found;
}

describe.runIf(postgresWanted() && isInHistory())('two builds at once', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-earlier-'));
  const earlier = { bin: path.join(folder, 'bin', 'docvitals.js') };
  let fleet: Fleet;

  beforeAll(() => {
    spawnSync('tar', ['-x', '-C', folder], { input: git('archive', EARLIER).stdout });
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    const build = spawnSync(process.execPath, ['src/build/index.ts'], { cwd: folder, encoding: 'utf8' });
    if (build.status !== 0) throw new Error(`the earlier build: ${build.stderr}`);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(async () => void (fleet = await startFleet()));
  afterEach(async () => fleet.stop(), 60_000);

  it('lose and double nothing while coordinators and runners are updated one after the other', async () => {
    const old = await fleet.coordinator(earlier);
    const oldRunner = await fleet.runner('paris', earlier);
    await Promise.all([fleet.runner('bucharest', earlier), fleet.runner('virginia')]);
    await until('the site is healthy', () => allHealthy(fleet));
    await beginOutage(fleet);
    // The present build takes the incident over, with a runner of the earlier one.
    const present = await fleet.coordinator();
    expect((await old.kill('SIGTERM')).status).toBe(0);
    await present.logged('coordinator-acting');
    await endOutage(fleet);
    await fleet.runner('paris');
    expect((await oldRunner.kill('SIGTERM')).status).toBe(0);
    await beginOutage(fleet);
    await endOutage(fleet);
    expect(await faultsAfter(fleet, 2)).toEqual([]);
  });

  it('lose and double nothing when an update is taken back during an outage', async () => {
    const present = await fleet.coordinator();
    await Promise.all([fleet.runner('paris', earlier), fleet.runner('bucharest'), fleet.runner('virginia')]);
    await until('the site is healthy', () => allHealthy(fleet));
    await beginOutage(fleet);
    const old = await fleet.coordinator(earlier);
    await present.kill('SIGKILL');
    await old.logged('coordinator-acting');
    await endOutage(fleet);
    expect(await faultsAfter(fleet, 1)).toEqual([]);
  });
});
