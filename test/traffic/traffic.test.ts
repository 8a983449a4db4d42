/**
 * Real traffic: the same site, sent in ways that servers and proxies send it. Whatever the way, the built command reports
 * what it reports of the site on a plain server, and nothing stalls. The other ways are in `traffic.long.test.ts`.
 */
import { createServer, Agent, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run.ts';
import { nginxWanted, startNginx } from '../hosts/nginx.ts';
import { makeProject } from '../monitor/process.ts';
import { listen } from '../site/host.ts';
import { SHAPES, type Shape } from './shapes.ts';
import { encoded, folderOf, plainReport, report, serve, typeOf, type Report } from './served.ts';
import { incompressible, trafficSite } from './site.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

const shapeOf = (wanted: string): Shape => SHAPES.find(({ name }) => name === wanted) as Shape;
const inOnePiece = shapeOf('gzip with a length, 5 MB');
const inSmallChunks = shapeOf('gzip in chunks of 8 KiB');

let expected: object;
let offered: ReadonlySet<string>;
beforeAll(async () => {
  ({ expected, offered } = await plainReport());
});

describe('a plain server', () => {
  it('has the one fault that the site has', () => {
    expect(expected).toMatchObject({
      verdict: 'degraded',
      results: expect.arrayContaining([
        expect.objectContaining({ id: 'links', findings: [expect.objectContaining({ rule: 'links/missing' })] }),
        { id: 'bundle', status: 'pass', findings: [] },
        { id: 'assets', status: 'pass', findings: [] },
      ]),
    });
  });
});

describe('a request', () => {
  it('offers only codings that every version of Node decodes', () => {
    expect(offered.size).toBeGreaterThan(0);
    for (const codings of offered) expect(codings).toMatch(/^(?:gzip, br|identity|)$/);
  });
});

/** One of each kind: chunks, TLS, another coding, an older version, closed and reset connections. */
const IN_GATE = SHAPES.filter(({ isInGate }) => isInGate === true);

describe.concurrent('the same report from a server with', () => {
  it.for(IN_GATE.map((shape) => [shape.name, shape] as const))('%s', async ([, shape], context) => {
    const { url, ...options } = await serve(shape, context);
    expect(await report(url, options)).toEqual(expected);
  });
});

describe('the same report through', () => {
  it('a proxy that reuses its connections', async (context) => {
    const { url } = await serve(inOnePiece, context);
    const agent = new Agent({ keepAlive: true, maxSockets: 2 });
    const proxy = createServer((message, response) => {
      const { url: target = '', method, headers } = message;
      const upstream = request(target, { method, headers, agent }, (got) => {
        response.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(response);
      });
      upstream.end();
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    context.onTestFinished(() => {
      proxy.close();
      proxy.closeAllConnections();
      agent.destroy();
    });
    const { port } = proxy.address() as AddressInfo;
    expect(await report(url, { env: { HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '' } })).toEqual(expected);
  });

  it.runIf(nginxWanted())('nginx that compresses', async (context) => {
    const nginx = await startNginx(folderOf(trafficSite(), context), {
      configuration: 'gzip_comp_level 1; error_page 404 /none; location /guide/ { try_files $uri =404; }',
    });
    context.onTestFinished(() => nginx.stop());
    expect(await report(nginx.url)).toEqual(expected);
  });
});

describe('a host that sends its bundle for missing files', () => {
  it('sends the whole bundle at most three times in a full check', async (context) => {
    const bundle = Buffer.from(`<!doctype html><main id="app"></main><script>'${incompressible(2 * MIB)}'</script>`);
    // Long, with the ETag of the bundle, and not the bundle.
    const page = Buffer.from(`# Large page\n\n\`\`\`\n${incompressible(768 * KIB)}\n\`\`\`\n`);
    const files = new Map([...trafficSite(), ['index.html', bundle], ['guide/page-3.md', page]]);
    const sent = { begun: 0, whole: 0 };
    const answer = async ({ url = '/', headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
      const etag = '"one"';
      if (headers['if-none-match'] !== undefined) return void response.writeHead(304, { etag }).end();
      const asked = (url.split('?')[0] ?? '/').slice(1);
      const file = files.has(asked) ? asked : 'index.html';
      const plain = files.get(file) ?? bundle;
      const coding = headers['accept-encoding'] === 'identity' ? {} : { 'content-encoding': 'gzip' };
      const body = Object.keys(coding).length === 0 ? plain : encoded(plain, 'gzip', `fallback ${file}`);
      response.writeHead(200, { 'content-type': typeOf(file), etag, vary: 'Accept-Encoding', ...coding });
      if (file === 'index.html') sent.begun += 1;
      for (let at = 0; at < body.length && !response.destroyed; at += 64 * KIB) {
        response.write(body.subarray(at, at + 64 * KIB));
        // As compressing does, and long enough for a busy client to end the response.
        if (body.length > 64 * KIB) await sleep(12);
      }
      if (file === 'index.html' && !response.destroyed) sent.whole += 1;
      response.end();
    };
    const host = await listen((message, response) => void answer(message, response));
    context.onTestFinished(() => host.close());
    const { stdout } = await runCli(['check', host.url, '--full', '--format', 'json']);
    const { checks } = JSON.parse(stdout) as Report;
    const rulesOf = (wanted: string): string[] =>
      checks.find(({ id }) => id === wanted)?.findings.map(({ rule }) => rule) ?? [];
    expect([rulesOf('not-found'), rulesOf('links')]).toEqual([['not-found/spa-fallback'], ['links/missing']]);
    expect(sent.begun).toBeGreaterThan(10);
    expect(sent.whole).toBeLessThanOrEqual(3);
  });
});

describe('the monitor', () => {
  it('opens no incident for a site with a big compressed bundle', async (context) => {
    const { url } = await serve(inSmallChunks, context);
    const project = makeProject({
      sites: [
        {
          id: 'docs',
          url,
          full: { every: '1h' },
          confirm: { after: '200ms', times: 3 },
          rules: { 'links/missing': 'off' },
        },
      ],
      monitor: { connectivity: [] },
    });
    context.onTestFinished(() => project.remove());
    const { status, stdout, durationMs } = await project.run(['monitor', '--once', '--format', 'json']);
    expect([status, JSON.parse(stdout)]).toMatchObject([
      0,
      { sites: [{ id: 'docs', verdict: 'healthy', incident: null }] },
    ]);
    // A request that stalls takes its whole timeout, 10 s by default, before it is sent again.
    expect(durationMs).toBeLessThan(10_000);
  });
});
