/** What is printed in a step of a GitHub workflow holds no command of the site's. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHost, type Host } from '../site/host.ts';
import { sampleSite } from '../site/sample.ts';
import { runCli } from './run.ts';

const COMMAND = '##[error]owned';
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
    { name: 'in a workflow', env: { GITHUB_ACTIONS: 'true' }, acts: false },
    { name: 'in a workflow, with colours', env: { GITHUB_ACTIONS: 'true', FORCE_COLOR: '1' }, acts: false },
    { name: 'elsewhere', env: {}, acts: true },
  ])('quotes the site $name: acts $acts', async ({ env, acts }) => {
    const { stdout, status } = await runCli(['check', host.url, '--only', 'config'], { env });
    expect([status, stdout.includes('##['), stdout.includes('owned')]).toEqual([1, acts, true]);
  });
});

describe('a report in a file', () => {
  it('is whole, however little is printed', async () => {
    const file = path.join(folder, 'report.md');
    await runCli(['check', host.url, '--quiet', '--report', `markdown=${file}`]);
    expect(readFileSync(file, 'utf8')).toContain('/navigation.md');
  });
});
