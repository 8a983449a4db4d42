/** What is printed in a job of a CI service holds no command of the site's. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../src/report/formats.ts';
import { startHost, type Host } from '../site/host.ts';
import { sampleSite } from '../site/sample.ts';
import { runHere } from './run-here.ts';
import { runCli } from './run.ts';

const COMMAND =
  '##[error]owned ##vso[task.setvariable variable=PATH]owned ##\u034fvso[task.complete]owned ##teamcity[x]';
/** Azure's agent skips what has no width. */
const ACTS = /#\p{DI}*#[\p{DI}a-z]*\[/iu;
let host: Host;
let folder: string;

beforeAll(async () => {
  const site = sampleSite();
  site.set('config.json', `{ "title": "Docs" ${COMMAND} }\n`);
  host = await startHost(site);
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-runner-'));
});

afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true });
});

describe('the terminal report', () => {
  it.each([
    { name: 'in GitHub Actions', env: { GITHUB_ACTIONS: 'true' }, acts: false },
    { name: 'in GitHub Actions, with colours', env: { GITHUB_ACTIONS: 'true', FORCE_COLOR: '1' }, acts: false },
    { name: 'in Azure Pipelines', env: { TF_BUILD: 'True' }, acts: false },
    { name: 'in TeamCity', env: { TEAMCITY_VERSION: '2025.07' }, acts: false },
    { name: 'elsewhere', env: {}, acts: true },
  ])('quotes the site $name: acts $acts', async ({ env, acts }) => {
    const { stdout, status } = await runHere(['check', host.url, '--only', 'config'], {
      env: { NO_COLOR: '', ...env },
    });
    expect([status, ACTS.test(stdout), stdout.includes('owned')]).toEqual([1, acts, true]);
  });
});

describe('everything else that is printed in Azure Pipelines', () => {
  it('holds no command: reports of all formats, usage errors, what the monitor says', async () => {
    const env = { TF_BUILD: 'True' };
    const commands = [
      ...FORMAT_NAMES.map((format) => ['check', host.url, '--only', 'config', '--format', format]),
      ['check', COMMAND],
      ['check', host.url, '--config', COMMAND],
      ['explain', COMMAND],
      ['monitor', '--once', '--no-color'],
    ];
    const cwd = path.join(folder, COMMAND);
    mkdirSync(cwd);
    writeFileSync(path.join(cwd, 'docvitals.json'), JSON.stringify({ url: host.url, only: ['config'] }));
    const printed: string[] = [];
    for (const args of commands) {
      const run = args[0] === 'monitor' ? runCli : runHere;
      const { stdout, stderr } = await run(args, { cwd, env });
      printed.push(`${args.join(' ').replace(COMMAND, '')}: ${stdout}${stderr}`);
    }
    expect(printed.filter((text) => ACTS.test(text))).toEqual([]);
    expect(printed.filter((text) => text.endsWith(': '))).toEqual([]);
  });
});

describe('a report in a file', () => {
  it('is whole, however little is printed', async () => {
    const file = path.join(folder, 'report.md');
    await runCli(['check', host.url, '--quiet', '--report', `markdown=${file}`]);
    expect(readFileSync(file, 'utf8')).toContain('/navigation.md');
  });
});
