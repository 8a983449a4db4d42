/** The schema of what a configuration says of the monitor: `sites`, `alerts` and `monitor`. Used by the build. */
import {
  duration,
  flag,
  integer,
  list,
  mapping,
  oneOf,
  ref,
  text,
  variableText,
  webUrl,
  written,
} from '../config/define.ts';
import type { Keys, SchemaNode } from '../config/define.ts';
import type { DurationBounds } from '../config/values.ts';
import { CHANNELS } from './alerts/channels/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../core/time.ts';
import { DEFAULT_BROWSER, DEFAULT_HEARTBEAT_MS, DEFAULT_MONITOR, DEFAULT_WATCHING } from './settings.ts';

/** No site is checked more often than once a second. */
const INTERVAL = { least: SECOND_MS, most: 14 * DAY_MS };
const KEPT = { least: HOUR_MS, most: 36_500 * DAY_MS };
const EXCLUSIVE = { 'x-exclusive': ['every', 'cron'] };

/** A duration with a default, which is its example. */
const durationOr = (ms: number, range: DurationBounds, extras: Partial<SchemaNode> = {}): SchemaNode =>
  duration(range, { examples: [written(ms)], 'x-values': { default: written(ms) }, ...extras });

/** How many runs in a row something takes, which is short for a mapping with no other key. `kind`: of its mistakes. */
function timesOr(byDefault: number, kind: 'confirm' | 'recover', others: Keys = {}): SchemaNode {
  const times = integer(1, 20, { 'x-zero': `${kind}-zero` });
  return {
    anyOf: [times, mapping({ times: { ...times, 'x-values': { default: byDefault } }, ...others })],
    'x-expected': kind,
    'x-zero': `${kind}-zero`,
  };
}

const timeZone = (...examples: readonly string[]): SchemaNode =>
  text({ examples, 'x-format': 'time-zone', 'x-expected': 'text' });

const schedule: Keys = {
  every: duration(INTERVAL),
  cron: text({ examples: ['*/5 * * * *', '0 3 * * 1-5'], 'x-format': 'cron' }),
  timeZone: timeZone('Europe/Bucharest', 'Europe/Paris', 'UTC'),
  jitter: duration({ least: 0, most: HOUR_MS }, { 'x-at-most': ['every'] }),
};

const ownSchedule: SchemaNode = { anyOf: [{ const: false }, mapping(schedule, EXCLUSIVE)], 'x-expected': 'schedule' };

/** How sites are watched. */
const watching: Keys = {
  ...schedule,
  full: ref('fullSchedule', { every: '1h' }),
  browser: { ...ref('browserSchedule', { every: '5m' }), 'x-values': { default: written(DEFAULT_BROWSER.everyMs) } },
  recoveryTimeObjective: durationOr(DEFAULT_WATCHING.recoveryTimeObjectiveMs, INTERVAL),
  confirm: ref('confirm'),
  recover: ref('recover'),
};

/** How a site or a probe is checked, where that differs from the rest of the file. */
export const checking: Keys = {
  only: ref('names', ['bundle', 'config']),
  skip: ref('names', ['llms-txt']),
  external: flag(),
  host: ref('host'),
  negotiation: flag(),
  engine: ref('engine'),
  strict: flag(),
  limits: ref('limits'),
  headers: ref('headers', { Authorization: 'Bearer ${DOCS_TOKEN}' }),
  rules: ref('rules', { 'navigation/no-links': 'off' }),
};

/** What is of one site, and of no other. */
export const ofOneSite: Keys = {
  headersFor: list(variableText({ 'x-format': 'origin-pattern' }), {
    examples: [['https://preview.example.com', 'https://*.docs.example.com']],
  }),
  source: variableText({ examples: ['docs', 'HEAD:docs', 'manifest.json'] }),
  versionFrom: text({
    examples: ['version.json#/commit', 'build/about.txt#rev: ([0-9a-f]+)'],
    'x-format': 'version-from',
  }),
  resolve: list({ type: 'string', 'x-format': 'resolve' }, { examples: [['docs.example.org:443:192.0.2.10']] }),
  checks: list(ref('check')),
};

/** When a route is notified of new findings. */
const FINDINGS = ['none', 'daily', 'each'];

const channels: Record<string, SchemaNode> = {};
for (const { key, load } of CHANNELS) channels[key] = { ...(await load()).settings, 'x-secret': true };

const { rawMs, minuteMs, hourMs, dayMs } = DEFAULT_MONITOR.retention;

export const monitorKeys: Keys = {
  sites: list(ref('site'), {
    examples: [[{ id: 'docs', url: 'https://docs.example.com/' }]],
    'x-unique': 'site-twice',
  }),
  alerts: list(ref('route'), {
    examples: [[{ id: 'ops', webhook: { url: '${OPS_WEBHOOK}' } }]],
    'x-unique': 'route-twice',
  }),
  monitor: mapping(
    {
      ...watching,
      database: variableText({
        examples: ['/var/lib/docvitals/docvitals.db', 'postgres://docvitals:${DB_PASSWORD}@db.example.com/docvitals'],
        'x-secret': true,
      }),
      locations: list(ref('location'), {
        minItems: 1,
        examples: [['paris', 'bucharest', 'virginia']],
        'x-unique': 'location-twice',
      }),
      listen: variableText({ examples: ['127.0.0.1:9464', '[::1]:9464'], 'x-format': 'listen' }),
      heartbeat: mapping(
        {
          url: webUrl('${HEARTBEAT_URL}'),
          every: durationOr(DEFAULT_HEARTBEAT_MS, { least: SECOND_MS, most: DAY_MS }),
        },
        { required: ['url'] },
      ),
      connectivity: list(text({ 'x-format': 'host-port' }), { examples: [['192.0.2.1:443']] }),
      retention: mapping({
        runs: durationOr(rawMs, KEPT, { 'x-at-most': ['minutes', 'hours', 'days'] }),
        minutes: durationOr(minuteMs, KEPT, { 'x-at-most': ['hours', 'days'] }),
        hours: durationOr(hourMs, KEPT, { 'x-at-most': ['days'] }),
        days: durationOr(dayMs, KEPT),
      }),
      probe: mapping({
        targets: list(text({ 'x-format': 'probe-target', 'x-secret': true }), {
          examples: [['docs', 'https://docs.example.com/', '*.docs.example.com']],
        }),
        modules: {
          type: 'object',
          propertyNames: { type: 'string', pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$', 'x-expected': 'monitor-id' },
          additionalProperties: ref('module'),
          examples: [{ quick: { only: ['bundle', 'config'] } }],
        },
      }),
      page: mapping({
        title: text({ examples: ['Status of the documentation'] }),
        url: webUrl('https://status.example.com/'),
        language: ref('language'),
        details: flag(true),
      }),
    },
    EXCLUSIVE,
  ),
};

export const monitorDefinitions: Keys = {
  fullSchedule: ownSchedule,
  browserSchedule: ownSchedule,
  confirm: timesOr(DEFAULT_WATCHING.confirm.times, 'confirm', {
    after: durationOr(DEFAULT_WATCHING.confirm.afterMs, { least: 1, most: 10 * MINUTE_MS }, { examples: ['2s', '5s'] }),
    locations: integer(1, 100, { examples: [2] }),
    notifyFewer: flag(false),
  }),
  location: {
    anyOf: [
      ref('id'),
      mapping(
        {
          id: ref('id', 'paris'),
          title: text({ examples: ['Paris'] }),
          latitude: { type: 'number', minimum: -90, maximum: 90, examples: [48.86] },
          longitude: { type: 'number', minimum: -180, maximum: 180, examples: [2.35] },
        },
        { required: ['id'] },
      ),
    ],
    'x-expected': 'location',
  },
  recover: timesOr(DEFAULT_WATCHING.recover.times, 'recover'),
  maintenance: mapping({
    from: text({ examples: ['2026-12-01T22:00:00Z', '2026-12-01T23:00:00+01:00'], 'x-format': 'time' }),
    to: text({ examples: ['2026-12-01T23:00:00Z'], 'x-format': 'time' }),
    cron: text({ examples: ['0 3 * * 0'], 'x-format': 'cron' }),
    timeZone: timeZone('Europe/Bucharest'),
    for: duration({ least: SECOND_MS, most: 31 * DAY_MS }, { examples: ['30m'] }),
    reason: text({ examples: ['Weekly deployment'] }),
  }),
  site: mapping(
    {
      id: ref('id', 'docs', 'handbook'),
      url: webUrl('https://docs.example.com/'),
      title: text({ examples: ['Documentation'] }),
      tags: ref('names', ['public']),
      ...watching,
      locations: list(ref('id'), { minItems: 1, examples: [['paris', 'bucharest']] }),
      alerts: ref('names', ['ops']),
      maintenance: list(ref('maintenance'), {
        examples: [[{ cron: '0 3 * * 0', for: '30m', reason: 'Weekly deployment' }]],
      }),
      ...checking,
      ...ofOneSite,
    },
    { required: ['id', 'url'], ...EXCLUSIVE },
  ),
  route: mapping(
    {
      id: ref('id', 'ops'),
      ...channels,
      language: ref('language'),
      after: duration({ least: 0, most: 14 * DAY_MS }, { examples: ['10m'] }),
      reminder: duration({ least: SECOND_MS, most: 31 * DAY_MS }, { examples: ['1h'] }),
      findings: oneOf(FINDINGS, { 'x-values': { default: 'daily' } }),
      verdicts: list(oneOf(['down', 'degraded', 'stale']), { examples: [['down']] }),
      tags: ref('names', ['public']),
    },
    { required: ['id'], 'x-exclusive': CHANNELS.map(({ key }) => key), 'x-required': true },
  ),
  module: mapping({ full: flag(false), ...checking }),
};
