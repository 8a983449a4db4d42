/** Every mistake that a configuration can hold about alert routes and the monitor itself, and where it is told. */
import { describe, expect, it } from 'vitest';
import { SECRET, toldOf, type Row } from './fixtures/told.ts';

/** A route with this said of it, on line 3. */
const route = (line: string): string => `alerts:\n  - id: ops\n    ${line}\n`;
/** The monitor with this said of it, on line 2. */
const monitor = (line: string): string => `monitor:\n  ${line}\n`;

const ROUTES: readonly Row[] = [
  ['one route in place of a list', `alerts: https://hooks.example/${SECRET}`, '1:9 alerts list'],
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
  ['a control without a port', monitor('control: [192.0.2.1]'), '2:13 monitor.control[0] host-port'],
  ['no control', monitor('control: []')],
  [
    'rounds kept longer than days',
    monitor('retention: { rounds: 30d, days: 7d }'),
    '2:24 monitor.retention.rounds longer-than',
  ],
  ['rounds kept for minutes', monitor('retention: { rounds: 10m }'), '2:24 monitor.retention.rounds duration-range'],
  ['all kept as long', monitor('retention: { rounds: 7d, minutes: 7d, hours: 7d, days: 7d }')],
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

describe('docvitals.yaml with', () => {
  const rows = [
    ...ROUTES.map(([name, ...rest]) => [`alerts: ${name}`, ...rest] as const),
    ...MONITORS.map(([name, ...rest]) => [`monitor: ${name}`, ...rest] as const),
  ];

  it.each(rows.map(([name, text, ...expected]) => ({ name, text, expected })))('$name', async ({ text, expected }) => {
    const { told, lines } = await toldOf(text);
    expect(told).toEqual(expected);
    for (const line of lines) {
      expect(line).toMatch(/^docvitals\.yaml:\d+:\d+: [^\p{Cc}]+$/u);
      expect(line).not.toContain(SECRET);
    }
  });
});
