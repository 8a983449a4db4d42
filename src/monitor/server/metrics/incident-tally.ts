/**
 * Counts the incidents that began and ended since the monitor started. They are read from the store: what came and
 * went between two scrapes is counted too, each incident once, however often it is looked for.
 */
import { currentIncidents } from '../../current-incidents.ts';
import { recoveryOf } from '../../incident/document.ts';
import type { Incident } from '../../incident/incident.ts';
import { openIncidents } from '../../incident/open.ts';
import type { MonitorView } from '../../view.ts';

/** What is told of incidents, each once. */
export interface TallySink {
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
