/** `/metrics`: the sites, in the names of `docvitals check --format prometheus`, the incidents, and the monitor itself. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { printable } from '../../printable.ts';
import {
  checkFamilies,
  exposition,
  gauge,
  inSeconds,
  isUp,
  runFamilies,
  VERDICTS,
  type Family,
  type LastRun,
  type Sample,
} from '../../report/prometheus.ts';
import { VERSION } from '../../version.ts';
import { recoveryOf, rtoStart } from '../incident/document.ts';
import type { Incident } from '../incident/incident.ts';
import { currentIncident, lastRunAt, openIncidents } from '../incident/state.ts';
import { fleetDocument } from '../fleet-document.ts';
import { siteLocations, type SiteLocation } from '../locations.ts';
import { Memory } from '../page/memory.ts';
import type { Location } from '../settings.ts';
import { currentIncidents, siteStatusAt } from '../site-state.ts';
import type { MonitorCounters, MonitorView, SiteView } from '../view.ts';

/** Many readers at once cost one reading; no reader gets figures that are older than this. */
const CACHED_MS = 1_000;

const LOOP_PRECISION_MS = 50;

/** Gauges that are named like counters, which linters of metrics reject. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Writes all metrics of a monitor as text. What the store cannot return now is left out. */
export function createMetrics(view: MonitorView): () => Promise<string> {
  const [process, incidents] = [new Registry(), new Registry()];
  collectDefaultMetrics({ register: process, eventLoopMonitoringPrecision: LOOP_PRECISION_MS });
  for (const name of MISNAMED) process.removeSingleMetric(name);
  const sink = incidentMetrics(incidents);
  let tally: (() => Promise<void>) | undefined;
  const read = async (): Promise<string> => {
    tally ??= createTally(view, sink);
    const outbox = await Promise.all([view.store.outboxState(), tally()]).then(
      ([state]) => state,
      () => null,
    );
    const own = exposition([...monitorFamilies(view), ...outboxFamilies(outbox), ...(await fleetFamilies(view))]);
    const locations = view.fleet === undefined ? [] : view.settings().locations;
    const ofSites = await siteMetrics(view.sites(), view.now(), locations);
    return [await process.metrics(), own, await incidents.metrics(), ofSites].join('\n');
  };
  const memory = new Memory<string>(1);
  return () => memory.get('', performance.now(), CACHED_MS, read);
}

/**
 * The metrics of all sites at `now`. `site` is the id of the configuration; `docvitals_site_info` has its URL. Samples with
 * the label `location` are what one location measured, those without it all of them together.
 */
export async function siteMetrics(
  views: readonly SiteView[],
  now: number,
  locations: readonly Location[] = [],
): Promise<string> {
  const runs = await Promise.all(views.map((view) => lastRunOf(view, now)));
  const fromLocations = await Promise.all(
    views.map(async (view) => {
      const all = await siteLocations(view, { locations }, now);
      return all.map(({ id, status, verdict }) => ({ site: view.site.id, location: id, status, verdict }));
    }),
  );
  const each = (name: string, help: string, valueOf: (view: SiteView) => Sample[1]): Family => ({
    name,
    help,
    samples: views.map((view) => [{ site: view.site.id }, valueOf(view)]),
  });
  return exposition([
    {
      name: 'docvitals_site_info',
      help: 'The sites of the monitor: their URL and title, as labels.',
      samples: views.map(({ site, url }) => [{ site: site.id, url: printable(url), title: printable(site.title) }, 1]),
    },
    ...runFamilies([...runs, ...fromLocations.flat().map(lastRunFrom)], [...VERDICTS, 'unstable']),
    {
      name: 'docvitals_runs_total',
      help: 'Runs of the core checks since the start, by verdict.',
      type: 'counter',
      samples: views.flatMap((view, index) => runSamples(view, fromLocations[index] ?? [])),
    },
    {
      name: 'docvitals_response_seconds',
      help: 'Duration of the slowest request of the last run; absent without a response.',
      samples: [
        ...views.map((view): Sample => [{ site: view.site.id }, slowestOf(view)]),
        ...fromLocations.flat().map(({ site, location, status }): Sample => {
          return [{ site, location }, inSeconds(status?.responseMs)];
        }),
      ],
    },
    ...SITE_GAUGES.map(([name, help, valueOf]) => each(name, help, valueOf)),
    ...checkFamilies(runs),
  ]);
}

async function lastRunOf(view: SiteView, now: number): Promise<LastRun> {
  const { site, state, report } = view;
  const { verdict } = await siteStatusAt(view, now);
  const checks = [...view.results.values()];
  return {
    site: site.id,
    verdict,
    up: isUp({ verdict: verdict === 'unstable' ? (state?.verdict ?? 'unknown') : verdict, checks }),
    fresh: report?.fresh ?? null,
    endedAt: lastRunAt(state),
    durationMs: report?.durationMs ?? null,
    receivedBytes: report?.receivedBytes ?? null,
    checks,
  };
}

interface FromLocation extends Pick<SiteLocation, 'status' | 'verdict'> {
  readonly site: string;
  readonly location: string;
}

function lastRunFrom({ site, location, status, verdict }: FromLocation): LastRun {
  const up = verdict === 'unknown' ? null : verdict !== 'down';
  const rest = { verdict: null, fresh: null, durationMs: null, receivedBytes: null, checks: [] };
  return { site, location, up, endedAt: status?.at ?? null, ...rest };
}

/** Those that have not happened yet are 0, so that the first one is an increase. */
function runSamples({ site, runCounts }: SiteView, locations: readonly FromLocation[]): readonly Sample[] {
  return ['', ...locations.map(({ location }) => location)].flatMap((location) => {
    const labels = location === '' ? { site: site.id } : { site: site.id, location };
    const counts = runCounts?.get(location);
    return VERDICTS.map((verdict): Sample => [{ ...labels, verdict }, counts?.[verdict] ?? 0]);
  });
}

function slowestOf({ report }: SiteView): number | null {
  const times = (report?.checks ?? []).flatMap((check) => (check.httpStatus === null ? [] : [check.timings.totalMs]));
  return times.length === 0 ? null : Math.max(...times) / 1000;
}

const SITE_GAUGES: readonly (readonly [name: string, help: string, valueOf: (view: SiteView) => Sample[1]])[] = [
  [
    'docvitals_last_good_timestamp_seconds',
    'The last healthy run, in seconds since 1970; absent if there was none.',
    ({ state }) => inSeconds(state?.scopes.five.goodAt),
  ],
  [
    'docvitals_maintenance',
    'Whether the site is under maintenance: it opens no incident.',
    ({ maintenance }) => maintenance !== null,
  ],
  ['docvitals_objective_seconds', 'Recovery time objective of the site.', ({ site }) => inSeconds(site.objectiveMs)],
  ['docvitals_incident_open', 'Whether an incident is open.', ({ state }) => currentIncident(state) !== null],
  [
    'docvitals_incident_started_timestamp_seconds',
    'The last healthy run before the open incident, in seconds since 1970; absent if none is open.',
    ({ state }) => inSeconds(currentIncident(state)?.startedAt),
  ],
  [
    'docvitals_incident_detected_timestamp_seconds',
    'When the open incident was detected, in seconds since 1970; absent if none is open.',
    ({ state }) => inSeconds(currentIncident(state)?.detectedAt),
  ],
  [
    'docvitals_incident_objective_end_timestamp_seconds',
    'When the open incident misses its recovery time objective, in seconds since 1970; absent if none is open.',
    ({ state }) => {
      const incident = currentIncident(state);
      return incident === null ? null : inSeconds(rtoStart(incident) + incident.objectiveMs);
    },
  ],
  [
    'docvitals_incident_notified_timestamp_seconds',
    'When the open incident was notified, in seconds since 1970; absent if it was not, or none is open.',
    ({ state }) => inSeconds(currentIncident(state)?.notifiedAt),
  ],
  [
    'docvitals_incident_flapping',
    'Whether the site goes down and recovers repeatedly; absent if no incident is open.',
    ({ state }) => currentIncident(state)?.flapping ?? null,
  ],
];

const COUNTERS: readonly (readonly [name: string, help: string, key: keyof MonitorCounters])[] = [
  ['docvitals_rounds_total', 'Runs since the start.', 'rounds'],
  ['docvitals_rounds_late_total', 'Runs that began more than a second late, or were left out.', 'roundsLate'],
  ['docvitals_rounds_ours_total', 'Runs that failed because of this machine or its network.', 'roundsOurs'],
  ['docvitals_alerts_sent_total', 'Notifications that were received.', 'alertsSent'],
  ['docvitals_alerts_failed_total', 'Failed attempts to send a notification.', 'alertsFailed'],
];

function monitorFamilies(view: MonitorView): readonly Family[] {
  const counters = view.counters();
  return [
    gauge('docvitals_build_info', 'The version of docvitals that wrote this, as a label.', 1, { version: VERSION }),
    gauge(
      'docvitals_start_timestamp_seconds',
      'When the monitor started, in seconds since 1970.',
      inSeconds(view.startedAt),
    ),
    gauge('docvitals_sites', 'Number of monitored sites.', view.sites().length),
    gauge('docvitals_ready', 'Whether every site was checked once and the results are stored.', view.ready()),
    {
      name: 'docvitals_trouble',
      help: 'Problems of the monitor itself; absent if none.',
      samples: view.troubles().map((trouble) => [{ trouble }, 1]),
    },
    ...COUNTERS.map(([name, help, key]): Family => ({ name, help, type: 'counter', samples: [[{}, counters[key]]] })),
  ];
}

function outboxFamilies(state: Awaited<ReturnType<MonitorView['store']['outboxState']>> | null): readonly Family[] {
  return [
    gauge('docvitals_store_up', 'Whether the database could be read.', state !== null),
    gauge('docvitals_alerts_pending', 'Notifications that are pending, including retries.', state?.pending ?? null),
    gauge(
      'docvitals_alerts_oldest_pending_timestamp_seconds',
      'When the oldest pending notification was created, in seconds since 1970; 0: none.',
      state && (state.oldestAt ?? 0) / 1000,
    ),
  ];
}

async function fleetFamilies(view: MonitorView): Promise<readonly Family[]> {
  if (view.fleet === undefined) return [];
  const { locations } = await fleetDocument(view.fleet, view.settings().locations, view.now());
  return [
    gauge('docvitals_coordinator_acting', 'Whether this coordinator acts; one that stands by serves no metrics.', true),
    {
      name: 'docvitals_runners',
      help: 'Runners that are alive.',
      samples: locations.map(({ id, runners }) => [{ location: id }, runners]),
    },
    {
      name: 'docvitals_runner_backlog',
      help: 'Runs that wait for a runner; absent if the database cannot be read.',
      samples: locations.map(({ id, backlog }) => [{ location: id }, backlog]),
    },
  ];
}

/** Upper bounds in seconds, narrow around the objective of a minute. */
const RECOVERY_BUCKETS = [5, 10, 15, 20, 30, 45, 60, 90, 120, 300, 600, 1_800, 3_600, 14_400, 86_400];

function incidentMetrics(registry: Registry): TallySink {
  const registers = [registry];
  const opened = new Counter({
    name: 'docvitals_incidents_total',
    help: 'Incidents since the start, by their first verdict.',
    labelNames: ['site', 'verdict'],
    registers,
  });
  const objective = new Counter({
    name: 'docvitals_incident_objective_total',
    help: 'Incidents that ended since the start, by whether the recovery time objective was met.',
    labelNames: ['site', 'met'],
    registers,
  });
  const recovery = new Histogram({
    name: 'docvitals_incident_recovery_seconds',
    help: 'Time from the last healthy run before an incident to the first one after it, of incidents that ended since the start.',
    labelNames: ['site'],
    buckets: RECOVERY_BUCKETS,
    registers,
  });
  const last = new Gauge({
    name: 'docvitals_incident_last_recovery_seconds',
    help: 'Recovery time of the last incident that ended.',
    labelNames: ['site'],
    registers,
  });
  return {
    opened: ({ site, verdict }) => opened.inc({ site, verdict }),
    recovered({ site }, { durationMs, objectiveMet }) {
      objective.inc({ site, met: String(objectiveMet) });
      recovery.observe({ site }, durationMs / 1000);
      last.set({ site }, durationMs / 1000);
    },
  };
}

/*
 * Counts the incidents that began and ended since the monitor started. They are read from the store: what came and
 * went between two scrapes is counted too, each incident once, however often it is read.
 */

interface TallySink {
  opened(incident: Incident): void;
  recovered(incident: Incident, recovery: { readonly durationMs: number; readonly objectiveMet: boolean }): void;
}

const MOST_READ = 5_000;

/** A run is written a moment after it ended; when the disk is full, later. */
const OVERLAP_MS = 600_000;

/** Makes the function that reads what is new. It rejects with what the store rejects with, and has lost nothing then. */
export function createTally(view: MonitorView, sink: TallySink): () => Promise<void> {
  const incidents = currentIncidents(view);
  const openNow = (): readonly Incident[] => view.sites().flatMap(({ state }) => openIncidents(state));
  // What was open at the start was counted by the process before this one.
  const counted = new Map(openNow().map((incident) => [incident.id, incident]));
  let cursor = view.startedAt;

  const count = (incident: Incident): void => {
    const before = counted.get(incident.id);
    if (before === undefined && incident.detectedAt < cursor) return;
    if (before === undefined) sink.opened(incident);
    const { durationMs, objectiveMet } = recoveryOf(incident);
    const isCounted = before !== undefined && before.recoveredAt !== null;
    if (!isCounted && durationMs !== null && objectiveMet !== null) {
      sink.recovered(incident, { durationMs, objectiveMet });
    }
    counted.set(incident.id, incident);
  };

  return async () => {
    const now = view.now();
    const found = await incidents.incidents({ since: cursor, limit: MOST_READ });
    for (const incident of found.toReversed()) count(incident);
    const open = new Set(openNow().map(({ id }) => id));
    for (const { id, recoveredAt } of counted.values()) {
      if (recoveredAt !== null || open.has(id)) continue;
      const incident = await incidents.incident(id);
      if (incident === null) counted.delete(id);
      else count(incident);
    }
    cursor = Math.max(cursor, now - OVERLAP_MS);
    for (const { id, recoveredAt, detectedAt } of counted.values()) {
      if (recoveredAt !== null && detectedAt < cursor) counted.delete(id);
    }
  };
}
