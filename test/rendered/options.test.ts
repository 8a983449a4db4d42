/** What a user can ask of `--browser`, and what it keeps to itself. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/texts.ts';
import { runCli } from '../cli/run.ts';
import { chromiumWanted } from '../hosts/chromium.ts';
import { freePort } from '../hosts/port.ts';
import { browse, causesOf, folderWith } from './browse.ts';
import { bundle, filesOf, HOME, serve } from './engines.ts';
import { startRemoteBrowser } from './remote.ts';

const NOWHERE = 'http://127.0.0.1:9/';
const SECRET = 'hunter2';

/** Chrome is also looked for in a folder of its own. */
const canHideBrowsers = process.platform === 'linux' && !existsSync('/opt/google/chrome/chrome');

describe('what cannot be done is a usage error', () => {
  it.runIf(canHideBrowsers)('no browser is installed: prints how to install one, in each language', async () => {
    const env = { PATH: '', HOME: folderWith('') };
    for (const lang of LANGUAGES) {
      const { status, stdout, stderr } = await runCli(['check', NOWHERE, '--browser', '--lang', lang], { env });
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain('apt install chromium');
      expect(stderr).toContain('--browser-path');
    }
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
    const { status, stderr } = await runCli(['check', NOWHERE, ...args]);
    expect(status).toBe(2);
    expect(stderr).toContain(option);
    expect(stderr).toContain('--browser');
  });

  it.each([
    ['--browser', 'ftp://127.0.0.1/'],
    ['--browser', '--routes', 'many'],
    ['--browser', 'ws://127.0.0.1:9/', '--browser-path', '/bin/true'],
  ])('%s %s %s', async (...args) => {
    const { status, stdout } = await runCli(['check', NOWHERE, ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });
});

it(
  'a running browser that cannot be reached: unknown, and its address is not printed',
  { timeout: 60_000 },
  async () => {
    const { url } = await serve(filesOf('VertiWiki'));
    const address = `ws://robot:${SECRET}@127.0.0.1:${await freePort()}/chromium?token=${SECRET}`;
    const shown = { json: '"browser-failed"', pretty: 'could not be started', html: 'could not be started' };
    for (const [format, text] of Object.entries(shown)) {
      const { status, stdout, stderr } = await runCli(['check', url, '--browser', address, '--format', format]);
      expect({ status, stderr }).toEqual({ status: 3, stderr: '' });
      expect(stdout).toContain(text);
      expect(stdout).not.toContain(SECRET);
    }
  },
);

describe.runIf(chromiumWanted())('with a browser', { timeout: 120_000 }, () => {
  it('--routes chooses how many pages are opened', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const pages = Object.fromEntries(names.map((name) => [`${name}.md`, `# Page ${name}\n\nText.\n`]));
    const menu = names.map((name) => `- [Page ${name}](${name}.md)\n`).join('');
    const { url } = await serve({ ...filesOf('MDwiki'), ...pages, 'navigation.md': menu });
    const opened = async (...args: readonly string[]): Promise<readonly string[] | undefined> =>
      (await browse(url, args)).rendered.pages?.map(({ route }) => route);
    expect(await opened('--routes', '0')).toEqual(['']);
    expect(await opened()).toHaveLength(6);
    expect(await opened('--routes', 'all')).toEqual(['', ...names.map((name) => `#!${name}.md`)]);
  });

  it('a run that ends by its deadline reports the pages it has seen, and that it was interrupted', async () => {
    const menu = '- [Usage](guide/usage.md)\n- [Setup](guide/setup.md)\n';
    const loop = `<script>if (location.hash !== '') for (;;);</script>`;
    const index = bundle('VertiWiki', { head: loop });
    const { url } = await serve({ ...filesOf('VertiWiki'), 'navigation.md': menu, 'index.html': index });
    const { status, rendered } = await browse(url, ['--only', 'rendered', '--deadline', '15s']);
    expect(status).toBe(3);
    expect(rendered.findings).toMatchObject([{ code: 'interrupted', evidence: { deadlineMs: 15_000 } }]);
    expect(rendered.pages?.map(({ route }) => route)).toEqual(['']);
  });

  it('text that the bundle has without scripts is no page, however it is styled', async () => {
    const body =
      '<p style="text-transform: uppercase">Loading the docs &hellip;</p><script>throw new Error("no")</script>';
    const site = await serve({ 'index.html': `<!doctype html><title>Docs</title>${body}`, 'index.md': HOME });
    const args = ['--only', 'rendered', '--routes', '0', '--header', `X-Key: ${SECRET}`];
    expect(causesOf((await browse(site.url, args)).rendered)).toEqual([['blank', null]]);
    expect(site.requests.filter(({ headers }) => headers['x-key'] !== SECRET)).toEqual([]);
  });

  it('text that is cut to a pixel, for agents, is not seen', async () => {
    const style = 'position:absolute;width:1px;height:1px;overflow:hidden';
    const hidden = `<div style="${style}"><p>For agents: see llms.txt.</p></div><noscript>No scripts</noscript>`;
    const body = `${hidden}<p>Loading</p><div style="${style}"><h1>Docs</h1></div><script>throw new Error("no")</script>`;
    const { url } = await serve({ 'index.html': `<!doctype html><title>Docs</title>${body}`, 'index.md': HOME });
    const { rendered } = await browse(url, ['--only', 'rendered', '--routes', '0']);
    expect(causesOf(rendered)).toEqual([['blank', null]]);
  });

  it('an address after --browser is the site, and each page has a screenshot', async () => {
    const { url } = await serve(filesOf('VertiWiki'));
    const folder = join(folderWith(''), 'new', 'shots');
    const { status, stderr } = await runCli(['check', '--screenshots', folder, '--browser', url]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(readdirSync(folder).toSorted()).toEqual(['guide-setup-md.jpg', 'guide-usage-md.jpg', 'home.jpg']);
    for (const name of readdirSync(folder)) {
      expect(readFileSync(join(folder, name)).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    }
  });

  it('a running browser opens the pages, and goes on running', async () => {
    const address = await startRemoteBrowser();
    const { host } = new URL(address);
    const { url } = await serve(filesOf('VertiWiki'));
    for (const browser of [address, `http://${host}`]) {
      expect((await runCli(['check', url, '--browser', browser, '--only', 'rendered'])).status).toBe(0);
    }
    expect((await fetch(`http://${host}/json/version`)).status).toBe(200);
  });

  /** The site is on loopback: the cloud's metadata and private networks are not as near. */
  const PRIVATE = ['169.254.169.254', '10.0.0.1', '[fd00::1]'];
  const reaching = PRIVATE.map((host) => `<script src="http://${host}/x.js"></script>`).join('');

  it('a page does not reach what is nearer to this machine than the site', async () => {
    const { url } = await serve({ ...filesOf('VertiWiki'), 'index.html': bundle('VertiWiki', { body: reaching }) });
    const { rendered } = await browse(url, ['--routes', '0']);
    const found = new Map(rendered.findings.map(({ code, evidence }) => [evidence['url'], [code, evidence['reason']]]));
    expect(found).toEqual(
      new Map(PRIVATE.map((host) => [`http://${host}/x.js`, ['external-request-failed', 'blocked-address']])),
    );
  });

  it('neither with a running browser', async () => {
    const { url } = await serve({ ...filesOf('VertiWiki'), 'index.html': bundle('VertiWiki', { body: reaching }) });
    const address = await startRemoteBrowser();
    const { stdout } = await runCli(['check', url, '--routes', '0', '--format', 'json', '--browser', address]);
    expect(stdout.match(/BLOCKED_BY_CLIENT/g)).toHaveLength(PRIVATE.length);
  });

  it('--header is sent to the origin of the site only, and never printed', async () => {
    const other = await serve({ 'moved.svg': filesOf('VertiWiki')['dot.svg'] ?? null, 'counter.js': '' });
    const site = await serve({
      ...filesOf('VertiWiki'),
      'index.html': bundle('VertiWiki', { body: `<script src="${other.url}counter.js"></script>` }),
      'index.md': `${HOME}\n![Another dot](away.svg) ![A third dot](here.svg)\n`,
      'away.svg': { status: 302, headers: { location: `${other.url}moved.svg` } },
      'here.svg': { status: 302, headers: { location: '/dot.svg' } },
    });
    const args = ['--header', `X-Key: ${SECRET}`, '--browser', '--only', 'rendered', '--routes', '0', '--verbose'];
    for (const format of ['json', 'html']) {
      const { status, stdout, stderr } = await runCli(['check', site.url, ...args, '--format', format]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).not.toContain(SECRET);
    }
    const byBrowser = ({ requests }: typeof site): typeof requests =>
      requests.filter(({ path, headers }) => headers['user-agent']?.includes('Mozilla') && path !== 'favicon.ico');
    expect(byBrowser(site).length).toBeGreaterThan(6);
    expect(byBrowser(site).filter(({ headers }) => headers['x-key'] !== SECRET)).toEqual([]);
    expect(new Set(other.requests.map(({ path }) => path))).toEqual(new Set(['counter.js', 'moved.svg']));
    expect(other.requests.filter(({ headers }) => JSON.stringify(headers).includes(SECRET))).toEqual([]);
  });
});
