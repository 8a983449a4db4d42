import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../config/load.ts';
import { DEFAULT_MONITOR, type MonitoredSite, type MonitorSettings } from './settings.ts';

const env = { HOOK: 'https://hooks.example/s3cret', TOKEN: 'c0rrect-h0rse', PORT: '9464' };
const known = { builtIn: { bundle: ['x'], config: ['y'], links: [] }, own: [], full: ['links'] };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'docvitals-monitor-'));
});

afterEach(async () => {
  await rm(cwd, { recursive: true, force: true });
});

async function settings(text: string): Promise<MonitorSettings> {
  await writeFile(path.join(cwd, 'docvitals.yaml'), text);
  return (await loadConfig({ cwd, env, known })).config.monitor;
}

async function firstSite(text: string): Promise<MonitoredSite> {
  const { sites } = await settings(text);
  if (sites[0] === undefined) throw new Error('no site');
  return sites[0];
}

describe('the smallest configuration', () => {
  it('watches the site and notifies the webhook', async () => {
    const smallest = `sites:
  - id: docs
    url: https://docs.example.com/
alerts:
  - id: ops
    webhook: { url: "\${HOOK}" }
`;
    expect(await settings(smallest)).toEqual({
      ...DEFAULT_MONITOR,
      sites: [
        {
          id: 'docs',
          url: 'https://docs.example.com/',
          title: 'docs',
          tags: [],
          schedule: { kind: 'every', everyMs: 10_000, jitterMs: 0 },
          full: { kind: 'every', everyMs: HOUR, jitterMs: 0 },
          browser: null,
          recoveryTimeObjectiveMs: MINUTE,
          confirm: { afterMs: 2_000, times: 3 },
          recover: { times: 2 },
          alerts: null,
          maintenance: [],
          checking: {
            only: [],
            skip: [],
            external: false,
            host: null,
            negotiation: null,
            engine: null,
            source: null,
            versionFrom: null,
            strict: false,
            limits: {},
            headers: Object.create(null) as object,
            headersFor: [],
            rules: new Map(),
            resolve: [],
            checks: [],
          },
        },
      ],
      alerts: [
        {
          id: 'ops',
          channel: {
            kind: 'webhook',
            url: 'https://hooks.example/s3cret',
            template: 'json',
            secret: null,
            headers: Object.create(null) as object,
          },
          language: 'en',
          afterMs: 0,
          reminderMs: null,
          verdicts: [],
          findings: 'daily',
          tags: [],
        },
      ],
    });
  });

  it.each([
    ['https://docs.example.com/', 'docs-example-com', 'docs.example.com'],
    ['https://Docs.Example.com:8443/guide/', 'docs-example-com-8443', 'docs.example.com:8443'],
    ['http://127.0.0.1:4173/', 'site-127-0-0-1-4173', '127.0.0.1:4173'],
    ['http://[::1]/', 'site-1', '[::1]'],
    ['https://münchen.example/', 'xn-mnchen-3ya-example', 'xn--mnchen-3ya.example'],
    [`https://${'a'.repeat(63)}.example/`, 'a'.repeat(63), `${'a'.repeat(63)}.example`],
  ])('is a url alone: %s is the site %s', async (url, id, title) => {
    expect(await settings(`url: ${url}`)).toMatchObject({ sites: [{ id, url, title }] });
  });

  it('has no site where there is no url, or the list is empty', async () => {
    expect(await settings('strict: true')).toEqual(DEFAULT_MONITOR);
    expect(await settings('url: https://x.example/\nsites: []')).toMatchObject({ sites: [] });
  });
});

describe('what the file says for all sites', () => {
  const FILE = `url: https://main.example/
language: ro
only: [bundle]
skip: [config]
external: true
host: platform
negotiation: true
strict: true
source: docs
versionFrom: version.json
limits: { timeout: 3s, body: 1MiB }
headers: { Authorization: "Bearer \${TOKEN}" }
resolve: ["main.example:443:192.0.2.1"]
rules: { bundle/x: off, config/y: warning }
checks: [{ id: shared, title: Shared, path: shared.txt }]
`;

  it('holds for each, but for what belongs to the file’s own url', async () => {
    const { checking } = await firstSite(`${FILE}sites: [{ id: a, url: https://a.example/ }]`);
    expect(checking).toMatchObject({
      only: ['bundle'],
      skip: ['config'],
      external: true,
      host: 'platform',
      negotiation: true,
      strict: true,
      limits: { timeoutMs: 3_000, bodyBytes: 1_048_576 },
      source: null,
      versionFrom: null,
      resolve: [],
      checks: [{ id: 'shared' }],
    });
    expect(Object.keys(checking.headers)).toEqual([]);
  });

  it('is what the only site has', async () => {
    const { checking } = await firstSite(FILE);
    expect(checking).toMatchObject({ source: 'docs', versionFrom: { path: 'version.json' }, resolve: [{ port: 443 }] });
    expect(checking.headers['Authorization']).toBe('Bearer c0rrect-h0rse');
  });

  it('is overruled by what a site says, or added to', async () => {
    const { checking } = await firstSite(`${FILE}sites:
  - id: a
    url: https://a.example/
    only: []
    skip: [bundle]
    strict: false
    limits: { timeout: 1s }
    headers: { X: "\${TOKEN}" }
    rules: { bundle/x: error }
    source: "HEAD:\${TOKEN}"
    checks: [{ id: extra, title: Extra, path: extra.txt, expect: { json: { schema: { type: array } } } }]
`);
    expect(checking).toMatchObject({
      only: [],
      skip: ['bundle'],
      external: true,
      strict: false,
      limits: { timeoutMs: 1_000, bodyBytes: 1_048_576 },
      headers: { X: 'c0rrect-h0rse' },
      rules: new Map([
        ['bundle/x', 'error'],
        ['config/y', 'warning'],
      ]),
      source: 'HEAD:c0rrect-h0rse',
    });
    expect(checking.checks.map(({ id }) => id)).toEqual(['shared', 'extra']);
    expect(checking.checks[1]?.expect.json?.schema?.({}, false)).toMatchObject([{ keyword: 'type' }]);
  });

  it('is the language of routes and page', async () => {
    const routes = 'alerts: [{ id: a, command: { run: [x] } }, { id: b, command: { run: [x] }, language: fr }]';
    expect(await settings(`language: ro\n${routes}`)).toMatchObject({
      alerts: [{ language: 'ro' }, { language: 'fr' }],
      page: { language: 'ro' },
    });
  });
});

describe('when a site is checked', () => {
  const everyHalf = { kind: 'every', everyMs: 30_000, jitterMs: 0 };
  const cron = { kind: 'cron', pattern: '*/5 * * * *', timeZone: null, jitterMs: 0 };

  it.each([
    ['as the monitor says', 'every: 30s', '', everyHalf],
    ['as the site says', 'every: 10s', 'every: 30s', everyHalf],
    ['by the site’s cron expression, not the monitor’s interval', 'every: 10s', 'cron: "*/5  * * * *"', cron],
    ['by the site’s interval, not the monitor’s cron expression', 'cron: "0 3 * * *"', 'every: 30s', everyHalf],
    ['in the monitor’s time zone', 'timeZone: UTC', 'cron: "*/5 * * * *"', { ...cron, timeZone: 'UTC' }],
    ['in the site’s time zone', 'cron: "*/5 * * * *"', 'timeZone: Europe/Paris', { ...cron, timeZone: 'Europe/Paris' }],
    ['with the monitor’s jitter', 'jitter: 2s', 'every: 30s', { ...everyHalf, jitterMs: 2_000 }],
    ['with the site’s jitter', 'every: 30s\n  jitter: 2s', 'jitter: 0s', everyHalf],
  ])('%s', async (_, monitor, site, expected) => {
    const text = `monitor:\n  ${monitor}\nsites:\n  - id: a\n    url: https://a.example/\n    ${site}\n`;
    expect((await firstSite(text.replace('monitor:\n  \n', ''))).schedule).toEqual(expected);
  });

  it.each([
    ['never, as the monitor says', 'full: false', '', null],
    ['never, as the site says', 'full: { every: 30m }', 'full: false', null],
    ['although the monitor says never', 'full: false', 'full: { every: 30m }', { kind: 'every', everyMs: 30 * MINUTE }],
    [
      'in the time zone of the site',
      'full: { cron: "0 3 * * *" }',
      'timeZone: UTC',
      { pattern: '0 3 * * *', timeZone: 'UTC' },
    ],
    [
      'in its own time zone',
      'timeZone: UTC',
      'full: { cron: "0 3 * * *", timeZone: Europe/Paris }',
      { timeZone: 'Europe/Paris' },
    ],
    ['not by the cron expression of the five', 'cron: "* * * * *"', '', { kind: 'every', everyMs: HOUR }],
    ['not with the jitter of the five', 'jitter: 5s', 'full: { every: 2h }', { everyMs: 2 * HOUR, jitterMs: 0 }],
  ])('as a whole %s', async (_, monitor, site, expected) => {
    const { full } = await firstSite(
      `monitor:\n  ${monitor}\nsites:\n  - id: a\n    url: https://a.example/\n    ${site}\n`,
    );
    expect({ full }).toMatchObject({ full: expected });
  });

  it.each([
    ['never, where nothing says so', '', '', null],
    ['as the monitor says', 'browser: { every: 10m }', '', { everyMs: 10 * MINUTE, jitterMs: 0 }],
    ['as the site says', 'browser: { every: 10m }', 'browser: { cron: "0 * * * *" }', { pattern: '0 * * * *' }],
    ['never, as the site says', 'browser: { every: 10m }', 'browser: false', null],
    ['every five minutes', 'browser: {}', '', { everyMs: 5 * MINUTE }],
  ])('in a browser %s', async (_, monitor, site, expected) => {
    const { browser } = await firstSite(
      `monitor:\n  jitter: 1s\n  every: 10s\n  ${monitor}\nsites:\n  - id: a\n    url: https://a.example/\n    ${site}\n`,
    );
    expect({ browser }).toMatchObject({ browser: expected });
  });

  it('has its objective, confirmation and recovery from the nearest that says so', async () => {
    const text = `monitor: { recoveryTimeObjective: 2m, confirm: { after: 5s, times: 4 }, recover: { times: 4 } }
sites: [{ id: a, url: https://a.example/, confirm: { times: 1 } }]`;
    expect(await firstSite(text)).toMatchObject({
      recoveryTimeObjectiveMs: 2 * MINUTE,
      confirm: { afterMs: 5_000, times: 1 },
      recover: { times: 4 },
    });
  });

  it('takes a number of runs instead of a mapping', async () => {
    const text = `monitor: { confirm: { after: 5s, times: 4 }, recover: 4 }
sites: [{ id: a, url: https://a.example/, confirm: 1 }, { id: b, url: https://b.example/, recover: 1 }]`;
    const { sites } = await settings(text);
    expect(sites.map(({ confirm, recover }) => ({ confirm, recover }))).toEqual([
      { confirm: { afterMs: 5_000, times: 1 }, recover: { times: 4 } },
      { confirm: { afterMs: 5_000, times: 4 }, recover: { times: 1 } },
    ]);
  });

  it('has maintenance once and again', async () => {
    const text = `monitor: { timeZone: Europe/Bucharest }
sites:
  - id: a
    url: https://a.example/
    maintenance:
      - { from: 2026-12-01T22:00:00Z, to: 2026-12-02T00:30:00+02:00, reason: Move }
      - { cron: "0 3 * * 0", for: 30m }
      - { cron: "0 4 * * 0", for: 2d, timeZone: UTC }`;
    const from = Date.UTC(2026, 11, 1, 22);
    expect((await firstSite(text)).maintenance).toEqual([
      { kind: 'once', from, to: from + 30 * MINUTE, reason: 'Move' },
      { kind: 'recurring', pattern: '0 3 * * 0', timeZone: 'Europe/Bucharest', forMs: 30 * MINUTE, reason: null },
      { kind: 'recurring', pattern: '0 4 * * 0', timeZone: 'UTC', forMs: 2 * DAY, reason: null },
    ]);
  });
});

describe('the routes', () => {
  it.each([
    [
      'webhook: { url: "${HOOK}", template: slack, secret: "${TOKEN}", headers: { X: "$$1" } }',
      { kind: 'webhook', url: env.HOOK, template: 'slack', secret: env.TOKEN, headers: { X: '$1' } },
    ],
    [
      'email: { server: "smtp://u:${TOKEN}@mail:587", from: A <a@b>, to: c@d }',
      { kind: 'email', server: 'smtp://u:c0rrect-h0rse@mail:587', from: 'A <a@b>', to: ['c@d'] },
    ],
    ['email: { server: smtps://mail, from: a@b, to: [c@d, e@f] }', { to: ['c@d', 'e@f'] }],
    ['alertmanager: { url: http://am:9093/ }', { kind: 'alertmanager', url: 'http://am:9093' }],
    ['alertmanager: { url: http://am:9093/prefix/api/v2/alerts }', { url: 'http://am:9093/prefix' }],
    [
      'githubIssue: { repository: a/b, token: "${TOKEN}" }',
      { kind: 'github-issue', repository: 'a/b', token: env.TOKEN, label: 'docvitals', api: 'https://api.github.com' },
    ],
    ['command: { run: [notify, "${TOKEN}"] }', { kind: 'command', run: ['notify', env.TOKEN], timeoutMs: 30_000 }],
  ])('%s', async (line, channel) => {
    const { alerts } = await settings(`alerts:\n  - id: a\n    after: 10m\n    reminder: 1d\n    ${line}\n`);
    expect(alerts).toMatchObject([{ channel, afterMs: 10 * MINUTE, reminderMs: DAY }]);
  });
});

describe('the monitor itself', () => {
  it('is read', async () => {
    const text = `monitor:
  database: /var/lib/docvitals.db
  listen: "[::1]:\${PORT}"
  heartbeat: { url: "\${HOOK}", every: 5m }
  connectivity: ["192.0.2.1:443"]
  probe: { targets: ["*.x.example"], modules: { quick: { only: [bundle], headers: { X: "\${TOKEN}" } }, all: { full: true } } }
  page: { title: Status, url: https://status.example/docs, language: fr }
headers: { Authorization: secret }
`;
    const { probe, ...rest } = await settings(text);
    expect(rest).toMatchObject({
      database: '/var/lib/docvitals.db',
      listen: { host: '::1', port: 9464 },
      heartbeat: { url: env.HOOK, everyMs: 5 * MINUTE },
      connectivity: ['192.0.2.1:443'],
      page: { title: 'Status', url: 'https://status.example/docs/', language: 'fr' },
    });
    expect(probe.targets).toEqual(['*.x.example']);
    expect(probe.modules.get('quick')).toMatchObject({ full: false, checking: { only: ['bundle'] } });
    expect(Object.entries(probe.modules.get('quick')?.checking.headers ?? {})).toEqual([['X', env.TOKEN]]);
    expect(Object.keys(probe.modules.get('all')?.checking.headers ?? {})).toEqual([]);
  });

  it.each([
    ['', [3, 14, 400, 3650]],
    ['runs: 30d', [30, 30, 400, 3650]],
    ['days: 7d', [3, 7, 7, 7]],
    ['hours: 2d', [2, 2, 2, 3650]],
    ['minutes: 500d', [3, 500, 500, 3650]],
    ['runs: 1d, minutes: 2d, hours: 3d, days: 4d', [1, 2, 3, 4]],
  ])('keeps what is coarser at least as long: %s', async (said, days) => {
    const { retention } = await settings(`monitor: { retention: { ${said} } }`);
    const { rawMs, minuteMs, hourMs, dayMs } = retention;
    expect([rawMs, minuteMs, hourMs, dayMs].map((ms) => ms / DAY)).toEqual(days);
  });
});

describe('a thousand sites', () => {
  it('are read, those that share an anchor included', async () => {
    const confirm = (index: number): string => (index === 0 ? '&c { after: 3s }' : '*c');
    const sites = Array.from(
      { length: 1_000 },
      (_, index) =>
        `  - { id: site-${index}, url: "https://s${index}.example/", confirm: ${confirm(index)}, cron: "${index % 60} * * * *", timeZone: UTC }`,
    );
    const read = await settings(`sites:\n${sites.join('\n')}\n`);
    expect(read.sites.map(({ id }) => id)).toHaveLength(1_000);
    expect(read.sites.at(-1)).toMatchObject({ id: 'site-999', confirm: { afterMs: 3_000 } });
  });
});
