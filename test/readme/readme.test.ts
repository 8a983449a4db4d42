/**
 * The README says only what is so: its outputs are what the command prints, its commands run, its configuration loads,
 * its program works. `UPDATE_README=1 vitest run test/readme` writes the generated parts again.
 */
import { execFile, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checks, defaultChecks } from '../../checks/index.ts';
import { knownChecks } from '../../src/project/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { loadTexts } from '../../src/texts.ts';
import { runCli } from '../cli/run.ts';
import { startHost, type Host } from '../site/host.ts';
import { sampleSite, writeSite } from '../site/sample.ts';
import { blocks, expectPart, MONITOR_COMMANDS, readme, ROOT } from './parts.ts';

const EXAMPLE = 'https://docs.example.com/';

let host: Host;
let broken: Host;
let folder: string;

beforeAll(async () => {
  // A site that names its version in the two ways that the README speaks of.
  const site = sampleSite();
  site.set('version.json', '{ "commit": "3f2a91cbb1c84be4b6d0ab0cd2e3a4b5c6d7e8f9" }\n');
  site.set('build/info.json', '{ "version": "2.4.0" }\n');
  host = await startHost(site, { fallback: true });
  const faulty = sampleSite();
  faulty.set('config.json', String(faulty.get('config.json')).replace(/\n\}\n$/, ',\n}\n'));
  faulty.delete('navigation.md');
  broken = await startHost(faulty, { fallback: true });
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-readme-'));
  // What the commands speak of: a repository whose folder `docs` is the site.
  writeSite(site, path.join(folder, 'docs'));
  for (const args of [
    ['init', '--quiet'],
    ['add', 'docs'],
    ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', 'commit', '--quiet', '--message', 'docs'],
  ]) {
    await promisify(execFile)('git', args, { cwd: folder });
  }
});

afterAll(async () => {
  await Promise.all([host.close(), broken.close()]);
  rmSync(folder, { recursive: true, force: true });
});

describe('the generated parts', () => {
  it('show a real output', async () => {
    const { stdout } = await runCli(['check', broken.url], { env: { COLUMNS: '100' } });
    expectPart('output', 'console', `$ docvitals check ${EXAMPLE}\n\n${stdout.replaceAll(broken.url, EXAMPLE)}`);
  });

  it('list the checks', async () => {
    const texts = await loadTexts('en');
    const rows = defaultChecks.map(({ id, target }) => {
      const text = texts.check(id);
      return `| \`${id}\` | \`GET /${target}\` | ${text?.expected ?? ''} | ${text?.degraded ?? ''} |\n`;
    });
    expectPart(
      'checks',
      '',
      `| check | target | expected | action if degraded |\n| :--- | :--- | :--- | :--- |\n${rows.join('')}`,
    );
  });

  it('list the checks of the whole site', async () => {
    const texts = await loadTexts('en');
    const rows = checks
      .filter(({ full }) => full)
      .map(({ id }) => {
        const text = texts.check(id);
        return `| \`${id}\` | ${text?.expected ?? ''} | ${text?.degraded ?? ''} |\n`;
      });
    expectPart(
      'full-checks',
      '',
      `| check | expected | action if degraded |\n| :--- | :--- | :--- |\n${rows.join('')}`,
    );
  });

  it('show the help', async () => {
    const { stdout } = await runCli(['check', '--help'], { env: { COLUMNS: '110' } });
    expectPart('help', 'console', `$ docvitals check --help\n${stdout}`);
  });

  it('show a report', async () => {
    const { stdout } = await runCli(['check', broken.url, '--only', 'config', '--format', 'json']);
    expectPart('json', 'json', stdout.replaceAll(broken.url, EXAMPLE));
  });
});

interface GitLabJob {
  readonly script: readonly string[];
  readonly artifacts: { readonly reports: { readonly junit: string } } | null;
}

/** What follows the command, whose form is demanded, for the site of this machine. */
function argumentsOf(line: string, command: RegExp): string[] {
  expect(line).toMatch(command);
  return line
    .replace(command, '')
    .replace(/ [|>].*$/, '')
    .replace(EXAMPLE, host.url)
    .split(' ');
}

describe('the commands', () => {
  const commands = blocks('sh')
    .flatMap((block) => block.trim().split('\n'))
    .filter((line) => /^(docvitals|npm start --) /.test(line))
    // monitor.test.ts runs these.
    .filter((line) => !MONITOR_COMMANDS.includes(line.split(' ')[1] ?? ''))
    .map((line) => line.replace(/ [|>].*$/, ''));

  it.each(commands)('%s', { timeout: 120_000 }, async (line) => {
    const args = line
      .replace(/^(docvitals|npm start --) /, '')
      .replace(EXAMPLE, host.url)
      .split(' ');
    // A preview goes on until it is stopped.
    const onStart = (child: ChildProcess): void =>
      void (args[0] === 'serve' && child.stdout?.once('data', () => child.kill('SIGINT')));
    expect(await runCli(args, { cwd: folder, onStart })).toMatchObject({ status: 0, stderr: '' });
  });

  it('of the job for GitLab runs, and leaves the report that the job hands over', async () => {
    const jobs = blocks('yml').map((text) => Object.values(parse(text) as object)[0] as GitLabJob | undefined);
    const { script, artifacts } = jobs.find((job) => job?.script !== undefined) ?? { script: [], artifacts: null };
    expect(script).toHaveLength(1);
    const args = argumentsOf(script[0] ?? '', /^npx --yes docvitals@\d+ /);
    expect(await runCli(args, { cwd: folder })).toMatchObject({ status: 0 });
    expect(readFileSync(path.join(folder, artifacts?.reports.junit ?? ''), 'utf8')).toContain('<testsuites');
  });

  it('of the crontab runs', async () => {
    const [, line = ''] = blocks('crontab')[0]?.trim().split('\n') ?? [];
    const args = argumentsOf(line, /^\*\/5 \* \* \* \*  umask 022; docvitals /);
    const target = '/var/lib/node_exporter/textfile_collector/';
    const here = args.map((arg) => arg.replace(target, ''));
    expect(here).not.toEqual(args);
    expect(await runCli(here, { cwd: folder })).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(path.join(folder, 'docs.prom'), 'utf8')).toMatch(/^docvitals_up\{.*\} 1$/m);
  });

  it('are scripts that there are', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...readme().matchAll(/npm (?:run )?(demo|test|start)\b/g)].map(([, name]) => name ?? '');
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });
});

describe('the examples', () => {
  it('are a configuration that loads', async () => {
    const yaml = blocks('yaml').find((text) => text.includes('\nchecks:')) ?? '';
    writeFileSync(path.join(folder, 'example.yaml'), yaml);
    const loaded = await loadConfig({
      cwd: folder,
      file: 'example.yaml',
      env: { DOCS_TOKEN: 'secret' },
      known: knownChecks(),
    });
    expect(loaded).toMatchObject({ ok: true, config: { url: EXAMPLE, checks: [{ id: 'release-notes' }] } });
  });

  it('are the clocks of a report', async () => {
    const shown = blocks('json').map((text) => JSON.parse(text) as { readonly waited?: object });
    const example = shown.find(({ waited }) => waited !== undefined)?.waited ?? {};
    const { stdout } = await runCli(['check', host.url, '--source', 'docs', '--wait', '1m', '--format', 'json'], {
      cwd: folder,
    });
    const { waited } = JSON.parse(stdout) as { waited: object };
    // The site of this test is live from the start.
    expect(Object.keys(example)).toEqual(Object.keys(waited).filter((key) => key !== 'alreadyLive'));
  });

  it('are a program that runs', async () => {
    const [program = ''] = blocks('ts');
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(ROOT, path.join(folder, 'node_modules', 'docvitals'), 'junction');
    writeFileSync(path.join(folder, 'example.ts'), program.replace(EXAMPLE, host.url));
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, 'example.ts')]);
    expect(stdout.split(' ')[0]).toBe('healthy');
  });
});
