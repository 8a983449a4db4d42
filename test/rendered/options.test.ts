/** What a user can ask of `--browser`, and what it keeps to itself. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReportDocument } from '../../src/report/document.ts';
import { runCli } from '../cli/run.ts';
import { runHere } from '../cli/run-here.ts';
import { chromiumWanted } from '../hosts/chromium.ts';
import { freePort } from '../hosts/port.ts';
import { folderWith } from './browse.ts';
import { bundle, filesOf, HOME, serve } from './engines.ts';
import { PRIVATE, reachingPrivate } from './private.ts';
import { listenForPackets, reachingByWebRtc } from './webrtc.ts';

const NOWHERE = 'http://127.0.0.1:9/';
const SECRET = 'hunter2';

/** Chrome is also looked for in a folder of its own. */
const canHideBrowsers = process.platform === 'linux' && !existsSync('/opt/google/chrome/chrome');

describe('what cannot be done is a usage error', () => {
  it.runIf(canHideBrowsers)('no browser is installed: prints how to install one', async () => {
    const env = { PATH: '', HOME: folderWith('') };
    const { status, stdout, stderr } = await runCli(['check', NOWHERE, '--browser'], { env });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('apt install chromium');
    expect(stderr).toContain('--browser-path');
  });

  it('the file of the browser cannot be run', async () => {
    const file = join(folderWith(''), 'browser');
    writeFileSync(file, '#!/bin/sh\n', { mode: 0o644 });
    const { status, stderr } = await runCli(['check', NOWHERE, '--browser', '--browser-path', file]);
    expect(status).toBe(2);
    expect(stderr).toContain(`--browser-path: ${file} is not a program`);
  });

  it.each([
    [['--routes', '3'], '--routes'],
    [['--screenshots', 'shots'], '--screenshots'],
    [['--browser-path', '/bin/true'], '--browser-path'],
    [['--only', 'rendered'], '--only rendered'],
  ])('%j without --browser', async (args, option) => {
    const { status, stderr } = await runHere(['check', NOWHERE, ...args]);
    expect(status).toBe(2);
    expect(stderr).toContain(option);
    expect(stderr).toContain('--browser');
  });

  it.each([
    ['--browser', 'ftp://127.0.0.1/'],
    ['--browser', '--routes', 'many'],
    ['--browser', 'ws://127.0.0.1:9/', '--browser-path', '/bin/true'],
  ])('%s %s %s', async (...args) => {
    const { status, stdout } = await runHere(['check', NOWHERE, ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });
});

it(
  'a running browser that cannot be reached: unknown, and its address is not printed',
  { timeout: 60_000 },
  async () => {
    const { url } = await serve(filesOf('VertiWiki'));
    const address = `ws://robot:${SECRET}@127.0.0.1:${await freePort()}/chromium?token=${SECRET}`;
    const files = { json: join(folderWith(''), 'report.json'), html: join(folderWith(''), 'report.html') };
    const reports = Object.entries(files).flatMap(([format, file]) => ['--report', `${format}=${file}`]);
    const { status, stdout, stderr } = await runCli(['check', url, '--browser', address, ...reports]);
    expect({ status, stderr }).toEqual({ status: 3, stderr: '' });
    const [json, html] = [readFileSync(files.json, 'utf8'), readFileSync(files.html, 'utf8')];
    expect(json).toContain('"rendered/browser-failed"');
    for (const text of [stdout, html]) expect(text).toContain('could not be started');
    expect(stdout + json + html).not.toContain(SECRET);
  },
);

describe.runIf(chromiumWanted())('with a browser', { timeout: 120_000 }, () => {
  it('a page that has replaced itself: the browser no longer has its bytes', async () => {
    const site = await serve({
      'index.html':
        '<!doctype html><html lang="en"><title>Harbour</title><div id="app">Loading</div>' +
        '<script>window.$docsify = {}</script><script src="docsify.js"></script>',
      'docsify.js':
        "if (!location.search) location.replace('?once'); else document.querySelector('#app').textContent = 'Boats float.';",
      'README.md': 'Boats float.\n',
    });
    const args = ['check', site.url, '--browser', '--only', 'rendered', '--format', 'json'];
    const { verdict, checks } = JSON.parse((await runCli(args)).stdout) as ReportDocument;
    expect([verdict, checks.flatMap(({ findings }) => findings)]).toEqual(['healthy', []]);
  });

  it('a page reaches neither private networks nor WebRTC, and has a screenshot; --header is sent to the site only, and never printed', async () => {
    const { port, packets } = await listenForPackets();
    const other = await serve({ 'moved.svg': filesOf('VertiWiki')['dot.svg'] ?? null, 'counter.js': '' });
    const body = `<script src="${other.url}counter.js"></script>${reachingPrivate}`;
    const site = await serve({
      ...filesOf('VertiWiki'),
      'index.html': bundle('VertiWiki', { head: `<script>${reachingByWebRtc(port)}</script>`, body }),
      'index.md': `${HOME}\n![Another dot](away.svg) ![A third dot](here.svg)\n`,
      'away.svg': { status: 302, headers: { location: `${other.url}moved.svg` } },
      'here.svg': { status: 302, headers: { location: '/dot.svg' } },
    });
    const [html, shots] = [join(folderWith(''), 'report.html'), join(folderWith(''), 'new', 'shots')];
    const args = ['check', '--header', `X-Key: ${SECRET}`, '--only', 'rendered', '--routes', '1', '--verbose'];
    const reports = ['--screenshots', shots, '--format', 'json', '--report', `html=${html}`];
    // An address after --browser is the site.
    const { status, stdout, stderr } = await runCli([...args, ...reports, '--browser', site.url]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout + readFileSync(html, 'utf8')).not.toContain(SECRET);
    const [rendered] = (JSON.parse(stdout) as ReportDocument).checks;
    const found = (rendered?.findings ?? []).map(
      ({ rule, evidence }) => [evidence['url'], [rule, evidence['reason']]] as const,
    );
    expect(new Map(found)).toEqual(
      new Map(PRIVATE.map((host) => [`http://${host}/x.js`, ['rendered/external-request-failed', 'blocked-address']])),
    );
    expect(packets()).toBe(0);
    const byBrowser = ({ requests }: typeof site): typeof requests =>
      requests.filter(({ path, headers }) => headers['user-agent']?.includes('Mozilla') && path !== 'favicon.ico');
    expect(byBrowser(site).length).toBeGreaterThan(6);
    expect(byBrowser(site).filter(({ headers }) => headers['x-key'] !== SECRET)).toEqual([]);
    expect(new Set(other.requests.map(({ path }) => path))).toEqual(new Set(['counter.js', 'moved.svg']));
    expect(other.requests.filter(({ headers }) => JSON.stringify(headers).includes(SECRET))).toEqual([]);
    expect(readdirSync(shots).toSorted()).toEqual(['guide-setup-md.jpg', 'home.jpg']);
    for (const name of readdirSync(shots))
      expect(readFileSync(join(shots, name)).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  });
});
