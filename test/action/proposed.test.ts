/** The built Action where what is checked out may only have been proposed: nothing of it is run. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run.ts';
import { listen, startHost, type Host } from '../site/host.ts';
import { runAction, type ActionOptions } from './run.ts';
import { smallSite, temporary, writeFiles } from './workspace.ts';

const SHA = '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c';

const hosts: Host[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

async function serve(): Promise<string> {
  const host = await startHost(new Map(Object.entries(smallSite('one'))));
  hosts.push(host);
  return host.url;
}

describe('a configuration that is a program', () => {
  const workspaceWith = (files: Readonly<Record<string, string>>): string => {
    const workspace = temporary('program');
    writeFiles(workspace, files);
    return workspace;
  };
  const program = `import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', '');\nexport default { only: ['bundle'] };\n`;
  const proposed = (options: ActionOptions): ActionOptions => ({
    ...options,
    event: { deployment_status: { state: 'success' }, deployment: { sha: SHA } },
    env: { GITHUB_EVENT_NAME: 'deployment_status' },
  });

  it.each(['docvitals.config.ts', 'docvitals.config.js', 'docvitals.config.mjs'])(
    'is not run where it may only be proposed: %s',
    async (file) => {
      const workspace = workspaceWith({ [file]: program });
      const result = await runAction(proposed({ workspace, inputs: { url: 'http://127.0.0.1:9/' } }));
      expect([result.status, result.errors.length]).toEqual([2, 1]);
      expect(result.errors[0]?.data).toContain(file);
      expect(existsSync(path.join(workspace, 'ran'))).toBe(false);
    },
  );

  it('is run where the workflow names it', async () => {
    const workspace = workspaceWith({ 'docvitals.config.mjs': program });
    const inputs = { url: await serve(), config: 'docvitals.config.mjs' };
    const result = await runAction(proposed({ workspace, inputs }));
    expect([result.status, existsSync(path.join(workspace, 'ran'))]).toEqual([0, true]);
  });

  it('is run after a push, which is in the repository', async () => {
    const workspace = workspaceWith({ 'docvitals.config.mjs': program });
    const result = await runAction({ workspace, inputs: { url: await serve() } });
    expect([result.status, existsSync(path.join(workspace, 'ran'))]).toEqual([0, true]);
  });

  it('is not in the way of one that is none', async () => {
    const workspace = workspaceWith({ 'docvitals.config.ts': program, 'docvitals.yaml': 'only: [bundle]\n' });
    const result = await runAction(proposed({ workspace, inputs: { url: await serve() } }));
    expect([result.status, existsSync(path.join(workspace, 'ran'))]).toEqual([0, false]);
  });

  it.each(['ACTIONS_RUNTIME_TOKEN', 'INPUT_HEADERS'])('nor can another one send %s', async (name) => {
    const workspace = workspaceWith({ 'docvitals.yaml': `headers:\n  X-A: \${${name}}\n` });
    const result = await runAction({
      workspace,
      inputs: { url: await serve(), headers: 'X-B: s3cret-value' },
      env: { ACTIONS_RUNTIME_TOKEN: 's3cret-value' },
    });
    expect([result.status, result.errors.length]).toEqual([2, 1]);
    expect(result.output.replaceAll(/::add-mask::.*/g, '')).not.toContain('s3cret');
  });
});

describe('variables in a configuration that may only be proposed', () => {
  const fork = {
    pull_request: { head: { repo: { full_name: 'mallory/x' } }, base: { repo: { full_name: 'octocat/x' } } },
  };
  const own = {
    pull_request: { head: { repo: { full_name: 'octocat/x' } }, base: { repo: { full_name: 'octocat/x' } } },
  };
  const secret = { DEPLOY_KEY: 's3cret-value' };

  /** What came to the host that the configuration names, from the Action and from the command. */
  async function run(
    name: string,
    event: unknown,
    { config = 'headers:\n  X-A: ${DEPLOY_KEY}\n', headers = '' } = {},
  ): Promise<{ statuses: (number | null)[]; received: boolean; output: string }> {
    let received = false;
    const host = await listen(({ headers: sent }, response) => {
      received ||= JSON.stringify(sent).includes('s3cret');
      response.end();
    });
    hosts.push(host);
    const workspace = temporary('variables');
    writeFiles(workspace, { 'docvitals.yaml': `url: ${host.url}\n${config}` });
    const env = { ...secret, GITHUB_EVENT_NAME: name };
    const inputs: Record<string, string> = headers === '' ? {} : { headers };
    const action = await runAction({ workspace, event, env, inputs });
    const payload = path.join(temporary('event'), 'event.json');
    writeFileSync(payload, JSON.stringify(event));
    const args = ['check', ...(headers === '' ? [] : ['--header', headers])];
    const cli = await runCli(args, {
      cwd: workspace,
      env: { ...env, GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: payload, GITHUB_WORKSPACE: workspace },
    });
    return { statuses: [action.status, cli.status], received, output: cli.stderr };
  }

  it.each([
    { name: 'pull_request_target', event: fork },
    { name: 'workflow_run', event: {} },
    { name: 'issue_comment', event: { issue: { number: 1, pull_request: {} } } },
  ])('are not read on $name', async ({ name, event }) => {
    const { statuses, received, output } = await run(name, event);
    expect([statuses, received]).toEqual([[2, 2], false]);
    expect(output).toContain('DEPLOY_KEY');
  });

  it('are read where who wrote it may change the repository', async () => {
    expect(await run('pull_request_target', own)).toMatchObject({ statuses: [1, 1], received: true });
  });

  it('nor does it choose who gets the headers of the workflow', async () => {
    const headers = 'X-B: s3cret-value';
    expect(await run('pull_request_target', fork, { config: '', headers })).toMatchObject({
      statuses: [2, 2],
      received: false,
    });
  });
});
