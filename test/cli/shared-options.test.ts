/** Options that all commands share, before the command and after it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCli } from './run.ts';

it('may come before the command', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-shared-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = path.join(folder, 'mine.yaml');
  writeFileSync(config, 'language: fr\n');
  const env = { FORCE_COLOR: '1' };
  const [lang, given, both, configured, coloured, plain, help, wrong, alone, unknown, early, late] = await Promise.all([
    runCli(['--lang', 'ro', 'explain', 'navigation']),
    runCli(['--lang=ro', 'explain', 'navigation', '--lang', 'fr']),
    runCli(['--no-color', '--lang', 'ro', '--config', config, 'explain', 'navigation']),
    runCli(['--config', config, 'explain', 'navigation']),
    runCli(['explain', 'navigation'], { env }),
    runCli(['--no-color', 'explain', 'navigation'], { env }),
    runCli(['--help']),
    runCli(['--lang', 'xx', 'explain', 'navigation']),
    runCli(['--lang=fr']),
    runCli(['--config', config, 'completion', 'bash']),
    runCli(['--lang', 'ro', 'completion', 'fish']),
    runCli(['completion', 'fish', '--lang', 'ro']),
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
    'list',
    'manifest',
    'hosting',
    'serve',
    'completion',
    'init',
    'config',
    'monitor',
    'status',
  ];
  const helps = await Promise.all(commands.map((command) => runCli([command, '--help'])));
  for (const { stdout } of helps) expect(stdout).toMatch(/--lang <language>[^]*--no-color/);
});
