/** Every mistake that a configuration can contain about the monitor, and where it is reported. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/locales/language.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { ConfigError } from '../../../src/config/problem.ts';
import { renderProblem } from '../../../src/config/messages.ts';

/** What no message may contain. */
const SECRET = 'c0rrect-h0rse';

const env = { HOOK: `https://hooks.example/${SECRET}`, BROKEN: `${SECRET}\r\nX: y`, EMPTY: '', WORD: SECRET };
const known = {
  builtIn: { bundle: ['not-html'], config: [], links: ['not-found'] },
  own: ['contains'],
  full: ['links'],
};

/** A text, and its mistakes as `line:column key kind`. */
type Row = readonly [name: string, text: string, ...expected: string[]];

/** The mistakes of a text, and their lines in all languages. */
async function inspected(text: string): Promise<{ readonly mistakes: string[]; readonly lines: string[] }> {
  const cwd = await mkdtemp(path.join(tmpdir(), 'docvitals-monitor-mistakes-'));
  try {
    await writeFile(path.join(cwd, 'docvitals.yaml'), text);
    const problems = await loadConfig({ cwd, env, known }).then(
      () => [],
      (error: unknown) => (error as ConfigError).problems,
    );
    return {
      mistakes: problems.map(({ line, column, key, expected: { kind } }) => `${line}:${column} ${key} ${kind}`),
      lines: problems.flatMap((problem) => LANGUAGES.map((language) => renderProblem(problem, language))),
    };
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

/** A route with this key, on line 3. */
const route = (line: string): string => `alerts:\n  - id: ops\n    ${line}\n`;
/** The monitor with this key, on line 2. */
const monitor = (line: string): string => `monitor:\n  ${line}\n`;

const ROUTES: readonly Row[] = [
  ['one route instead of a list', `alerts: https://hooks.example/${SECRET}`, '1:9 alerts list'],
  ['a route without a channel', 'alerts:\n  - id: ops', '2:5 alerts[0] one-key'],
  ['two channels', route('webhook: { url: "${HOOK}" }\n    command: { run: [x] }'), '4:5 alerts[0].command both-keys'],
  [
    'an id twice',
    `${route('command: { run: [x] }')}  - { id: ops, command: { run: [x] } }`,
    '4:11 alerts[1].id route-twice',
  ],
  ['a channel that is an address', route(`webhook: https://hooks.example/${SECRET}`), '3:14 alerts[0].webhook mapping'],
  ['a webhook without a url', route('webhook: {}'), '3:14 alerts[0].webhook missing-key'],
  ['a webhook of another scheme', route(`webhook: { url: "ws://x/${SECRET}" }`), '3:21 alerts[0].webhook.url url'],
  ['a webhook that is a number', route('webhook: { url: 5 }'), '3:21 alerts[0].webhook.url url'],
  [
    'a webhook of a variable that is empty',
    route('webhook: { url: "${EMPTY}" }'),
    '3:21 alerts[0].webhook.url env-missing',
  ],
  [
    'a secret of a variable that is not set',
    route('webhook: { url: "${HOOK}", secret: "${NO}" }'),
    '3:40 alerts[0].webhook.secret env-missing',
  ],
  [
    'an unknown template',
    route('webhook: { url: "${HOOK}", template: slak }'),
    '3:42 alerts[0].webhook.template one-of',
  ],
  [
    'a webhook header of the client',
    route('webhook: { url: "${HOOK}", headers: { Connection: x } }'),
    '3:43 alerts[0].webhook.headers.Connection header-reserved',
  ],
  [
    'a webhook for ntfy without a topic',
    route('webhook: { url: "https://ntfy.example/", template: ntfy }'),
    '3:21 alerts[0].webhook.url ntfy-topic',
  ],
  [
    'a webhook for ntfy with one that cannot be',
    route(`webhook: { url: "https://ntfy.example/${SECRET}/a.b", template: ntfy }`),
    '3:21 alerts[0].webhook.url ntfy-topic',
  ],
  [
    'a webhook for ntfy below a path',
    route('webhook: { url: "https://x.example/ntfy/my-topic/?auth=x", template: ntfy }'),
  ],
  [
    'a mail server of another scheme',
    route(`email: { server: "http://${SECRET}@x", from: a@b, to: c@d }`),
    '3:22 alerts[0].email.server mail-server',
  ],
  [
    'a mail server without a host',
    route('email: { server: "smtp:", from: a@b, to: c@d }'),
    '3:22 alerts[0].email.server mail-server',
  ],
  [
    'a sender that is none',
    route('email: { server: "smtp://x", from: a, to: c@d }'),
    '3:40 alerts[0].email.from mail-address',
  ],
  [
    'a receiver with a line break',
    route('email: { server: "smtp://x", from: a@b, to: "c@d\\nBcc: e@f" }'),
    '3:49 alerts[0].email.to mail-address',
  ],
  [
    'a receiver in a list',
    route('email: { server: "smtp://x", from: A <a@b>, to: [c@d, e] }'),
    '3:59 alerts[0].email.to[1] mail-address',
  ],
  ['no receiver', route('email: { server: "smtp://x", from: a@b, to: [] }'), '3:49 alerts[0].email.to mail-addresses'],
  [
    'a repository that is a URL',
    route('githubIssue: { repository: "https://github.com/a/b", token: "${WORD}" }'),
    '3:32 alerts[0].githubIssue.repository repository',
  ],
  [
    'a token with a line break',
    route('githubIssue: { repository: a/b, token: "${BROKEN}" }'),
    '3:44 alerts[0].githubIssue.token header-value',
  ],
  [
    'an Alertmanager without a scheme',
    route('alertmanager: { url: "am:9093" }'),
    '3:26 alerts[0].alertmanager.url url',
  ],
  ['a command line', route(`command: { run: "notify ${SECRET}" }`), '3:21 alerts[0].command.run program'],
  ['no command', route('command: { run: [] }'), '3:21 alerts[0].command.run program'],
  ['a command without a name', route('command: { run: ["", x] }'), '3:22 alerts[0].command.run[0] text'],
  [
    'a command with a variable that is not set',
    route('command: { run: [x, "${NO}"] }'),
    '3:25 alerts[0].command.run[1] env-missing',
  ],
  [
    'a verdict that opens no incident',
    route('command: { run: [x] }\n    verdicts: [unknown]'),
    '4:16 alerts[0].verdicts[0] one-of',
  ],
  ['a language that is none', route('command: { run: [x] }\n    language: de'), '4:15 alerts[0].language one-of'],
  [
    'an escalation after a month',
    route('command: { run: [x] }\n    after: 31d'),
    '4:12 alerts[0].after duration-range',
  ],
  [
    'every channel',
    'alerts:\n  - { id: a, webhook: { url: "${HOOK}", template: ntfy, secret: "${WORD}" } }\n  - { id: b, email: { server: "smtps://u:${WORD}@x", from: A B <a@b>, to: [c@d.example] } }\n  - { id: c, alertmanager: { url: http://am:9093 } }\n  - { id: d, githubIssue: { repository: a/b.c, token: "${WORD}", api: https://x/api/v3 } }\n  - { id: e, command: { run: [x, ""], timeout: 10s }, after: 0s, reminder: 1d }',
  ],
];

const MONITORS: readonly Row[] = [
  ['a port alone', monitor('listen: 9464'), '2:11 monitor.listen listen'],
  ['an address without brackets', monitor('listen: "::1:9464"'), '2:11 monitor.listen listen'],
  [
    'a heartbeat that is an address',
    monitor(`heartbeat: https://hc.example/${SECRET}`),
    '2:14 monitor.heartbeat mapping',
  ],
  [
    'a heartbeat of another scheme',
    monitor(`heartbeat: { url: "hc.example/${SECRET}" }`),
    '2:21 monitor.heartbeat.url url',
  ],
  [
    'a heartbeat once a week',
    monitor('heartbeat: { url: "${HOOK}", every: 7d }'),
    '2:39 monitor.heartbeat.every duration',
  ],
  [
    'a connectivity target without a port',
    monitor('connectivity: [192.0.2.1]'),
    '2:18 monitor.connectivity[0] host-port',
  ],
  ['no connectivity check', monitor('connectivity: []')],
  [
    'runs kept longer than days',
    monitor('retention: { runs: 30d, days: 7d }'),
    '2:22 monitor.retention.runs longer-than',
  ],
  ['runs kept for minutes', monitor('retention: { runs: 10m }'), '2:22 monitor.retention.runs duration-range'],
  ['all kept as long', monitor('retention: { runs: 7d, minutes: 7d, hours: 7d, days: 7d }')],
  ['a target without quotes', monitor('probe: { targets: [*.x.example] }'), '2:22  yaml-alias'],
  ['a target with a space', monitor('probe: { targets: [a b] }'), '2:22 monitor.probe.targets[0] probe-target'],
  [
    'a target of another scheme',
    monitor('probe: { targets: ["ftp://x"] }'),
    '2:22 monitor.probe.targets[0] probe-target',
  ],
  [
    'targets',
    monitor('probe: { targets: ["https://x.example/docs/", x.example, "*.x.example", "x:8080", 192.0.2.1, "[::1]"] }'),
  ],
  ['networks', monitor('probe: { targets: [10.0.0.0/8, "fd00::/8", "::1"] }')],
  [
    'a network that is too small',
    monitor('probe: { targets: [10.0.0.0/33] }'),
    '2:22 monitor.probe.targets[0] probe-target',
  ],
  [
    'a path without a scheme',
    monitor('probe: { targets: [x.example/docs] }'),
    '2:22 monitor.probe.targets[0] probe-target',
  ],
  [
    'a module named with capitals',
    monitor('probe: { modules: { Quick: {} } }'),
    '2:23 monitor.probe.modules.Quick monitor-id',
  ],
  [
    'a module named with capitals that has a mistake',
    monitor('probe: { modules: { Quick: { source: x } } }'),
    '2:23 monitor.probe.modules.Quick monitor-id',
    '2:32 monitor.probe.modules.Quick.source unknown-key',
  ],
  [
    'a module that is there',
    monitor('probe: { modules: { full: {} } }'),
    '2:23 monitor.probe.modules.full module-built-in',
  ],
  [
    'a module with a check that is not there',
    monitor('probe: { modules: { quick: { only: [x] } } }'),
    '2:39 monitor.probe.modules.quick.only[0] unknown-check',
  ],
  [
    'a module with a key of sites',
    monitor('probe: { modules: { quick: { source: x } } }'),
    '2:32 monitor.probe.modules.quick.source unknown-key',
  ],
  ['a page without a scheme', monitor('page: { url: status.example }'), '2:16 monitor.page.url url'],
  ['both every and cron', monitor('cron: "* * * * *"\n  every: 10s'), '2:3 monitor.cron both-keys'],
  ['a time zone that is none', monitor('timeZone: GMT+2'), '2:13 monitor.timeZone time-zone'],
  ['a database of a variable that is not set', monitor('database: "${NO}"'), '2:13 monitor.database env-missing'],
];

/** A site with this key, on line 4. */
const site = (line: string): string => `sites:\n  - id: docs\n    url: https://docs.example.com/\n    ${line}\n`;

const SITES: readonly Row[] = [
  [
    'the smallest monitor',
    'sites:\n  - id: docs\n    url: https://docs.example.com/\nalerts:\n  - id: ops\n    webhook: { url: "${HOOK}" }',
  ],
  ['no sites yet', 'sites: []'],
  ['one site instead of a list', 'sites: { id: docs }', '1:8 sites list'],
  ['an address instead of a list', `sites: https://u:${SECRET}@docs.example.com/`, '1:8 sites list'],
  ['an address instead of a site', `sites:\n  - https://u:${SECRET}@docs.example.com/`, '2:5 sites[0] mapping'],
  ['a site without an id', 'sites:\n  - url: https://x.example/', '2:5 sites[0] missing-key'],
  ['a site without a url', 'sites:\n  - id: x', '2:5 sites[0] missing-key'],
  ['an id with capitals', 'sites:\n  - { id: Docs, url: https://x.example/ }', '2:11 sites[0].id monitor-id'],
  ['an id with a dot', 'sites:\n  - { id: docs.example, url: https://x.example/ }', '2:11 sites[0].id monitor-id'],
  ['an id that is a number', 'sites:\n  - { id: 1, url: https://x.example/ }', '2:11 sites[0].id monitor-id'],
  ['an id too long', `sites:\n  - { id: ${'a'.repeat(65)}, url: https://x.example/ }`, '2:11 sites[0].id monitor-id'],
  [
    'an id twice',
    'sites:\n  - { id: x, url: https://x.example/ }\n  - { id: x, url: https://y.example/ }',
    '3:11 sites[1].id site-twice',
  ],
  ['a url without its scheme', 'sites:\n  - { id: x, url: x.example }', '2:19 sites[0].url url'],
  ['a url that only looks like one', 'sites:\n  - { id: x, url: "https:x.example" }', '2:19 sites[0].url url'],
  ['a url on two lines', 'sites:\n  - { id: x, url: "https://x.exa\\nmple/" }', '2:19 sites[0].url url'],
  ['a url of a file', 'sites:\n  - { id: x, url: "file:///srv" }', '2:19 sites[0].url file-url'],
  ['a variable that is not set', 'sites:\n  - { id: x, url: "https://${NO}/" }', '2:19 sites[0].url env-missing'],
  ['an unknown key', site('intervall: 10s'), '4:5 sites[0].intervall unknown-key'],
  ['a key of the file only', site('sites: []'), '4:5 sites[0].sites unknown-key'],
  ['every half second', site('every: 500ms'), '4:12 sites[0].every duration-range'],
  ['every month', site('every: 30d'), '4:12 sites[0].every duration-range'],
  ['every ten of nothing', site('every: 10'), '4:12 sites[0].every duration-unit'],
  ['every day', site('every: 1d')],
  ['both every and cron', site('every: 10s\n    cron: "* * * * *"'), '5:5 sites[0].cron both-keys'],
  ['a cron expression with a slip', site('cron: "61 * * * *"'), '4:11 sites[0].cron cron'],
  ['a cron expression without quotes', site('cron: */5 * * * *'), '4:11  yaml-character'],
  ['a cron expression of stars without quotes', site('cron: * * * * *'), '4:11  yaml-character'],
  ['a cron expression of no day', site('cron: "0 0 30 2 *"'), '4:11 sites[0].cron cron-never'],
  ['a time zone that is none', site('timeZone: Europe/Bucuresti'), '4:15 sites[0].timeZone time-zone'],
  ['jitter beyond the interval', site('every: 10s\n    jitter: 20s'), '5:13 sites[0].jitter longer-than'],
  ['jitter of nothing', site('jitter: 0s')],
  ['a full of yes', site('full: true'), '4:11 sites[0].full schedule'],
  ['a full that is a duration', site('full: 1h'), '4:11 sites[0].full schedule'],
  ['a full of never', site('full: false')],
  ['a full with a slip', site('full: { evry: 1h }'), '4:13 sites[0].full.evry unknown-key'],
  ['a full too often', site('full: { every: 10ms }'), '4:20 sites[0].full.every duration-range'],
  ['a full by a bad cron expression', site('full: { cron: daily }'), '4:19 sites[0].full.cron cron'],
  ['an objective of nothing', site('recoveryTimeObjective: 0s'), '4:28 sites[0].recoveryTimeObjective duration-range'],
  ['confirmed after an hour', site('confirm: { after: 1h }'), '4:23 sites[0].confirm.after duration-range'],
  ['confirmed a hundred times', site('confirm: { times: 100 }'), '4:23 sites[0].confirm.times integer'],
  ['confirmed a hundred times, in short', site('confirm: 100'), '4:14 sites[0].confirm confirm'],
  ['confirmed by the first run', site('confirm: { times: 1 }')],
  ['confirmed by the first run, in short', site('confirm: 1')],
  ['confirmed by no run', site('confirm: { times: 0 }'), '4:23 sites[0].confirm.times confirm-zero'],
  ['confirmed by no run, in short', site('confirm: 0'), '4:14 sites[0].confirm confirm-zero'],
  ['confirmed by half a run', site('confirm: 0.5'), '4:14 sites[0].confirm confirm'],
  ['confirmed with a slip', site('confirm: { tmes: 3 }'), '4:16 sites[0].confirm.tmes unknown-key'],
  ['recovered by no run', site('recover: { times: 0 }'), '4:23 sites[0].recover.times recover-zero'],
  ['recovered by no run, in short', monitor('recover: 0'), '2:12 monitor.recover recover-zero'],
  ['recovered in words', site('recover: twice'), '4:14 sites[0].recover recover'],
  [
    'a route that is not there',
    `${site('alerts: [opz]')}${route('command: { run: [x] }')}`,
    '4:14 sites[0].alerts[0] unknown-route',
  ],
  ['no routes', site('alerts: []')],
  ['tags that no route has', site('tags: [public, "customer facing"]')],
  ['a check that is not there', site('only: [bundel]'), '4:12 sites[0].only[0] unknown-check'],
  [
    'a rule of another check',
    site('rules: { links/not-html: off }'),
    '4:14 sites[0].rules.links/not-html unknown-rule',
  ],
  [
    'a header with a variable that breaks it',
    site('headers: { X: "${BROKEN}" }'),
    '4:19 sites[0].headers.X header-value',
  ],
  ['an address that is none', site('resolve: [x]'), '4:15 sites[0].resolve[0] resolve'],
  ['a limit beyond a day', site('limits: { deadline: 2d }'), '4:25 sites[0].limits.deadline duration'],
  [
    'an own check of a built-in id',
    site('checks: [{ id: links, title: X, path: x }]'),
    '4:20 sites[0].checks[0].id id-built-in',
  ],
  [
    'an own check of the id of one for all sites',
    `${site('checks: [{ id: x, title: X, path: x }]')}checks: [{ id: x, title: X, path: x }]`,
    '4:20 sites[0].checks[0].id id-twice',
  ],
  [
    'own checks of one id at two sites',
    'sites:\n  - { id: a, url: https://x.example/, checks: [{ id: x, title: X, path: x }], only: [x] }\n  - { id: b, url: https://x.example/, checks: [{ id: x, title: X, path: x }] }',
  ],
  [
    'a check of another site',
    `${site('checks: [{ id: x, title: X, path: x }]')}  - { id: b, url: https://x.example/, skip: [x] }`,
    '5:46 sites[1].skip[0] unknown-check',
  ],
  [
    'a schema that is none',
    site('checks: [{ id: x, title: X, path: x, expect: { json: { schema: { type: y } } } }]'),
    '4:76 sites[0].checks[0].expect.json.schema.type schema',
  ],
  ['only checks of the whole site', site('only: [links]'), '4:11 sites[0].only no-quick-check'],
  ['all quick checks left out', site('skip: [config, bundle]'), '4:11 sites[0].skip no-quick-check'],
  ['an own check alone', site('only: [x]\n    checks: [{ id: x, title: X, path: x }]')],
  ['only checks of the whole site, said for all', `only: [links]\n${site('title: x')}`, '1:7 only no-quick-check'],
];

const WINDOWS: readonly Row[] = [
  ['a window', '{ from: 2026-12-01T22:00:00Z, to: 2026-12-01T23:00:00Z, reason: move }'],
  ['a window again and again', '{ cron: "0 3 * * 0", for: 30m, timeZone: Europe/Bucharest }'],
  [
    'a time without a zone',
    '{ from: 2026-12-01T22:00:00, to: 2026-12-01T23:00:00Z }',
    '4:27 sites[0].maintenance[0].from time',
  ],
  ['a date alone', '{ from: 2026-12-01, to: 2026-12-01T23:00:00Z }', '4:27 sites[0].maintenance[0].from time'],
  [
    'an end before its begin',
    '{ from: 2026-12-01T22:00:00+01:00, to: 2026-12-01T21:00:00Z }',
    '4:58 sites[0].maintenance[0].to time-order',
  ],
  ['no end', '{ from: 2026-12-01T22:00:00Z }', '4:19 sites[0].maintenance[0] missing-key'],
  ['no length', '{ cron: "0 3 * * 0" }', '4:19 sites[0].maintenance[0] missing-key'],
  ['a length alone', '{ for: 1h }', '4:19 sites[0].maintenance[0] missing-key'],
  ['nothing', '{}', '4:19 sites[0].maintenance[0] one-key'],
  ['both kinds', '{ from: 2026-12-01T22:00:00Z, cron: "0 3 * * 0" }', '4:49 sites[0].maintenance[0].cron both-keys'],
  ['a length of a year', '{ cron: "0 3 * * 0", for: 365d }', '4:45 sites[0].maintenance[0].for duration-range'],
  ['a bad cron expression', '{ cron: "0 3", for: 1h }', '4:27 sites[0].maintenance[0].cron cron'],
  [
    'a bad time zone',
    '{ cron: "0 3 * * 0", for: 1h, timeZone: Mars }',
    '4:59 sites[0].maintenance[0].timeZone time-zone',
  ],
];

const ROWS: readonly Row[] = [
  ...ROUTES.map(([name, ...rest]): Row => [`alerts: ${name}`, ...rest]),
  ...MONITORS.map(([name, ...rest]): Row => [`monitor: ${name}`, ...rest]),
  ...SITES.map(([name, ...rest]): Row => [`sites: ${name}`, ...rest]),
  ...WINDOWS.map(([name, text, ...rest]): Row => [`maintenance: ${name}`, site(`maintenance: [${text}]`), ...rest]),
];

describe('docvitals.yaml with', () => {
  it.each(ROWS.map(([name, text, ...expected]) => ({ name, text, expected })))('$name', async ({ text, expected }) => {
    const { mistakes, lines } = await inspected(text);
    expect(mistakes).toEqual(expected);
    for (const line of lines) {
      expect(line).toMatch(/^docvitals\.yaml:\d+:\d+: [^\p{Cc}]+$/u);
      expect(line).not.toContain(SECRET);
    }
  });
});
