/** What a run leaves behind when it is over: nothing. */
import { getEventListeners, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultChecks as checks } from '../../checks/index.ts';
import { parseBaseUrl } from '../../src/core/base-url.ts';
import { checkSite, type CheckSiteOptions } from '../../src/core/check-site.ts';

const FILES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/index.html': ['text/html', '<!doctype html><title>Docs</title>'],
  '/config.json': ['application/json', '{"homePage": "start.md"}'],
  '/navigation.md': ['text/markdown', '- [Start](start.md)\n'],
  '/start.md': ['text/markdown', '# Start\n'],
  '/llms.txt': ['text/plain', '# Docs\n\n- [Start](start.md)\n'],
};

let server: Server;
const sockets = new Set<Socket>();
afterEach(() => {
  server.close();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

/** A healthy site whose default home page, which its configuration renames, is never answered. */
async function site(): Promise<CheckSiteOptions['site']> {
  server = createServer((request, response) => {
    const [type, body] = FILES[request.url ?? ''] ?? [];
    if (type !== undefined) response.writeHead(200, { 'content-type': type }).end(body);
  }).listen(0, '127.0.0.1');
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  });
  await once(server, 'listening');
  const parsed = parseBaseUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed;
}

describe('after a run', () => {
  it('no listener is left on the signal that many runs share', async () => {
    const interrupt = new AbortController().signal;
    const options = { site: await site(), checks, interrupt };
    for (let run = 0; run < 3; run++) expect((await checkSite(options)).verdict).toBe('healthy');
    expect(getEventListeners(interrupt, 'abort')).toEqual([]);
  });

  it('no connection is left open, not even one that nobody waits for', async () => {
    const report = await checkSite({ site: await site(), checks, limits: { timeoutMs: 60_000 } });
    expect(report.verdict).toBe('healthy');
    await vi.waitFor(() => expect(sockets.size).toBe(0), 10_000);
  });

  it('an interruption that came before it ends it at once', async () => {
    const report = await checkSite({ site: await site(), checks, interrupt: AbortSignal.abort() });
    expect(report.checks.map(({ status }) => status)).toEqual(checks.map(() => 'unknown'));
  });
});
