import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { fitting } from '../contracts.ts';
import { checks } from '../../checks/index.ts';
import { LANGUAGES } from '../../src/locales/language.ts';
import { runHere } from './run-here.ts';
import { runCli } from './run.ts';

const SITE_COMMANDS = ['check', 'init', 'config', 'explain', 'hosting', 'serve', 'manifest', 'completion'];
/** Those whose examples need a configuration and a database. */
const MONITOR_COMMANDS = ['monitor', 'maintenance', 'incidents', 'history', 'alert', 'status', 'drill', 'example'];
const COMMANDS = [...SITE_COMMANDS, ...MONITOR_COMMANDS];
const HELPS = [[], ...COMMANDS.map((command) => [command])];
const IDS = checks.map(({ id }) => id);

/** The command lines that a help text shows. */
const examplesOf = (help: string): string[] =>
  [...help.matchAll(/^ {2}(docvitals .*)$/gm)].map(([, line]) => line ?? '');

describe.concurrent('help', () => {
  it.each(HELPS)('docvitals %s --help, in 80 columns', async (...command) => {
    const long = await runHere([...command, '--help']);
    expect({ status: long.status, stderr: long.stderr }).toEqual({ status: 0, stderr: '' });
    expect(long.stdout).toMatch(/^Usage: docvitals/);
    const prose = long.stdout.split('\n').filter((line) => !line.startsWith('  docvitals '));
    expect(prose.filter((line) => stringWidth(line) > 80)).toEqual([]);
  });

  it('docvitals help <command> is its --help', async () => {
    const [help, asked] = [await runHere(['help', 'serve']), await runHere(['serve', '--help'])];
    expect([help.status, help.stdout]).toEqual([0, asked.stdout]);
  });

  it('names every command, also as -h', async () => {
    const { stdout } = await runHere(['-h']);
    for (const command of COMMANDS) expect(stdout).toContain(`\n  ${command} `);
  });

  it('names every option of the check', async () => {
    const { stdout } = await runHere(['check', '--help']);
    const options = ['only', 'skip', 'format', 'report', 'lang', 'timeout', 'deadline', 'retries', 'header', 'resolve'];
    const more = ['ipv4', 'ipv6', 'config', 'strict', 'verbose', 'quiet', 'no-color'];
    for (const option of [...options, ...more]) expect(stdout).toMatch(new RegExp(`^ +--${option}\\b`, 'm'));
    expect(examplesOf(stdout)).not.toEqual([]);
  });

  it('is shown, and the status says so, when nothing is asked for', async () => {
    const { status, stdout, stderr } = await runHere([]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: docvitals/);
  });

  it('--version is that of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    const results = await Promise.all([runCli(['--version']), runCli(['-V'])]);
    for (const { status, stdout, stderr } of results) {
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
    }
  });
});

describe.concurrent('explain', () => {
  it.each(LANGUAGES)('lists checks and rules, one a line (%s)', async (language) => {
    const { status, stdout, stderr } = await runHere(['explain', '--lang', language]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const names = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ', 1)[0] ?? '');
    expect(names.filter((name) => IDS.includes(name))).toEqual(IDS);
    expect(new Set(names).size).toBe(names.length);
    // Each rule is there, as its check's own or as one that all checks share.
    const missing = checks.flatMap(({ id, rules }) =>
      Object.keys(rules).filter(
        (rule) => !names.includes(`${id}/${rule}`) && !names.includes(rule) && !IDS.includes(rule),
      ),
    );
    expect(missing).toEqual([]);
    expect(stdout).toMatch(/^navigation\/no-links +warning +\S/m);
  });

  it('lists the checks of the configuration too, and as JSON', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'docvitals-list-'));
    writeFileSync(
      join(cwd, 'docvitals.yaml'),
      'checks:\n  - id: robots-file\n    title: Robots file\n    path: robots.txt\n',
    );
    const { stdout } = await runHere(['explain', '--format', 'json'], { cwd });
    const listed = fitting('explainedAll', stdout) as { name: string; summary: string }[];
    expect(listed).toContainEqual({ name: 'robots-file', severity: null, summary: 'Robots file' });
  });

  // Their width is asserted of the texts themselves, in all languages.
  it.each(IDS)('%s', async (id) => {
    const { status, stdout, stderr } = await runHere(['explain', id, '--lang', 'ro']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^# \S/);
    expect(stdout).toMatch(/^## /m);
  });

  it.each(LANGUAGES)('one finding in %s', async (language) => {
    const { status, stdout, stderr } = await runHere(['explain', 'config/trailing-comma', '--lang', language]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^# config\/trailing-comma\n/);
    expect(stdout).toContain('--only config');
    expect(stdout).toContain('config/trailing-comma: off');
  });

  it('a rule by its bare name, and the checks that report it', async () => {
    const { status, stdout } = await runHere(['explain', 'spa-fallback']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Reported by: .*\bnavigation\b/m);
  });

  it('a check with all its rules, those that it shares included', async () => {
    const { stdout } = await runHere(['explain', 'navigation']);
    expect(stdout).toContain('`navigation/no-links` (');
    expect(stdout).toContain('`navigation/spa-fallback` (error)');
  });

  it('as JSON', async () => {
    const [one, all] = await Promise.all([
      runHere(['explain', 'navigation/spa-fallback', '--format', 'json']),
      runHere(['explain', 'navigation', '--format', 'json']),
    ]);
    expect(fitting('explained', one.stdout)).toMatchObject({
      check: 'navigation',
      rule: 'navigation/spa-fallback',
      severity: 'error',
    });
    const { rules } = fitting('explained', all.stdout) as { rules: { rule: string }[] };
    expect(rules.map(({ rule }) => rule)).toContain('navigation/dns-not-found');
  });

  it('a check of the configuration, with the title and the fix of the user', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'docvitals-explain-'));
    const fix = 'fix: {en: Put it back., ro: "Puneți-l la loc.", fr: Remettez-le.}';
    writeFileSync(
      join(cwd, 'docvitals.yaml'),
      `checks:\n  - {id: robots-file, title: Robots file, path: robots.txt, ${fix}}\n`,
    );
    const [page, finding] = await Promise.all([
      runHere(['explain', 'robots-file'], { cwd }),
      runHere(['explain', 'robots-file/not-found', '--lang', 'ro'], { cwd }),
    ]);
    expect([page.status, finding.status]).toEqual([0, 0]);
    expect(page.stdout).toMatch(/^# Robots file\n/);
    expect(finding.stdout).toContain('Puneți-l la loc.');
  });
});
