/** Which site, which checks, which language, how strict, how much is shown. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultChecks } from '../../checks/index.ts';
import type { ReportDocument } from '../../src/report/document.ts';
import { listen } from '../site/host.ts';
import type { Host } from '../site/host.ts';
import { runHere, type OptionsHere } from './run-here.ts';
import { runCli } from './run.ts';

const FILES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  'index.html': ['text/html', '<!doctype html><title>Docs</title><div id="app"></div>'],
  'config.json': ['application/json', '{}'],
  'navigation.md': ['text/markdown', '- [Home](index.md)\n'],
  'index.md': ['text/markdown', '# Docs\n'],
  'llms.txt': ['text/plain', '# Docs\n\n- [Home](index.md)\n'],
  'robots.txt': ['text/plain', 'User-agent: *\n'],
};
const IDS = defaultChecks.map(({ id }) => id);

let host: Host;
let warning: Host;
const paths: string[] = [];
beforeAll(async () => {
  const serve = (changed: typeof FILES = {}) =>
    listen(({ url = '' }, response) => {
      paths.push(url);
      const name = url.split('/').at(-1) ?? '';
      const [type, body] = changed[name] ?? FILES[name] ?? [];
      if (type === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': type }).end(body);
    });
  [host, warning] = await Promise.all([serve(), serve({ 'navigation.md': ['text/markdown', 'No link at all.\n'] })]);
});
afterAll(async () => Promise.all([host.close(), warning.close()]));

async function report(
  args: readonly string[],
  options: OptionsHere = {},
): Promise<{ status: number | null; report: ReportDocument }> {
  const { status, stdout } = await runHere(['check', ...args, '--format', 'json'], options);
  return { status, report: JSON.parse(stdout) as ReportDocument };
}

const withConfig = (yaml: string): string => {
  const cwd = mkdtempSync(join(tmpdir(), 'docvitals-selection-'));
  writeFileSync(join(cwd, 'docvitals.yaml'), yaml);
  return cwd;
};

describe('the base URL', () => {
  const rows: readonly (readonly [given: (url: string) => string, base: string])[] = [
    [(url) => url, '/'],
    [(url) => url.slice(0, -1), '/'],
    [(url) => `  ${url} `, '/'],
    [(url) => url.replace('http', 'HTTP'), '/'],
    [(url) => `${url}docs`, '/docs/'],
    [(url) => `${url}docs/`, '/docs/'],
    [(url) => `${url}docs//`, '/docs/'],
    [(url) => `${url}docs/index.html`, '/docs/'],
    [(url) => `${url}docs/index.html#/guide.md`, '/docs/'],
    [(url) => `${url}docs/#/guide.md`, '/docs/'],
    [(url) => `${url}docs#!guide.md`, '/docs/'],
    [(url) => `${url}docs/?utm_source=x#/a/b.md#c`, '/docs/'],
    [(url) => `${url}docs/config.json`, '/docs/'],
    [(url) => `${url}docs/v1.2`, '/docs/v1.2/'],
    [(url) => `${url}docs%20new/`, '/docs%20new/'],
    [(url) => `${url}docs new/`, '/docs%20new/'],
    [(url) => `${url}ghid-începători/`, '/ghid-%C3%AEncep%C4%83tori/'],
  ];

  it.each(rows.map(([given, base]) => ({ given, base, name: given('http://x/') })))(
    '$name means $base',
    async ({ given, base }) => {
      paths.length = 0;
      const { status, report: told } = await report([given(host.url)]);
      expect({ status, url: told.site.url }).toEqual({ status: 0, url: `http://127.0.0.1:${host.port}${base}` });
      expect(paths.toSorted()).toEqual(told.checks.map(({ target }) => target.replace('GET ', '')).toSorted());
      expect(paths.every((path) => path.startsWith(base))).toBe(true);
    },
  );

  it('may come from the configuration, where the command line counts more', async () => {
    const cwd = withConfig(`url: ${host.url}from/config/\n`);
    const [configured, given] = await Promise.all([report([], { cwd }), report([`${host.url}given`], { cwd })]);
    expect([configured.report.site.url, given.report.site.url]).toEqual([
      `${host.url}from/config/`,
      `${host.url}given/`,
    ]);
  });

  it('stands before and after the options', async () => {
    const [before, after] = await Promise.all([
      report([host.url, '--only', 'home']),
      report(['--only', 'home', host.url]),
    ]);
    expect([before.status, after.status]).toEqual([0, 0]);
  });
});

describe('--only and --skip', () => {
  const rows: readonly { name: string; args: readonly string[]; yaml?: string; ids: readonly string[] }[] = [
    { name: 'none', args: [], ids: IDS },
    { name: '--only', args: ['--only', 'home'], ids: ['home'] },
    { name: '--only, in the order of the checks', args: ['--only', 'home,bundle'], ids: ['bundle', 'home'] },
    { name: '--only, spaced and repeated', args: ['--only', 'home, config', '--only=home'], ids: ['config', 'home'] },
    { name: '--skip', args: ['--skip', 'bundle,config', '--skip', 'home'], ids: ['navigation', 'llms-txt'] },
    { name: 'both', args: ['--only', 'home,config', '--skip', 'home'], ids: ['config'] },
    { name: 'only of the configuration', args: [], yaml: 'only: [home]\n', ids: ['home'] },
    { name: '--only over the configuration', args: ['--only', 'config'], yaml: 'only: [home]\n', ids: ['config'] },
    { name: 'skip of the configuration', args: [], yaml: 'skip: [home]\n', ids: IDS.filter((id) => id !== 'home') },
    {
      name: 'a check of the configuration',
      args: ['--only', 'robots-file'],
      yaml: 'checks: [{id: robots-file, title: Robots, path: robots.txt}]\n',
      ids: ['robots-file'],
    },
  ];

  it.each(rows)('$name', async ({ args, yaml = '', ids }) => {
    const { status, report: told } = await report([host.url, ...args], { cwd: withConfig(yaml) });
    expect({ status, ids: told.checks.map(({ id }) => id) }).toEqual({ status: 0, ids });
  });
});

describe('the configuration', () => {
  it('is the file that --config names, and no other', async () => {
    const cwd = withConfig('only: [home]\n');
    writeFileSync(join(cwd, 'other.json'), JSON.stringify({ only: ['config'] }));
    const { report: told } = await report([host.url, '--config', 'other.json'], { cwd });
    expect(told.checks.map(({ id }) => id)).toEqual(['config']);
  });
});

describe('--strict', () => {
  it.each([
    { name: 'without it warnings pass', args: [], yaml: '', status: 0, verdict: 'healthy' },
    { name: 'with it they fail', args: ['--strict'], yaml: '', status: 1, verdict: 'degraded' },
    { name: 'strict of the configuration', args: [], yaml: 'strict: true\n', status: 1, verdict: 'degraded' },
    {
      name: 'unless the rule is off',
      args: ['--strict'],
      yaml: 'rules: {navigation/no-links: off}\n',
      status: 0,
      verdict: 'healthy',
    },
  ])('$name', async ({ args, yaml, status, verdict }) => {
    const told = await report([warning.url, ...args], { cwd: withConfig(yaml) });
    expect({ status: told.status, verdict: told.report.verdict }).toEqual({ status, verdict });
  });

  it.each(['en', 'ro', 'fr'])(
    'says why it failed: the last line tells of a warning and not only of checks that passed (%s)',
    async (language) => {
      const [strict, lenient] = await Promise.all([
        runHere(['check', warning.url, '--strict', '--lang', language]),
        runHere(['check', warning.url, '--lang', language]),
      ]);
      const last = ({ stdout }: { stdout: string }): string =>
        (stdout.trimEnd().split('\n').at(-1) ?? '').replace(/\(.*/, '').replace(/^.*?: ?/, '');
      expect(strict.status).toBe(1);
      expect(last(strict)).not.toBe(last(lenient));
    },
  );
});

describe('how much is shown', () => {
  it('--quiet: what is not well, and the verdict', async () => {
    const { stdout } = await runCli(['check', warning.url, '--quiet']);
    expect(stdout).toContain('navigation/no-links');
    expect(stdout).not.toMatch(/index\.html|config\.json|index\.md|llms\.txt/);
    expect(stdout).toContain('healthy');
  });

  it.each(['--quiet', '--verbose', '--strict'])('%s leaves no two empty lines after each other', async (flag) => {
    const runs = await Promise.all([runHere(['check', host.url, flag]), runHere(['check', warning.url, flag])]);
    for (const { stdout } of runs) expect(stdout).not.toContain('\n\n\n');
  });

  it('--verbose: timings, attempts and the documented action', async () => {
    const { stdout } = await runHere(['check', warning.url, '--verbose']);
    for (const fact of ['Connection', 'First byte', 'Total', 'Attempts']) expect(stdout).toContain(fact);
    expect(stdout.match(/Documented action/g)).toHaveLength(1);
    const { stdout: normal } = await runHere(['check', warning.url]);
    expect(normal).not.toMatch(/First byte|Documented action/);
  });
});

describe('the language', () => {
  const rows: readonly {
    name: string;
    args?: readonly string[];
    yaml?: string;
    env?: Record<string, string>;
    language: string;
  }[] = [
    { name: 'none', env: { LC_ALL: '' }, language: 'en' },
    { name: 'LANG', env: { LC_ALL: '', LANG: 'ro_RO.UTF-8' }, language: 'ro' },
    { name: 'LC_MESSAGES over LANG', env: { LC_ALL: '', LC_MESSAGES: 'fr_CA', LANG: 'ro_RO.UTF-8' }, language: 'fr' },
    {
      name: 'LC_ALL over both',
      env: { LC_ALL: 'ro_MD.UTF-8@euro', LC_MESSAGES: 'fr_FR', LANG: 'fr_FR' },
      language: 'ro',
    },
    { name: 'LC_ALL=C over all', env: { LC_ALL: 'C', LANG: 'fr_FR.UTF-8' }, language: 'en' },
    { name: 'a locale without texts', env: { LC_ALL: 'de_DE.UTF-8' }, language: 'en' },
    { name: 'a locale that only looks alike', env: { LC_ALL: 'french' }, language: 'en' },
    {
      name: 'the configuration over the locale',
      yaml: 'language: fr\n',
      env: { LC_ALL: 'ro_RO.UTF-8' },
      language: 'fr',
    },
    {
      name: '--lang over all',
      args: ['--lang', 'en'],
      yaml: 'language: fr\n',
      env: { LC_ALL: 'ro_RO.UTF-8' },
      language: 'en',
    },
  ];

  it.each(rows)('by $name', async ({ args = [], yaml = '', env = {}, language }) => {
    const { report: told } = await report([warning.url, '--only', 'navigation', ...args], {
      cwd: withConfig(yaml),
      env,
    });
    const { report: asked } = await report([warning.url, '--only', 'navigation', '--lang', language]);
    expect(told.language).toBe(language);
    expect(told.checks[0]?.findings).toEqual(asked.checks[0]?.findings);
  });
});
