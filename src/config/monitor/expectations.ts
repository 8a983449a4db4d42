/** What the keys of the monitor want. */
import { CHECKING, LANGUAGE, listOf, ONE_SITE, TEXTS_BY_NAME, under, type KeyTable } from '../key-tables.ts';

const MAPPING = { kind: 'mapping' } as const;
const TEXT = { kind: 'text' } as const;
const DURATION = { kind: 'duration' } as const;
const ID = { kind: 'monitor-id' } as const;
const WEB = { kind: 'url' } as const;

/** The channels of a route: it has exactly one. */
export const CHANNELS = ['webhook', 'email', 'alertmanager', 'githubIssue', 'command'] as const;

/** What an incident can be about. */
const VERDICTS = ['down', 'degraded', 'stale'] as const;

/** The forms that a webhook's body can have. */
const TEMPLATES = ['json', 'slack', 'discord', 'teams', 'ntfy'] as const;

const SCHEDULE: KeyTable = { every: DURATION, cron: { kind: 'cron' }, timeZone: TEXT, jitter: DURATION };

const WATCHING: KeyTable = {
  ...SCHEDULE,
  full: { kind: 'schedule' },
  ...under('full', SCHEDULE),
  objective: DURATION,
  confirm: MAPPING,
  'confirm.after': DURATION,
  'confirm.times': { kind: 'integer', least: 0, most: 20 },
  recover: MAPPING,
  'recover.times': { kind: 'integer', least: 1, most: 20 },
};

const WINDOW: KeyTable = {
  '': MAPPING,
  from: { kind: 'time' },
  to: { kind: 'time' },
  cron: { kind: 'cron' },
  timeZone: TEXT,
  for: DURATION,
  reason: TEXT,
};

const SITE: KeyTable = {
  '': MAPPING,
  id: ID,
  url: WEB,
  title: TEXT,
  ...under('tags', listOf()),
  ...WATCHING,
  ...under('alerts', listOf()),
  ...under('maintenance', { '': { kind: 'list' }, ...under('[]', WINDOW) }),
  ...CHECKING,
  ...ONE_SITE,
};

const ROUTE: KeyTable = {
  '': MAPPING,
  id: ID,
  webhook: MAPPING,
  'webhook.url': WEB,
  'webhook.template': { kind: 'one-of', values: TEMPLATES },
  'webhook.secret': TEXT,
  ...under('webhook.headers', TEXTS_BY_NAME),
  email: MAPPING,
  'email.server': { kind: 'mail-server' },
  'email.from': { kind: 'mail-address' },
  'email.to': { kind: 'mail-addresses' },
  'email.to[]': { kind: 'mail-address' },
  alertmanager: MAPPING,
  'alertmanager.url': WEB,
  ...under('alertmanager.headers', TEXTS_BY_NAME),
  githubIssue: MAPPING,
  'githubIssue.repository': { kind: 'repository' },
  'githubIssue.token': TEXT,
  'githubIssue.label': TEXT,
  'githubIssue.api': WEB,
  command: MAPPING,
  'command.run': { kind: 'program' },
  'command.run[]': TEXT,
  'command.timeout': DURATION,
  language: LANGUAGE,
  after: DURATION,
  reminder: DURATION,
  verdicts: { kind: 'list' },
  'verdicts[]': { kind: 'one-of', values: VERDICTS },
  ...under('tags', listOf()),
};

const MONITOR: KeyTable = {
  '': MAPPING,
  ...WATCHING,
  database: TEXT,
  listen: { kind: 'listen' },
  heartbeat: MAPPING,
  'heartbeat.url': WEB,
  'heartbeat.every': DURATION,
  ...under('control', listOf({ kind: 'host-port' })),
  retention: MAPPING,
  'retention.rounds': DURATION,
  'retention.minutes': DURATION,
  'retention.hours': DURATION,
  'retention.days': DURATION,
  probe: MAPPING,
  ...under('probe.targets', listOf({ kind: 'probe-target' })),
  'probe.modules': MAPPING,
  ...under('probe.modules.*', { '': MAPPING, full: { kind: 'boolean' }, ...CHECKING }),
  page: MAPPING,
  'page.title': TEXT,
  'page.url': WEB,
  'page.language': LANGUAGE,
  'page.details': { kind: 'boolean' },
};

/** By key, as the whole table has it. */
export const MONITOR_EXPECTATIONS: KeyTable = {
  ...under('sites', { '': { kind: 'list' }, ...under('[]', SITE) }),
  ...under('alerts', { '': { kind: 'list' }, ...under('[]', ROUTE) }),
  ...under('monitor', MONITOR),
};

/**
 * What may hold a secret, with all that stands in it: addresses of receivers and of sites, headers, keys, tokens. Text that
 * stands in place of a list or a mapping of such counts as well: it is most likely the address itself.
 */
const SECRET =
  /^(?:sites(?:\[\])?|sites\[\]\.(?:url|headers(?:\.\*)?)|alerts(?:\[\])?|alerts\[\]\.(?:webhook|email|alertmanager|githubIssue|command)(?:[.[].*)?|monitor\.(?:heartbeat(?:\.url)?|database|page\.url|probe\.(?:targets.*|modules\.\*\.headers.*)))$/;

/** Of those, what holds none. */
const OPEN: ReadonlySet<string> = new Set(['alerts[].webhook.template', 'alerts[].command.timeout']);

/** Whether no message shows what stands at this key of the table. */
export function isSecretKey(key: string): boolean {
  return SECRET.test(key) && !OPEN.has(key);
}
