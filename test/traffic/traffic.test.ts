/**
 * Real traffic: the same site, sent in every way that servers and proxies send it. Whatever the way, the built command
 * reports what it reports of the site on a plain server, and nothing stalls.
 */
import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { runCli, type RunOptions } from '../cli/run.ts';
import { certificate } from '../faults/certificates.ts';
import { nginxWanted, startNginx } from '../hosts/nginx.ts';
import { makeProject } from '../monitor/process.ts';
import { listen } from '../site/host.ts';
import { serveWire, type WireRequest } from '../transport/wire-server.ts';
import { CODINGS, SHAPES, type Shape } from './shapes.ts';
import { incompressible, trafficSite, type Files } from './site.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The checks whose findings do not depend on how a site is sent. */
const CHECKS = 'bundle,config,navigation,home,llms-txt,links,assets';
/** A stalled request would end with a timeout, which is a finding. */
const ARGS = ['--only', CHECKS, '--format', 'json', '--retries', '0', '--timeout', '15s'];

// Markdown as Debian's nginx sends it.
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'application/javascript',
  json: 'application/json',
  txt: 'text/plain',
};

interface Report {
  readonly verdict: string;
  readonly checks: readonly {
    readonly id: string;
    readonly status: string;
    readonly findings: readonly { readonly code: string; readonly evidence: object }[];
  }[];
}

/** What the built command reports of a site, without its address. */
async function report(url: string, options: RunOptions = {}): Promise<object> {
  const { stdout, stderr } = await runCli(['check', url, ...ARGS], options);
  if (stdout === '') throw new Error(stderr);
  const { verdict, checks } = JSON.parse(stdout.replaceAll(url, 'SITE/')) as Report;
  const results = checks.map(({ id, status, findings }) => ({
    id,
    status,
    findings: findings.map(({ code: rule, evidence }) => ({ rule, evidence })),
  }));
  return { verdict, results };
}

const made = new Map<string, Buffer>();

/** The bytes of a file in a coding, made once. */
function encoded(body: Buffer, coding: keyof typeof CODINGS, key: string): Buffer {
  const known = made.get(key) ?? CODINGS[coding](body);
  made.set(key, known);
  return known;
}

const typeOf = (file: string): string => TYPES[path.extname(file).slice(1)] ?? 'application/octet-stream';
const NOT_FOUND = Buffer.from('<!doctype html><title>Not found</title>');

/** Serves files in a shape. */
async function serve(
  shape: Omit<Shape, 'name'>,
  { onTestFinished }: TestContext,
): Promise<RunOptions & { url: string }> {
  const { coding, send, greet, isSecure, scriptBytes } = shape;
  const files = trafficSite(scriptBytes);
  const answer = ({ target, headers, socket, turn }: WireRequest): void => {
    const file = target === '/' ? 'index.html' : target.slice(1);
    const body = files.get(file);
    if (body === undefined) {
      void send({ status: '404 Not Found', fields: ['Content-Type: text/html'], body: NOT_FOUND, socket, turn });
      return;
    }
    const isCoded = coding !== undefined && (headers['accept-encoding'] ?? '').includes(coding);
    const fields = [`Content-Type: ${typeOf(file)}`, 'Vary: Accept-Encoding'];
    void send({
      status: '200 OK',
      fields: isCoded ? [...fields, `Content-Encoding: ${coding}`] : fields,
      body: isCoded ? encoded(body, coding, `${coding} ${scriptBytes} ${file}`) : body,
      socket,
      turn,
    });
  };
  const trust = isSecure === undefined ? undefined : await certificate('good');
  const server = await serveWire(answer, {
    ...(greet === undefined ? {} : { greet }),
    ...(trust === undefined ? {} : { tls: trust.server }),
  });
  onTestFinished(() => server.close());
  if (trust?.trustFile === undefined) return { url: server.url };
  const { trustFile } = trust;
  onTestFinished(() => rmSync(path.dirname(trustFile), { recursive: true }));
  return { url: server.url.replace('127.0.0.1', 'localhost'), env: { NODE_EXTRA_CA_CERTS: trustFile } };
}

function folderOf(files: Files, { onTestFinished }: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-traffic-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [file, body] of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), body);
  }
  return folder;
}

const shapeOf = (wanted: string): Shape => SHAPES.find(({ name }) => name === wanted) as Shape;
const inOnePiece = shapeOf('gzip with a length, 5 MB');
const inSmallChunks = shapeOf('gzip in chunks of 8 KiB');
let expected: object;
/** What requests offered to decode. */
const offered = new Set<string>();

beforeAll(async () => {
  const files = trafficSite();
  const server = createServer((message, response) => {
    offered.add(message.headers['accept-encoding'] ?? '');
    const file = message.url === '/' ? 'index.html' : (message.url ?? '').slice(1);
    const body = files.get(file);
    response.setHeader('connection', 'close');
    if (body === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end(NOT_FOUND);
    else response.writeHead(200, { 'content-type': typeOf(file) }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  expected = await report(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.close();
});

describe('a plain server', () => {
  it('has the one fault that the site has', () => {
    expect(expected).toMatchObject({
      verdict: 'degraded',
      results: expect.arrayContaining([
        expect.objectContaining({ id: 'links', findings: [expect.objectContaining({ rule: 'missing' })] }),
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

describe.concurrent('the same report from a server with', () => {
  it.for(SHAPES.map((shape) => [shape.name, shape] as const))('%s', { timeout: 60_000 }, async ([, shape], context) => {
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

  it.runIf(nginxWanted()).for([
    ['nginx that compresses', 'gzip_comp_level 1;', false],
    ['nginx with compressed files', 'gzip_static on;', true],
  ] as const)('%s', async ([, configuration, isStatic], context) => {
    const files = new Map(trafficSite());
    for (const [file, body] of isStatic ? [...files] : []) files.set(`${file}.gz`, gzipSync(body, { level: 1 }));
    const nginx = await startNginx(folderOf(files, context), {
      configuration: `${configuration} error_page 404 /none; location /guide/ { try_files $uri =404; }`,
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
        // Compressing takes time, too.
        if (body.length > 64 * KIB) await sleep(4);
      }
      if (file === 'index.html' && !response.destroyed) sent.whole += 1;
      response.end();
    };
    const host = await listen((message, response) => void answer(message, response));
    context.onTestFinished(() => host.close());
    const { stdout } = await runCli(['check', host.url, '--full', '--format', 'json']);
    const { checks } = JSON.parse(stdout) as Report;
    const codesOf = (wanted: string): string[] =>
      checks.find(({ id }) => id === wanted)?.findings.map(({ code }) => code) ?? [];
    expect([codesOf('not-found'), codesOf('links')]).toEqual([['soft-404-host-unknown'], ['missing']]);
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
          confirm: { after: '200ms', times: 2 },
          rules: { 'links/missing': 'off' },
        },
      ],
      monitor: { control: [] },
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
