/** The faults that operators of such a site see, each in a copy of the documentation: the rule that names it is reported. */
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printed, startPrinted } from '../hosting/printed.ts';
import { nginxWanted } from '../hosts/nginx.ts';
import { startHost } from '../site/host.ts';
import { builtSite, reported, type BuiltSite, type Outcome } from './site.ts';

let site: BuiltSite;
beforeAll(async () => {
  site = await builtSite();
}, 60_000);
afterAll(() => site.remove());

interface Fault {
  readonly name: string;
  /** Breaks the copy. */
  readonly inject?: (folder: string) => void;
  /** `fallback`: a host that returns the bundle for every missing file. Default: nginx. */
  readonly host?: 'fallback' | 'plain';
  readonly args?: readonly string[];
  readonly rule: string;
  readonly verdict: 'down' | 'degraded';
}

const remove =
  (file: string) =>
  (folder: string): void =>
    rmSync(join(folder, file));

const change =
  (file: string, from: string | RegExp, to: string) =>
  (folder: string): void => {
    const text = readFileSync(join(folder, file), 'utf8');
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${file} does not have ${from.toString()}`);
    writeFileSync(join(folder, file), changed);
  };

const FAULTS: readonly Fault[] = [
  { name: 'the bundle is missing', inject: remove('index.html'), rule: 'bundle/not-found', verdict: 'down' },
  {
    name: 'config.json has a trailing comma',
    inject: change('config.json', /\}\s*$/, ',}\n'),
    rule: 'config/trailing-comma',
    verdict: 'down',
  },
  {
    name: 'config.json has an unclosed quote',
    inject: change('config.json', '"index.md"', '"index.md'),
    rule: 'config/unclosed-string',
    verdict: 'down',
  },
  {
    name: 'config.json is missing on a host with an SPA fallback',
    inject: remove('config.json'),
    host: 'fallback',
    rule: 'config/spa-fallback',
    verdict: 'down',
  },
  {
    name: 'the navigation is missing',
    inject: remove('navigation.md'),
    rule: 'navigation/not-found',
    verdict: 'degraded',
  },
  {
    name: 'the navigation is missing on a host with an SPA fallback',
    inject: remove('navigation.md'),
    host: 'fallback',
    rule: 'navigation/spa-fallback',
    verdict: 'degraded',
  },
  {
    name: 'a link of the navigation has another letter case',
    inject: change('navigation.md', '(engines.md)', '(Engines.md)'),
    rule: 'links/letter-case',
    verdict: 'degraded',
  },
  {
    name: 'a page was not deployed',
    inject: remove('checks/tls.md'),
    rule: 'links/missing',
    verdict: 'degraded',
  },
  {
    name: 'a page is replaced by the SPA fallback',
    inject: remove('checks/tls.md'),
    host: 'fallback',
    rule: 'links/missing',
    verdict: 'degraded',
  },
  { name: 'the home page is missing', inject: remove('index.md'), rule: 'home/not-found', verdict: 'degraded' },
  {
    name: 'homePage names a file that does not exist',
    inject: change('config.json', '"index.md"', '"start.md"'),
    rule: 'home/wrong-setting',
    verdict: 'degraded',
  },
  { name: 'llms.txt is missing', inject: remove('llms.txt'), rule: 'llms-txt/not-found', verdict: 'degraded' },
  {
    name: 'llmsTxtUrl names a file that does not exist',
    inject: change('config.json', '"llms.txt"', '"agents.txt"'),
    rule: 'llms-txt/wrong-setting',
    verdict: 'degraded',
  },
  {
    name: 'robots.txt shuts agents out',
    inject: change('robots.txt', 'Allow: /', 'Disallow: /'),
    rule: 'robots/disallow-all',
    verdict: 'degraded',
  },
  {
    name: 'an edge worker does not negotiate',
    host: 'plain',
    args: ['--host', 'worker'],
    rule: 'negotiation/not-negotiated',
    verdict: 'degraded',
  },
  {
    name: 'the engine was not deployed',
    inject: (folder) => renameSync(join(folder, 'assets/site.js'), join(folder, 'assets/Site.js')),
    rule: 'bundle/script-missing',
    verdict: 'down',
  },
  {
    name: 'a page differs from its source',
    inject: change('checks/tls.md', /\n## /, '\nOld.\n\n## '),
    rule: 'source/differs',
    verdict: 'degraded',
  },
];

/** What is reported of a copy of the site with a fault. */
async function reportedOf({ inject, host, rule, args = [] }: Fault): Promise<Outcome> {
  const root = mkdtempSync(join(tmpdir(), 'docvitals-fault-'));
  const folder = join(root, 'site');
  cpSync(site.folder, folder, { recursive: true });
  inject?.(folder);
  const { url, stop } = await start(folder, host);
  try {
    // Only the check that names the fault: the rest of the site takes seconds.
    const [check = ''] = rule.split('/');
    return await reported([url, '--source', site.folder, '--only', check, ...args]);
  } finally {
    await stop();
    rmSync(root, { recursive: true });
  }
}

interface Running {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

async function start(folder: string, host: Fault['host']): Promise<Running> {
  if (host === undefined) {
    const running = await startPrinted('nginx', '/', (await printed(['nginx'])).files, folder);
    return { url: running.url, stop: () => running.stop() };
  }
  const running = await startHost(folder, { fallback: host === 'fallback' });
  return { url: running.url, stop: () => running.close() };
}

it('the documentation site has no broken links or anchors', { timeout: 90_000 }, async () => {
  const { url, stop } = await start(site.folder, 'plain');
  try {
    expect(await reported([url, '--only', 'links'])).toEqual({ verdict: 'healthy', findings: [] });
  } finally {
    await stop();
  }
});

describe('the documentation site with a fault', { timeout: 90_000 }, () => {
  const wanted = FAULTS.filter(({ host }) => host !== undefined || nginxWanted());

  it.each(wanted.map((fault) => [fault.name, fault] as const))('%s', async (_name, fault) => {
    const { verdict, findings } = await reportedOf(fault);
    expect(findings).toContain(fault.rule);
    expect(verdict).toBe(fault.verdict);
  });
});
