/** Where requests go: --resolve, --ipv4, --ipv6, proxies, private authorities. */
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { TlsOptions } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { ruleName } from '../../src/monitor/incident/document.ts';
import type { ReportDocument } from '../../src/report/document.ts';
import { certificate } from '../faults/certificates.ts';
import { runHere } from './run-here.ts';
import { runCli } from './run.ts';

const FILES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  'index.html': ['text/html', '<!doctype html><title>Docs</title><div id="app"></div>'],
  'config.json': ['application/json', '{}'],
  'navigation.md': ['text/markdown', '- [Home](index.md)\n'],
  'index.md': ['text/markdown', '# Docs\n'],
  'llms.txt': ['text/plain', '# Docs\n\n- [Home](index.md)\n'],
};
const NOT_PROXIED = { HTTP_PROXY: '', HTTPS_PROXY: '' };

interface Asked {
  readonly url: string;
  readonly host: string;
}

interface Recording {
  readonly port: number;
  /** What was requested, as the request line has it; tunnels as `CONNECT host:port`. */
  readonly asked: Asked[];
}

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    }),
  );
});

/** A healthy site, and a proxy: it answers absolute URLs itself and opens every tunnel to `tunnelTo`. */
async function start(options: { address?: string; tls?: TlsOptions; tunnelTo?: number } = {}): Promise<Recording> {
  const { address = '127.0.0.1', tls, tunnelTo } = options;
  const asked: Asked[] = [];
  const server = tls === undefined ? createServer() : (createSecureServer(tls) as unknown as Server);
  server.on('request', ({ url = '', headers }, response) => {
    asked.push({ url, host: headers.host ?? '' });
    const [type, body] = FILES[url.split('/').at(-1) ?? ''] ?? [];
    if (type === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': type }).end(body);
  });
  server.on('connect', ({ url = '', headers }, socket) => {
    asked.push({ url: `CONNECT ${url}`, host: headers.host ?? '' });
    const onward = connect(tunnelTo ?? 0, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  servers.push(server);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, address, resolve));
  return { port: (server.address() as AddressInfo).port, asked };
}

async function check(
  url: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<{ status: number | null; report: ReportDocument }> {
  // Node reads the trusted authorities when it starts.
  const run = 'NODE_EXTRA_CA_CERTS' in env ? runCli : runHere;
  const { status, stdout } = await run(
    ['check', url, '--retries', '0', '--timeout', '5s', '--format', 'json', ...args],
    { env },
  );
  return { status, report: JSON.parse(stdout) as ReportDocument };
}

const rulesOf = (report: ReportDocument): string[] => [
  ...new Set(report.checks.flatMap(({ findings }) => findings.map(({ rule }) => ruleName(rule)))),
];
const urlsOf = ({ asked }: Recording): string[] => asked.map(({ url }) => url).toSorted();

describe('--resolve', () => {
  it('asks the address for a host that exists nowhere', async () => {
    const site = await start();
    const { status } = await check(`http://docs.invalid:${site.port}/`, [
      '--resolve',
      `docs.invalid:${site.port}:127.0.0.1`,
    ]);
    expect(status).toBe(0);
    expect(new Set(site.asked.map(({ host }) => host))).toEqual(new Set([`docs.invalid:${site.port}`]));
  });

  it.each(['DOCS.invalid', '*'])('takes the host as %s', async (host) => {
    const site = await start();
    const { status } = await check(`http://Docs.invalid:${site.port}/`, [
      '--resolve',
      `${host}:${site.port}:127.0.0.1`,
    ]);
    expect(status).toBe(0);
  });

  it('takes a second address where the first does not answer', async () => {
    const site = await start();
    const { status } = await check(`http://docs.invalid:${site.port}/`, [
      '--resolve',
      `docs.invalid:${site.port}:127.0.0.2,127.0.0.1`,
    ]);
    expect(status).toBe(0);
  });

  it('leaves other ports alone', async () => {
    const site = await start();
    const { status, report } = await check(`http://docs.invalid:${site.port}/`, [
      '--resolve',
      'docs.invalid:1:127.0.0.1',
    ]);
    expect(status).toBe(1);
    expect(rulesOf(report)).toEqual([expect.stringMatching(/^dns-/)]);
    expect(site.asked).toEqual([]);
  });
});

const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

describe('--ipv4 and --ipv6', () => {
  it('--ipv4 reaches a site on 127.0.0.1 by name', async () => {
    const site = await start();
    expect((await check(`http://localhost:${site.port}/`, ['--ipv4'])).status).toBe(0);
  });

  it.runIf(hasIPv6)('--ipv6 does not fall back to IPv4', async () => {
    const site = await start();
    expect((await check(`http://localhost:${site.port}/`, ['--ipv6'])).status).toBe(1);
    expect(site.asked).toEqual([]);
  });

  it.runIf(hasIPv6)('--ipv6 reaches a site on ::1', async () => {
    const site = await start({ address: '::1' });
    expect((await check(`http://[::1]:${site.port}/`, ['--ipv6'])).status).toBe(0);
  });

  it.runIf(hasIPv6).each([
    { name: 'an address', url: (port: number) => `http://[::1]:${port}/`, more: () => [] },
    {
      name: 'a rule',
      url: (port: number) => `http://docs.invalid:${port}/`,
      more: (port: number) => ['--resolve', `docs.invalid:${port}:[::1]`],
    },
  ])('--ipv4 asks no IPv6 address, even where it is $name', async ({ url, more }) => {
    const site = await start({ address: '::1' });
    const { status } = await runCli(['check', url(site.port), '--ipv4', '--retries', '0', ...more(site.port)]);
    expect(site.asked).toEqual([]);
    expect([1, 2]).toContain(status);
  });
});

describe('HTTP_PROXY', () => {
  const paths = Object.keys(FILES).toSorted();

  it.each(['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'])(
    '%s is asked for the absolute URL',
    async (variable) => {
      const proxy = await start();
      const { status } = await check('http://docs.invalid/manual/', [], {
        [variable]: `http://127.0.0.1:${proxy.port}`,
      });
      expect(status).toBe(0);
      expect(urlsOf(proxy)).toEqual(paths.map((path) => `http://docs.invalid/manual/${path}`).toSorted());
      expect(new Set(proxy.asked.map(({ host }) => host))).toEqual(new Set(['docs.invalid']));
    },
  );

  it('may stand without a scheme', async () => {
    const proxy = await start();
    expect((await check('http://docs.invalid/', [], { HTTP_PROXY: `127.0.0.1:${proxy.port}` })).status).toBe(0);
  });

  it('is not for https', async () => {
    const proxy = await start();
    const { status } = await check('https://docs.invalid/', [], { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` });
    expect([status, proxy.asked]).toEqual([1, []]);
  });

  it('that is dead leaves it unknown whether the site works', async () => {
    const { port } = await start();
    const dead = servers.pop();
    await new Promise((resolve) => dead?.close(resolve));
    const { status, report } = await check('http://docs.invalid/', [], { HTTP_PROXY: `http://127.0.0.1:${port}` });
    expect({ status, verdict: report.verdict, rules: rulesOf(report) }).toEqual({
      status: 3,
      verdict: 'unknown',
      rules: ['proxy-failed'],
    });
  });

  it.each(['docs.invalid', '.invalid', '*', 'other.test, docs.invalid', '127.0.0.1,invalid'])(
    'NO_PROXY=%s goes past it',
    async (list) => {
      const [proxy, site] = [await start(), await start()];
      const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: list };
      const { status } = await check(
        `http://docs.invalid:${site.port}/`,
        ['--resolve', `*:${site.port}:127.0.0.1`],
        env,
      );
      expect([status, proxy.asked.length, site.asked.length]).toEqual([0, 0, 5]);
    },
  );

  it.each(['other.test', 'ocs.invalid', 'docs.invalid:1', ''])('NO_PROXY=%s does not', async (list) => {
    const proxy = await start();
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: list };
    expect([(await check('http://docs.invalid/', [], env)).status, proxy.asked.length]).toEqual([0, 5]);
  });
});

describe('HTTPS_PROXY', () => {
  async function secureSite() {
    const { server: tls, trustFile = '' } = await certificate('good');
    return { tls, site: await start({ tls }), trusted: { NODE_EXTRA_CA_CERTS: trustFile } };
  }

  it('is asked for a tunnel, and sees nothing else', async () => {
    const { site, trusted } = await secureSite();
    const proxy = await start({ tunnelTo: site.port });
    const env = { ...trusted, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    const { status } = await check('https://localhost/', [], env);
    expect(status).toBe(0);
    expect(urlsOf(proxy)).toEqual(Array.from({ length: 5 }, () => 'CONNECT localhost:443'));
    expect(site.asked).toHaveLength(5);
  });

  it('may itself be reached over TLS', async () => {
    const { tls, site, trusted } = await secureSite();
    const proxy = await start({ tls, tunnelTo: site.port });
    const { status } = await check('https://localhost/', [], {
      ...trusted,
      HTTPS_PROXY: `https://localhost:${proxy.port}`,
    });
    expect([status, site.asked.length]).toEqual([0, 5]);
    expect(urlsOf(proxy)).toEqual(Array.from({ length: 5 }, () => 'CONNECT localhost:443'));
  });

  it('that is dead leaves it unknown whether the site works', async () => {
    const { status, report } = await check('https://localhost/', [], { HTTPS_PROXY: 'http://127.0.0.1:1' });
    expect({ status, verdict: report.verdict, rules: rulesOf(report) }).toEqual({
      status: 3,
      verdict: 'unknown',
      rules: ['proxy-failed'],
    });
  });

  it('that cannot be used is reported without an internal error, even where only a redirect leads to https', async () => {
    const server = createServer(({ url = '' }, response) =>
      response.writeHead(301, { location: `https://localhost${url}` }).end(),
    );
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { status, stdout, stderr } = await runCli(['check', url, '--retries', '0'], {
      env: { HTTPS_PROXY: 'socks5://127.0.0.1:1' },
    });
    expect(stderr).not.toMatch(/\n.*\n/);
    expect({ status, told: stdout + stderr }).toEqual({
      status: expect.toBeOneOf([1, 2, 3]),
      told: expect.stringMatching(/proxy/i),
    });
  });

  it('NODE_EXTRA_CA_CERTS has a private authority trusted, and nothing else does', async () => {
    const { site, trusted } = await secureSite();
    const url = `https://localhost:${site.port}/`;
    const [without, withIt] = await Promise.all([
      check(url, [], NOT_PROXIED),
      check(url, [], { ...NOT_PROXIED, ...trusted }),
    ]);
    expect([without.status, rulesOf(without.report)]).toEqual([1, ['tls-untrusted']]);
    expect([withIt.status, rulesOf(withIt.report)]).toEqual([0, []]);
  });
});
