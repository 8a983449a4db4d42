/** The configuration of a monitor, as `config` and `check` know it. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportDocument } from '../../src/report/document.ts';
import { listen, type Host } from '../site/host.ts';
import { runHere, type ResultHere } from './run-here.ts';

const SECRET = 'c0rrect-h0rse';

let host: Host;
let cwd: string;
const authorizations = new Set<string | undefined>();

beforeAll(async () => {
  host = await listen(({ headers }, response) => {
    authorizations.add(headers.authorization);
    response.writeHead(404).end();
  });
  cwd = mkdtempSync(path.join(tmpdir(), 'docvitals-monitor-config-'));
  writeFileSync(
    path.join(cwd, 'docvitals.yaml'),
    `headers: { Authorization: "of-nobody" }
skip: [llms-txt]
sites:
  - id: docs
    url: "${host.url.replace('//', `//user:${SECRET}@`)}"
    every: 30s
    only: [bundle, config]
    headers: { Authorization: "\${TOKEN}" }
  - { id: handbook, url: "${host.url}handbook/", cron: "*/5 * * * *", timeZone: UTC, full: false }
alerts:
  - { id: ops, webhook: { url: "https://hooks.example/\${TOKEN}", template: slack }, reminder: 1h }
  - { id: mail, email: { server: "smtp://u:\${TOKEN}@mail.example", from: a@b.example, to: c@d.example } }
monitor: { heartbeat: { url: "https://hc.example/\${TOKEN}" }, listen: "[::1]:9464" }
`,
  );
});

afterAll(async () => {
  await Promise.all([host.close(), rm(cwd, { recursive: true, force: true })]);
});

const run = (...args: string[]): Promise<ResultHere> => runHere(args, { cwd, env: { TOKEN: SECRET } });

describe('config check', () => {
  it.each(['en', 'ro', 'fr'])('reports sites, schedules and routes, and no secret, in %s', async (language) => {
    const { status, stdout, stderr } = await run('config', 'check', '--lang', language);
    expect([status, stderr]).toEqual([0, '']);
    const rows = stdout.split('\n').slice(1);
    expect(rows).toEqual([
      '  skip: llms-txt',
      '  headers: Authorization',
      `  sites docs: ${host.url}, every 30s, full every 1h, recovery time objective 1m`,
      `  sites handbook: ${host.url}handbook/, cron */5 * * * * UTC, full false, recovery time objective 1m`,
      '  alerts ops: webhook slack, language en, reminder 1h',
      '  alerts mail: email, language en',
      '  monitor.listen: [::1]:9464',
      '  monitor.heartbeat: every 1m',
      '',
    ]);
    expect(stdout).not.toContain(SECRET);
  });

  it('takes the status of a check for the severity of a rule, and says so once', async () => {
    const folder = mkdtempSync(path.join(cwd, 'words-'));
    const file = path.join(folder, 'docvitals.yaml');
    writeFileSync(
      file,
      `url: ${host.url}
rules: { navigation/no-links: warn, config/syntax: off, home/html: fail }
sites: [{ id: docs, url: "${host.url}", rules: { home/html: warn } }]
monitor: { probe: { modules: { quick: { rules: { home/html: warn } } } } }
`,
    );
    const hints = [
      'docvitals.yaml:2:31: rules.navigation/no-links: read as `warning`; write `warning` instead of `warn` (and 2 more)',
      'docvitals.yaml:2:68: rules.home/html: read as `error`; write `error` instead of `fail`',
      '',
    ].join('\n');
    const listed = await runHere(['config', 'check'], { cwd: folder });
    expect(listed).toMatchObject({ status: 0, stderr: hints });
    expect(listed.stdout).toContain('  rules: navigation/no-links warning, config/syntax off, home/html error\n');
    // Settings are read again once the address is known.
    const checked = await runHere(['check', host.url, '--retries', '0', '--quiet'], { cwd: folder });
    expect(checked).toMatchObject({ status: 1, stderr: hints });
    const french = await runHere(['explain', '--lang', 'fr'], { cwd: folder });
    expect(french.stderr).toMatch(/^docvitals\.yaml:2:31: .*écrivez `warning` au lieu de `warn` \(et 2 autres\)$/m);
  });

  it.each([
    ['is none of the sites', 'https://other.example/', true],
    ['is one of them', 'https://docs.example', false],
  ])('says that a url is not watched that %s', async (_, url, isSaid) => {
    writeFileSync(
      path.join(cwd, 'both.yaml'),
      `url: ${url}\nsites:\n  - { id: docs, url: https://docs.example/ }\n  - { id: b, url: https://b.example/ }\n`,
    );
    const { status, stdout } = await run('config', 'check', '--config', 'both.yaml');
    expect(status).toBe(0);
    const [last = ''] = stdout.trim().split('\n').slice(-1);
    expect(last.startsWith(' ')).toBe(!isSaid);
  });

  it('reports all mistakes, and no secret', async () => {
    writeFileSync(
      path.join(cwd, 'bad.yaml'),
      `sites:\n  - https://user:${SECRET}@x.example/\nalerts:\n  - { id: ops }\n`,
    );
    const { status, stdout, stderr } = await run('config', 'check', '--config', 'bad.yaml');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr.match(/^bad\.yaml:\d+:\d+: \S+:/gm)).toEqual(['bad.yaml:2:5: sites[0]:', 'bad.yaml:4:5: alerts[0]:']);
    expect(stderr).not.toContain(SECRET);
  });

  it('prints the schema with the keys of the monitor', async () => {
    const { status, stdout } = await run('config', 'schema');
    expect(status).toBe(0);
    const { properties } = JSON.parse(stdout) as { properties: object };
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['sites', 'alerts', 'monitor']));
  });
});

describe('check --site', () => {
  it('checks the site as the monitor would', async () => {
    authorizations.clear();
    const { status, stdout, stderr } = await run('check', '--site', 'docs', '--format', 'json');
    expect([status, stderr]).toEqual([1, '']);
    const { checks } = JSON.parse(stdout) as ReportDocument;
    expect(checks.map(({ id }) => id)).toEqual(['bundle', 'config']);
    expect([...authorizations]).toEqual([SECRET]);
    expect(stdout).not.toContain(SECRET);
  });

  it('sends nothing of one site to another', async () => {
    authorizations.clear();
    const { stdout } = await run('check', '--site', 'handbook', '--format', 'json');
    const { checks } = JSON.parse(stdout) as ReportDocument;
    expect(checks.map(({ id }) => id)).toEqual(['bundle', 'config', 'navigation', 'home']);
    expect([...authorizations]).toEqual([undefined]);
  });

  it.each([
    ['a site that is not there', ['--site', 'dosc'], 'docs'],
    ['no site', [], 'docs, handbook'],
    ['a site and a URL', ['https://x.example/', '--site', 'docs'], '--site'],
    ['an empty name', ['--site', ''], '--site'],
  ])('refuses %s', async (_, args, named) => {
    const { status, stdout, stderr } = await run('check', ...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(named);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
