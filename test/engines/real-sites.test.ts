/**
 * Runs the built command on real wikis, where their repositories are at hand: REAL_SITES names a folder in which each is
 * checked out as `owner/repository`. Without it only the table in docs/engines.md is compared.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { gzipSync } from 'node:zlib';
import { ENGINE_NAMES } from '../../src/engines/engine.ts';
import { ENGINES } from '../../src/engines/index.ts';
import type { ReportDocument } from '../../src/report/document.ts';
import { runCli } from '../cli/run.ts';
import { expectPart } from '../docs/pages.ts';
import { inWords } from '../docs/phrases.ts';
import { REAL_SITES, type RealSite } from './real-sites.ts';

const FOLDER = process.env['REAL_SITES'] ?? '';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.md': 'text/markdown',
  '.json': 'application/json',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
};

type Mode = 'hard 404' | 'SPA fallback' | 'gzip';

let server: Server | undefined;
afterEach(() => new Promise((resolve) => (server === undefined ? resolve(null) : server.close(resolve))));

async function serve({ from, bundle }: RealSite, mode: Mode): Promise<string> {
  const [repository = '', folder = ''] = from.replace(/@[^:]+/, '').split(':');
  const root = path.join(FOLDER, repository, folder);
  const fileOf = (name: string): string | null => {
    const file = path.join(root, name === '' || name === 'index.html' ? (bundle ?? 'index.html') : name);
    return existsSync(file) && statSync(file).isFile() ? file : null;
  };
  server = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url ?? '', 'http://x/').pathname).slice(1);
    const found = fileOf(name);
    const file = found ?? (mode === 'SPA fallback' ? fileOf('') : null);
    if (file === null) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
      return;
    }
    const body = readFileSync(file);
    response.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream');
    if (mode === 'gzip') response.setHeader('content-encoding', 'gzip');
    response.end(mode === 'gzip' ? gzipSync(body) : body);
  });
  await new Promise((resolve) => server?.listen(0, '127.0.0.1', () => resolve(null)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function report(base: string, ...args: readonly string[]): Promise<ReportDocument> {
  return JSON.parse((await runCli(['check', base, '--format', 'json', ...args])).stdout) as ReportDocument;
}

describe.runIf(FOLDER !== '')('real wikis', () => {
  it.each(REAL_SITES)('$from', { timeout: 120_000 }, async (site) => {
    for (const mode of ['hard 404', 'SPA fallback', 'gzip'] as const) {
      const { verdict, site: found, summary } = await report(await serve(site, mode));
      const expected = mode === 'SPA fallback' ? (site.withFallback ?? site.verdict) : site.verdict;
      expect([mode, verdict, found.engine?.name, found.engine?.version]).toEqual([
        mode,
        expected,
        site.engine,
        site.version,
      ]);
      expect(summary.warn).toBeLessThan(4);
    }
    const { checks } = await report(await serve(site, 'hard 404'), '--only', 'links');
    const errors = checks.flatMap(({ findings }) => findings).filter(({ rule }) => !rule.endsWith('/empty'));
    expect(errors.filter(({ severity }) => severity === 'error')).toHaveLength(site.dead);
  });
});

describe('the page on engines', () => {
  const PAGE = 'docs/engines.md';

  it('lists what each engine has', async () => {
    const rows = ENGINES.map(({ id, files, configuration, navigation, llmsTxt }) => {
      const without = {
        required: 'error, visitors see a blank page',
        optional: 'info, the engine has defaults',
        bundle: 'read from the bundle',
      };
      const own = id === 'generic' ? 'any other' : ENGINE_NAMES[id];
      const { homePage, navigationFile } = files;
      return `| ${own} | \`--engine ${id}\` | \`${homePage}\`, \`${navigationFile}\` | ${without[configuration(null)]} | ${navigation === 'required' ? 'error' : 'info'} | ${llmsTxt === 'required' ? 'error' : 'warning'} |`;
    });
    const head =
      '| engine | option | home page, navigation | without `config.json` | without a navigation | without `llms.txt` |\n| :--- | :--- | :--- | :--- | :--- | :--- |\n';
    const text = `${head}${rows.join('\n')}\n`;
    await expectPart(PAGE, 'engines', (language) => ({ text: inWords(text, language) }));
  });

  it('lists the real wikis', async () => {
    const rows = REAL_SITES.map(
      ({ from, engine, version, verdict, withFallback = verdict, dead }) =>
        `| ${from} | ${engine}${version === null ? '' : ` ${version}`} | ${verdict} | ${withFallback} | ${dead} |`,
    );
    const head =
      '| repository | engine | core checks | with an SPA fallback | dead links |\n| :--- | :--- | :--- | :--- | --: |\n';
    const dead = REAL_SITES.reduce((sum, site) => sum + site.dead, 0);
    const total = `\nReported: all ${dead} dead links, and no others.\n`;
    const text = `${head}${rows.join('\n')}\n${total}`;
    await expectPart(PAGE, 'real-sites', (language) => ({ text: inWords(text, language) }));
  });
});
