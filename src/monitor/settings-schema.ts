/** The schema of what a configuration says of the monitor: `sites`, `alerts` and `monitor`. Used by the build. */
import {
  duration,
  flag,
  integer,
  list,
  mapping,
  ref,
  text,
  variableText,
  webUrl,
  written,
  type SchemaNode,
} from '../config/define.ts';
import { CHANNELS } from './alerts/channels/index.ts';
import { DEFAULT_BROWSER, DEFAULT_HEARTBEAT_MS, DEFAULT_MONITOR, DEFAULT_WATCHING } from './settings.ts';

type Keys = Readonly<Record<string, SchemaNode>>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** No site is checked more often than once a second. */
const INTERVAL = { least: SECOND, most: 14 * DAY };
const KEPT = { least: HOUR, most: 36_500 * DAY };
const CRON_FIELDS = 'minute, hour, day of the month, month, day of the week; with six fields, seconds come first';
const inherited = 'Default: as in the rest of the file';

function scheduleKeys(what: string, timeZone: string): Keys {
  return {
    every: duration(`${what} at this interval: ${written(INTERVAL.least)} to ${written(INTERVAL.most)}.`, INTERVAL),
    cron: text(`${what} by a cron expression instead of \`every\`: ${CRON_FIELDS}.`, {
      examples: ['*/5 * * * *', '0 3 * * 1-5'],
      'x-format': 'cron',
    }),
    timeZone: text(`IANA time zone of the cron expressions. Default: ${timeZone}.`, {
      examples: ['Europe/Bucharest', 'Europe/Paris', 'UTC'],
      'x-format': 'time-zone',
      'x-expected': 'text',
    }),
    jitter: duration(
      `Random delay before each run, up to this. Default: 0s.`,
      { least: 0, most: HOUR },
      { 'x-at-most': ['every'] },
    ),
  };
}

function ownSchedule(what: string): SchemaNode {
  const keys = scheduleKeys(what, 'that of the site, of the monitor or of the machine');
  return { anyOf: [{ const: false }, mapping(null, keys, EXCLUSIVE)], 'x-expected': 'schedule' };
}

/** How sites are watched; `of`: what a key defaults to, and whose time zone holds. */
function watchingKeys(of: {
  readonly full: string;
  readonly browser: string;
  readonly objective: string;
  readonly timeZone: string;
}): Keys {
  return {
    ...scheduleKeys('Run the core checks, and your own checks,', of.timeZone),
    full: ref(
      'fullSchedule',
      `When the full check runs: a mapping with \`every\` or \`cron\`; false: never. Default: ${of.full}.`,
      { examples: [{ every: '1h' }] },
    ),
    browser: ref(
      'browserSchedule',
      `When pages are opened in a browser too, as \`docvitals check --browser\` does: a mapping with \`every\` (default: ${written(DEFAULT_BROWSER.everyMs)}) or \`cron\`; false: never. The \`browser\` of the file names the browser. Default: ${of.browser}.`,
      { examples: [{ every: '5m' }] },
    ),
    objective: duration(
      `Recovery time objective: an outage must be over within this time. Default: ${of.objective}.`,
      INTERVAL,
      { examples: ['60s'] },
    ),
    confirm: ref('confirm', 'How a failure is confirmed, over new connections, before it opens an incident.'),
    recover: ref('recover', 'When an incident is over.'),
  };
}

/** How a site or a probe is checked, where that differs from the rest of the file; `whose`: of the site or target. */
function checkingKeys(whose: string): Keys {
  return {
    only: ref('names', `Run only these checks. ${inherited}.`, { examples: [['bundle', 'config']] }),
    skip: ref('names', `Skip these checks. ${inherited}.`, { examples: [['llms-txt']] }),
    external: flag(`Check links to other sites too, in the full check. ${inherited}.`),
    host: ref('host', `The kind of host that serves the site. ${inherited}, otherwise detected.`),
    engine: ref('engine', `The documentation engine of the site. ${inherited}, otherwise recognised by the bundle.`),
    strict: flag(`Warnings count as failures. ${inherited}.`),
    limits: ref('limits', 'Limits of time and size; they override those of the file one by one.'),
    headers: ref(
      'headers',
      `Request headers, sent to ${whose} own origin only; never printed. The headers of the file belong to its \`url\` and are not sent. \`\${NAME}\` is an environment variable.`,
      { examples: [{ Authorization: 'Bearer ${DOCS_TOKEN}' }] },
    ),
    rules: ref('rules', 'Severity of single rules, as `<check id>/<rule>`; those of the file apply too.', {
      examples: [{ 'navigation/no-links': 'off' }],
    }),
  };
}

const EXCLUSIVE = { 'x-exclusive': ['every', 'cron'] };

const maintenance = mapping(null, {
  from: text('When it begins, with its time zone. Together with `to`.', {
    examples: ['2026-12-01T22:00:00Z', '2026-12-01T23:00:00+01:00'],
    'x-format': 'time',
  }),
  to: text('When it ends, with its time zone.', { examples: ['2026-12-01T23:00:00Z'], 'x-format': 'time' }),
  cron: text('When it begins, repeatedly, instead of `from` and `to`. Together with `for`.', {
    examples: ['0 3 * * 0'],
    'x-format': 'cron',
  }),
  timeZone: text(
    'IANA time zone of the cron expression. Default: that of the site, of the monitor or of the machine.',
    { examples: ['Europe/Bucharest'], 'x-format': 'time-zone', 'x-expected': 'text' },
  ),
  for: duration('How long it lasts: 1s to 31d.', { least: SECOND, most: 31 * DAY }, { examples: ['30m'] }),
  reason: text('What is done; shown on the status page.', { examples: ['Weekly deployment'] }),
});

const site = mapping(
  null,
  {
    id: ref(
      'id',
      'Name of the site in the database, URLs, metrics and notifications: lower-case words joined with hyphens, at most 64 characters. A new id is a new site without history.',
      { examples: ['docs', 'handbook'] },
    ),
    url: webUrl('Base URL of the site, with its base path. `${NAME}` is an environment variable, `$$` a dollar sign.', {
      examples: ['https://docs.example.com/'],
    }),
    title: text('Name for people. Default: the id.', { examples: ['Documentation'] }),
    tags: ref('names', 'Words by which notification routes select sites.', { examples: [['public']] }),
    ...watchingKeys({
      full: 'as under `monitor`',
      browser: 'as under `monitor`',
      objective: 'as under `monitor`',
      timeZone: 'that of the monitor, or of the machine',
    }),
    locations: list('Ids of the locations that check it. Default: all.', ref('id'), {
      minItems: 1,
      examples: [['paris', 'bucharest']],
    }),
    alerts: ref('names', 'Ids of the notification routes for this site; an empty list: none. Default: all.', {
      examples: [['ops']],
    }),
    maintenance: list(
      'Maintenance windows: the site is still checked, but no incident is opened.',
      ref('maintenance'),
      { examples: [[{ cron: '0 3 * * 0', for: '30m', reason: 'Weekly deployment' }]] },
    ),
    ...checkingKeys("this site's"),
    source: variableText(
      'What the site is deployed from: a folder, a Git ref (main, HEAD:docs) or a hash manifest (manifest.json). `${NAME}` is an environment variable.',
      { examples: ['docs', 'HEAD:docs'] },
    ),
    versionFrom: text(
      'Where the site publishes its version: a path relative to the base URL, then # and a JSON Pointer or a regular expression whose first group is the version.',
      { examples: ['version.json#/commit'], 'x-format': 'version-from' },
    ),
    resolve: list(
      "Connect to this address instead of the one the name resolves to: host:port:address, as curl's --resolve.",
      { type: 'string', 'x-format': 'resolve' },
      { examples: [['docs.example.com:443:192.0.2.10']] },
    ),
    checks: list('Your own checks for this site; those of the file run too.', ref('check')),
  },
  { required: ['id', 'url'], ...EXCLUSIVE },
);

const channels = await Promise.all(
  CHANNELS.map(async ({ key, load }) => [key, { ...(await load()).settings, 'x-secret': true }] as const),
);

const route = mapping(
  null,
  {
    id: ref(
      'id',
      "Name of the route, for a site's `alerts` and `docvitals alert test`: lower-case words joined with hyphens, at most 64 characters.",
      { examples: ['ops'] },
    ),
    ...Object.fromEntries(channels),
    language: ref(
      'language',
      'Language of the notifications of this route. Default: that of the file, otherwise English.',
    ),
    after: duration(
      'Escalation: only incidents that have been open for this long. Default: at once.',
      { least: 0, most: 14 * DAY },
      { examples: ['10m'] },
    ),
    reminder: duration(
      'How often a notification of an open incident is repeated. Default: never.',
      { least: SECOND, most: 31 * DAY },
      { examples: ['1h'] },
    ),
    verdicts: list(
      'Only incidents with these verdicts. Default: all.',
      { type: 'string', enum: ['down', 'degraded', 'stale'] },
      { examples: [['down']] },
    ),
    tags: ref('names', 'Only sites that have one of these tags. Default: all.', { examples: [['public']] }),
  },
  { required: ['id'], 'x-exclusive': CHANNELS.map(({ key }) => key), 'x-required': true },
);

const { rawMs, minuteMs, hourMs, dayMs } = DEFAULT_MONITOR.retention;
const kept = (what: string, byDefault: number, ...coarser: readonly string[]): SchemaNode =>
  duration(`${what} Default: ${written(byDefault)}.`, KEPT, {
    examples: [written(byDefault)],
    ...(coarser.length === 0 ? {} : { 'x-at-most': coarser }),
  });

const monitor = mapping(
  'The monitor itself, and what applies to all its sites unless they override it.',
  {
    ...watchingKeys({
      full: 'every hour',
      browser: 'never',
      objective: written(DEFAULT_WATCHING.objectiveMs),
      timeZone: 'that of the machine',
    }),
    database: variableText(
      'Database: an SQLite file, or the address of a PostgreSQL database, postgres://user:password@host/name. --database overrides it. Default: docvitals.db in the current folder.',
      {
        examples: ['/var/lib/docvitals/docvitals.db', 'postgres://docvitals:${DB_PASSWORD}@db.example.com/docvitals'],
        'x-secret': true,
      },
    ),
    locations: list(
      'Where runners check from, each an id or a mapping. Used by `docvitals coordinator` and `docvitals runner`, which need a PostgreSQL database.',
      ref('location'),
      { minItems: 1, examples: [['paris', 'bucharest', 'virginia']], 'x-unique': 'location-twice' },
    ),
    listen: variableText(
      'Where the server with status page, metrics and API listens, as host:port. --listen overrides it. Default: no server.',
      { examples: ['127.0.0.1:9464', '[::1]:9464'], 'x-format': 'listen' },
    ),
    heartbeat: mapping(
      "Dead man's switch: a URL that is requested after the runs, so that a monitor that stopped is noticed.",
      {
        url: webUrl('The URL to request; never printed.', { examples: ['${HEARTBEAT_URL}'] }),
        every: duration(
          `Shortest interval between two requests: 1s to 24h. Default: ${written(DEFAULT_HEARTBEAT_MS)}.`,
          { least: SECOND, most: DAY },
          { examples: ['60s'] },
        ),
      },
      { required: ['url'] },
    ),
    control: list(
      'Addresses, as host:port, that show whether the network of the monitor works when everything fails at once; a host name tests name resolution too. An empty list: no connectivity check. Default: two public name servers, and their names.',
      { type: 'string', minLength: 1, 'x-format': 'host-port' },
      { examples: [['192.0.2.1:443']] },
    ),
    retention: mapping('How long results are kept: 1h to 36500d, coarser results at least as long as finer ones.', {
      rounds: kept('Results of single runs.', rawMs, 'minutes', 'hours', 'days'),
      minutes: kept('Results by minute.', minuteMs, 'hours', 'days'),
      hours: kept('Results by hour.', hourMs, 'days'),
      days: kept('Results by day.', dayMs),
    }),
    probe: mapping('What /probe may check.', {
      targets: list(
        'What may be probed: ids of sites, base URLs, hosts (docs.example.com, *.example.com, localhost:8080), and networks (10.0.0.0/8) that the listed names may resolve to. Link-local addresses never. Default: nothing.',
        { type: 'string', minLength: 1, 'x-format': 'probe-target', 'x-secret': true },
        { examples: [['docs', 'https://docs.example.com/', '*.docs.example.com']] },
      ),
      modules: {
        description: 'What a probe runs, by the name in `module=`. `core` and `full` are built in.',
        type: 'object',
        propertyNames: { type: 'string', pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$', 'x-expected': 'monitor-id' },
        additionalProperties: ref('module', 'One module.'),
        examples: [{ quick: { only: ['bundle', 'config'] } }],
      },
    }),
    page: mapping('The status page.', {
      title: text('Its title.', { examples: ['Status of the documentation'] }),
      url: webUrl('Where it is published, for feeds and links.', { examples: ['https://status.example.com/'] }),
      language: ref('language', 'Language of its first page. Default: that of the file, otherwise English.'),
      details: flag(
        'false: pages, feeds and the API show what fails, but no fixes, evidence or excerpts of files, for a public page.',
        { default: true },
      ),
    }),
  },
  EXCLUSIVE,
);

export const monitorKeys: Keys = {
  sites: list('The sites that `docvitals monitor` watches. Default: the one of `url`.', ref('site'), {
    examples: [[{ id: 'docs', url: 'https://docs.example.com/' }]],
    'x-unique': 'site-twice',
  }),
  alerts: list('Where the monitor sends notifications: a list of routes, each with one channel.', ref('route'), {
    examples: [[{ id: 'ops', webhook: { url: '${OPS_WEBHOOK}' } }]],
    'x-unique': 'route-twice',
  }),
  monitor,
};

export const monitorDefinitions: Keys = {
  fullSchedule: ownSchedule('Run the full check'),
  browserSchedule: ownSchedule('Open pages in the browser'),
  confirm: mapping(null, {
    after: duration(
      `Delay between a failed run and the next one. Default: ${written(DEFAULT_WATCHING.confirm.afterMs)}.`,
      { least: 1, most: 10 * MINUTE },
      { examples: ['2s', '5s'] },
    ),
    times: integer(
      `How many failed runs must follow the first one. 0: the first one is enough. Default: ${DEFAULT_WATCHING.confirm.times}.`,
      0,
      20,
    ),
    locations: integer(
      'How many locations have to see a failure before it opens an incident. Default: the majority of those that are alive.',
      1,
      100,
      { examples: [2] },
    ),
    notifyFewer: flag(
      'true: a failure that fewer locations see opens an incident too, as a degradation. Otherwise it is only shown.',
      { default: false },
    ),
  }),
  location: {
    anyOf: [
      ref('id'),
      mapping(
        null,
        {
          id: ref('id', 'Name of the location: lower-case words joined with hyphens, at most 64 characters.', {
            examples: ['paris'],
          }),
          title: text('Name for people. Default: the id.', { examples: ['Paris'] }),
          latitude: { description: 'Degrees north.', type: 'number', minimum: -90, maximum: 90, examples: [48.86] },
          longitude: { description: 'Degrees east.', type: 'number', minimum: -180, maximum: 180, examples: [2.35] },
        },
        { required: ['id'] },
      ),
    ],
    'x-expected': 'location',
  },
  recover: mapping(null, {
    times: integer(
      `How many successful runs in a row end an incident. Default: ${DEFAULT_WATCHING.recover.times}.`,
      1,
      20,
    ),
  }),
  maintenance,
  site,
  route,
  module: mapping(null, {
    full: flag('Run the full check, not only the core checks.', { default: false }),
    ...checkingKeys("the target's"),
  }),
};
