/** The settings of a site are for its own origin: the built command with another address, and where an address leads to. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { certificate } from '../faults/certificates.ts';
import { listen, MEDIA_TYPES } from '../site/host.ts';
import { sampleSite } from '../site/sample.ts';
import { runHere } from './run-here.ts';
import { runCli, type RunOptions } from './run.ts';

interface Site {
  readonly url: string;
  /** The values of `X-Token` that were received; `undefined`: a request without it. */
  readonly tokens: Set<string | undefined>;
}

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

/** A healthy site that keeps the token of each request; where it `leadsTo` another, it redirects everything there. */
function responding(tokens: Site['tokens'], leadsTo: string | null): RequestListener {
  const files = sampleSite();
  const tokenOf = ({ 'x-token': token }: IncomingHttpHeaders): string | undefined => token?.toString();
  return ({ url = '/', headers }, response) => {
    tokens.add(tokenOf(headers));
    const file = url.slice(1) || 'index.html';
    if (leadsTo !== null) {
      response.writeHead(302, { location: `${leadsTo}${file}` }).end();
      return;
    }
    const type = MEDIA_TYPES[file.split('.').at(-1) ?? ''] ?? 'text/plain';
    const body = files.get(file);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
  };
}

async function site({ leadsTo = null }: { readonly leadsTo?: string | null } = {}): Promise<Site> {
  const tokens = new Set<string | undefined>();
  const host = await listen(responding(tokens, leadsTo));
  ending.push(() => host.close());
  return { url: host.url, tokens };
}

/** A preview of a site, at an https origin; `env` trusts its certificate. */
async function preview(): Promise<Site & Pick<RunOptions, 'env'>> {
  const tokens = new Set<string | undefined>();
  const { server: tls, trustFile = '' } = await certificate('good');
  const server = createServer(tls, responding(tokens, null));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  ending.push(
    () => rmSync(path.dirname(trustFile), { recursive: true }),
    () => {
      server.closeAllConnections();
      server.close();
    },
  );
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}/`, tokens, env: { NODE_EXTRA_CA_CERTS: trustFile } };
}

const TOKEN = { 'X-Token': 'token-of-the-site' };

/** Runs a command in a folder with this configuration. */
async function run(config: object, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const cwd = mkdtempSync(path.join(tmpdir(), 'docvitals-origins-'));
  ending.push(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(path.join(cwd, 'docvitals.json'), JSON.stringify(config));
  // Node reads the certificates that it trusts, and a monitor sets its process up, when they start.
  const isStarted = args[0] === 'monitor' || 'NODE_EXTRA_CA_CERTS' in env;
  return isStarted ? runCli(args, { cwd, env }) : runHere(args, { cwd, env });
}

describe('docvitals check with another address than that of the configuration', () => {
  it.each([
    ['once', []],
    ['waiting', ['--wait', '10s', '--stable', '1']],
  ])('sends it no headers, applies no other settings, and reports both: %s', async (_, options) => {
    const [own, other] = [await site(), await site()];
    const settings = { headers: TOKEN, rules: { 'home/not-found': 'off' }, skip: ['home'], language: 'fr' };
    const { status, stderr, stdout } = await run({ url: own.url, ...settings }, ['check', other.url, ...options]);
    expect([status, [...other.tokens]]).toEqual([0, [undefined]]);
    const [line = '', ...more] = stderr.split('\n').filter((text) => text.startsWith('docvitals: '));
    expect(line).toContain(`not applied to ${new URL(other.url).origin}: headers, rules, skip, language.`);
    // It takes addresses with https only.
    expect(line).not.toContain('headersFor');
    expect(more).toEqual([]);
    expect(stderr).not.toContain('token-of-the-site');
    // All five core checks, in English.
    expect(stdout).toMatch(/Home page/);
    expect(stdout).toMatch(/\b5 checks/);
  });

  it('says nothing where nothing is set that could apply', async () => {
    const [own, other] = [await site(), await site()];
    const { status, stderr } = await run({ url: own.url }, ['check', other.url]);
    expect([status, stderr]).toEqual([0, '']);
  });

  it('sends headers of a file without an address to none', async () => {
    const other = await site();
    const { stderr, stdout } = await run({ headers: TOKEN, skip: ['home'] }, ['check', other.url]);
    expect([...other.tokens]).toEqual([undefined]);
    expect(stderr).toMatch(/^docvitals: docvitals\.json: not applied to \S+: headers\./);
    expect(stdout).toMatch(/\b4 checks/);
  });

  it('sends what --header gives', async () => {
    const [own, other] = [await site(), await site()];
    await run({ url: own.url, headers: TOKEN }, ['check', other.url, '--header', 'X-Token: of the command']);
    expect([...other.tokens]).toEqual(['of the command']);
  });

  it.each(['http', 'localhost'])('takes %s of the same server for another one', async (kind) => {
    const own = await site();
    const url = kind === 'http' ? own.url.replace('http', 'https') : own.url;
    const given = kind === 'http' ? own.url : own.url.replace('127.0.0.1', 'localhost');
    await run({ url, headers: TOKEN }, ['check', given]);
    expect([...own.tokens]).toEqual([undefined]);
  });
});

describe('docvitals check with an address that the configuration names', () => {
  it.each(['', 'docs/'])('sends it the headers, also below another path: /%s', async (below) => {
    const own = await site();
    const { stderr } = await run({ url: own.url, headers: TOKEN }, ['check', own.url + below]);
    expect([[...own.tokens], stderr]).toEqual([['token-of-the-site'], '']);
  });

  it('sends it the headers of its site, for which variables of other sites need not be set', async () => {
    const [first, second] = [await site(), await site()];
    const sites = [
      { id: 'first', url: first.url, headers: { 'X-Token': '${NO_SUCH_TOKEN}' } },
      { id: 'second', url: second.url, headers: TOKEN, skip: ['home'] },
    ];
    const { status, stdout } = await run({ url: 'https://docs.example/', sites }, ['check', second.url]);
    expect([status, [...second.tokens]]).toEqual([0, ['token-of-the-site']]);
    expect(stdout).toMatch(/\b4 checks/);
    const missing = await run({ sites }, ['check', first.url]);
    expect([missing.status, [...first.tokens]]).toEqual([2, []]);
    expect(missing.stderr).toContain('NO_SUCH_TOKEN');
  });

  it('sends them to a preview that headersFor names, and to no other', async () => {
    const [named, other] = [await preview(), await preview()];
    const headersFor = [new URL(named.url).origin, 'https://*.docs.example.com'];
    const config = { url: 'https://docs.example.com/', headers: TOKEN, headersFor };
    const { status, stderr } = await run(config, ['check', named.url], named.env);
    expect([status, stderr, [...named.tokens]]).toEqual([0, '', ['token-of-the-site']]);
    await run(config, ['check', other.url], other.env);
    expect([...other.tokens]).toEqual([undefined]);
  });

  it.each([
    ['http://preview.example.com', 'expected an https origin'],
    ['https://preview.example.com/docs/', 'expected an https origin'],
    ['https://docs.*.example.com', 'expected an https origin'],
    ['https://*.com', 'sites of other people'],
    ['https://*.vercel.app', 'sites of other people'],
    ['https://*.co.uk', 'sites of other people'],
  ])('refuses %s in headersFor', async (origin, reason) => {
    const { status, stderr } = await run({ headersFor: [origin] }, ['config', 'check']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^docvitals\.json:\d+:\d+: headersFor\[0\]: /m);
    expect(stderr).toContain(reason);
  });
});

describe('a redirect', () => {
  it('takes headers to no other origin, not even to that of another site', async () => {
    const other = await site();
    const own = await site({ leadsTo: other.url });
    const sites = [{ id: 'other', url: other.url, headers: { 'X-Token': 'of the other' } }];
    const config = { url: own.url, headers: TOKEN, sites };
    await run(config, ['check', own.url]);
    expect([[...own.tokens], [...other.tokens]]).toEqual([['token-of-the-site'], [undefined]]);
  });

  it('gets no headers of the site that it leads to, where the address given is another one', async () => {
    const own = await site();
    const other = await site({ leadsTo: own.url });
    await run({ url: own.url, headers: TOKEN }, ['check', other.url]);
    expect([[...other.tokens], [...own.tokens]]).toEqual([[undefined], [undefined]]);
  });
});

describe('docvitals monitor', () => {
  it('sends each site its own headers, and none after a redirect or of the file', async () => {
    const other = await site();
    const [own, leading] = [await site(), await site({ leadsTo: other.url })];
    const sites = [
      { id: 'own', url: own.url, headers: TOKEN },
      { id: 'leading', url: leading.url, headers: TOKEN },
      { id: 'other', url: other.url },
    ].map((one) => ({ ...one, full: false }));
    const config = { url: 'https://docs.example.com/', headers: { 'X-Token': 'of the file' }, sites };
    await run({ ...config, monitor: { connectivity: [] } }, ['monitor', '--once', '--quiet']);
    expect([own, leading, other].map(({ tokens }) => [...tokens])).toEqual([
      ['token-of-the-site'],
      ['token-of-the-site'],
      [undefined],
    ]);
  });
});
