/** Userinfo, configured headers and proxy credentials: sent to the one place they are for, and told nowhere. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from '../site/host.ts';
import type { Host } from '../site/host.ts';
import { runHere, type OptionsHere } from './run-here.ts';

const FILES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  'index.html': ['text/html', '<!doctype html><title>Docs</title><div id="app"></div>'],
  'config.json': ['application/json', '{}'],
  'navigation.md': ['text/markdown', '- [Home](index.md)\n'],
  'index.md': ['text/markdown', '# Docs\n'],
  'llms.txt': ['text/plain', '# Docs\n\n- [Home](index.md)\n'],
};

type Handler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A healthy site that keeps what was asked of it. `handle` answers first where it returns true. */
class Recorder {
  readonly requests: IncomingMessage[] = [];
  readonly hosts: Host[] = [];

  async start(handle: Handler = () => false): Promise<Host> {
    const host = await listen((request, response) => {
      this.requests.push(request);
      if (handle(request, response)) return;
      const [type, body] = FILES[(request.url ?? '').split('/').at(-1) ?? ''] ?? [];
      if (type === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': type }).end(body);
    });
    this.hosts.push(host);
    return host;
  }

  values(header: string): string[] {
    return [...new Set(this.requests.map(({ headers }) => String(headers[header])))];
  }
}

const open: Recorder[] = [];
function recorder(): Recorder {
  const made = new Recorder();
  open.push(made);
  return made;
}
afterEach(async () => {
  await Promise.all(open.splice(0).flatMap(({ hosts }) => hosts.map((host) => host.close())));
});

const basic = (userinfo: string): string => `Basic ${Buffer.from(userinfo).toString('base64')}`;
const withUserinfo = (url: string, userinfo: string): string => url.replace('//', `//${userinfo}@`);

/** Everything that the command tells anywhere: both outputs, in every form, and the files it writes. */
async function told(
  args: readonly string[],
  options: OptionsHere = {},
): Promise<{ text: string; statuses: (number | null)[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'docvitals-secrets-'));
  const reports = ['--report', `json=${join(folder, 'r.json')}`, '--report', `pretty=${join(folder, 'r.txt')}`];
  const runs = await Promise.all([
    runHere(['check', ...args, '--retries', '0', '--verbose', ...reports], options),
    runHere(['check', ...args, '--retries', '0', '--format', 'json'], options),
    runHere(['check', ...args, '--retries', '0', '--quiet', '--lang', 'fr'], options),
  ]);
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  return {
    text: [...runs.flatMap(({ stdout, stderr }) => [stdout, stderr]), ...files].join('\n'),
    statuses: runs.map(({ status }) => status),
  };
}

const SECRETS = ['hunter2', 'p%40ss', 'p@ss', 'top-secret', ...['me:hunter2', 'm@e:p@ss:w'].map(basic)];

function expectNothingOf(text: string): void {
  for (const secret of SECRETS) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(secret.replace('Basic ', ''));
  }
}

describe('userinfo', () => {
  it.each([
    { given: 'me:hunter2', sent: 'me:hunter2' },
    { given: 'm%40e:p%40ss:w', sent: 'm@e:p@ss:w' },
    { given: 'hunter2', sent: 'hunter2:' },
    { given: ':hunter2', sent: ':hunter2' },
  ])('$given is sent and not printed', async ({ given, sent }) => {
    const site = recorder();
    const { url } = await site.start();
    const { text, statuses } = await told([withUserinfo(url, given)]);
    expect(statuses).toEqual([0, 0, 0]);
    expect(site.values('authorization')).toEqual([basic(sent)]);
    expectNothingOf(text);
  });

  const faults: readonly { name: string; handle: Handler; status: number }[] = [
    { name: 'is refused', handle: (_, response) => !!response.writeHead(401).end('no'), status: 3 },
    {
      name: 'leads on',
      handle: ({ url }, response) => !!response.writeHead(302, { location: `${url ?? ''}/` }).end(),
      status: 1,
    },
    {
      name: 'is sent back',
      handle: ({ headers }, response) => !!response.writeHead(403).end(`not for ${headers.authorization ?? ''}`),
      status: 1,
    },
    { name: 'gets no answer', handle: ({ socket }) => !!socket.destroy(), status: 1 },
  ];

  it.each(faults)('is not printed where it $name', async ({ handle, status }) => {
    const { url } = await recorder().start(handle);
    const { text, statuses } = await told([withUserinfo(url, 'me:hunter2')]);
    expect(statuses).toEqual([status, status, status]);
    expectNothingOf(text);
  });

  it('of the configuration is sent and not printed', async () => {
    const site = recorder();
    const { url } = await site.start();
    const cwd = mkdtempSync(join(tmpdir(), 'docvitals-cwd-'));
    writeFileSync(join(cwd, 'docvitals.yaml'), `url: ${withUserinfo(url, 'me:${PASSWORD}')}\n`);
    const { text, statuses } = await told([], { cwd, env: { PASSWORD: 'hunter2' } });
    expect(statuses).toEqual([0, 0, 0]);
    expect(site.values('authorization')).toEqual([basic('me:hunter2')]);
    expectNothingOf(text);
  });

  it('is not printed where the deadline ends the run', async () => {
    const { url } = await recorder().start(({ url: path }) => path === '/index.md');
    const { stdout, stderr } = await runHere([
      'check',
      withUserinfo(url, 'me:hunter2'),
      '--deadline',
      '1s',
      '--verbose',
    ]);
    expectNothingOf(stdout + stderr);
  });
});

describe('--header', () => {
  const HEADERS = ['--header', 'X-Key: top-secret', '--header', 'Authorization: Bearer hunter2'];

  it('is sent to the site with every request and not printed', async () => {
    const site = recorder();
    const { url } = await site.start();
    const { text, statuses } = await told([url, ...HEADERS]);
    expect(statuses).toEqual([0, 0, 0]);
    expect(site.values('x-key')).toEqual(['top-secret']);
    expect(site.values('authorization')).toEqual(['Bearer hunter2']);
    expectNothingOf(text);
  });

  it('counts over userinfo and over the configuration', async () => {
    const site = recorder();
    const { url } = await site.start();
    const cwd = mkdtempSync(join(tmpdir(), 'docvitals-cwd-'));
    writeFileSync(join(cwd, 'docvitals.yaml'), `url: ${url}\nheaders:\n  x-KEY: from the file\n  X-Other: kept\n`);
    const { statuses } = await told([withUserinfo(url, 'me:pw'), ...HEADERS], { cwd });
    expect(statuses).toEqual([0, 0, 0]);
    expect(site.values('authorization')).toEqual(['Bearer hunter2']);
    expect(site.values('x-key')).toEqual(['top-secret']);
    expect(site.values('x-other')).toEqual(['kept']);
  });

  it('may hold colons and nothing', async () => {
    const site = recorder();
    const { url } = await site.start();
    await runHere(['check', url, '--header', 'X-A:a:b: c', '--header', 'X-B:', '--header', 'X-C:  spaced  ']);
    expect(['x-a', 'x-b', 'x-c'].map((name) => site.values(name))).toEqual([['a:b: c'], [''], ['spaced']]);
  });

  it('goes to no other origin, not even after a redirect', async () => {
    const other = recorder();
    const elsewhere = await other.start();
    const site = recorder();
    const { url } = await site.start(({ url: path }, response) => {
      if (path === '/config.json') return false;
      response.writeHead(302, { location: `${elsewhere.url}${(path ?? '').slice(1)}` }).end();
      return true;
    });
    const { text } = await told([withUserinfo(url, 'me:hunter2'), '--header', 'X-Key: top-secret']);
    expect(other.requests.length).toBeGreaterThan(0);
    expect([other.values('x-key'), other.values('authorization')]).toEqual([['undefined'], ['undefined']]);
    expect([site.values('x-key'), site.values('authorization')]).toEqual([['top-secret'], [basic('me:hunter2')]]);
    expectNothingOf(text);
  });

  it('goes to no other origin that the configuration of the site names', async () => {
    const other = recorder();
    const elsewhere = await other.start();
    const site = recorder();
    const { url } = await site.start(({ url: path }, response) => {
      if (path !== '/config.json') return false;
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ llmsTxtUrl: `${elsewhere.url}llms.txt` }));
      return true;
    });
    await told([withUserinfo(url, 'me:hunter2'), '--header', 'X-Key: top-secret']);
    expect(other.requests.length).toBeGreaterThan(0);
    expect([other.values('x-key'), other.values('authorization')]).toEqual([['undefined'], ['undefined']]);
  });
});

describe('the credentials of a proxy', () => {
  const proxyOf = (host: Host): Record<string, string> => ({ HTTP_PROXY: `http://me:hunter2@127.0.0.1:${host.port}` });

  it('are sent to the proxy and not printed', async () => {
    const proxy = recorder();
    const { text, statuses } = await told(['http://docs.test/'], { env: proxyOf(await proxy.start()) });
    expect(statuses).toEqual([0, 0, 0]);
    expect(proxy.values('proxy-authorization')).toEqual([basic('me:hunter2')]);
    expect(proxy.values('authorization')).toEqual(['undefined']);
    expectNothingOf(text);
  });

  it('are not printed where the proxy is dead', async () => {
    const proxy = recorder();
    const host = await proxy.start();
    await host.close();
    proxy.hosts.pop();
    const { text, statuses } = await told(['http://docs.test/'], { env: proxyOf(host) });
    expect(statuses).toEqual([3, 3, 3]);
    expectNothingOf(text);
  });

  it('are not printed where the proxy refuses them, which says nothing about the site', async () => {
    const host = await recorder().start((_, response) => !!response.writeHead(407).end('who are you?'));
    const { text, statuses } = await told(['http://docs.test/'], { env: proxyOf(host) });
    expect(statuses).toEqual([3, 3, 3]);
    expectNothingOf(text);
  });
});

describe('an address in the wrong place', () => {
  it.each([
    ['without its command', [withUserinfo('https://docs.test/', 'me:hunter2')]],
    ['as a format', ['check', '--format', withUserinfo('https://docs.test/', 'me:hunter2')]],
    ['as a configuration', ['check', '--config', withUserinfo('https://docs.test/', 'me:hunter2')]],
    [
      'as a configuration, with white space',
      ['check', '--config', withUserinfo('https://docs.test/', 'me:a\thunter2')],
    ],
    ['as an id', ['explain', 'me:hunter2@docs.test']],
  ])('%s is reported without its userinfo', async (_name, args) => {
    const { status, stdout, stderr } = await runHere(args);
    expect([status, stdout]).toEqual([2, '']);
    expectNothingOf(stderr);
  });
});

describe('words that are no secrets', () => {
  it.each([
    ['of a header that says what is wanted', ['--header', 'Accept: text/html']],
    ['that stand in the address too', ['--header', 'X-Part: index.md']],
  ])('%s hide nothing of the report', async (_name, args) => {
    const { url } = await recorder().start(
      ({ url: path }, response) =>
        path === '/index.md' && !!response.writeHead(404, { 'content-type': 'text/html' }).end('no'),
    );
    const { stdout } = await runHere(['check', url, '--only', 'home', '--format', 'json', ...args]);
    const [home] = (
      JSON.parse(stdout) as { checks: { target: string; url: string; findings: { evidence: object }[] }[] }
    ).checks;
    expect(home).toMatchObject({ target: 'GET /index.md', url: `${url}index.md` });
    expect(home?.findings[0]?.evidence).toMatchObject({ mediaType: 'text/html' });
  });
});
