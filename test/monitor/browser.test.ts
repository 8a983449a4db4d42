/** The monitor opens pages in Chromium: a script breaks, the page is blank, an incident opens, and ends. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chromiumWanted } from '../hosts/chromium.ts';
import { freePort } from '../hosts/port.ts';
import { startDocsifyHost } from './docsify-host.ts';
import { makeProject, startProcess } from './process.ts';

const ends: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A monitor of one site whose pages are opened every few seconds. */
async function start() {
  const host = await startDocsifyHost();
  ends.push(host.close);
  const port = await freePort();
  const project = makeProject({
    sites: [{ id: 'docs', url: host.urlOf('docs') }],
    monitor: {
      every: '10s',
      full: false,
      // Opening pages takes all of a processor.
      browser: { every: '4s' },
      confirm: { after: '200ms', times: 2 },
      recover: { times: 1 },
      connectivity: [],
      listen: `127.0.0.1:${port}`,
    },
    browser: { routes: 0 },
  });
  ends.push(project.remove);
  const { child, told, lines, ended } = await startProcess(project, [], { killAfterMs: 180_000 });
  ends.push(() => (child.kill('SIGTERM'), ended));
  const get = async (target: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${target}`);
  return { host, project, told, lines, get, textOf: async (target: string) => (await get(target)).text() };
}

describe.runIf(chromiumWanted())('a site whose pages are opened in a browser', () => {
  it('is down while a page is blank', { timeout: 170_000 }, async () => {
    const { host, project, told, lines, get, textOf } = await start();
    await vi.waitFor(async () => expect(await textOf('/metrics')).toContain('docvitals_page_load_requests'), 60_000);
    const metrics = await textOf('/metrics');
    const seconds = metrics.matchAll(/^docvitals_page_first_heading_seconds{site="docs",route="(.*)"} (.*)$/gm);
    expect([...seconds].map(([, route, time]) => [route, Number(time) > 0])).toEqual([['/', true]]);
    expect(lines.filter(({ event }) => event === 'incident-opened')).toEqual([]);
    const plot = /aria-label="First heading of the home page [^"]*: On average \d+\sms/;
    await vi.waitFor(async () => expect(await textOf('/')).toMatch(plot), 30_000);

    host.changed.set('docsify.min.js', 'throw new Error("broken")');
    expect(await told('incident-opened')).toMatchObject({
      verdict: 'down',
      checks: ['rendered'],
      rules: expect.arrayContaining(['rendered/blank']) as unknown,
    });

    const { incident } = await told('incident-opened');
    const address = `/incidents/${String(incident)}/`;
    const page = await vi.waitFor(async () => {
      const text = await textOf(address);
      expect(text).toContain('src="../../incidents/');
      return text;
    }, 10_000);
    const pictures = [...page.matchAll(/<img src="([^"]+)"/g)].map(([, source = '']) => source);
    expect(pictures).toHaveLength(2);
    const bytes = await Promise.all(
      pictures.map(async (source) => {
        const response = await get(new URL(source, `http://x${address}`).pathname);
        const { headers } = response;
        expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual(['image/jpeg', 'nosniff']);
        return Buffer.from(await response.arrayBuffer());
      }),
    );
    // A blank page is smaller.
    expect(bytes[0]?.length).toBeGreaterThan(bytes[1]?.length ?? Infinity);
    expect(bytes.map((one) => one.subarray(0, 2).toString('hex'))).toEqual(['ffd8', 'ffd8']);

    expect((await project.run(['status', 'export', 'public'])).status).toBe(0);
    const exported = path.join(project.folder, 'public', address);
    expect(readdirSync(exported).toSorted()).toEqual(['bad.jpg', 'good.jpg', 'index.html']);
    expect(readFileSync(path.join(exported, 'bad.jpg'))).toEqual(bytes[1]);

    host.changed.clear();
    await told('incident-recovered');
    expect(lines.filter(({ event }) => event === 'run-failed')).toEqual([]);
  });
});

describe('a monitor whose browser is missing', () => {
  it('does not start', async () => {
    const project = makeProject({
      url: 'http://127.0.0.1:9/',
      monitor: { browser: { every: '5m' } },
      browser: { path: '/nowhere/chrome' },
    });
    ends.push(project.remove);
    const { status, stderr } = await project.run(['monitor']);
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('/nowhere/chrome') as unknown,
    });
  });
});
