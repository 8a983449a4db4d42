/** The Action where what is checked out may only have been proposed: nothing of it is run. */
import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runHere } from '../cli/run-here.ts';
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

  it('is not run where the workflow names it either, unless it is outside the workspace', async () => {
    const workspace = workspaceWith({ 'docvitals.config.mjs': program });
    const url = await serve();
    const inside = await runAction(proposed({ workspace, inputs: { url, config: 'docvitals.config.mjs' } }));
    expect([inside.status, existsSync(path.join(workspace, 'ran'))]).toEqual([2, false]);
    const elsewhere = path.join(workspaceWith({ 'docvitals.config.mjs': program }), 'docvitals.config.mjs');
    const outside = await runAction(proposed({ workspace, inputs: { url, config: elsewhere } }));
    expect([outside.status, existsSync(path.join(workspace, 'ran'))]).toEqual([0, true]);
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
    const cli = await runHere(args, {
      cwd: workspace,
      env: { ...env, GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: payload, GITHUB_WORKSPACE: workspace },
    });
    return { statuses: [action.status, cli.status], received, output: cli.stderr };
  }

  it.each([
    { name: 'pull_request_target', event: fork },
    { name: 'workflow_run', event: {} },
    { name: 'issue_comment', event: { issue: { number: 1, pull_request: {} } } },
    { name: 'deployment_status', event: { deployment_status: { state: 'success' } } },
  ])('are not read on $name', async ({ name, event }) => {
    const { statuses, received, output } = await run(name, event);
    expect([statuses, received]).toEqual([[2, 2], false]);
    expect(output).toContain('DEPLOY_KEY');
  });

  it('are read where who wrote it may change the repository', async () => {
    expect(await run('pull_request_target', own)).toMatchObject({ statuses: [1, 1], received: true });
  });

  it.each([
    { name: 'pull_request_target', event: fork },
    { name: 'pull_request', event: fork },
    { name: 'deployment_status', event: { deployment_status: { state: 'success' } } },
  ])('nor does it choose on $name who gets the headers of the workflow', async ({ name, event }) => {
    const headers = 'X-B: s3cret-value';
    expect(await run(name, event, { config: '', headers })).toMatchObject({ statuses: [2, 2], received: false });
  });
});

describe('what is proposed', () => {
  const FORK = {
    pull_request: { head: { repo: { full_name: 'mallory/x' } }, base: { repo: { full_name: 'octocat/x' } } },
  };
  const EVENTS = [
    ['pull_request', FORK],
    ['deployment_status', { deployment_status: { state: 'success' }, deployment: { sha: SHA } }],
  ] as const;

  /** Runs the Action, and the command with the same options in the same job. */
  async function runBoth(
    workspace: string,
    [name, event]: (typeof EVENTS)[number],
    inputs: Readonly<Record<string, string>>,
    args: readonly string[],
  ): Promise<(number | null)[]> {
    const action = await runAction({ workspace, event, env: { GITHUB_EVENT_NAME: name }, inputs });
    const payload = path.join(temporary('event'), 'event.json');
    writeFileSync(payload, JSON.stringify(event));
    const job = { GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: payload };
    const cli = await runHere(['check', ...args], { cwd: workspace, env: { ...job, GITHUB_WORKSPACE: workspace } });
    return [action.status, cli.status];
  }

  it.each([0, 1] as const)('names no browser to run: event %i', async (index) => {
    const workspace = temporary('program');
    writeFiles(workspace, { 'docvitals.yaml': 'browser: { enabled: true, path: ./browser, routes: 0 }\n' });
    const ran = path.join(workspace, 'ran');
    writeFileSync(path.join(workspace, 'browser'), `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
    const [name, event] = EVENTS[index];
    // The machine's own browser, which would be used instead, is not on this path.
    const env = { GITHUB_EVENT_NAME: name, PATH: workspace };
    await runAction({ workspace, event, env, inputs: { url: await serve() } });
    expect(existsSync(ran)).toBe(false);
  });

  it.each([
    ['a command of an alert', "alerts: [{ id: ops, command: { run: ['./program'] } }]\n"],
    ['a database elsewhere', 'monitor: { database: ../docvitals.db }\n'],
    ['a source elsewhere', 'source: ..\n'],
  ])('does not let docvitals monitor use %s', async (_, config) => {
    const workspace = path.join(temporary('monitor'), 'workspace');
    const ran = path.join(workspace, 'ran');
    // The site is down, so that an alert is due.
    writeFiles(workspace, { 'docvitals.yaml': `url: http://127.0.0.1:9/\n${config}` });
    writeFileSync(path.join(workspace, 'program'), `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
    const payload = path.join(temporary('event'), 'event.json');
    writeFileSync(payload, JSON.stringify(FORK));
    const job = { GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: payload };
    const env = { ...job, GITHUB_WORKSPACE: workspace };
    const { status } = await runHere(['monitor', '--once'], { cwd: workspace, env });
    expect([status, existsSync(ran), existsSync(path.join(workspace, '../docvitals.db'))]).toEqual([2, false, false]);
  });

  it.each([
    ['a source of the workflow that is a link', {}, { source: 'docs' }, ['--source', 'docs']],
    ['a source of its configuration that is a link', { 'docvitals.yaml': 'source: docs\n' }, {}, []],
    ['a source of its configuration', { 'docvitals.yaml': 'source: ..\n' }, {}, []],
  ])('leads to nothing outside the workspace: %s', async (_, files, inputs, options) => {
    const workspace = temporary('links');
    writeFiles(workspace, { 'README.md': '', ...files });
    symlinkSync('/etc', path.join(workspace, 'docs'));
    const url = await serve();
    for (const event of EVENTS)
      expect(await runBoth(workspace, event, { url, ...inputs }, [url, ...options])).toEqual([2, 2]);
  });

  it('is no configuration that is a link out of the workspace', async () => {
    const [workspace, elsewhere] = [temporary('links'), temporary('elsewhere')];
    writeFiles(elsewhere, { 'docvitals.yaml': 'only: [bundle]\n' });
    symlinkSync(path.join(elsewhere, 'docvitals.yaml'), path.join(workspace, 'docvitals.yaml'));
    const url = await serve();
    expect(await runBoth(workspace, EVENTS[0], { url }, [url])).toEqual([2, 2]);
  });

  it('receives no report through a link', async () => {
    const [workspace, elsewhere] = [temporary('links'), temporary('elsewhere')];
    symlinkSync(elsewhere, path.join(workspace, 'out'));
    symlinkSync(path.join(elsewhere, 'new'), path.join(workspace, 'report.json'));
    const url = await serve();
    const inputs = { url, 'report-dir': 'out/reports' };
    expect(await runBoth(workspace, EVENTS[0], inputs, [url, '--report', 'json=report.json'])).toEqual([2, 2]);
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe('report-dir', () => {
  it('is no link out of the workspace, not even after a push; the workflow may name a folder outside', async () => {
    const [workspace, elsewhere] = [temporary('links'), temporary('elsewhere')];
    symlinkSync(elsewhere, path.join(workspace, 'out'));
    const url = await serve();
    const through = await runAction({ workspace, inputs: { url, 'report-dir': 'out' } });
    expect([through.status, readdirSync(elsewhere)]).toEqual([2, []]);
    expect(through.errors[0]?.data).toContain('report-dir: out');
    const named = await runAction({ workspace, inputs: { url, 'report-dir': elsewhere } });
    expect([named.status, readdirSync(elsewhere)]).toEqual([0, expect.arrayContaining(['report.json'])]);
  });
});
