/** Pictures of pages: the last good one of each page, the first bad one of each incident. */
import type { Picture, Store } from '../store.ts';
import type { Connection } from './connection.ts';

/** Pictures of a site that are kept of each kind, the newest. */
const MOST_OF_A_KIND = 10;

/** Writes pictures of a site, inside the current transaction. */
export function writePictures(database: Connection, name: string, pictures: readonly Picture[]): void {
  const site = database.sites.idOf(name);
  const hasOne = (incident: string): boolean =>
    database.all('SELECT 1 FROM picture WHERE site = ? AND incident = ? LIMIT 1', site, incident).length > 0;
  for (const { incident, route, at, bytes } of pictures) {
    if (incident !== null && hasOne(incident)) continue;
    const sql = 'REPLACE INTO picture (site, incident, route, at, jpeg) VALUES (?, ?, ?, ?, ?)';
    database.run(sql, site, incident ?? '', route, at, bytes);
  }
  for (const isGood of pictures.length === 0 ? [] : [1, 0]) {
    database.run(
      `DELETE FROM picture WHERE rowid IN
       (SELECT rowid FROM picture WHERE site = ? AND (incident = '') = ? ORDER BY at DESC LIMIT -1 OFFSET ?)`,
      site,
      isGood,
      MOST_OF_A_KIND,
    );
  }
}

export function readPictures(database: Connection, { id, site }: Parameters<Store['pictures']>[0]): readonly Picture[] {
  return database
    .all<{ incident: string; route: string; at: number; jpeg: Uint8Array }>(
      `SELECT picture.incident, picture.route, picture.at, picture.jpeg FROM picture AS bad
       JOIN picture ON picture.site = bad.site AND picture.route = bad.route AND picture.incident IN ('', bad.incident)
       WHERE bad.site = ? AND bad.incident = ? ORDER BY picture.incident`,
      database.sites.known(site) ?? -1,
      id,
    )
    .map(({ incident, jpeg, ...rest }) => ({ ...rest, site, incident: incident || null, bytes: jpeg }));
}
