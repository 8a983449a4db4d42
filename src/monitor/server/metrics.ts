/** `/metrics`: the sites, in the names of `docvitals check --format prometheus`, the incidents, and the monitor itself. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { printable } from '../../text/printable.ts';
import metrics from '../../generated/metrics.json' with { type: 'json' };
import {
  checkFamilies,
  exposition,
  familiesOf,
  gauge,
  inSeconds,
  isUp,
  runFamilies,
  VERDICTS,
} from '../../report/prometheus.ts';
import type { Family, Gauges, LastRun, MetricName, Sample } from '../../report/prometheus.ts';
import { VERSION } from '../../core/version.ts';
import { recoveryOf } from '../incident/document.ts';
import { currentIncident, lastRunAt } from '../incident/state.ts';
import { fleetDocument } from '../fleet-document.ts';
import { locationsOf, siteLocations, type SiteLocation } from '../locations.ts';
import { remembering } from '../page/cache.ts';
import type { Location } from '../settings.ts';
import { siteStatusAt } from '../site-state.ts';
import type { MonitorView, SiteView } from '../view.ts';

/** Many readers at once cost one reading; no reader gets figures that are older than this. */
const CACHED_MS = 1_000;

/** Gauges that are named like counters, which linters of metrics reject. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Writes all metrics of a monitor as text. What the store cannot return now is left out. */
export function createMetrics(view: MonitorView): () => Promise<string> {
  const [process, incidents] = [processMetrics(), new Registry()];
  countIncidents(view, incidents);
  const read = async (): Promise<string> => {
    const waiting = await view.store.waiting(0).catch(() => null);
    const own = exposition([...monitorFamilies(view), ...waitingFamilies(waiting), ...(await fleetFamilies(view))]);
    const locations = view.fleet === undefined ? [] : view.settings().locations;
    const ofSites = siteMetrics(view.sites(), view.now(), locations);
    return [await process.metrics(), own, await incidents.metrics(), ofSites].join('\n');
  };
  const remembered = remembering<string>(1);
  return () => remembered(view, '', performance.now(), CACHED_MS, read);
}

export function processMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}

/**
 * The metrics of all sites at `now`. `site` is the id of the configuration; `docvitals_site_info` has its URL. Samples with
 * the label `location` are what one location measured, those without it all of them together.
 */
export function siteMetrics(views: readonly SiteView[], now: number, locations: readonly Location[] = []): string {
  const runs = views.map((view) => lastRunOf(view, now));
  const fromLocations = views.flatMap((view) =>
    siteLocations(view, { locations }, now).map((location) => ({ ...location, site: view.site.id })),
  );
  return exposition([
    {
      name: 'docvitals_site_info',
      samples: views.map(({ site, url }) => [{ site: site.id, url: printable(url), title: printable(site.title) }, 1]),
    },
    ...runFamilies([...runs, ...fromLocations.map(lastRunFrom)], [...VERDICTS, 'unstable']),
    {
      name: 'docvitals_runs_total',
      samples: views.flatMap((view) => runSamples(view, locationsOf(view.site, locations))),
    },
    {
      name: 'docvitals_response_seconds',
      samples: [
        ...views.map((view): Sample => [{ site: view.site.id }, slowestOf(view)]),
        ...fromLocations.map(({ site, id, status }): Sample => [{ site, location: id }, inSeconds(status?.responseMs)]),
      ],
    },
    ...familiesOf(
      SITE_GAUGES,
      views.map((view) => [{ site: view.site.id }, view]),
    ),
    ...checkFamilies(runs),
  ]);
}

function lastRunOf(view: SiteView, now: number): LastRun {
  const { site, state, report } = view;
  const { verdict } = siteStatusAt(view, now);
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

function lastRunFrom({ site, id: location, status, verdict }: SiteLocation & { readonly site: string }): LastRun {
  const up = verdict === 'unknown' ? null : verdict !== 'down';
  const rest = { verdict: null, fresh: null, durationMs: null, receivedBytes: null, checks: [] };
  return { site, location, up, endedAt: status?.at ?? null, ...rest };
}

/** Those that have not happened yet are 0, so that the first one is an increase. */
function runSamples({ site, runCounts }: SiteView, locations: readonly Location[]): readonly Sample[] {
  return ['', ...locations.map(({ id }) => id)].flatMap((location) => {
    const labels = location === '' ? { site: site.id } : { site: site.id, location };
    const counts = runCounts?.get(location);
    return VERDICTS.map((verdict): Sample => [{ ...labels, verdict }, counts?.[verdict] ?? 0]);
  });
}

function slowestOf({ report }: SiteView): number | null {
  const times = (report?.checks ?? []).flatMap((check) => (check.httpStatus === null ? [] : [check.timings.totalMs]));
  return times.length === 0 ? null : Math.max(...times) / 1000;
}

const SITE_GAUGES: Gauges<SiteView> = {
  docvitals_last_healthy_timestamp_seconds: ({ state }) => inSeconds(state?.scopes.core.goodAt),
  docvitals_maintenance: ({ maintenance }) => maintenance !== null,
  docvitals_recovery_time_objective_seconds: ({ site }) => inSeconds(site.recoveryTimeObjectiveMs),
  docvitals_incident_open: ({ state }) => currentIncident(state) !== null,
  docvitals_incident_started_timestamp_seconds: ({ state }) => inSeconds(currentIncident(state)?.startedAt),
  docvitals_incident_detected_timestamp_seconds: ({ state }) => inSeconds(currentIncident(state)?.detectedAt),
  docvitals_incident_recovery_time_objective_end_timestamp_seconds({ state }) {
    const incident = currentIncident(state);
    return incident && inSeconds(incident.startedAt + incident.recoveryTimeObjectiveMs);
  },
  docvitals_incident_notified_timestamp_seconds: ({ state }) => inSeconds(currentIncident(state)?.notifiedAt),
  docvitals_incident_flapping: ({ state }) => currentIncident(state)?.flapping ?? null,
};

function monitorFamilies(view: MonitorView): readonly Family[] {
  const { runs, runsLate, probeFailures, alertsSent, alertsFailed } = view.counters();
  return [
    gauge('docvitals_build_info', 1, { version: VERSION }),
    gauge('docvitals_sites', view.sites().length),
    gauge('docvitals_ready', view.ready()),
    { name: 'docvitals_problem', samples: view.troubles().map((problem) => [{ problem }, 1]) },
    { name: 'docvitals_scheduled_runs_total', samples: [[{}, runs]] },
    { name: 'docvitals_scheduled_runs_late_total', samples: [[{}, runsLate]] },
    { name: 'docvitals_probe_failures_total', samples: [[{}, probeFailures]] },
    { name: 'docvitals_notifications_sent_total', samples: [[{}, alertsSent]] },
    { name: 'docvitals_notifications_failed_total', samples: [[{}, alertsFailed]] },
  ];
}

function waitingFamilies(state: Awaited<ReturnType<MonitorView['store']['waiting']>> | null): readonly Family[] {
  return [
    gauge('docvitals_store_up', state !== null),
    gauge('docvitals_notifications_pending', state?.pending ?? null),
    gauge('docvitals_notifications_oldest_pending_timestamp_seconds', state && (state.oldestAt ?? 0) / 1000),
  ];
}

async function fleetFamilies(view: MonitorView): Promise<readonly Family[]> {
  if (view.fleet === undefined) return [];
  const { locations } = await fleetDocument(view.fleet, view.settings().locations, view.now());
  return [
    // One that stands by serves no metrics.
    gauge('docvitals_coordinator_acting', true),
    { name: 'docvitals_runners', samples: locations.map(({ id, runners }) => [{ location: id }, runners]) },
    { name: 'docvitals_runner_backlog', samples: locations.map(({ id, backlog }) => [{ location: id }, backlog]) },
    {
      name: 'docvitals_results_rejected_total',
      samples: [
        [{}, view.fleet.rejected?.() ?? 0],
        ...locations.map(({ id, rejected = 0 }): Sample => [{ location: id }, rejected]),
      ],
    },
  ];
}

/** Upper bounds in seconds, narrow around the objective of a minute. */
const RECOVERY_BUCKETS = [5, 10, 15, 20, 30, 45, 60, 90, 120, 300, 600, 1_800, 3_600, 14_400, 86_400];

/** Counts incidents as they begin and end. */
function countIncidents(view: MonitorView, registry: Registry): void {
  const options = <Name extends MetricName, Label extends string>(name: Name, ...labelNames: readonly Label[]) => ({
    name,
    help: metrics[name].help,
    labelNames,
    registers: [registry],
  });
  const opened = new Counter(options('docvitals_incidents_total', 'site', 'verdict'));
  const objective = new Counter(options('docvitals_incident_recovery_time_objective_total', 'site', 'met'));
  const recovery = new Histogram({
    ...options('docvitals_incident_recovery_seconds', 'site'),
    buckets: RECOVERY_BUCKETS,
  });
  const last = new Gauge(options('docvitals_incident_last_recovery_seconds', 'site'));
  view.onIncident(({ kind, incident }) => {
    const { site, verdict } = incident;
    if (kind === 'opened') opened.inc({ site, verdict });
    const { durationMs, recoveryTimeObjectiveMet } = recoveryOf(incident);
    if (kind !== 'recovered' || durationMs === null) return;
    objective.inc({ site, met: String(recoveryTimeObjectiveMet) });
    recovery.observe({ site }, durationMs / 1000);
    last.set({ site }, durationMs / 1000);
  });
}
