/** The Action and what surrounds it: the event, the inputs, the environment. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listen, startHost, type Host } from '../../site/host.ts';
import { runAction, type ActionOptions } from '../../action/run.ts';
import { smallSite, temporary, writeFiles } from '../../action/workspace.ts';

const NOTHING = {
  verdict: '',
  failed: '',
  summary: '',
  'report-dir': '',
  'report-json': '',
  'artifact-id': '',
  'artifact-url': '',
  fresh: '',
  'live-after-ms': '',
};
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

function deployed(status: Readonly<Record<string, unknown>>): ActionOptions {
  const event = {
    action: 'created',
    deployment_status: { environment: 'Preview', target_url: 'http://127.0.0.1:9/log', ...status },
    deployment: { sha: SHA, environment: 'Preview' },
  };
  return { event, env: { GITHUB_EVENT_NAME: 'deployment_status' } };
}

describe('deployment_status', () => {
  it('gives the address', async () => {
    const result = await runAction(deployed({ state: 'success', environment_url: await serve() }));
    expect([result.status, result.outputs['verdict']]).toEqual([0, 'healthy']);
  });

  it('gives the address rather than the configuration does', async () => {
    const workspace = temporary('configured');
    writeFiles(workspace, { 'docvitals.yaml': 'url: http://127.0.0.1:9/\n' });
    const options = deployed({ state: 'success', environment_url: await serve() });
    expect((await runAction({ ...options, workspace })).outputs['verdict']).toBe('healthy');
  });

  it.each(['pending', 'failure', 'inactive', ''])(
    'of a deployment that is at %s: there is nothing to check, and nothing fails',
    async (state) => {
      const result = await runAction(deployed({ state, environment_url: '' }));
      expect([result.status, result.outputs]).toEqual([0, NOTHING]);
      expect(result.commands.map(({ name }) => name)).toEqual(['notice']);
    },
  );

  it.each([
    { name: 'an empty address', url: '' },
    { name: 'no address', url: undefined },
    { name: 'what is no address', url: '::error::x' },
  ])('with $name: an error, and not the address of the log', async ({ url }) => {
    const result = await runAction(deployed({ state: 'success', environment_url: url }));
    expect([result.status, result.errors.length, result.outputs]).toEqual([2, 1, {}]);
    expect(result.errors[0]?.properties).toEqual({ title: 'docvitals' });
  });

  it('with the input url: that counts, whatever the state is', async () => {
    const options = deployed({ state: 'failure', environment_url: 'http://127.0.0.1:9/' });
    const result = await runAction({ ...options, inputs: { url: await serve() } });
    expect(result.outputs['verdict']).toBe('healthy');
  });
});

describe('mistakes in the inputs name the input', () => {
  const url = 'http://127.0.0.1:9/';
  it.each([
    { name: 'no address at all', inputs: {}, names: 'url' },
    { name: 'an address without a scheme', inputs: { url: 'docs.example.com' }, names: 'docs.example.com' },
    { name: 'a boolean of YAML 1.1', inputs: { url, full: 'yes' }, names: 'full' },
    { name: 'an unknown check', inputs: { url, only: 'bundel' }, names: 'only' },
    { name: 'good rounds of nothing', inputs: { url, stable: '3' }, names: 'stable' },
    { name: 'a folder of an empty workspace', inputs: { url, source: 'docs' }, names: 'actions/checkout' },
    { name: 'a configuration in an empty workspace', inputs: { url, config: 'x.yaml' }, names: 'actions/checkout' },
    { name: 'a folder that is not there', inputs: { url, source: '/nowhere/docs' }, names: 'source' },
    { name: 'a configuration that is not there', inputs: { url, config: '/nowhere/x.yaml' }, names: 'x.yaml' },
    { name: 'two addresses', inputs: { url: `${url}\n${url}` }, names: 'url' },
    { name: 'a header twice', inputs: { url, headers: 'X-A: secret-value\nx-a: secret-value-2' }, names: 'x-a' },
    { name: 'a header without a colon', inputs: { url, headers: 'X-A: b\nsecret-value' }, names: 'headers' },
    { name: 'now without waiting', inputs: { url, since: 'now' }, names: 'since' },
    { name: 'a command', inputs: { url, only: '::error::x\n##[error]y' }, names: 'only' },
  ])('$name', async ({ inputs, names }) => {
    const result = await runAction({ inputs });
    expect([result.status, result.errors.length, result.outputs]).toEqual([2, 1, {}]);
    expect(result.errors[0]?.data).toContain(names);
    // Not the options of the command line.
    expect(result.errors[0]?.data).not.toMatch(/(?:^|\s)--[a-z]/);
    expect(result.output).not.toContain('secret-value');
    expect(result.commands.map(({ name }) => name)).toEqual(['error']);
  });

  it.each(['docvitals.yaml', 'sub/docvitals.yaml'])(
    'mistakes in the configuration %s have their lines',
    async (file) => {
      const workspace = temporary('configured');
      writeFiles(workspace, { [file]: `url: ${url}\nfull: perhaps\nstrict: 1\n` });
      const result = await runAction({ workspace, inputs: file === 'docvitals.yaml' ? {} : { config: file } });
      expect(result.status).toBe(2);
      expect(result.errors.map(({ properties }) => properties)).toEqual([
        { title: 'docvitals', file, line: '2', col: '7' },
        { title: 'docvitals', file, line: '3', col: '9' },
      ]);
      expect(result.errors[0]?.data).toContain(`${file}:2`);
    },
  );

  it('more mistakes than GitHub shows are reported all the same', async () => {
    const workspace = temporary('configured');
    const keys = Array.from({ length: 14 }, (_, index) => `key${index}: 1\n`);
    writeFiles(workspace, { 'docvitals.yaml': keys.join('') });
    const result = await runAction({ workspace });
    expect([result.status, result.errors.length]).toEqual([2, 10]);
    expect(result.errors.at(-1)?.data).toContain('key13');
  });

  it.each(['ro', 'fr'])('in the language %s', async (lang) => {
    const [told, english] = await Promise.all([
      runAction({ inputs: { url, lang, full: 'yes' } }),
      runAction({ inputs: { url, full: 'yes' } }),
    ]);
    expect(told.errors[0]?.data).not.toBe(english.errors[0]?.data);
  });

  it.each([' True '])('%j is true', async (full) => {
    const result = await runAction({ inputs: { url: await serve(), full, only: 'bundle' } });
    expect(result.status).toBe(0);
  });
});

describe('secrets', () => {
  let sent: string[] = [];
  beforeAll(() => {
    sent = [];
  });

  it('are sent, masked, and printed nowhere', async () => {
    const site = new Map(Object.entries(smallSite('one')));
    const host = await listen(({ url = '', headers }, response) => {
      sent.push(String(headers['x-bypass']));
      const body = site.get(url.slice(1));
      const type = url.endsWith('.html') ? 'text/html' : 'text/plain';
      response.writeHead(body === undefined ? 404 : 200, {
        'content-type': `${type}; x="${String(headers['x-bypass'])}"`,
      });
      response.end(body);
    });
    hosts.push(host);
    const headers = 'X-Bypass: s3cret-value-1\n\nCookie: session=s3cret-value-2\nAccept-Language: fr\n';
    const url = host.url.replace('//', '//user:s3cret-value-3@');
    const result = await runAction({ inputs: { url, headers } });
    expect(sent).toContain('s3cret-value-1');
    const masked = result.commands.filter(({ name }) => name === 'add-mask').map(({ data }) => data);
    expect(masked).toEqual(expect.arrayContaining(['s3cret-value-1', 'session=s3cret-value-2', 's3cret-value-3']));
    expect(masked).not.toContain('fr');
    const told = [
      result.log.join('\n'),
      result.summary,
      JSON.stringify([result.outputs, result.report(), result.errors]),
    ];
    expect(told.join('\n')).not.toContain('s3cret');
  });
});

describe('places that are not as on GitHub', () => {
  it('outside a workflow: an error that is no command, and names the command to use', async () => {
    const result = await runAction({ env: { GITHUB_ACTIONS: '' } });
    expect([result.status, result.commands, result.outputs]).toEqual([2, [], {}]);
    expect(result.stderr).toContain('docvitals check');
  });

  it('without a workspace, an event, or the files of the runner', async () => {
    const env = {
      GITHUB_EVENT_PATH: '/nowhere/event.json',
      GITHUB_STEP_SUMMARY: '',
      GITHUB_OUTPUT: '',
      RUNNER_TEMP: '',
    };
    const result = await runAction({ inputs: { url: await serve() }, env: { ...env, TMPDIR: temporary('tmp') } });
    expect([result.status, result.errors]).toEqual([0, []]);
  });

  it('where reports cannot be written: reported, and everything else is done', async () => {
    const workspace = temporary('blocked');
    writeFiles(workspace, { out: 'a file' });
    const result = await runAction({ inputs: { url: await serve(), 'report-dir': 'out/reports' }, workspace });
    expect([result.status, result.outputs['verdict'], result.outputs['report-json']]).toEqual([3, 'healthy', '']);
    expect(result.errors).toHaveLength(1);
    expect(result.summary).not.toBe('');
  });
});
