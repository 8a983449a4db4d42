/** The guide to many locations leads from nothing to a site that is checked, with the roles that it names. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, type RunResult } from '../cli/run.ts';
import { postgresWanted, startPostgres, type Postgres } from '../hosts/postgres.ts';
import { startHost, type Host } from '../site/host.ts';
import { sampleSite } from '../site/sample.ts';
import { blocks } from './pages.ts';

const GUIDE = 'docs/guides/locations.md';

describe.runIf(postgresWanted())('the guide to many locations', { timeout: 60_000 }, () => {
  let server: Postgres;
  let host: Host;
  let folder: string;
  const running: { readonly child: ChildProcess; readonly ended: Promise<RunResult> }[] = [];

  beforeAll(async () => {
    [server, host] = await Promise.all([startPostgres(), startHost(sampleSite(), { fallback: false })]);
    folder = mkdtempSync(path.join(tmpdir(), 'docvitals-docs-'));
  });
  afterAll(async () => {
    for (const { child } of running) child.kill('SIGTERM');
    await Promise.all(running.map(({ ended }) => ended));
    await Promise.all([server.stop(), host.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** A command of the guide, with the role of its kind, or of its location. */
  const start = (command: string): void => {
    const [, ...args] = command.split(' ');
    const role = `docvitals_${args[0] === 'runner' ? args.at(-1) : args[0]}`;
    const env = { DATABASE_URL: server.url('docvitals', role), OPS_WEBHOOK: 'http://127.0.0.1:9/' };
    let child: ChildProcess | undefined;
    const ended = runCli(args, { cwd: folder, env, onStart: (started) => (child = started) });
    if (child !== undefined) running.push({ child, ended });
  };

  const until = async (query: string, value: string): Promise<void> => {
    while (answer(query) !== value) await sleep(200);
  };

  const answer = (query: string): string => {
    try {
      return server.psql(query);
    } catch {
      // The tables are not there yet.
      return '';
    }
  };

  it('creates the roles', async () => {
    const example = blocks('sh', GUIDE).find((block) => block.startsWith('docvitals example')) ?? '';
    expect(await runCli(example.trim().split(' ').slice(1), { cwd: folder })).toMatchObject({ status: 0 });
    const [file = ''] = /deploy\/\S+\.sql/.exec(blocks('bash', GUIDE)[0] ?? '') ?? [];
    server.psql(readFileSync(path.join(folder, file), 'utf8'));
    for (const role of ['docvitals_coordinator', 'docvitals_paris']) {
      expect(blocks('bash', GUIDE)[0]).toContain(`\\password ${role}`);
      server.psql(`ALTER ROLE ${role} PASSWORD '${server.password}'`);
    }
  });

  it('starts a coordinator, then a runner, which check the site', async () => {
    const [configuration = ''] = blocks('yaml', GUIDE);
    const here = configuration
      .replaceAll(/https:\/\/\w+\.example\.com\//g, host.url)
      .replace('every: 1m', 'every: 2s')
      .replace('monitor:', 'monitor:\n  connectivity: []');
    writeFileSync(path.join(folder, 'docvitals.yaml'), here.replace(/listen: .*/, 'listen: 127.0.0.1:0'));
    const commands = blocks('bash', GUIDE).find((block) => block.startsWith('docvitals coordinator')) ?? '';
    const [coordinator = '', runner = ''] = commands.trim().split('\n');
    start(coordinator);
    await until("SELECT count(*) FROM docvitals.member WHERE role = 'coordinator' AND acting", '1');
    await until("SELECT count(*) FROM docvitals_queue.queue WHERE name = 'run-paris'", '1');
    start(runner);
    await until("SELECT count(*) FROM docvitals.member WHERE role = 'runner' AND location = 'paris'", '1');
    await until("SELECT count(*) > 0 FROM docvitals.run WHERE site = 'docs@paris' AND verdict = 'healthy'", 't');
    // Not of the sites' first runs, which may begin before the runner.
    expect(answer("SELECT DISTINCT verdict FROM docvitals.run WHERE site = 'docs@paris'")).toBe('healthy');
  });

  it('reads the history of a location, and names the columns of members', () => {
    const [query = ''] = blocks('sql', GUIDE);
    expect(server.psql(query.replace("'hour'", "'minute'"))).toContain('docs@paris');
    const [row = ''] =
      /^\| `member` .*$/m.exec(readFileSync(path.join(import.meta.dirname, '../..', GUIDE), 'utf8')) ?? [];
    const columns = [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name).slice(1);
    expect(server.psql(`SELECT count(${columns.join('), count(')}) FROM docvitals.member`)).not.toBe('');
  });
});
