/** What is to be told of the monitor itself and of the course of incidents, with prom-client. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../../../version.ts';
import type { MonitorCounters, MonitorView } from '../../view.ts';
import { createTally } from './incident-tally.ts';

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
