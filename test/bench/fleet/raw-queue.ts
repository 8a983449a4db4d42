/** What pg-boss alone takes for the jobs of a run: one for each location, and one for each of their results. */
import { PgBoss } from 'pg-boss';
import { startPostgres } from '../../hosts/postgres.ts';
import { databaseCpuMs, LOCATIONS } from './fleet.ts';

const BATCH = 200;

/** Milliseconds of processor time for the jobs of one run, the client's and the database's. */
export async function rawQueueCpuMs(runs: number): Promise<number> {
  const postgres = await startPostgres();
  const boss = new PgBoss({ connectionString: postgres.url(), max: 4, schedule: false, supervise: false });
  boss.on('error', () => {});
  try {
    await boss.start();
    await boss.createQueue('jobs', { partition: true });
    const jobs = runs * LOCATIONS.length * 2;
    const own = process.cpuUsage();
    const before = databaseCpuMs(postgres.pid());
    for (let done = 0; done < jobs; done += BATCH) {
      const data = { site: 'site-0', scope: 'core', location: 'paris', at: done };
      await boss.insert(
        'jobs',
        Array.from({ length: BATCH }, () => ({ data })),
      );
      const taken = await boss.fetch('jobs', { batchSize: BATCH });
      await boss.deleteJob(
        'jobs',
        taken.map(({ id }) => id),
      );
    }
    const { user, system } = process.cpuUsage(own);
    return ((user + system) / 1_000 + databaseCpuMs(postgres.pid()) - before) / runs;
  } finally {
    await boss.stop({ graceful: false });
    await postgres.stop();
  }
}
