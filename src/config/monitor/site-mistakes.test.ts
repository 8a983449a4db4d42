/** Every mistake that a configuration can hold about the monitor's sites, and where it is told. */
import { describe, expect, it } from 'vitest';
import { SECRET, toldOf, type Row } from './fixtures/told.ts';

/** A site with this said of it, on line 4. */
const site = (line: string): string => `sites:\n  - id: docs\n    url: https://docs.example.com/\n    ${line}\n`;
/** A route with this said of it, on line 3. */
const route = (line: string): string => `alerts:\n  - id: ops\n    ${line}\n`;

const SITES: readonly Row[] = [
  [
    'the smallest monitor',
    'sites:\n  - id: docs\n    url: https://docs.example.com/\nalerts:\n  - id: ops\n    webhook: { url: "${HOOK}" }',
  ],
  ['no sites yet', 'sites: []'],
  ['one site in place of a list', 'sites: { id: docs }', '1:8 sites list'],
  ['an address in place of a list', `sites: https://u:${SECRET}@docs.example.com/`, '1:8 sites list'],
  ['an address in place of a site', `sites:\n  - https://u:${SECRET}@docs.example.com/`, '2:5 sites[0] mapping'],
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
  ['an objective of nothing', site('objective: 0s'), '4:16 sites[0].objective duration-range'],
  ['confirmed after an hour', site('confirm: { after: 1h }'), '4:23 sites[0].confirm.after duration-range'],
  ['confirmed a hundred times', site('confirm: { times: 100 }'), '4:23 sites[0].confirm.times integer'],
  ['confirmed by the first round', site('confirm: { times: 0 }')],
  ['recovered by no round', site('recover: { times: 0 }'), '4:23 sites[0].recover.times integer'],
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
    '4:14 sites[0].rules.links/not-html unknown-code',
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

describe('docvitals.yaml with sites:', () => {
  const windows = WINDOWS.map(([name, text, ...expected]): Row => [
    `maintenance: ${name}`,
    site(`maintenance: [${text}]`),
    ...expected,
  ]);
  const rows = [...SITES, ...windows];

  it.each(rows.map(([name, text, ...expected]) => ({ name, text, expected })))('$name', async ({ text, expected }) => {
    const { told, lines } = await toldOf(text);
    expect(told).toEqual(expected);
    for (const line of lines) {
      expect(line).toMatch(/^docvitals\.yaml:\d+:\d+: [^\p{Cc}]+$/u);
      expect(line).not.toContain(SECRET);
    }
  });
});
