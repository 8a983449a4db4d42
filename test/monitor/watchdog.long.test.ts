/** A site that blocks the process: 10 s of processor time each time, of which a busy machine gives little. */
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../cli/run.ts';
import { listen, MEDIA_TYPES, type Host } from '../site/host.ts';
import { sampleSite } from '../site/sample.ts';
import { makeProject, startProcess, type MonitorProcess } from './process.ts';

/** What no site can do as far as is known: a fault of the reader itself. */
const FAULT = `
const { parse } = JSON;
JSON.parse = (text, ...rest) => {
  if (String(text).includes('block-this-process')) for (;;);
  return parse(text, ...rest);
};`;

async function site(changed: Readonly<Record<string, string>>): Promise<{ host: Host; gone: { is: boolean } }> {
  const files = sampleSite();
  const gone = { is: false };
  const host = await listen(({ url = '/' }, response) => {
    const path = (url.split('?')[0] ?? '/').slice(1) || 'index.html';
    const body = gone.is ? undefined : (changed[path] ?? files.get(path));
    const type = MEDIA_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'text/plain';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
  }, '/');
  return { host, gone };
}

describe.skipIf(process.platform === 'win32')('a site that blocks the monitor', () => {
  it('ends it, is named and held back by the next start, and the others are watched', async () => {
    const [hostile, docs] = [await site({ 'config.json': '{"title": "block-this-process"}' }), await site({})];
    const often = { every: '2s', confirm: { after: '100ms', times: 3 } };
    const project = makeProject({
      sites: [
        { id: 'hostile', url: hostile.host.url, ...often },
        { id: 'docs', url: docs.host.url, ...often },
      ],
      monitor: { connectivity: [], listen: '127.0.0.1:0' },
    });
    const options = { preload: FAULT, killAfterMs: 240_000 };
    try {
      // Where both were checked at that time, the second end shows which one it was.
      let running = await startProcess(project, [], options);
      for (let ends = 0; ends < 2; ends++) {
        if (running.lines.some(({ event, scope }) => event === 'site-held-back' && scope === 'core')) break;
        const { signal, stderr } = await running.ended;
        expect(signal).toBe('SIGKILL');
        expect(stderr).toMatch(/^docvitals: blocked for 10000 ms of processor time; running: .*hostile (?:core|full)/m);
        running = await startProcess(project, [], options);
      }
      const { child, told, lines, ended } = running;
      expect(lines.filter(({ event }) => event === 'site-held-back')).toContainEqual(
        expect.objectContaining({ site: 'hostile', scope: 'core' }),
      );
      const { url } = (await told('monitor-started')) as unknown as { url: string };
      const ready = await fetch(new URL('/readyz', url));
      expect(await ready.json()).toMatchObject({ problems: ['site-held-back'] });
      expect((await fetch(new URL('/healthz', url))).status).toBe(200);
      docs.gone.is = true;
      expect(await told('incident-opened')).toMatchObject({ site: 'docs' });
      expect(lines.filter(({ event }) => event === 'blocked')).toEqual([]);
      child.kill('SIGTERM');
      expect((await ended).status).toBe(0);
    } finally {
      await Promise.all([hostile.host.close(), docs.host.close()]);
      project.remove();
    }
  }, 300_000);

  it('ends it by a probe, too, which the next start refuses', async () => {
    const [hostile, docs] = [await site({ 'config.json': '{"title": "block-this-process"}' }), await site({})];
    const project = makeProject({
      sites: [{ id: 'docs', url: docs.host.url, full: false }],
      monitor: { connectivity: [], listen: '127.0.0.1:0', probe: { targets: [new URL(hostile.host.url).host] } },
    });
    const options = { preload: FAULT, killAfterMs: 120_000 };
    const request = async ({ told }: MonitorProcess, path: string): Promise<Response> => {
      const { url } = (await told('monitor-started')) as unknown as { url: string };
      return fetch(new URL(path, url));
    };
    const probe = `/probe?target=${encodeURIComponent(hostile.host.url)}`;
    try {
      const first = await startProcess(project, [], options);
      await expect.poll(async () => (await request(first, '/readyz')).status, { timeout: 20_000 }).toBe(200);
      await expect(request(first, probe)).rejects.toThrow('fetch failed');
      expect((await first.ended).stderr).toContain(`running: ${hostile.host.url} core`);
      const next = await startProcess(project, [], options);
      expect(await next.told('site-held-back')).toMatchObject({ site: hostile.host.url, scope: 'core' });
      const response = await request(next, probe);
      expect([response.status, await response.json()]).toEqual([
        503,
        expect.objectContaining({ code: 'target-held-back' }),
      ]);
      next.child.kill('SIGTERM');
      expect((await next.ended).status).toBe(0);
    } finally {
      await Promise.all([hostile.host.close(), docs.host.close()]);
      project.remove();
    }
  }, 300_000);

  it('ends one run of all sites, too, and is held back by the next one', async () => {
    const [hostile, docs] = [await site({ 'config.json': '{"title": "block-this-process"}' }), await site({})];
    const project = makeProject({
      sites: [
        { id: 'hostile', url: hostile.host.url, full: false },
        { id: 'docs', url: docs.host.url, full: false },
      ],
      monitor: { connectivity: [] },
    });
    const once = (): Promise<RunResult> =>
      project.run(['monitor', '--once', '--log', 'json', '--format', 'json'], { preload: FAULT, killAfterMs: 120_000 });
    try {
      const first = await once();
      expect([first.signal, first.stderr]).toEqual([
        'SIGKILL',
        expect.stringMatching(/^docvitals: blocked for 10000 ms of processor time; running: .*hostile core/m),
      ]);
      let next = await once();
      // Where both were checked at that time, the second end shows which one it was.
      if (next.signal === 'SIGKILL') next = await once();
      const { sites } = JSON.parse(next.stdout) as { sites: readonly object[] };
      expect(sites).toMatchObject([
        { id: 'hostile', verdict: 'unknown' },
        { id: 'docs', verdict: 'healthy' },
      ]);
      expect(next.status).toBe(3);
      expect(next.stderr).toMatch(/"event":"site-held-back","site":"hostile","scope":"core"/);
    } finally {
      await Promise.all([hostile.host.close(), docs.host.close()]);
      project.remove();
    }
  }, 300_000);
});
