/**
 * The Action and the artifacts of a workflow run, through GitHub's own client, which is in a file of its own of what is
 * built.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startHost, type Host } from '../site/host.ts';
import { RUNTIME_TOKEN, SIGNATURE, startArtifacts, unzip, type ArtifactService } from './artifacts.ts';
import { runAction, startAction, type ActionResult, type StartOptions } from './run.ts';
import { smallSite, temporary, writeFiles } from './workspace.ts';

const REPORTS = ['report.html', 'report.json', 'report.junit.xml', 'report.md', 'report.sarif'];
const URL = 'https://github.com/octocat/handbook/actions/runs/1234567890/artifacts/4711';

const hosts: Host[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

async function service(respond?: Parameters<typeof startArtifacts>[0]): Promise<ArtifactService> {
  const started = await startArtifacts(respond);
  hosts.push(started);
  return started;
}

async function run({ inputs, ...options }: StartOptions, start = startAction): Promise<ActionResult> {
  const host = await startHost(new Map(Object.entries(smallSite('one'))));
  hosts.push(host);
  const result = await start({ ...options, inputs: { url: host.url, ...inputs } });
  expect(result.output).not.toContain(SIGNATURE);
  expect(result.output).not.toContain(RUNTIME_TOKEN);
  return result;
}

const warned = ({ warnings }: ActionResult): string[] => warnings.map(({ data }) => data);

describe('an artifact', () => {
  it('has the reports and nothing else of their folder, and is linked in the outputs, the log and the job summary', async () => {
    const { env, artifacts } = await service();
    const workspace = temporary('workspace');
    writeFiles(workspace, { 'out/secret.txt': 'secret', 'out/screenshots/old.jpg': 'old' });
    const result = await run({ inputs: { artifact: 'docs of main', 'report-dir': 'out' }, workspace, env });
    expect([result.status, warned(result), result.stderr]).toEqual([0, [], '']);
    expect([...artifacts.keys()]).toEqual(['docs of main']);
    const files = unzip(artifacts.get('docs of main'));
    expect(readdirSync(files).toSorted()).toEqual(REPORTS);
    for (const name of REPORTS) {
      expect(readFileSync(path.join(files, name))).toEqual(readFileSync(path.join(workspace, 'out', name)));
    }
    const { outputs, summary, log } = result;
    expect([outputs['artifact-id'], outputs['artifact-url']]).toEqual(['4711', URL]);
    expect(summary).toContain(`](${URL})`);
    expect(log.filter((line) => line.endsWith(URL))).toHaveLength(1);
  });

  it.each([{}, { artifact: 'false' }])('is not uploaded unless wanted: %j', async (inputs) => {
    const { env, requests } = await service();
    const result = await run({ inputs, env }, runAction);
    expect([result.status, warned(result), requests]).toEqual([0, [], []]);
    expect(result.outputs).toMatchObject({ 'artifact-id': '', 'artifact-url': '' });
  });

  it('keeps the report of a site that fails', async () => {
    const { env, artifacts } = await service();
    const result = await run({ inputs: { artifact: 'true', url: 'http://127.0.0.1:9/' }, env });
    expect(result.status).not.toBe(0);
    expect([...artifacts.keys()]).toEqual(['docvitals']);
  });
});

describe('an upload that is not possible is one warning and does not fail the job:', () => {
  const CREATE = 'POST /twirp/github.actions.results.api.v1.ArtifactService/CreateArtifact';

  it('the name is taken', async () => {
    const msg = 'an artifact with this name already exists on the workflow run';
    const { env } = await service((request) => (request === CREATE ? [409, { msg }] : null));
    const result = await run({ inputs: { artifact: 'docs' }, env });
    expect([result.status, result.outputs['artifact-url']]).toEqual([0, '']);
    expect(warned(result)).toEqual([expect.stringContaining('Set `artifact` to another name')]);
  });

  it.each([
    { env: { ACTIONS_RESULTS_URL: '' }, name: 'no service', start: runAction },
    { env: { ACTIONS_RUNTIME_TOKEN: '' }, name: 'no token', start: runAction },
    { env: { GITHUB_SERVER_URL: 'https://github.company.test' }, name: 'GitHub Enterprise Server', start: startAction },
  ])('$name', async ({ env, start }) => {
    const { requests, ...started } = await service();
    const result = await run({ inputs: { artifact: 'true' }, env: { ...started.env, ...env } }, start);
    expect([result.status, requests]).toEqual([0, []]);
    expect(warned(result)).toEqual([expect.stringContaining('this server has no storage for artifacts')]);
    expect(result.summary).not.toContain('/artifacts/');
  });

  it.each([
    { name: 'a refusal', failing: CREATE, says: '(403) Forbidden: no more room' },
    { name: 'the store', failing: 'PUT /store/docvitals', says: '' },
  ])('$name', async ({ failing, says }) => {
    const { env } = await service((request) => (request === failing ? [403, { msg: 'no more room' }] : null));
    const result = await run({ inputs: { artifact: 'true' }, env });
    expect([result.status, result.outputs['artifact-id']]).toEqual([0, '']);
    expect(warned(result)).toEqual([expect.stringMatching(/^artifact: the reports were not uploaded \(.+\)\.$/)]);
    expect(warned(result)[0]).toContain(says);
  });

  it('the service is not reachable, or the token is none', async () => {
    const { env, ...host } = await startArtifacts();
    await host.close();
    const broken = { ...env, ACTIONS_RUNTIME_TOKEN: 'x' };
    for (const given of [env, broken]) {
      const result = await run({ inputs: { artifact: 'true' }, env: given });
      expect([result.status, result.warnings.length]).toEqual([0, 1]);
    }
  });
});

it('a job that is cancelled does not wait for an upload', async () => {
  let cancel = (): void => {};
  const { env } = await service(() => {
    cancel();
    return 'hang';
  });
  const result = await run({
    inputs: { artifact: 'true' },
    env,
    onStart: (child) => {
      cancel = () => void child.kill('SIGINT');
    },
  });
  expect([result.status, warned(result), result.outputs['verdict']]).toEqual([130, [], 'healthy']);
  expect(result.durationMs).toBeLessThan(20_000);
});
