/** The states of sites, their incidents, and pictures of pages. */
import { sql } from 'kysely';
import type { Incident } from '../../incident/incident.ts';
import { restored, withIncidents, type SiteState } from '../../incident/state.ts';
import type { IncidentQuery, Picture, Store } from '../store.ts';
import type { Database } from './connection.ts';
import { msOrNull, recordset, text, time, timeOrNull } from './values.ts';

/** Writes states, inside the current transaction. `isNew`: those that are stored already stay as they are. */
export async function writeStates(
  database: Database,
  states: ReadonlyMap<string, SiteState>,
  isNew = false,
): Promise<void> {
  // A document is a text: a state may contain what a text column cannot.
  const rows = [...states].map(([site, state]) => ({
    site,
    verdict: state.verdict,
    document: JSON.stringify(state),
  }));
  await sql`
    INSERT INTO docvitals.site_state (site, verdict, updated_at, document)
    SELECT site, verdict, now(), document::json
    FROM json_to_recordset(${recordset(rows)}::json) AS s (site text, verdict text, document text)
    ON CONFLICT (site) DO ${
      isNew
        ? sql`NOTHING`
        : sql`UPDATE SET verdict = excluded.verdict, updated_at = excluded.updated_at, document = excluded.document`
    }`.execute(database);
}

export async function readStates(database: Database): Promise<ReadonlyMap<string, SiteState>> {
  const { rows } = await sql<{ site: string; document: Parameters<typeof restored>[0] }>`
    SELECT site, document FROM docvitals.site_state ORDER BY site`.execute(database);
  const open = await readIncidents(database, { open: true });
  const notifiedAt = new Map(open.map((one) => [one.id, one.notifiedAt]));
  return new Map(
    rows.map(({ site, document }) => [
      site,
      withIncidents(restored(document), (incident) => ({
        ...incident,
        notifiedAt: notifiedAt.get(incident.id) ?? incident.notifiedAt,
      })),
    ]),
  );
}

/**
 * Writes an incident that is new or changed, inside the current transaction. The time of its first alert is known here
 * best. `isNew`: one that is stored already stays as it is.
 */
export async function writeIncident(database: Database, incident: Incident, isNew = false): Promise<void> {
  const { id, site, verdict, checks, codes, startedAt, detectedAt, notifiedAt, recoveredAt } = incident;
  await sql`
    INSERT INTO docvitals.incident (id, site, verdict, checks, rules, started_at, detected_at, notified_at, recovered_at,
      objective_ms, flapping, same_as, document)
    VALUES (${id}, ${site}, ${verdict}, ${checks.map(text)}, ${codes.map(text)}, ${time(startedAt)},
      ${time(detectedAt)}, ${timeOrNull(notifiedAt)}, ${timeOrNull(recoveredAt)}, ${Math.round(incident.objectiveMs)},
      ${incident.flapping}, ${incident.sameAs}, ${JSON.stringify(incident)})
    ON CONFLICT (id) DO ${
      isNew
        ? sql`NOTHING`
        : sql`UPDATE SET verdict = excluded.verdict, checks = excluded.checks, rules = excluded.rules,
      recovered_at = excluded.recovered_at, flapping = excluded.flapping, same_as = excluded.same_as,
      notified_at = coalesce(incident.notified_at, excluded.notified_at), document = excluded.document`
    }`.execute(database);
}

/** Newest first; those of one moment in a fixed order, for the pages of a listing. */
export async function readIncidents(database: Database, query: IncidentQuery): Promise<readonly Incident[]> {
  const { site, open, openOf, since, before, limit } = query;
  const conditions = [
    ...(site === undefined ? [] : [sql`site = ${site}`]),
    ...(open === undefined ? [] : [open ? sql`recovered_at IS NULL` : sql`recovered_at IS NOT NULL`]),
    ...(openOf === undefined ? [] : [sql`(recovered_at IS NOT NULL OR site = ANY(${openOf}::text[]))`]),
    ...(since === undefined ? [] : [sql`detected_at >= ${time(since)}`]),
    ...(before === undefined ? [] : [sql`detected_at < ${time(before)}`]),
  ];
  const { rows } = await sql<Row>`
    SELECT document, notified_at FROM docvitals.incident WHERE ${sql.join([sql`true`, ...conditions], sql` AND `)}
    ORDER BY detected_at DESC, id DESC LIMIT ${limit ?? null}`.execute(database);
  return rows.map(incidentOf);
}

export async function readIncident(database: Database, id: string): Promise<Incident | null> {
  const { rows } = await sql<Row>`
    SELECT document, notified_at FROM docvitals.incident WHERE id = ${text(id)}`.execute(database);
  return rows.map(incidentOf)[0] ?? null;
}

interface Row {
  readonly document: Incident;
  readonly notified_at: Date | null;
}

const incidentOf = ({ document, notified_at: at }: Row): Incident => ({ ...document, notifiedAt: msOrNull(at) });

/** Pictures of a site that are kept of each kind, the newest. */
const MOST_OF_A_KIND = 10;

/** Writes pictures of a site, inside the current transaction. `incident` is empty where the picture is a good one. */
export async function writePictures(database: Database, site: string, pictures: readonly Picture[]): Promise<void> {
  if (pictures.length === 0) return;
  for (const { incident, route, at, bytes } of pictures) {
    await sql`
      INSERT INTO docvitals.picture (site, incident, route, taken_at, jpeg)
      SELECT ${site}, ${incident ?? ''}, ${text(route)}, ${time(at)}::timestamptz, ${Buffer.from(bytes)}::bytea
      WHERE ${incident ?? ''} = '' OR NOT EXISTS
        (SELECT 1 FROM docvitals.picture WHERE site = ${site} AND incident = ${incident ?? ''})
      ON CONFLICT (site, incident, route) DO UPDATE SET taken_at = excluded.taken_at, jpeg = excluded.jpeg`.execute(
      database,
    );
  }
  for (const isGood of [true, false]) {
    await sql`
      DELETE FROM docvitals.picture WHERE (site, incident, route) IN
        (SELECT site, incident, route FROM docvitals.picture WHERE site = ${site} AND (incident = '') = ${isGood}
         ORDER BY taken_at DESC OFFSET ${MOST_OF_A_KIND})`.execute(database);
  }
}

export async function readPictures(
  database: Database,
  { id, site }: Parameters<Store['pictures']>[0],
): Promise<readonly Picture[]> {
  const { rows } = await sql<{ incident: string; route: string; taken_at: Date; jpeg: Buffer }>`
    SELECT picture.incident, picture.route, picture.taken_at, picture.jpeg FROM docvitals.picture AS bad
    JOIN docvitals.picture ON picture.site = bad.site AND picture.route = bad.route AND picture.incident IN ('', bad.incident)
    WHERE bad.site = ${site} AND bad.incident = ${id} ORDER BY picture.incident`.execute(database);
  return rows.map(({ incident, route, taken_at: at, jpeg }) => ({
    site,
    incident: incident || null,
    route,
    at: at.getTime(),
    bytes: new Uint8Array(jpeg),
  }));
}
