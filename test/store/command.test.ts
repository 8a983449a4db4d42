import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fitting } from '../contracts.ts';
import { openStore } from '../../src/monitor/store/open.ts';
import type { Store } from '../../src/monitor/store/store.ts';
import { runCli } from '../cli/run.ts';
import { runHere, type ResultHere } from '../cli/run-here.ts';
import { alertOf, commitOf, HOUR, incidentOf, MINUTE, NOON, opening, roundRecord } from './samples.ts';

let cwd = '';
let monitor: Store;

const over = incidentOf({ id: 'docs-1', detectedAt: NOON, recoveredAt: NOON + 31_000, notifiedAt: NOON + 400 });
const goesOn = incidentOf({ id: 'blog-1', site: 'blog', detectedAt: NOON + HOUR, verdict: 'degraded', flapping: true });

// A monitor has it all the while.
beforeAll(async () => {
  cwd = mkdtempSync(path.join(tmpdir(), 'docvitals-history-'));
  monitor = await openStore(path.join(cwd, 'docvitals.db'), { mode: 'own' });
  const alert = alertOf({ incident: over, state: 'sent', sentAt: NOON + 400 });
  await monitor.append([opening(over, alert), opening(goesOn)]);
  const rounds = Array.from({ length: 120 }, (_, index) => roundRecord({ startedAt: NOON + index * MINUTE }));
  await monitor.append(rounds.map((round) => commitOf({ run: round })));
});
afterAll(async () => {
  await monitor.close();
  rmSync(cwd, { recursive: true });
});

const run = (...args: readonly string[]): Promise<ResultHere> => runHere(args, { cwd });
const RANGE = ['--since', '2026-11-20T12:00Z', '--until', '2026-11-20T14:00Z'];

describe('docvitals incidents', () => {
  it('reports them in the shape that callers rely on', async () => {
    const { status, stdout, stderr } = await runCli(['incidents', '--format', 'json'], { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [open, closed, ...others] = fitting('incidents', stdout) as Record<string, unknown>[];
    expect(others).toEqual([]);
    expect(open).toMatchObject({ id: 'blog-1', notifiedAt: null, recoveredAt: null, flapping: true });
    expect(closed).toEqual({
      id: 'docs-1',
      site: 'docs',
      verdict: 'down',
      checks: ['bundle'],
      rules: ['bundle/status'],
      startedAt: '2026-11-20T11:59:50.000Z',
      detectedAt: '2026-11-20T12:00:00.000Z',
      notifiedAt: '2026-11-20T12:00:00.400Z',
      recoveredAt: '2026-11-20T12:00:31.000Z',
      durationMs: 41_000,
      recoveryTimeObjectiveMs: 60_000,
      recoveryTimeObjectiveMet: true,
    });
  });

  it.each([
    ['--open', ['blog-1']],
    ['--site docs', ['docs-1']],
    ['--since 2026-11-20T12:30Z', ['blog-1']],
    ['--since 2026-11-20T12:30Z --site docs', []],
    ['--limit 1', ['blog-1']],
  ])('with %s reports %j', async (options, ids) => {
    const { stdout } = await run('incidents', '--format', 'json', ...options.split(' '));
    expect((JSON.parse(stdout) as { id: string }[]).map(({ id }) => id)).toEqual(ids);
  });

  it.each(['en', 'ro', 'fr'])('reports them in %s', async (lang) => {
    const { status, stdout } = await run('incidents', '--lang', lang);
    expect(status).toBe(0);
    for (const word of ['docs-1', 'blog-1', '2026-11-20 12:00:31 UTC']) expect(stdout).toContain(word);
    expect(stdout).not.toContain('\u001b');
  });

  it('reports them as CSV', async () => {
    const { stdout } = await run('incidents', '--format', 'csv', '--site', 'docs');
    expect(stdout.split('\r\n')[1]?.split(',').slice(0, 3)).toEqual(['docs-1', 'docs', 'down']);
  });
});

describe('docvitals history', () => {
  it.each([
    ['run', 120],
    ['minute', 120],
    ['hour', 2],
    ['day', 1],
  ])('reports it by %s', async (resolution, count) => {
    const args = ['history', 'docs', ...RANGE, '--resolution', resolution, '--format', 'json'];
    const { status, stdout } = await run(...args);
    const { entries, ...rest } = fitting('history', stdout) as { entries: unknown[] };
    expect(status).toBe(0);
    expect(rest).toEqual({
      site: 'docs',
      resolution,
      from: '2026-11-20T12:00:00.000Z',
      to: '2026-11-20T14:00:00.000Z',
    });
    expect(entries).toHaveLength(count);
  });

  it.each([
    ['pretty', 3],
    ['csv', 3],
  ])('reports it as %s', async (format, lines) => {
    const { status, stdout, stderr } = await run('history', 'docs', ...RANGE, '--format', format);
    expect({ status, stderr, lines: stdout.trimEnd().split('\n').length }).toEqual({ status: 0, stderr: '', lines });
  });

  it('says where nothing is kept', async () => {
    const { status, stdout } = await run('history', 'docs', '--since', '2020-01-01', '--until', '2020-01-02');
    expect({ status, lines: stdout.split('\n').length }).toEqual({ status: 0, lines: 2 });
  });

  it('takes the database from the configuration, and what it lists for known', async () => {
    const config = path.join(cwd, 'other.yaml');
    writeFileSync(
      config,
      'sites:\n  - { id: new, url: "http://127.0.0.1/" }\nmonitor:\n  database: ./docvitals.db\nlanguage: fr\n',
    );
    const { status, stdout } = await run('history', 'new', '--config', config);
    expect({ status, stdout: stdout.includes('new') }).toEqual({ status: 0, stdout: true });
    const unknown = await run('history', 'nwe', '--config', config);
    expect(unknown.status).toBe(2);
    for (const id of ['new', 'docs', 'blog']) expect(unknown.stderr).toContain(id);
  });

  it('does not mind a configuration that only the monitor can read, where the database is named', async () => {
    const folder = mkdtempSync(path.join(cwd, 'config-'));
    writeFileSync(path.join(folder, 'docvitals.yaml'), 'url: "${NOBODY_SET_THIS}"\n');
    const options = { cwd: folder };
    expect((await runHere(['incidents'], options)).status).toBe(2);
    expect((await runHere(['incidents', '--database', '../docvitals.db'], options)).status).toBe(0);
  });
});

describe('mistakes', () => {
  it.each([
    ['history', 2, '<site>'],
    ['history nowhere', 2, 'blog, docs'],
    ['history dosc', 2, 'docs'],
    ['history docs --since soon', 2, '--since'],
    ['history docs --until 2026-99-01', 2, '--until'],
    ['history docs --since 1h --until 2h', 2, '--since'],
    ['history docs --resolution week', 2, '--resolution'],
    ['history docs --format xml', 2, '--format'],
    ['incidents --site nowhere', 2, '--site'],
    ['incidents --limit 0', 2, '--limit'],
    ['incidents --since', 2, '--since'],
    ['incidents --database nowhere.db', 2, 'nowhere.db'],
    ['incidents --database nowhere/docvitals.db', 3, 'nowhere'],
    ['incidents --database .', 2, 'docvitals'],
    ['incidents --database notes.yaml', 2, 'notes.yaml'],
  ])('%s ends with %i', async (line, status, told) => {
    writeFileSync(path.join(cwd, 'notes.yaml'), 'sites: []\n');
    const result = await run(...line.split(' '));
    expect({ status: result.status, stdout: result.stdout }).toEqual({ status, stdout: '' });
    expect(result.stderr).toContain(told);
    expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('leave nothing behind', () => {
    const known = /^docvitals\.db(?:-wal|-shm|-lock)?$|^config-|\.yaml$/;
    expect(readdirSync(cwd).filter((name) => !known.test(name))).toEqual([]);
  });
});
