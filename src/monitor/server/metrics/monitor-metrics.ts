/** What is to be told of the monitor itself and of the course of incidents, with prom-client. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../../../version.ts';
import type { MonitorCounters, MonitorView } from '../../view.ts';
import { currentIncidents } from '../../site-state.ts';
import { recoveryOf } from '../../incident/document.ts';
import type { Incident } from '../../incident/incident.ts';
import { openIncidents } from '../../incident/state.ts';

/** Upper bounds in seconds, narrow around the objective of a minute. */
const RECOVERY_BUCKETS = [5, 10, 15, 20, 30, 45, 60, 90, 120, 300, 600, 1_800, 3_600, 14_400, 86_400];

/** How exactly the event loop's delay is measured, in milliseconds: each measurement costs a little. */
const LOOP_PRECISION_MS = 50;

/** Gauges that are called like counters, which linters of metrics complain about. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Writes them as text. Never rejects: what the store cannot tell now is left out. */
export function monitorMetrics(view: MonitorView): () => Promise<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_PRECISION_MS });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  facts(registry, view);
  counters(registry, view);
  const fromStore = storeMetrics(registry, view);
  return async () => {
    await fromStore();
    return registry.metrics();
  };
}

function facts(registry: Registry, view: MonitorView): void {
  const gauge = (name: string, help: string, labelNames: string[], fill: (gauge: Gauge) => void): void => {
    const registers: Registry[] = [];
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        collect() {
          this.reset();
          fill(this);
        },
      }),
    );
  };
  gauge('docvitals_build_info', 'The version of docvitals that wrote this, as a label.', ['version'], (it) =>
    it.set({ version: VERSION }, 1),
  );
  gauge('docvitals_start_timestamp_seconds', 'When the monitor started, in seconds since 1970.', [], (it) =>
    it.set(view.startedAt / 1_000),
  );
  gauge('docvitals_sites', 'How many sites are watched.', [], (it) => it.set(view.sites().length));
  gauge('docvitals_ready', 'Whether every site was looked at once and what was found is kept.', [], (it) =>
    it.set(Number(view.ready())),
  );
  const help = "What stands in the way of the monitor's work; absent where nothing does.";
  gauge('docvitals_trouble', help, ['trouble'], (it) => {
    for (const trouble of view.troubles()) it.set({ trouble }, 1);
  });
}

/** Each a number that the monitor counts. */
const COUNTERS: readonly (readonly [name: string, help: string, key: keyof MonitorCounters])[] = [
  ['docvitals_rounds_total', 'Rounds since the start.', 'rounds'],
  ['docvitals_rounds_late_total', 'Rounds that began more than a second late, or were left out.', 'roundsLate'],
  [
    'docvitals_rounds_ours_total',
    'Rounds that were about this machine or its network, not about the site.',
    'roundsOurs',
  ],
  ['docvitals_alerts_sent_total', 'Alerts that arrived.', 'alertsSent'],
  ['docvitals_alerts_failed_total', 'Tries to send an alert that came to nothing.', 'alertsFailed'],
];

function counters(registry: Registry, view: MonitorView): void {
  for (const [name, help, key] of COUNTERS) {
    const collect = function collect(this: Counter): void {
      this.reset();
      this.inc(view.counters()[key]);
    };
    registry.registerMetric(new Counter({ name, help, registers: [], collect }));
  }
}

function storeMetrics(registry: Registry, view: MonitorView): () => Promise<void> {
  const registers = [registry];
  const up = new Gauge({ name: 'docvitals_store_up', help: 'Whether the database could be read.', registers });
  const pending = new Gauge({
    name: 'docvitals_alerts_pending',
    help: 'Alerts that wait to be sent, those that are tried again among them.',
    registers,
  });
  const oldest = new Gauge({
    name: 'docvitals_alerts_oldest_pending_timestamp_seconds',
    help: 'When the oldest alert that waits was written, in seconds since 1970; 0: none waits.',
    registers,
  });
  const tally = incidentMetrics(registry, view);
  return async () => {
    try {
      const [state] = await Promise.all([view.store.outboxState(), tally()]);
      up.set(1);
      pending.set(state.pending);
      oldest.set((state.oldestAt ?? 0) / 1000);
    } catch {
      // What was known last would look as if it were known now.
      up.set(0);
      pending.remove();
      oldest.remove();
    }
  };
}

function incidentMetrics(registry: Registry, view: MonitorView): () => Promise<void> {
  const registers = [registry];
  const opened = new Counter({
    name: 'docvitals_incidents_total',
    help: 'Incidents since the start, by what they were when they were first seen here.',
    labelNames: ['site', 'verdict'],
    registers,
  });
  const rto = new Counter({
    name: 'docvitals_incident_objective_total',
    help: 'Incidents that ended since the start, by whether that was within the objective.',
    labelNames: ['site', 'met'],
    registers,
  });
  const recovery = new Histogram({
    name: 'docvitals_incident_recovery_seconds',
    help: 'From the last good run before an incident to the first one after it, of those that ended since the start.',
    labelNames: ['site'],
    buckets: RECOVERY_BUCKETS,
    registers,
  });
  const last = new Gauge({
    name: 'docvitals_incident_last_recovery_seconds',
    help: 'The same of the incident that ended last.',
    labelNames: ['site'],
    registers,
  });
  return createTally(view, {
    opened: ({ site, verdict }) => opened.inc({ site, verdict }),
    recovered: ({ site }, { durationMs, objectiveMet }) => {
      rto.inc({ site, met: String(objectiveMet) });
      recovery.observe({ site }, durationMs / 1000);
      last.set({ site }, durationMs / 1000);
    },
  });
}

/*
 * Counts the incidents that began and ended since the monitor started. They are read from the store: what came and
 * went between two scrapes is counted too, each incident once, however often it is looked for.
 */

/** What is told of incidents, each once. */
interface TallySink {
  opened(incident: Incident): void;
  recovered(incident: Incident, recovery: { readonly durationMs: number; readonly objectiveMet: boolean }): void;
}

/** One page of incidents, and the most that are read for one scrape: the rest is for the next one. */
const PAGE = 500;
const MOST_PAGES = 10;

/** A run is written a moment after it ended; when the disk is full, later. */
const OVERLAP_MS = 600_000;

interface Counted {
  readonly site: string;
  readonly detectedAt: number;
  readonly isOpen: boolean;
}

/** Makes the function that reads what is new. It rejects with what the store rejects with, and has lost nothing then. */
export function createTally(view: MonitorView, sink: TallySink): () => Promise<void> {
  const incidents = currentIncidents(view);
  const counted = new Map<string, Counted>();
  let cursor = view.startedAt;
  for (const { state } of view.sites()) {
    // What goes on from before the start was counted by the process before this one.
    for (const incident of openIncidents(state)) counted.set(incident.id, countedOf(incident));
  }

  const count = (incident: Incident): void => {
    const before = counted.get(incident.id);
    if (before === undefined && incident.detectedAt < cursor) return;
    if (before === undefined) sink.opened(incident);
    const { durationMs, objectiveMet } = recoveryOf(incident);
    if (before?.isOpen !== false && durationMs !== null && objectiveMet !== null) {
      sink.recovered(incident, { durationMs, objectiveMet });
    }
    counted.set(incident.id, countedOf(incident));
  };

  return async () => {
    const now = view.now();
    const found = await newest(incidents, cursor);
    for (const incident of found.toReversed()) count(incident);
    for (const id of gone(counted, view)) {
      const incident = await incidents.incident(id);
      if (incident === null) counted.delete(id);
      else count(incident);
    }
    cursor = Math.max(cursor, now - OVERLAP_MS);
    for (const [id, { isOpen, detectedAt }] of counted) if (!isOpen && detectedAt < cursor) counted.delete(id);
  };
}

/** Those that were open and that their site, if there still is one, has left behind. */
function gone(counted: ReadonlyMap<string, Counted>, view: MonitorView): readonly string[] {
  const current = new Set(view.sites().flatMap(({ state }) => openIncidents(state).map(({ id }) => id)));
  return [...counted].flatMap(([id, { isOpen }]) => (isOpen && !current.has(id) ? [id] : []));
}

const countedOf = ({ site, detectedAt, recoveredAt }: Incident): Counted => ({
  site,
  detectedAt,
  isOpen: recoveredAt === null,
});

/** Incidents that were detected since then, the newest first. */
async function newest(store: ReturnType<typeof currentIncidents>, since: number): Promise<readonly Incident[]> {
  const all = new Map<string, Incident>();
  let before: number | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const found = await store.incidents({ since, limit: PAGE, ...(before === undefined ? {} : { before }) });
    for (const incident of found) all.set(incident.id, incident);
    const last = found.at(-1)?.detectedAt;
    if (found.length < PAGE || last === undefined) break;
    // Others may have been detected in the same millisecond as the last one.
    before = last + 1 === before ? last : last + 1;
  }
  return [...all.values()];
}
