/** A monitor whose database is on a PostgreSQL server: run as the built command, with a webhook receiver. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresWanted, startPostgres, type Postgres } from '../hosts/postgres.ts';
import { makeProject, startProcess, type MonitorProcess, type Project } from './process.ts';
import { startWatchedHost, type WatchedHost } from './watched-host.ts';

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(50);
}

describe.runIf(postgresWanted())('a monitor on PostgreSQL', { timeout: 60_000 }, () => {
  let server: Postgres;
  let host: WatchedHost;
  let receiver: Server;
  let project: Project;
  let running: MonitorProcess;
  let env: Record<string, string>;
  const received: string[] = [];
  const outputs: string[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    host = await startWatchedHost();
    receiver = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        received.push((JSON.parse(text) as { event: string }).event);
        response.end();
      });
    });
    await new Promise<void>((resolve) => {
      receiver.listen(0, '127.0.0.1', resolve);
    });
    const { port } = receiver.address() as AddressInfo;
    project = makeProject({
      sites: [{ id: 'docs', url: host.url, every: '1s', full: false, confirm: { after: '200ms', times: 2 } }],
      alerts: [{ id: 'ops', webhook: { url: `http://127.0.0.1:${port}/` } }],
      monitor: { connectivity: [], database: server.url().replace(server.password, '${DB_PASSWORD}') },
    });
    env = { DB_PASSWORD: server.password };
  });
  afterAll(async () => {
    receiver.closeAllConnections();
    receiver.close();
    await host.close();
    project.remove();
    await server.stop();
  });

  const run = async (...args: readonly string[]) => {
    const result = await project.run(args, { env });
    outputs.push(result.stdout, result.stderr);
    return result;
  };

  it('keeps the history in tables that SQL can read', async () => {
    running = await startProcess(project, [], { env });
    await until(() => server.psql('SELECT count(*) > 1 FROM docvitals.run') === 't');
    expect(server.psql('SELECT DISTINCT site, scope, verdict FROM docvitals.run')).toBe('docs|core|healthy');
    expect(server.psql('SELECT bool_and(http_status = 200) FROM docvitals.run_check WHERE duration_ms > 0')).toBe('t');
    expect(server.psql("SELECT site, down FROM docvitals.rollup WHERE resolution = 'day'")).toBe('docs|0');
  });

  it('is the only one on its database', async () => {
    const second = await run('monitor', '--once');
    expect(second.status).toBe(3);
    expect(second.stderr).toContain(`another monitor is running on this database (process ${running.child.pid}`);
  });

  it('loses and doubles no alert when the server is restarted during an outage', async () => {
    await server.end();
    host.condition = 'failing';
    await until(() => received.length === 1);
    await server.start();
    await until(() => server.psql('SELECT state FROM docvitals.notification') === 'sent');
    host.condition = 'well';
    await until(() => received.length === 2);
    expect(received).toEqual(['opened', 'recovered']);
    await until(() => server.psql("SELECT count(*) FROM docvitals.notification WHERE state = 'sent'") === '2');
    const times = 'started_at <= detected_at AND notified_at <= recovered_at';
    expect(server.psql(`SELECT verdict, ${times} FROM docvitals.incident`)).toBe('down|t');
  });

  it('can be read and changed by every command beside it', async () => {
    expect((await run('status')).status).toBe(0);
    expect((await run('incidents', '--format', 'csv')).stdout.split('\n')).toHaveLength(3);
    expect((await run('history', 'docs', '--resolution', 'run', '--format', 'csv')).stdout).toContain('docs');
    expect((await run('alert', 'list')).status).toBe(0);
    expect((await run('maintenance', 'start', 'docs', '30m', '--reason', 'new disks')).status).toBe(0);
    expect(server.psql('SELECT site, reason FROM docvitals.maintenance')).toBe('docs|new disks');
    expect((await run('status', 'export', 'public')).status).toBe(0);
    expect((await run('config', 'check')).stdout).toContain('postgres://docvitals@127.0.0.1');
  });

  it('ends, and leaves its database to the next one', async () => {
    running.child.kill('SIGTERM');
    const { status, stdout, stderr } = await running.ended;
    outputs.push(stdout, stderr);
    expect(status).toBe(0);
    expect((await run('monitor', '--once')).status).toBe(0);
  });

  it('takes over the history of a file, as often as it is imported', async () => {
    const file = ['--database', 'docvitals.db'];
    expect((await run('monitor', '--once', ...file)).status).toBe(0);
    server.psql('CREATE DATABASE imported', 'postgres');
    const address = ['--database', server.url('imported')];
    const imported = async () => (await run('history', 'import', 'docvitals.db', ...address)).stdout;
    expect(await imported()).toMatch(/^Imported into .*: 1 site, [1-9] runs?, 0 incidents\.\n$/);
    expect(await imported()).toContain('0 runs');
    expect(await run('history', 'import', 'missing.db', ...address)).toMatchObject({ status: 2 });
  });

  it('reports a server that cannot be used', async () => {
    const other = server.url('nowhere');
    expect(await run('status', '--database', server.url('postgres'))).toMatchObject({ status: 2 });
    const wrong = await run('status', '--database', other.replace(server.password, 'not-to-be-printed-either'));
    expect(wrong).toMatchObject({ status: 3 });
    expect(wrong.stderr).toContain('password authentication failed');
    await server.end();
    expect(await run('monitor', '--once')).toMatchObject({ status: 3 });
  });

  it('never printed the password', () => {
    expect(outputs.join('')).not.toContain('not-to-be-printed');
  });
});
