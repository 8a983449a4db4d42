import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { reportOf } from '../../../test/reports.ts';
import { settingsOf, siteAt } from '../../../test/monitor/settings.ts';
import { watch } from '../engine/watched-site.ts';
import { emptyState } from '../incident/state.ts';
import { FleetProbe } from './fleet-probe.ts';
import type { ResultJob } from './job-format.ts';
import type { Queues, Taken } from './queue.ts';

const AT = Date.UTC(2026, 0, 1);
const site = siteAt('https://docs.example/');
const measured = { startedAt: AT, endedAt: AT, report: reportOf([]), probeSide: null, version: null };

/** A result of a former coordinator. */
const result = (run: string, at: number): Taken<ResultJob> => ({
  id: `result of ${run}`,
  data: { run, site: site.id, scope: 'core', location: 'paris', at, bypassCache: false, runner: 'one', measured },
});

/** `applied`: runs in the history. */
async function takeOver(results: readonly Taken<ResultJob>[], applied: readonly string[], lastAt: number) {
  const removed: string[] = [];
  const delivered: Taken<ResultJob>[] = [];
  const queues: Partial<Queues> = {
    create: async () => {},
    unsettled: async () => ({ runs: [], results: [...results], rejected: [] }),
    takeResults: async () => ({ jobs: delivered.splice(0), rejected: [], taken: 0 }),
    settle: async (ids) => void removed.push(...ids),
    lost: async () => [],
    supervise: async () => {},
  };
  const driver = new DummyDriver();
  const rowsOf = (text: string) => (text.includes('docvitals.run') ? applied.map((id) => ({ id })) : []);
  driver.acquireConnection = async () => ({
    executeQuery: async ({ sql }: { readonly sql: string }) => ({ rows: rowsOf(sql) as never[] }),
    async *streamQuery() {},
  });
  const database = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const settings = settingsOf([site], { locations: [{ id: 'paris', title: 'Paris', coordinates: null }] });
  const probe = new FleetProbe({ queues: queues as Queues, database, settings, log: () => {}, now: () => AT });
  await probe.open();
  const empty = emptyState();
  const state = { ...empty, scopes: { ...empty.scopes, core: { ...empty.scopes.core, at: lastAt } } };
  const watched = watch(site, state, {});
  const measure = () => probe.measure(watched, 'core', { bypassCache: false, cut: new AbortController().signal });
  return { probe, watched, removed, delivered, measure };
}

describe('a coordinator that takes over', () => {
  it('leaves a result that is delivered once more to the commit of its run', async () => {
    const found = result('one', AT);
    const { probe, removed, delivered, measure } = await takeOver([found], [], AT - 1);
    expect(await measure()).toMatchObject({ startedAt: AT, settles: [found.id] });
    delivered.push(found, result('two', AT));
    await vi.waitFor(() => expect(removed).toContain('result of two'));
    expect(removed).toEqual(['result of two']);
    await probe.stop();
  });

  it.each([
    ['was ahead', AT + 2_000],
    ['was behind', AT - 2_000],
  ])(
    'continues what is not in the history, and nothing else, where the clock of a former one %s',
    async (_, lastAt) => {
      const jobs = [result('applied', AT - 1), result('open', AT)];
      const { probe, watched, removed, measure } = await takeOver(jobs, ['applied'], lastAt);
      expect(probe.begun(watched, 'core')).toMatchObject({ id: 'open' });
      expect(await measure()).toMatchObject({ startedAt: AT, settles: ['result of open'] });
      await vi.waitFor(() => expect(removed).toEqual(['result of applied']));
      expect(probe.begun(watched, 'core')).toBeUndefined();
      await probe.stop();
    },
  );
});
