/** The states of sites, and their incidents. */
import type { Incident } from '../../incident/incident.ts';
import { restored, withIncidents, type SiteState } from '../../incident/state.ts';
import type { IncidentQuery } from '../store.ts';
import { parsed, type Connection } from './connection.ts';

/** Writes a state, inside the current transaction. */
export function writeState(database: Connection, site: string, state: SiteState): void {
  database.run('REPLACE INTO state (site, json) VALUES (?, ?)', database.sites.idOf(site), JSON.stringify(state));
}

/** Writes an incident that is new or changed, inside the current transaction. The time of its first alert is known here best. */
export function writeIncident(database: Connection, incident: Incident): void {
  const { id, site, detectedAt, recoveredAt, notifiedAt, sameAs } = incident;
  database.run(
    `INSERT INTO incident (id, site, detected_at, recovered_at, notified_at, same_as, json) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET recovered_at = excluded.recovered_at, same_as = excluded.same_as,
       notified_at = coalesce(incident.notified_at, excluded.notified_at), json = excluded.json`,
    id,
    database.sites.idOf(site),
    detectedAt,
    recoveredAt,
    notifiedAt,
    sameAs,
    JSON.stringify(incident),
  );
}

export function readStates(database: Connection): ReadonlyMap<string, SiteState> {
  const rows = database.all<{ name: string; json: string }>(
    'SELECT name, json FROM state JOIN site ON site.id = state.site ORDER BY site.id',
  );
  const notifiedAt = new Map(readIncidents(database, { open: true }).map((one) => [one.id, one.notifiedAt]));
  return new Map(
    rows.flatMap(({ name, json }) => {
      const known = parsed(json) as Parameters<typeof restored>[0] | null;
      if (known === null) return [];
      const state = withIncidents(restored(known), (incident) => ({
        ...incident,
        notifiedAt: notifiedAt.get(incident.id) ?? incident.notifiedAt,
      }));
      return [[name, state]];
    }),
  );
}

/** Newest first; those of one moment in a fixed order, for the pages of a listing. */
export function readIncidents(database: Connection, query: IncidentQuery): readonly Incident[] {
  const { site, open, openOf, since, before, limit } = query;
  const id = site === undefined ? undefined : database.sites.known(site);
  if (site !== undefined && id === undefined) return [];
  const ids = openOf?.flatMap((name) => database.sites.known(name) ?? []);
  const conditions: (readonly [sql: string, parameter?: string | number])[] = [
    ...(id === undefined ? [] : [['site = ?', id] as const]),
    ...(open === undefined ? [] : [[`recovered_at IS ${open ? '' : 'NOT '}NULL`] as const]),
    ...(ids === undefined
      ? []
      : [['(recovered_at IS NOT NULL OR site IN (SELECT value FROM json_each(?)))', JSON.stringify(ids)] as const]),
    ...(since === undefined ? [] : [['detected_at >= ?', since] as const]),
    ...(before === undefined ? [] : [['detected_at < ?', before] as const]),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`;
  const rows = database.all<Row>(
    `SELECT json, notified_at FROM incident ${where} ORDER BY detected_at DESC, id DESC LIMIT ?`,
    ...conditions.flatMap(([, parameter]) => parameter ?? []),
    limit ?? -1,
  );
  return rows.flatMap(incidentOf);
}

export function readIncident(database: Connection, id: string): Incident | null {
  const rows = database.all<Row>('SELECT json, notified_at FROM incident WHERE id = ?', id);
  return rows.flatMap(incidentOf)[0] ?? null;
}

interface Row {
  readonly json: string;
  readonly notified_at: number | null;
}

function incidentOf({ json, notified_at: notifiedAt }: Row): Incident[] {
  const incident = parsed(json) as Incident | null;
  return incident === null ? [] : [{ ...incident, notifiedAt }];
}
