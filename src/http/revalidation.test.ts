/** Conditional requests against a real HTTP server, in which each kind of host is a few lines. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checks } from '../../checks/index.ts';
import { parseBaseUrl } from '../core/base-url.ts';
import type { Report } from '../core/check.ts';
import { checkSite } from '../core/check-site.ts';
import { KeptBodies, Revalidation } from './revalidation.ts';

const BUNDLE = `<!doctype html><title>Harbour</title><div id="app"></div>${'<!-- engine -->'.repeat(20_000)}`;

interface Host {
  body: string;
  readonly etag: (body: string) => string | null;
  /** Whether a request with conditions gets 304, for the ETag that the host would send. */
  readonly answers304: (request: IncomingMessage, etag: string | null) => boolean;
  readonly modified?: string;
}

const honestly: Host['answers304'] = ({ headers }, etag) => etag !== null && headers['if-none-match'] === etag;
const byHash = (body: string): string => `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;

const FILES: Readonly<Record<string, string>> = {
  '/config.json': '{}',
  '/navigation.md': '- [Home](index.md)\n',
  '/index.md': '# Harbour\n\nText.\n',
  '/llms.txt': '# Harbour\n\n- [Home](index.md)\n',
};
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  json: 'application/json',
  md: 'text/markdown',
  txt: 'text/plain',
};

let server: Server | undefined;
afterEach(() => new Promise((resolve) => (server === undefined ? resolve(null) : server.close(() => resolve(null)))));

/** Checks a host again and again; `now` moves the clock of what is kept. */
async function watched(host: Host) {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = request.url ?? '';
    const body = path === '/index.html' ? host.body : FILES[path];
    if (body === undefined) return void response.writeHead(404).end();
    const etag = host.etag(body);
    const type = TYPES[path.split('.').at(-1) ?? ''] ?? '';
    if (etag !== null) response.setHeader('etag', etag);
    if (host.modified !== undefined) response.setHeader('last-modified', host.modified);
    if (host.answers304(request, etag)) return void response.writeHead(304).end();
    response.writeHead(200, { 'content-type': type }).end(body);
  };
  server = createServer(answer);
  await new Promise((resolve) => server?.listen(0, '127.0.0.1', () => resolve(null)));
  const site = parseBaseUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  if (!site.ok) throw new Error('no address');
  const clock = { now: 0 };
  const bodies = new Revalidation(new KeptBodies(), () => clock.now);
  const run = (bypassCache = false): Promise<Report> =>
    checkSite({
      site,
      checks: checks.filter(({ full }) => full !== true),
      sharesConnection: true,
      limits: { retries: 0 },
      revalidation: { bodies, bypassCache },
    });
  return { run, clock };
}

const revalidated = ({ checks: results }: Report): number => results.filter((one) => one.revalidated === true).length;

describe('conditional requests', () => {
  it('move a fiftieth of the bytes for a site that does not change', async () => {
    const { run, clock } = await watched({ body: BUNDLE, etag: byHash, answers304: honestly });
    const first = (await run()).receivedBytes ?? 0;
    let all = first;
    // Ten minutes of runs, ten seconds apart.
    for (let count = 1; count < 60; count++) {
      clock.now += 10_000;
      const report = await run();
      expect(report.verdict).toBe('healthy');
      all += report.receivedBytes ?? 0;
      expect(revalidated(report)).toBe(count > 1 ? 5 : 0);
      expect(report.checks.every(({ httpStatus }) => httpStatus === 200)).toBe(true);
    }
    const later: number[] = [];
    for (let count = 0; count < 60; count++) {
      clock.now += 10_000;
      later.push((await run()).receivedBytes ?? 0);
    }
    expect(later.filter((bytes) => bytes > first / 2)).toHaveLength(1);
    expect(later.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan((60 * first) / 50);
    expect(all).toBeGreaterThan(first);
  });

  it('see a change at once, and receive all files after it', async () => {
    const host: Host = { body: BUNDLE, etag: byHash, answers304: honestly };
    const { run } = await watched(host);
    for (let count = 0; count < 3; count++) await run();
    host.body = 'gone';
    const broken = await run();
    expect([broken.verdict, revalidated(broken)]).toEqual(['down', 4]);
    expect(revalidated(await run())).toBe(0);
    host.body = BUNDLE;
    expect((await run(true)).verdict).toBe('healthy');
  });

  it('are not sent when all bodies are asked for', async () => {
    const { run } = await watched({ body: BUNDLE, etag: byHash, answers304: honestly });
    for (let count = 0; count < 3; count++) await run();
    expect(revalidated(await run(true))).toBe(0);
    expect(revalidated(await run())).toBe(5);
  });

  it.each([
    {
      name: 'answers 304 to everything',
      etag: byHash,
      answers304: ({ headers }: IncomingMessage) => headers['if-none-match'] !== undefined,
    },
    { name: 'has no validators', etag: () => null, answers304: () => false },
    { name: 'knows no conditions', etag: byHash, answers304: () => false },
  ])('are not relied on where a host $name', async ({ etag, answers304 }) => {
    const host: Host = { body: BUNDLE, etag, answers304 };
    const { run } = await watched(host);
    for (let count = 0; count < 4; count++)
      expect([(await run()).verdict, revalidated(await run())]).toEqual(['healthy', 0]);
    host.body = 'gone';
    expect((await run()).verdict).toBe('down');
  });

  it('hide nothing for more than ten minutes where an ETag stays while the bytes change, and then nothing at all', async () => {
    const host: Host = { body: BUNDLE, etag: () => '"same"', answers304: honestly };
    const { run, clock } = await watched(host);
    for (let count = 0; count < 3; count++) await run();
    host.body = 'gone';
    expect((await run()).verdict).toBe('healthy');
    clock.now += 10 * 60_000;
    expect((await run()).verdict).toBe('down');
    host.body = BUNDLE;
    expect((await run()).verdict).toBe('healthy');
    for (let count = 0; count < 3; count++) expect(revalidated(await run())).toBe(0);
    host.body = 'gone';
    expect((await run()).verdict).toBe('down');
  });

  it('rely on a date only when it is old enough', async () => {
    const byDate: Host['answers304'] = ({ headers }) => headers['if-modified-since'] === modified;
    let modified = new Date(Date.now() - 3_600_000).toUTCString();
    const old = await watched({ body: BUNDLE, etag: () => null, answers304: byDate, modified });
    for (let count = 0; count < 2; count++) await old.run();
    expect(revalidated(await old.run())).toBe(5);
    await new Promise((resolve) => server?.close(() => resolve(null)));
    modified = new Date(Date.now() - 5_000).toUTCString();
    const recent = await watched({ body: BUNDLE, etag: () => null, answers304: byDate, modified });
    for (let count = 0; count < 2; count++) await recent.run();
    expect(revalidated(await recent.run())).toBe(0);
  });

  it('receive a body again whose 304 names another ETag', async () => {
    let asked = 0;
    const host: Host = {
      body: BUNDLE,
      etag: () => (asked++ < 10 ? '"one"' : '"two"'),
      answers304: ({ headers }) => headers['if-none-match'] === '"one"',
    };
    const { run } = await watched(host);
    for (let count = 0; count < 2; count++) await run();
    expect(revalidated(await run())).toBe(0);
  });
});

describe('what is kept', () => {
  it('is one copy for equal bodies, bounded for all sites, and given back', () => {
    const kept = new KeptBodies();
    const large = new Uint8Array(90 * 1024 * 1024);
    expect(kept.keep('a', large)).toBe(large);
    expect(kept.keep('a', new Uint8Array(1))).toBe(large);
    expect(kept.keep('b', new Uint8Array(10 * 1024 * 1024))).toBeNull();
    kept.release('a');
    expect(kept.keep('b', new Uint8Array(10 * 1024 * 1024))).toBeNull();
    kept.release('a');
    expect(kept.keep('b', new Uint8Array(10 * 1024 * 1024))).not.toBeNull();
  });
});
