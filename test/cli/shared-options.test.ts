/** Options that all commands share, before the command and after it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runHere } from './run-here.ts';

it('may come before the command', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-shared-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = path.join(folder, 'mine.yaml');
  writeFileSync(config, 'language: fr\n');
  const env = { FORCE_COLOR: '1', NO_COLOR: '' };
  const [lang, given, both, configured, coloured, plain, help, wrong, alone, unknown, early, late] = await Promise.all([
    runHere(['--lang', 'ro', 'explain', 'navigation']),
    runHere(['--lang=ro', 'explain', 'navigation', '--lang', 'fr']),
    runHere(['--no-color', '--lang', 'ro', '--config', config, 'explain', 'navigation']),
    runHere(['--config', config, 'explain', 'navigation']),
    runHere(['explain', 'navigation'], { env }),
    runHere(['--no-color', 'explain', 'navigation'], { env }),
    runHere(['--help']),
    runHere(['--lang', 'xx', 'explain', 'navigation']),
    runHere(['--lang=fr']),
    runHere(['--config', config, 'completion', 'bash']),
    runHere(['--lang', 'ro', 'completion', 'fish']),
    runHere(['completion', 'fish', '--lang', 'ro']),
  ]);
  expect(lang.stdout).toContain('# Navigare');
  expect(given.stdout).toContain('accueil');
  expect(both.stdout).toContain('# Navigare');
  expect(configured.stdout).toContain('accueil');
  expect([coloured.stdout.includes('\u001b['), plain.stdout.includes('\u001b[')]).toEqual([true, false]);
  for (const option of ['--lang', '--config', '--no-color']) expect(help.stdout).toContain(option);
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('--lang')]);
  expect(alone.stderr).toMatch(/^Utilisation\s: docvitals/);
  expect(early.stdout).toBe(late.stdout);
  expect([unknown.status, unknown.stderr]).toEqual([
    2,
    'docvitals: unknown option --config. See docvitals completion --help.\n',
  ]);
});

it('are in the help of every command', async () => {
  const commands = [
    'check',
    'explain',
    'manifest',
    'hosting',
    'serve',
    'completion',
    'init',
    'config',
    'monitor',
    'status',
  ];
  const helps = await Promise.all(commands.map((command) => runHere([command, '--help'])));
  for (const { stdout } of helps) expect(stdout).toMatch(/--lang <language>[^]*--no-color/);
});
