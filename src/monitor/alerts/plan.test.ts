import { describe, expect, it } from 'vitest';
import {
  HOUR,
  incidentOf,
  MINUTE,
  openAlerts,
  routeOf,
  SECOND,
  sentOf,
  siteOf,
  SIX,
} from '../../../test/alerts/samples.ts';
import { story } from '../../../test/monitor/incident/story.ts';
import type { Incident, IncidentEvent } from '../incident/incident.ts';
import type { AlertRoute, MonitoredSite } from '../settings.ts';
import type { Notification } from './alert.ts';
import { FOLLOWERS_GRACE_MS } from './plan.ts';

interface Scene {
  readonly sites?: readonly MonitoredSite[];
  readonly routes?: readonly AlertRoute[];
  readonly open?: readonly Incident[];
  /** By `<incident's site>`. */
  readonly known?: readonly Notification[];
}

const ID = incidentOf().id;
const BLOG = incidentOf({ site: 'blog', sameAs: ID });
const WIKI = incidentOf({ site: 'wiki', sameAs: ID, detectedAt: SIX + SECOND });
const SITES = ['docs', 'blog', 'wiki'].map((id) => siteOf({ id }));

/** One of the incident of docs on the route ops; received, unless it has no time of that. */
const knownOf = (rest: Partial<Notification> = {}): Notification =>
  sentOf({ ...rest, ...(rest.sentAt === null && { state: 'waiting' }) });

const alertsOf = ({ sites = SITES, routes = [routeOf()], open = [], known = [] }: Scene) => {
  const ids = new Set(open.map(({ id }) => id));
  return openAlerts(
    open,
    known.filter(({ incident }) => ids.has(incident.id)),
    { sites, alerts: routes },
  );
};

const plan = (events: readonly IncidentEvent[], scene: Scene) => alertsOf(scene).plan(events);
const reminders = (scene: Scene, now: number, silent: readonly string[] = []) =>
  alertsOf(scene).remind(now, new Set(silent));

/** `<key> +<seconds after six>` of what waits, `-<key>` of what is cancelled; `docs` for the incident of docs. */
const shown = (changes: readonly Notification[]): string[] => {
  const isCancelled = ({ state }: Notification): boolean => state === 'cancelled';
  const [cancelled, waiting] = [changes.filter(isCancelled), changes.filter((one) => !isCancelled(one))];
  return [
    ...waiting.map(({ key, dueAt, alsoSites }) => [key, `+${(dueAt - SIX) / SECOND}`, ...alsoSites].join(' ')),
    ...cancelled.map(({ key }) => `-${key}`),
  ].map((line) => line.replaceAll('-20261120T180000000', ''));
};

const opened = (incident = incidentOf(), at = SIX): IncidentEvent => ({ kind: 'opened', incident, at });
const recovered = (incident = incidentOf(), at = SIX + 31 * SECOND): IncidentEvent => ({
  kind: 'recovered',
  incident: { ...incident, recoveredAt: at },
  at,
});
const changed = (incident: Incident, at = SIX + MINUTE): IncidentEvent => ({ kind: 'changed', incident, at });

describe('an incident that opens', () => {
  const two = [routeOf(), routeOf({ id: 'boss' })];
  it.each<{ name: string; scene?: Scene; incident?: Incident; alerts: string[] }>([
    { name: 'is told at once', alerts: ['docs:opened:ops +0'] },
    {
      name: 'is told to all routes of a site that names none',
      scene: { routes: two },
      alerts: ['docs:opened:ops +0', 'docs:opened:boss +0'],
    },
    {
      name: 'is told to the routes that the site names',
      scene: { routes: two, sites: [siteOf({ alerts: ['boss'] })] },
      alerts: ['docs:opened:boss +0'],
    },
    { name: 'is told to nobody where the site wants none', scene: { sites: [siteOf({ alerts: [] })] }, alerts: [] },
    { name: 'is told to nobody where there is no route', scene: { routes: [] }, alerts: [] },
    { name: 'is told to nobody when the site was removed', scene: { sites: [] }, alerts: [] },
    {
      name: 'is told to a route with one of the tags of the site',
      scene: { routes: [routeOf({ tags: ['public', 'x'] })], sites: [siteOf({ tags: ['public', 'eu'] })] },
      alerts: ['docs:opened:ops +0'],
    },
    { name: 'is not told to a route with another tag', scene: { routes: [routeOf({ tags: ['public'] })] }, alerts: [] },
    {
      name: 'is told to a route of its verdict',
      scene: { routes: [routeOf({ verdicts: ['down'] })] },
      alerts: ['docs:opened:ops +0'],
    },
    {
      name: 'is not told to a route of a graver verdict',
      scene: { routes: [routeOf({ verdicts: ['down'] })] },
      incident: incidentOf({ verdict: 'degraded' }),
      alerts: [],
    },
    {
      name: 'waits for a route that escalates',
      scene: { routes: [routeOf(), routeOf({ id: 'boss', afterMs: 10 * MINUTE })] },
      alerts: ['docs:opened:ops +0', 'docs:opened:boss +600'],
    },
    { name: 'is told once', scene: { open: [incidentOf()], known: [knownOf()] }, alerts: [] },
    {
      name: 'is not told where the same root cause is',
      scene: { open: [incidentOf()], known: [knownOf()] },
      incident: BLOG,
      alerts: [],
    },
    {
      name: 'is named by the alert of the same root cause that waits for it',
      scene: { open: [incidentOf()], known: [knownOf({ sentAt: null, dueAt: SIX + 10_000 })] },
      incident: BLOG,
      alerts: ['docs:opened:ops +10 blog'],
    },
    {
      name: 'is not told where the same root cause waits to escalate',
      scene: { open: [incidentOf()], known: [knownOf({ sentAt: null, dueAt: SIX + MINUTE })] },
      incident: BLOG,
      alerts: [],
    },
    {
      name: 'is told where no one was notified of the same root cause',
      scene: { open: [incidentOf()] },
      incident: BLOG,
      alerts: ['blog:opened:ops +0 docs'],
    },
  ])('$name', ({ scene = {}, incident = incidentOf(), alerts }) => {
    expect(shown(plan([opened(incident)], scene))).toEqual(alerts);
  });

  it('is reported for all whose cause it shares when they open together', () => {
    const events = [opened(incidentOf()), opened(BLOG), opened(WIKI)];
    expect(shown(plan(events, {}))).toEqual(['docs:opened:ops +0']);
  });

  it('is not printed while it is only suspected', () => {
    const { events, all } = story([{ at: 0 }, { at: 10, fails: { bundle: 'refused' } }, { at: 12 }]);
    expect(events).toEqual(['10 suspected', '12 dismissed']);
    expect(plan(all, {})).toEqual([]);
  });

  it('is written as it is then', () => {
    expect(plan([opened()], {})).toEqual([sentOf({ state: 'waiting', sentAt: null })]);
  });
});

describe('an incident that ends', () => {
  const late = SIX + 10 * MINUTE;
  it.each<{ name: string; known: readonly Notification[]; alerts: string[] }>([
    { name: 'is told to who was told', known: [knownOf()], alerts: ['docs:recovered:ops +31'] },
    { name: 'is not told to who never was', known: [], alerts: [] },
    {
      name: 'is told to who is about to be told',
      known: [knownOf({ sentAt: null })],
      alerts: ['docs:recovered:ops +31'],
    },
    {
      name: 'takes an escalation back',
      known: [knownOf(), knownOf({ route: 'boss', sentAt: null, dueAt: late })],
      alerts: ['docs:recovered:ops +31', `-docs:opened:boss`],
    },
    {
      name: 'leaves an alert that was tried: it may have arrived',
      known: [knownOf({ sentAt: null, dueAt: late, attempts: 1 })],
      alerts: ['docs:recovered:ops +31'],
    },
    {
      name: 'takes a reminder back that has not arrived',
      known: [knownOf(), knownOf({ event: 'reminder', key: `${ID}:reminder:1:ops`, sentAt: null })],
      alerts: ['docs:recovered:ops +31', '-docs:reminder:1:ops'],
    },
    {
      name: 'is not told to a route that was removed',
      known: [knownOf({ route: 'gone' })],
      alerts: [],
    },
  ])('$name', ({ known, alerts }) => {
    expect(shown(plan([recovered()], { known, open: [incidentOf()] }))).toEqual(alerts);
  });

  it('lets another one of the same cause be notified after a while, for itself and the rest', () => {
    const open = [incidentOf(), WIKI, BLOG];
    const changes = plan([recovered()], { open, known: [knownOf()] });
    const due = 31 + FOLLOWERS_GRACE_MS / SECOND;
    expect(shown(changes)).toEqual(['docs:recovered:ops +31', `blog:opened:ops +${due} wiki`]);
    // All of them recover one after another, as after an outage of their server.
    const events = [recovered(), recovered(BLOG, SIX + 35 * SECOND), recovered(WIKI, SIX + 40 * SECOND)];
    expect(shown(plan(events, { open, known: [knownOf()] }))).toEqual(['docs:recovered:ops +31']);
  });

  it('that no one was notified of notifies nobody', () => {
    const open = [incidentOf(), BLOG];
    expect(plan([recovered(BLOG)], { open, known: [knownOf()] })).toEqual([]);
  });
});

describe('an incident that changes', () => {
  const stale = incidentOf({ verdict: 'stale' });
  const degraded = incidentOf({ verdict: 'degraded' });
  it.each<{ name: string; scene: Scene; incident?: Incident; alerts: string[] }>([
    {
      name: 'to graver is told to a route that waits for that',
      scene: { routes: [routeOf({ verdicts: ['degraded'] })] },
      alerts: ['docs:opened:ops +60'],
    },
    {
      name: 'to graver is told again to who was told',
      scene: { known: [knownOf()] },
      alerts: ['docs:reminder:1:ops +60'],
    },
    {
      name: 'to graver is told by the alert that waits',
      scene: { known: [knownOf({ sentAt: null, dueAt: SIX + HOUR })] },
      alerts: [],
    },
    {
      name: 'to graver escalates as if it had been so from the beginning',
      scene: { routes: [routeOf({ verdicts: ['degraded'], afterMs: 5 * MINUTE })] },
      alerts: ['docs:opened:ops +300'],
    },
    {
      name: 'in what fails only is no news',
      scene: { known: [knownOf()] },
      incident: { ...stale, checks: ['home', 'config'] },
      alerts: [],
    },
  ])('$name', ({ scene, incident = degraded, alerts }) => {
    expect(shown(plan([changed(incident)], { open: [stale], ...scene }))).toEqual(alerts);
  });
});

describe('an outage of a site with a defect', () => {
  const defect = incidentOf({ id: 'docs-before', verdict: 'degraded', detectedAt: SIX - HOUR });
  const outage = incidentOf();
  const toldOf = (incident: Incident, rest: Partial<Notification> = {}): Notification =>
    knownOf({ incident, key: `${incident.id}:opened:ops`, ...rest });
  const routes = [routeOf({ reminderMs: HOUR }), routeOf({ id: 'boss', verdicts: ['down'] })];
  const scene = { open: [defect], routes, known: [toldOf(defect)] };

  it('is reported as an incident of its own, also to those who want to be notified of outages only', () => {
    expect(shown(plan([opened(outage)], scene))).toEqual(['docs:opened:ops +0', 'docs:opened:boss +0']);
  });

  it('lets nobody be notified of the degradation while it lasts', () => {
    const late = toldOf(defect, { route: 'boss', key: 'docs-before:opened:late', sentAt: null, dueAt: SIX + HOUR });
    const both = { ...scene, open: [outage, defect], known: [toldOf(defect), toldOf(outage), late] };
    expect(shown(reminders(both, SIX + 2 * HOUR - SECOND))).toEqual([
      'docs:opened:boss +7199',
      'docs:reminder:1:ops +7199',
    ]);
    expect(shown(reminders(both, SIX + MINUTE))).toEqual(['docs:opened:boss +60', '-docs-before:opened:late']);
    expect(shown(reminders({ ...both, open: [defect] }, SIX + 2 * HOUR))).toEqual(['docs-before:reminder:1:ops +7200']);
  });

  it.each([
    ['that was there before goes on', [], 'degraded'],
    ['opens with its end', [opened(incidentOf({ id: 'docs-after', verdict: 'stale' }))], 'stale'],
    ['ends with it', [recovered(defect)], undefined],
  ] satisfies readonly (readonly [string, readonly IncidentEvent[], string | undefined])[])(
    'tells at its end of a defect that %s',
    (_, then, goesOn) => {
      const open = goesOn === 'stale' ? [outage] : [outage, defect];
      const changes = plan([recovered(outage), ...then], { routes, open, known: [toldOf(outage)] });
      expect(changes.find(({ event }) => event === 'recovered')?.goesOn).toBe(goesOn);
    },
  );
});

describe('time', () => {
  const hourly = routeOf({ reminderMs: HOUR });
  const reminder = knownOf({ event: 'reminder', key: `${ID}:reminder:1:ops`, sentAt: SIX + HOUR });
  it.each<{ name: string; scene?: Scene; now: number; alerts: string[] }>([
    { name: 'brings no reminder before it is due', scene: { known: [knownOf()] }, now: SIX + HOUR, alerts: [] },
    {
      name: 'brings a reminder',
      scene: { known: [knownOf()] },
      now: SIX + HOUR + SECOND,
      alerts: ['docs:reminder:1:ops +3601'],
    },
    {
      name: 'brings the next one',
      scene: { known: [knownOf(), reminder] },
      now: SIX + 2 * HOUR,
      alerts: ['docs:reminder:2:ops +7200'],
    },
    {
      name: 'brings none where one waits',
      scene: { known: [knownOf(), { ...reminder, sentAt: null, state: 'waiting' }] },
      now: SIX + 9 * HOUR,
      alerts: [],
    },
    {
      name: 'brings none where the first alert has not arrived',
      scene: { known: [knownOf({ sentAt: null })] },
      now: SIX + 9 * HOUR,
      alerts: [],
    },
    {
      name: 'brings none where none is wanted',
      scene: { known: [knownOf()], routes: [routeOf()] },
      now: SIX + 9 * HOUR,
      alerts: [],
    },
    {
      name: 'brings none of a site that was removed',
      scene: { known: [knownOf()], sites: [] },
      now: SIX + 9 * HOUR,
      alerts: [],
    },
    { name: 'tells a route that is new', now: SIX + HOUR, alerts: ['docs:opened:ops +3600'] },
    {
      name: 'tells a route that is new when it escalates',
      scene: { routes: [routeOf({ afterMs: 2 * HOUR })] },
      now: SIX + HOUR,
      alerts: ['docs:opened:ops +7200'],
    },
  ])('$name', ({ scene = {}, now, alerts }) => {
    expect(shown(reminders({ open: [incidentOf()], routes: [hourly], ...scene }, now))).toEqual(alerts);
  });

  it('reminds of one incident of a cause, and names the others', () => {
    const scene = { open: [incidentOf(), BLOG, WIKI], routes: [hourly], known: [knownOf()] };
    expect(shown(reminders(scene, SIX + 2 * HOUR))).toEqual(['docs:reminder:1:ops +7200 blog wiki']);
  });

  it('is silent in a maintenance, and takes back what would become due in it', () => {
    const known = [knownOf(), knownOf({ route: 'boss', sentAt: null, dueAt: SIX + 9 * HOUR })];
    const scene = { open: [incidentOf()], routes: [hourly, routeOf({ id: 'boss' })], known };
    expect(shown(reminders(scene, SIX + 2 * HOUR, ['docs']))).toEqual(['-docs:opened:boss']);
  });
});
