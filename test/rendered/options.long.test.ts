/** What a user can configure of `--browser` that takes many pages, a deadline or a browser that runs by itself. The rest is in `options.test.ts`. */
import { describe, expect, it } from 'vitest';
import { runCli } from '../cli/run.ts';
import { chromiumWanted } from '../hosts/chromium.ts';
import { browse, causesOf } from './browse.ts';
import { bundle, filesOf, HOME, serve } from './engines.ts';
import { PRIVATE, reachingPrivate } from './private.ts';
import { startRemoteBrowser } from './remote.ts';

const SECRET = 'hunter2';

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
    expect(rendered.findings).toMatchObject([{ rule: 'rendered/interrupted', evidence: { deadlineMs: 15_000 } }]);
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

  it('a running browser opens the pages, none of which reaches private networks, and goes on running', async () => {
    const { url } = await serve({
      ...filesOf('VertiWiki'),
      'index.html': bundle('VertiWiki', { body: reachingPrivate }),
    });
    const address = await startRemoteBrowser();
    const args = ['--browser', address, '--only', 'rendered', '--routes', '0', '--format', 'json'];
    const { status, stdout } = await runCli(['check', url, ...args]);
    expect(status).toBe(0);
    expect(stdout.match(/BLOCKED_BY_CLIENT/g)).toHaveLength(PRIVATE.length);
    expect((await fetch(`http://${new URL(address).host}/json/version`)).status).toBe(200);
  });

  it('a running browser is reached by its HTTP address too', async () => {
    const { host } = new URL(await startRemoteBrowser());
    const { url } = await serve(filesOf('VertiWiki'));
    expect((await runCli(['check', url, '--browser', `http://${host}`, '--only', 'rendered'])).status).toBe(0);
  });
});
