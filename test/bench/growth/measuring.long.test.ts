/** What grows is measured, at sizes that take seconds. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nginxWanted } from '../../hosts/nginx.ts';
import { wanted } from '../../server/tools.ts';
import { postgresWanted } from '../../hosts/postgres.ts';
import type { Bench } from '../row.ts';
import { checkedFleet, simulatedFleet } from './fleet.ts';
import type { Growth } from './growth.ts';
import { historyGrowth } from './history.ts';
import { pagesGrowth } from './pages.ts';
import { sitesGrowth } from './sites.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0 || process.env['CI'] === 'true';
const canRun = process.platform === 'linux' && nginxWanted() && hasPython;

/** How many values each line of its pictures has. */
async function valuesOf(growth: Growth, bench: Bench): Promise<Record<string, number>> {
  const points = await growth.measure(bench);
  const lines = growth.panels.flatMap(({ id, figure, lines: drawn }) =>
    drawn.map(({ name }) => ({ id, figure, name })),
  );
  return Object.fromEntries(
    lines.map(({ id, figure, name }) => [
      `${id} ${name}`,
      points.filter(({ costs }) => (costs[name]?.[figure] ?? 0) > 0).length,
    ]),
  );
}

describe.runIf(canRun).concurrent('is measured', { timeout: 120_000 }, () => {
  let folder: string;
  const bench = (): Bench => ({
    pairs: 1,
    sites: 1,
    folder: enterable(),
    peer: () => ({ argv: ['prometheus-blackbox-exporter'], env: {}, version: '' }),
    progress: () => {},
    signal: new AbortController().signal,
  });

  /** nginx' workers read the sites in it. */
  const enterable = (): string => {
    const one = mkdtempSync(path.join(folder, 'bench-'));
    chmodSync(one, 0o755);
    return one;
  };

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'docvitals-bench-'));
    chmodSync(folder, 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('a site of more pages', async () => {
    const values = await valuesOf(pagesGrowth([1, 3], { mostTheirs: 0 }), bench());
    expect(values).toMatchObject({ 'growth/pages-wall docvitals': 2, 'growth/pages-memory docvitals': 2 });
  });

  it.runIf(wanted('prometheus-blackbox-exporter'))('a monitor of more sites', async () => {
    const values = await valuesOf(sitesGrowth([2], { windowSeconds: 1, settleSeconds: 1 }), bench());
    expect(values).toEqual(Object.fromEntries(Object.keys(values).map((line) => [line, 1])));
  });

  it.runIf(postgresWanted())('many locations', async () => {
    const times = { settleSeconds: 6, windowSeconds: 6, everySeconds: 1 };
    for (const growth of [simulatedFleet([2], times), checkedFleet([2], times)]) {
      const values = await valuesOf(growth, bench());
      const measured = Object.entries(values).filter(([line]) => !/late|size/.test(line));
      expect(measured).toEqual(measured.map(([line]) => [line, 1]));
    }
  });

  it('a longer history', async () => {
    const values = await valuesOf(historyGrowth([1], 2), bench());
    expect(values).toEqual(Object.fromEntries(Object.keys(values).map((line) => [line, 1])));
  });
});
