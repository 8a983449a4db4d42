/** What is remembered of sites, and their incidents. */
import type { Incident, SiteState } from '../../incident/incident.ts';
import { emptyState } from '../../incident/state.ts';
import type { IncidentQuery } from '../store.ts';
import { parsed, type Database } from './database.ts';

/** Writes a state; inside the transaction that goes on. */
export type WriteState = (site: string, state: SiteState) => void;

export function stateWriter(database: Database): WriteState {
  const replace = database.statement(database.queries.replaceInto('state').values({ site: 0, json: '' }));
  return (site, state) => void replace.run([database.sites.idOf(site), JSON.stringify(state)]);
}

/** Writes an incident that is new or changed; inside the transaction that goes on. */
export type WriteIncident = (incident: Incident) => void;

/** When somebody was reported is known here and not by those who write an incident, so that it stays. */
export function incidentWriter(database: Database): WriteIncident {
  const { queries, sites } = database;
  const upsert = database.statement(
    queries
      .insertInto('incident')
      .values({ id: '', site: 0, detected_at: 0, recovered_at: 0, notified_at: 0, same_as: '', json: '' })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((row) => ({
          recovered_at: row.ref('excluded.recovered_at'),
          notified_at: row.fn.coalesce('incident.notified_at', 'excluded.notified_at'),
          same_as: row.ref('excluded.same_as'),
          json: row.ref('excluded.json'),
        })),
      ),
  );
  return (incident) => {
    const { id, site, detectedAt, recoveredAt, notifiedAt, sameAs } = incident;
    upsert.run([id, sites.idOf(site), detectedAt, recoveredAt, notifiedAt, sameAs, JSON.stringify(incident)]);
  };
}

interface Row {
  readonly json: string;
  readonly notified_at: number | null;
}

function incidentOf({ json, notified_at: notifiedAt }: Row): Incident[] {
  const incident = parsed(json) as Incident | null;
  return incident === null ? [] : [{ ...incident, notifiedAt }];
}

export async function readStates(database: Database): Promise<ReadonlyMap<string, SiteState>> {
  const rows = await database.queries
    .selectFrom('state')
    .innerJoin('site', 'site.id', 'state.site')
    .select(['site.name', 'state.json'])
    .orderBy('site.id')
    .execute();
  const open = await readIncidents(database, { open: true });
  const notifiedAt = new Map(open.map((incident) => [incident.id, incident.notifiedAt]));
  return new Map(
    rows.flatMap(({ name, json }) => {
      const known = parsed(json) as SiteState | null;
      if (known === null) return [];
      const reported = (incident: Incident | null): Incident | null =>
        incident === null ? null : { ...incident, notifiedAt: notifiedAt.get(incident.id) ?? incident.notifiedAt };
      // One of an earlier version knows less.
      const state = { ...emptyState(), ...known };
      return [[name, { ...state, incident: reported(state.incident), suspended: reported(state.suspended) }]];
    }),
  );
}

export async function readIncidents(database: Database, query: IncidentQuery): Promise<readonly Incident[]> {
  const { site, open, openOf, since, before, limit } = query;
  const id = site === undefined ? undefined : database.sites.known(site);
  if (site !== undefined && id === undefined) return [];
  let select = database.queries.selectFrom('incident').select(['json', 'notified_at']);
  if (id !== undefined) select = select.where('site', '=', id);
  if (open !== undefined) select = select.where('recovered_at', open ? 'is' : 'is not', null);
  if (openOf !== undefined) {
    const ids = openOf.flatMap((name) => database.sites.known(name) ?? []);
    select = select.where((row) => row.or([row('recovered_at', 'is not', null), row('site', 'in', ids)]));
  }
  if (since !== undefined) select = select.where('detected_at', '>=', since);
  if (before !== undefined) select = select.where('detected_at', '<', before);
  // Those of one moment keep an order, so that pages of a listing do.
  const rows = await select
    .orderBy('detected_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit ?? -1)
    .execute();
  return rows.flatMap(incidentOf);
}

export async function readIncident(database: Database, id: string): Promise<Incident | null> {
  const rows = await database.queries
    .selectFrom('incident')
    .select(['json', 'notified_at'])
    .where('id', '=', id)
    .execute();
  return rows.flatMap(incidentOf)[0] ?? null;
}
