/** `docvitals maintenance`, over a database of its own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fitting } from '../contracts.ts';
import { runHere, type ResultHere } from '../cli/run-here.ts';
import { makeProject, startProcess, type Project } from './process.ts';

const FAR = { from: '2999-01-01T00:00:00Z', to: '2999-01-01T01:00:00Z' };
const FARTHER = { from: '2999-02-01T00:00:00Z', to: '2999-02-01T01:00:00Z' };

let project: Project;
beforeAll(async () => {
  project = makeProject({
    sites: [
      { id: 'docs', url: 'http://127.0.0.1:9/' },
      { id: 'wiki', url: 'http://127.0.0.1:9/' },
      { id: 'planned', url: 'http://127.0.0.1:9/', maintenance: [FARTHER, FAR] },
      { id: 'busy', url: 'http://127.0.0.1:9/', maintenance: [{ from: '2020-01-01T00:00:00Z', to: FAR.to }] },
    ],
    monitor: { connectivity: [], every: '1h', full: false },
  });
  // The database is there once a monitor ran.
  const monitor = await startProcess(project);
  monitor.child.kill('SIGTERM');
  await monitor.ended;
});
afterAll(() => project.remove());

const run = (...args: readonly string[]): Promise<ResultHere> =>
  runHere(['maintenance', ...args], { cwd: project.folder });
const DOCUMENTS = { start: 'maintenanceStarted', end: 'maintenanceEnded', list: 'maintenance' } as const;
const read = async <T>(action: keyof typeof DOCUMENTS, ...args: readonly string[]): Promise<T> =>
  fitting(DOCUMENTS[action], (await run(action, ...args, '--format', 'json')).stdout) as T;

describe('docvitals maintenance', () => {
  it('reports until when a site is in maintenance, whichever of several ends last', async () => {
    const long = await read<{ to: string; until: string }>('start', 'docs', '30m');
    expect(long.until).toBe(long.to);
    const short = await read<{ from: string; to: string; until: string }>('start', 'docs', '1m', '--reason', 'disk');
    expect(short).toMatchObject({ site: 'docs', reason: 'disk', until: long.to });
    expect(Date.parse(short.to) - Date.parse(short.from)).toBe(60_000);
    expect((await run('start', 'docs', '1m')).stdout).toContain(long.to.slice(11, 19));
  });

  it('reports how many it ended, and what goes on nevertheless', async () => {
    await run('start', 'wiki', '30m');
    expect(await read('end', 'wiki')).toEqual({ site: 'wiki', ended: 1, until: null });
    expect(await read('end', 'wiki')).toEqual({ site: 'wiki', ended: 0, until: null });
    expect(await read('end', 'busy')).toEqual({ site: 'busy', ended: 0, until: '2999-01-01T01:00:00.000Z' });
    expect((await run('end', 'busy')).stdout).toContain('2999-01-01 01:00:00 UTC');
  });

  it('lists all that is planned, the earliest first, in the form of times that people read', async () => {
    const listed = await read<{ site: string; from: string }[]>('list', 'planned');
    expect(listed.map(({ from }) => Date.parse(from))).toEqual([FAR.from, FARTHER.from].map((at) => Date.parse(at)));
    const { stdout } = await run('list', 'planned');
    expect(stdout).toContain('2999-01-01 00:00:00 UTC  2999-01-01 01:00:00 UTC');
  });

  it.each([
    ['32d', '31d'],
    ['500ms', '1s'],
    ['0s', '1s'],
  ])('takes no %s, and names its bound', async (duration, bound) => {
    const { status, stderr } = await run('start', 'docs', duration);
    expect(status).toBe(2);
    expect(stderr).toMatch(new RegExp(`${duration} .*\\b${bound}\\b`));
  });
});
