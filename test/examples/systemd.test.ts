/** The units, as systemd itself reads them. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import EXAMPLES from '../../src/monitor/examples/examples.json' with { type: 'json' };
import { textOf } from './files.ts';

const UNITS = [...EXAMPLES['systemd-service'], ...EXAMPLES['systemd-timer']];
const SERVICES = UNITS.filter((file) => file.endsWith('.service'));

/** Whether systemd's own checks are to run: where it is installed, and in CI in any case. */
function wanted(): boolean {
  const available = spawnSync('systemd-analyze', ['--version']).status === 0;
  if (!available && process.env['CI'] !== 'true')
    console.warn('systemd is not installed here: its tests are left out.');
  return available || process.env['CI'] === 'true';
}

/** The settings of a unit; those that are there several times keep all their values. */
function settings(file: string): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, readonly string[]>();
  for (const [, name = '', value = ''] of textOf(file).matchAll(/^(\w+)=(.*)$/gm)) {
    all.set(name, [...(all.get(name) ?? []), value]);
  }
  return all;
}

describe.runIf(wanted())('systemd', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'docvitals-systemd-'));
    const command = path.join(folder, 'docvitals');
    writeFileSync(command, '#!/bin/sh\n');
    chmodSync(command, 0o755);
    // The command need not be installed here.
    for (const file of UNITS) {
      const text = textOf(file).replace('ExecStart=docvitals ', `ExecStart=${command} `);
      writeFileSync(path.join(folder, path.basename(file)), text);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const analyze = (...args: readonly string[]): { status: number | null; said: string } => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { cwd: folder, encoding: 'utf8' });
    return { status, said: stdout + stderr };
  };

  it.each(UNITS)('finds no mistake in %s', (file) => {
    expect(analyze('verify', '--man=no', path.join(folder, path.basename(file)))).toEqual({ status: 0, said: '' });
  });

  // In tenths: 0 to 100. Without any hardening a service has 96.
  it.each(SERVICES)('has little to say against the hardening of %s', (file) => {
    const { status, said } = analyze(
      'security',
      '--offline=true',
      '--threshold=15',
      path.join(folder, path.basename(file)),
    );
    expect({ status, said }).toEqual({ status: 0, said: expect.any(String) });
  });

  it('knows when the timer elapses', () => {
    const [when = ''] = settings('systemd/docvitals-once.timer').get('OnCalendar') ?? [];
    const { status, said } = analyze('calendar', '--iterations=3', '--base-time=2026-03-01 11:59:30 UTC', when);
    expect(status).toBe(0);
    expect([...said.matchAll(/12:0\d:\d\d/g)].map(([time]) => time)).toEqual(
      expect.arrayContaining(['12:00:00', '12:01:00', '12:02:00']),
    );
  });
});

describe('both services', () => {
  const [service, once] = SERVICES.map(settings);

  it('have the same rights, and the same database', () => {
    const own = new Set(['Description', 'Type', 'ExecStart', 'ExecReload', 'Restart', 'RestartSec', 'WantedBy']);
    const others = new Set(['RestartPreventExitStatus', 'TimeoutStopSec', 'TimeoutStartSec', 'SuccessExitStatus']);
    const shared = (all: ReadonlyMap<string, readonly string[]> | undefined): unknown =>
      [...(all ?? [])].filter(([name]) => !own.has(name) && !others.has(name) && name !== 'StartLimitIntervalSec');
    expect(shared(once)).toEqual(shared(service));
    const databases = [service, once].map((all) => /--database (\S+)/.exec(all?.get('ExecStart')?.[0] ?? '')?.[1]);
    expect(databases).toEqual(['%S/docvitals/docvitals.db', '%S/docvitals/docvitals.db']);
  });

  it('are not restarted over a mistake in the configuration, nor failed by a site that is down', () => {
    expect(service?.get('RestartPreventExitStatus')).toEqual(['2']);
    expect(once?.get('SuccessExitStatus')).toEqual(['1']);
  });
});
