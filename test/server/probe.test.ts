/** `/probe` against servers on this machine: what it tells, and that it goes nowhere it was not sent. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { Resolver } from '../../src/http/connect.ts';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import { ruleName } from '../../src/monitor/incident/document.ts';
import type { MonitoredSite, MonitorSettings } from '../../src/monitor/settings.ts';
import { certificate } from '../faults/certificates.ts';
import { sampleSite } from '../site/sample.ts';
import { startHost, type Host, listen } from '../site/host.ts';
import { ask, closeAll, serve, type Told } from './client.ts';
import { samplesOf } from './exposition.ts';
import { run, wanted } from './tools.ts';
import { settingsOf, siteOf, viewOf } from './view.ts';

const hosts = new Set<Pick<Host, 'close'>>();
afterEach(async () => {
  await closeAll();
  for (const host of hosts) await host.close();
  hosts.clear();
});

async function hosting(files = sampleSite()): Promise<Host> {
  const started = await startHost(files);
  hosts.add(started);
  return started;
}

interface Probing extends Partial<MonitorSettings['probe']> {
  readonly sites?: readonly MonitoredSite[];
  readonly env?: Readonly<Record<string, string>>;
  readonly resolver?: Resolver;
}

async function prober({ sites = [], env = {}, resolver, targets = [], modules = new Map() }: Probing): Promise<string> {
  const settings = settingsOf({ sites, probe: { targets, modules } });
  const view = viewOf({ settings: () => settings, ...(resolver === undefined ? {} : { resolver }) });
  return serve({ view, env });
}

async function probe(
  base: string,
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Told> {
  return ask(base, `/probe?${new URLSearchParams(query).toString()}`, { headers });
}

const value = (told: Told, series: string): number | undefined => samplesOf(told.text).get(series);
const codeOf = ({ text }: Told): string => (JSON.parse(text) as { code: string }).code;
/** The names of the rules of all findings that fail a check. */
const errorsOf = ({ text }: Told): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/^docvitals_findings\{.*rule="([^"]+)",severity="error"\}/gm)].map(([, rule = '']) =>
      ruleName(rule),
    ),
  );

describe('a healthy site', () => {
  it('is reported with the names of blackbox_exporter', async () => {
    const { url } = await hosting();
    const told = await probe(await prober({ targets: [url] }), { target: url });
    expect(told.status).toBe(200);
    expect(Object.fromEntries(samplesOf(told.text))).toMatchObject({
      probe_success: 1,
      probe_duration_seconds: expect.any(Number),
      probe_failed_due_to_regex: 0,
      probe_http_status_code: 200,
      probe_http_ssl: 0,
      probe_http_version: 1.1,
      probe_http_redirects: 0,
      probe_http_content_length: Buffer.byteLength(sampleSite().get('index.html') ?? ''),
      probe_ip_protocol: 4,
      probe_dns_lookup_time_seconds: 0,
      'probe_http_duration_seconds{phase="resolve"}': 0,
      'probe_http_duration_seconds{phase="connect"}': expect.any(Number),
      'probe_http_duration_seconds{phase="tls"}': 0,
      'probe_http_duration_seconds{phase="processing"}': expect.any(Number),
      'probe_http_duration_seconds{phase="transfer"}': expect.any(Number),
      [`docvitals_check_status{site="${url}",check="navigation",status="pass"}`]: 1,
      [`docvitals_up{site="${url}"}`]: 1,
    });
    expect(told.text).not.toContain('probe_ssl_earliest_cert_expiry');
  });

  it('may be named by the id of a site, and is checked as the monitor does', async () => {
    const { url } = await hosting();
    const site = siteOf({ id: 'manual', url, checking: { ...DEFAULT_CONFIG, only: ['bundle', 'home'] } });
    const told = await probe(await prober({ sites: [site], targets: ['manual'] }), { target: 'manual' });
    expect(value(told, 'probe_success')).toBe(1);
    expect(told.text).toContain('check="home"');
    expect(told.text).not.toContain('check="navigation"');
  });

  it.each([
    ['core', 5],
    ['core', 5],
    ['quick', 1],
  ])('is checked by the module %s', async (module, count) => {
    const { url } = await hosting();
    const modules = new Map([['quick', { full: false, checking: { ...DEFAULT_CONFIG, only: ['config'] } }]]);
    const told = await probe(await prober({ targets: [url], modules }), { target: url, module });
    const passed = [...told.text.matchAll(/^docvitals_check_status\{.*status="pass"\} 1$/gm)];
    expect([value(told, 'probe_success'), passed.length]).toEqual([1, count]);
  });

  it('is checked as a whole by the module full', async () => {
    const { url } = await hosting();
    const told = await probe(await prober({ targets: [url] }), { target: url, module: 'full' });
    expect(value(told, `docvitals_check_status{site="${url}",check="links",status="pass"}`)).toBe(1);
  });
});

describe('a site with a certificate', () => {
  const system = getCACertificates();
  afterEach(() => setDefaultCACertificates(system));

  it.each([
    ['that is trusted', 'good', { probe_success: 1, probe_http_ssl: 1, probe_http_status_code: 200 }],
    ['that has expired', 'expired', { probe_success: 0, probe_http_ssl: 0, probe_http_status_code: 0 }],
  ] as const)('%s is reported with its end', async (_, kind, told) => {
    const { server: options, trustFile } = await certificate(kind);
    if (trustFile !== undefined) setDefaultCACertificates([...system, readFileSync(trustFile, 'utf8')]);
    const site = await hosting();
    const server = createTlsServer(options, (socket) => {
      const plain = connect(site.port, '127.0.0.1');
      socket.pipe(plain).pipe(socket);
      for (const end of [socket, plain]) end.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
    const got = await probe(await prober({ targets: [url] }), { target: url });
    server.close();
    const samples = samplesOf(got.text);
    expect(Object.fromEntries(samples)).toMatchObject(told);
    const end = Date.parse(new X509Certificate(options.cert as string).validTo) / 1_000;
    expect(samples.get('probe_ssl_earliest_cert_expiry')).toBe(end);
  });
});

describe('the headers of a module', () => {
  /** A healthy site, and what came in `X-Token`. */
  async function receiving() {
    const tokens = new Set<string | undefined>();
    const files = sampleSite();
    const host = await listen(({ url = '/', headers }, response) => {
      tokens.add(headers['x-token']?.toString());
      response.end(files.get(url.slice(1)));
    });
    hosts.add(host);
    return { url: host.url, port: host.port, tokens };
  }
  const checking = { ...DEFAULT_CONFIG, headers: { 'X-Token': 'of the module' } };
  const modules = new Map([['secret', { full: false, checking }]]);

  it.each([
    ['its URL', (port: number) => `http://127.0.0.1:${port}/`],
    ['its host and port', (port: number) => `127.0.0.1:${port}`],
    ['the id of a site', () => 'manual'],
  ])('are sent to a target that the list names by %s', async (_, entry) => {
    const { url, port, tokens } = await receiving();
    const sites = [siteOf({ id: 'manual', url })];
    await probe(await prober({ sites, targets: [entry(port)], modules }), { target: url, module: 'secret' });
    expect([...tokens]).toEqual(['of the module']);
  });

  it('are not sent to one that only a wildcard or a network names, which the answer says', async () => {
    const { port, tokens } = await receiving();
    const resolver: Resolver = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const targets = [`*.example.com:${port}`, '127.0.0.0/8'];
    const target = `http://docs.example.com:${port}/`;
    const told = await probe(await prober({ targets, modules, resolver }), { target, module: 'secret' });
    expect([told.status, [...tokens]]).toEqual([200, [undefined]]);
    expect(told.text).toMatch(/^# The headers of the module were not sent: /);
    expect(told.text).not.toContain('of the module:');
  });

  it('follow no redirect to another origin', async () => {
    const other = await receiving();
    const leading = await listen(({ url = '/' }, response) => {
      response.writeHead(302, { location: other.url + url.slice(1) }).end();
    });
    hosts.add(leading);
    await probe(await prober({ targets: [leading.url, other.url], modules }), {
      target: leading.url,
      module: 'secret',
    });
    expect([...other.tokens]).toEqual([undefined]);
  });
});

describe('a site that is not well', () => {
  it('is reported with what is wrong and what helps, in the language that is asked for', async () => {
    const files = sampleSite();
    files.set('config.json', '{"homePage": }');
    const { url } = await hosting(files);
    const told = await probe(await prober({ targets: [url] }), { target: url, lang: 'fr' });
    expect([
      value(told, 'probe_success'),
      value(told, 'probe_failed_due_to_regex'),
      value(told, 'probe_http_status_code'),
    ]).toEqual([0, 1, 200]);
    expect(told.text).toMatch(
      /docvitals_finding_info\{.*check="config",rule="config\/syntax",severity="error",problem="[^"]*(?:n’|’|é)/,
    );
  });

  it('is reported without an answer', async () => {
    const gone = await startHost(sampleSite());
    await gone.close();
    const told = await probe(await prober({ targets: [gone.url] }), { target: gone.url });
    expect([
      value(told, 'probe_success'),
      value(told, 'probe_http_status_code'),
      value(told, 'probe_http_version'),
    ]).toEqual([0, 0, 0]);
    expect(errorsOf(told)).toEqual(new Set(['refused']));
  });

  it('is not waited for longer than Prometheus waits', async () => {
    const silent = await listen(() => {});
    hosts.add(silent);
    const told = await probe(
      await prober({ targets: [silent.url] }),
      { target: silent.url },
      { 'X-Prometheus-Scrape-Timeout-Seconds': '1' },
    );
    expect([told.status, value(told, 'probe_success')]).toEqual([200, 0]);
  });

  it.runIf(wanted('promtool'))('passes the linter of Prometheus', async () => {
    const { url } = await hosting(new Map([['index.html', '']]));
    const told = await probe(await prober({ targets: [url] }), { target: url, module: 'full' });
    expect(run('promtool', ['check', 'metrics'], told.text)).toEqual({ status: 0, said: '' });
  });
});

describe('what cannot be probed', () => {
  it.each([
    ['nothing', {}, 400, 'bad-target'],
    ['a host that is not on the list', { target: 'http://127.0.0.1:1/' }, 403, 'target-not-allowed'],
    ['a site of the monitor that is not on the list', { target: 'manual' }, 403, 'target-not-allowed'],
    ['a module that there is none of', { target: 'docs', module: 'http_2xx' }, 400, 'unknown-module'],
    ['a language that there is none of', { target: 'docs', lang: 'de' }, 400, 'bad-parameter'],
  ])('%s', async (_, query, status, code) => {
    const told = await probe(await prober({ sites: [siteOf(), siteOf({ id: 'manual' })], targets: ['docs'] }), query);
    expect([told.status, codeOf(told)]).toEqual([status, code]);
  });

  it('in no time', async () => {
    const told = await probe(
      await prober({ sites: [siteOf()], targets: ['docs'] }),
      { target: 'docs' },
      { 'X-Prometheus-Scrape-Timeout-Seconds': 'ten' },
    );
    expect([told.status, codeOf(told)]).toEqual([400, 'bad-parameter']);
  });

  it.each([
    ['probes', 32, 'core'],
    ['probes of whole sites', 4, 'full'],
  ])(
    'while too many %s go on',
    async (_, most, module) => {
      const open = new Set<() => void>();
      const silent = await listen((_request, response) => void open.add(() => response.end()));
      hosts.add(silent);
      const base = await prober({ targets: [silent.url] });
      const running = Array.from({ length: most }, () => probe(base, { target: silent.url, module }).catch(() => null));
      await expect.poll(() => open.size, { timeout: 10_000 }).toBeGreaterThanOrEqual(most * 5);
      const told = await probe(base, { target: silent.url, module });
      expect([told.status, codeOf(told), told.headers['retry-after']]).toEqual([503, 'too-many-probes', '5']);
      await closeAll();
      await Promise.all(running);
    },
    20_000,
  );
});

/** A server on this machine that nobody is to reach, and how often somebody did. */
async function secret({ address = '127.0.0.1', port = 0, asked = [] as string[] } = {}) {
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('secret');
  });
  await new Promise<void>((resolve) => {
    server.listen(port, address, resolve);
  });
  hosts.add({
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

describe('a probe goes nowhere inside', () => {
  const to =
    (...addresses: readonly string[]): Resolver =>
    () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

  it.each([
    ['the loopback', ['127.0.0.1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a mapped address in hexadecimal', ['::ffff:7f00:1']],
    ['a translated address', ['64:ff9b::7f00:1']],
    ['a 6to4 address', ['2002:7f00:1::']],
    ['all addresses', ['0.0.0.0']],
    ['the IPv6 loopback', ['::1']],
    ['a private one', ['10.0.0.1']],
    ['a metadata service', ['169.254.169.254']],
    ['a link-local one with a zone', ['fe80::1%lo']],
    ['a public one and the loopback', ['93.184.216.34', '127.0.0.1']],
  ])('by a name that leads to %s', async (_, addresses) => {
    const { port, asked } = await secret();
    const base = await prober({ targets: [`docs.example.com:${port}`], resolver: to(...addresses) });
    const told = await probe(base, { target: `http://docs.example.com:${port}/` });
    expect([told.status, value(told, 'probe_success'), errorsOf(told)]).toEqual([200, 0, new Set(['blocked-address'])]);
    expect(asked).toEqual([]);
    expect(told.text).not.toContain('127.0.0.1');
  });

  it('by a name that leads elsewhere when it is asked for again', async () => {
    const { port, asked } = await secret();
    const meant: string[] = [];
    await secret({ address: '127.0.0.2', port, asked: meant });
    let times = 0;
    const resolver: Resolver = (...name) => to(times++ % 2 === 0 ? '127.0.0.2' : '127.0.0.1')(...name);
    const base = await prober({ targets: [`docs.example.com:${port}`, '127.0.0.2'], resolver });
    const told = await probe(base, { target: `http://docs.example.com:${port}/` });
    expect(errorsOf(told)).toContain('blocked-address');
    // Each request resolves the name once, and every other answer is refused: what was checked is what was connected to.
    expect([times >= 5, meant.length, asked]).toEqual([true, Math.ceil(times / 2), []]);
  });

  it.each([
    ['an address', (port: number) => `http://127.0.0.1:${port}/secret`],
    ['localhost', (port: number) => `http://localhost:${port}/secret`],
    ['an address in decimal', (port: number) => `http://2130706433:${port}/secret`],
    ['an address in octal', (port: number) => `http://0177.0.0.1:${port}/secret`],
    ['an address in hexadecimal', (port: number) => `http://0x7f.1:${port}/secret`],
    ['an IPv6 address', (port: number) => `http://[::1]:${port}/secret`],
    ['a mapped address', (port: number) => `http://[::ffff:127.0.0.1]:${port}/secret`],
    ['all addresses', (port: number) => `http://0:${port}/secret`],
    ['another scheme', () => 'file:///etc/passwd'],
  ])('by a redirect to %s', async (_, location) => {
    const inside = await secret();
    const redirecting = await listen((_request, response) => {
      response.writeHead(302, { location: location(inside.port) });
      response.end();
    });
    hosts.add(redirecting);
    const base = await prober({ targets: [redirecting.url] });
    const told = await probe(base, { target: redirecting.url });
    expect([told.status, value(told, 'probe_success')]).toEqual([200, 0]);
    expect(inside.asked).toEqual([]);
  });

  it('by what the configuration of a site names', async () => {
    const inside = await secret();
    const files = sampleSite();
    files.set(
      'config.json',
      JSON.stringify({
        llmsTxtUrl: `http://127.0.0.1:${inside.port}/llms.txt`,
        homePage: `http://localhost:${inside.port}/index.md`,
      }),
    );
    const { url } = await hosting(files);
    await probe(await prober({ targets: [url] }), { target: url, module: 'full' });
    expect(inside.asked).toEqual([]);
  });

  it('through a proxy that would resolve the name', async () => {
    const proxied: string[] = [];
    const proxy = await listen((request, response) => {
      proxied.push(request.url ?? '');
      response.writeHead(302, { location: 'http://inside.example/' });
      response.end();
    });
    hosts.add(proxy);
    const base = await prober({ targets: ['docs.example.com'], env: { http_proxy: proxy.url } });
    const told = await probe(base, { target: 'http://docs.example.com/' });
    expect(errorsOf(told)).toEqual(new Set(['blocked-address']));
    expect(proxied.every((url) => url.startsWith('http://docs.example.com/'))).toBe(true);
  });

  it('unless the list says so', async () => {
    const { port } = await hosting();
    const base = await prober({ targets: [`localhost:${port}`] });
    expect(value(await probe(base, { target: `http://localhost:${port}/` }), 'probe_success')).toBe(1);
  });
});
