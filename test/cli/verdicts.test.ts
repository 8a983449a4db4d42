/** Verdicts and the finding that names the cause, as the built command reports them over a real server. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ReportDocument } from '../../src/report/document.ts';
import { makeProject } from '../monitor/process.ts';
import { startHost, type Host, type HostOptions } from '../site/host.ts';
import { runHere } from './run-here.ts';
import { runCli } from './run.ts';

const SITE = {
  'index.html': '<!doctype html><title>Docs</title><div id="app"></div>',
  'config.json': '{}',
  'navigation.md': '- [Home](index.md)\n- [Guide](guide/start.md)\n',
  'index.md': '# Docs\n\nSee [the guide](guide/start.md).\n',
  'guide/start.md': '# Start\n\nFirst steps.\n',
  'llms.txt': '# Docs\n\n> A site.\n\n## Pages\n\n- [Guide](guide/start.md): first steps\n',
};

const hosts: Host[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

async function serve(files: Readonly<Record<string, string>>, options: HostOptions = {}): Promise<string> {
  const host = await startHost(new Map(Object.entries(files)), { fallback: false, ...options });
  hosts.push(host);
  return host.url;
}

interface Outcome {
  readonly status: number | null;
  readonly verdict: string;
  /** `check/rule` of everything found. */
  readonly rules: readonly string[];
  readonly report: ReportDocument;
}

async function check(url: string, ...args: readonly string[]): Promise<Outcome> {
  const { status, stdout } = await runHere(['check', url, ...args, '--format', 'json']);
  const report = JSON.parse(stdout) as ReportDocument;
  const rules = report.checks.flatMap(({ findings }) => findings.map(({ rule }) => rule));
  return { status, verdict: report.verdict, rules, report };
}

it('a check that --only names does its whole work', async () => {
  const url = await serve({ ...SITE, 'llms.txt': `${SITE['llms.txt']}- [Gone](gone.md): removed\n` });
  const runs = await Promise.all([['llms-txt,links'], ['llms-txt']].map((ids) => check(url, '--only', ...ids)));
  for (const { status, rules } of runs) expect({ status, rules }).toEqual({ status: 1, rules: ['llms-txt/missing'] });
});

it('text that is right but served as text/html is a media type, for the monitor as well', async () => {
  const url = await serve(SITE, { types: { md: 'text/html', txt: 'text/html; charset=utf-8', json: 'text/html' } });
  const types = ['config', 'navigation', 'home', 'llms-txt'].map((id) => `${id}/media-type`);
  const { status, verdict, rules } = await check(url);
  expect({ status, verdict, rules }).toEqual({ status: 0, verdict: 'healthy', rules: types });
  const project = makeProject({ sites: [{ id: 'docs', url, full: false }], monitor: { connectivity: [] } });
  const once = await project.run(['monitor', '--once']);
  project.remove();
  expect(once.stdout).toMatch(/^docs\s+healthy\n$/);
});

it('a message that is served as text/html is no Markdown', async () => {
  const url = await serve({ ...SITE, 'navigation.md': 'Access denied' }, { types: { md: 'text/html' } });
  expect((await check(url)).rules).toEqual(['navigation/html', 'home/media-type']);
});

it('the address of a page or a folder leads to the base above it, and stays a failure', async () => {
  const bases = await Promise.all([serve(SITE), serve(SITE, { fallback: true }), serve(SITE, { base: '/a/docs/' })]);
  const addresses = ['guide/start.md', 'guide/', 'guide', 'guide/deep/er/'];
  for (const base of bases) {
    const runs = await Promise.all(addresses.map((address) => check(base + address)));
    for (const { status, report } of runs) {
      const failed = report.checks.filter((result) => result.status === 'fail');
      expect(status).toBe(1);
      expect(failed.length).toBeGreaterThanOrEqual(4);
      for (const { id, findings } of failed)
        expect(findings).toMatchObject([{ rule: `${id}/wrong-base`, evidence: { suggestion: base } }]);
    }
    const { stdout } = await runCli(['check', `${base}guide/start.md`]);
    expect(stdout.match(/wrong-base/g)).toHaveLength(1);
  }
});

it('a broken site is not taken for a page of the site above it', async () => {
  const broken = { 'docs/index.html': '<!doctype html><title>Other</title>', 'docs/index.md': '# Other\n' };
  const url = await serve({ ...SITE, ...broken });
  const { status, rules } = await check(`${url}docs/`);
  expect({ status, rules }).toEqual({
    status: 1,
    rules: ['config', 'navigation', 'llms-txt'].map((id) => `${id}/not-found`),
  });
  // Four levels above is too far; and there is nothing above an address whose host has no site at all.
  const far = await check(`${url}a/b/c/d/`);
  const none = await check(`${await serve({})}a/`);
  for (const { rules: found } of [far, none])
    expect(new Set(found.map((rule) => rule.replace(/.*\//, '')))).toEqual(new Set(['not-found']));
});

it('a name that differs from its file is diagnosed, whoever names it', async () => {
  const { 'navigation.md': navigation, 'index.md': home, 'llms.txt': index, ...files } = SITE;
  const config = '{\n  "homePage": "Start.md",\n  "llmsTxtUrl": "agents.txt"\n}\n';
  const url = await serve({
    ...files,
    'config.json': config,
    'Navigation.md': navigation,
    'start.md': home,
    'LLMS.txt': index,
  });
  const { status, rules, report } = await check(url);
  expect({ status, rules }).toEqual({
    status: 1,
    rules: ['navigation/letter-case', 'home/letter-case', 'llms-txt/wrong-setting'],
  });
  const [navigationFound, homeFound, indexFound] = report.checks.flatMap(({ findings }) => findings);
  expect(navigationFound?.evidence).toMatchObject({
    suggestion: 'Navigation.md',
    command: 'git mv -- Navigation.md navigation.md',
  });
  expect(homeFound).toMatchObject({
    evidence: { setting: 'homePage', value: 'Start.md', suggestion: 'start.md' },
    location: { path: 'config.json', line: 2, column: 15 },
  });
  expect(indexFound?.evidence).toMatchObject({ setting: 'llmsTxtUrl', value: 'agents.txt' });
  for (const [lang, fix] of [
    ['en', 'Correct `llmsTxtUrl` in `/config.json`'],
    ['ro', 'Corectați `llmsTxtUrl` în `/config.json`'],
    ['fr', 'Corrigez `llmsTxtUrl` dans `/config.json`'],
  ] as const) {
    const { stdout } = await runHere(['check', url, '--lang', lang]);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(fix);
  }
});

it('links of llms.txt have the diagnosis that links have', async () => {
  const index = '- [a](Guide/Start.md)\n- [b](guide/start)\n- [c](start.md)\n- [d](guide/start.html)\n- [e](none.md)\n';
  const url = await serve({ ...SITE, 'llms.txt': `${SITE['llms.txt']}${index}` });
  const { status, rules, report } = await check(url, '--only', 'llms-txt,links');
  expect(status).toBe(1);
  expect(rules.toSorted()).toEqual(
    ['letter-case', 'missing', 'missing-extension', 'moved', 'wrong-extension'].map((name) => `llms-txt/${name}`),
  );
  const found = report.checks.flatMap(({ findings }) => findings).filter(({ rule }) => rule !== 'llms-txt/missing');
  for (const { evidence } of found) expect(evidence).toMatchObject({ suggestion: 'guide/start.md' });
});

it('a file that the source has and the host does not is reported so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docvitals-verdicts-'));
  for (const name of ['navigation.md', 'Home.md']) writeFileSync(join(folder, name), '# x\n\n- [Home](Home.md)\n');
  const { 'navigation.md': _, 'index.md': home, ...files } = SITE;
  const url = await serve({ ...files, 'Home.md': home, 'config.json': '{"homePage": "home.md"}' });
  const { report } = await check(url, '--source', folder, '--only', 'navigation,home');
  expect(report.checks.map(({ findings }) => findings[0])).toMatchObject([
    { rule: 'navigation/not-found', evidence: { inSource: true } },
    { rule: 'home/letter-case', evidence: { suggestion: 'Home.md' } },
  ]);
});

it('a navigation that leads to the same site under another host name is reported with --resolve', async () => {
  const pages = Array.from({ length: 46 }, (_, index) => `guide/page-${index}.md`);
  const files = Object.fromEntries(pages.map((page) => [page, `# ${page}\n`]));
  const absolute = pages.map((page) => `- [${page}](https://docs.example.com/docs/${page})\n`).join('');
  const elsewhere = pages
    .map((page) => `- [${page}](https://github.com/example/docs/blob/main/other/${page})\n`)
    .join('');
  const site = { ...SITE, ...files, 'llms.txt': '# Docs\n\n> A site.\n\n## Pages\n\n- [Guide](guide/start.md)\n' };
  const options = { base: '/docs/' };
  const found = async (navigation: string, more: object = {}): Promise<Outcome['rules']> => {
    const { rules } = await check(
      await serve({ ...site, 'navigation.md': SITE['navigation.md'] + navigation, ...more }, options),
    );
    return rules;
  };
  const url = await serve({ ...site, 'navigation.md': SITE['navigation.md'] + absolute }, options);
  const { status, rules, report } = await check(url, '--only', 'navigation,links');
  expect({ status, rules }).toEqual({ status: 0, rules: ['navigation/other-host'] });
  expect(report.checks[0]?.findings[0]).toMatchObject({
    evidence: {
      foreignHosts: 'docs.example.com',
      foreign: 46,
      links: 48,
      suggestion: 'https://docs.example.com/docs/',
    },
    location: { path: 'navigation.md', line: 3 },
  });
  for (const lang of ['en', 'ro', 'fr']) {
    expect((await runHere(['check', url, '--lang', lang])).stdout.replaceAll(/\s+/g, ' ')).toContain(
      '--resolve docs.example.com:443:',
    );
  }
  // The file CNAME says the same where the pages are not here; links to another site are ordinary.
  const gone = Object.fromEntries(pages.map((page) => [page, '']));
  expect(await found(absolute, { ...gone, CNAME: 'docs.example.com\n' })).toEqual(['navigation/other-host']);
  expect(await found(absolute, gone)).toEqual([]);
  expect(await found(elsewhere)).toEqual([]);
});
