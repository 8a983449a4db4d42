/** Fills a database with what a monitor would have left in it after so many days, quickly. */
import { Connection } from '../../../src/monitor/store/sqlite/connection.ts';
import { writeIncident, writeOutbox } from '../../../src/monitor/store/sql.ts';
import { packChecks, packHistogram, packKind, sizeOf, sqlOf } from '../../../src/monitor/store/sqlite/store.ts';
import { addRun, emptyTally } from '../../../src/monitor/store/tally.ts';
import { beginOf, type RunRecord } from '../../../src/monitor/store/store.ts';
import type { Retention } from '../../../src/monitor/settings.ts';
import { alertOf, checkRecord, DAY, HOUR, incidentOf, MINUTE, roundRecord, siteState } from '../../store/samples.ts';
import { checkedAt } from '../../monitor/incident/state.ts';

const FIVE = ['bundle', 'config', 'navigation', 'home', 'llms-txt'];

/** What is to be made. Times are milliseconds. */
export interface Past {
  readonly sites: number;
  readonly days: number;
  readonly everyMs: number;
  /** The end of it; the begin of an hour. */
  readonly now: number;
  readonly retention: Retention;
}

export const siteName = (index: number): string => `site-${String(index).padStart(4, '0')}`;

/** A round of the five as sites usually answer; one in a thousand is not well. */
export function usualRound(site: string, startedAt: number, number: number): RunRecord {
  const isBad = number % 1000 === 999;
  const checks = FIVE.map((id, index) =>
    checkRecord({
      id,
      durationMs: 8 + ((number * 7 + index * 13) % 60),
      ...(isBad && index === 0 ? { status: 'fail', codes: ['status'], httpStatus: 503 } : {}),
    }),
  );
  return roundRecord({ site, startedAt, durationMs: 70, verdict: isBad ? 'down' : 'healthy', checks });
}

/** Writes it into a database that is empty but for its tables. */
export async function writePast(file: string, past: Past): Promise<void> {
  const database = new Connection(file, { access: 'write', busyMs: 0 });
  database.exec('PRAGMA cache_size = -200000');
  for (let index = 0; index < past.sites; index++) {
    const site = siteName(index);
    database.begin(false);
    await sqlOf(database).writeStates(new Map([[site, siteState(checkedAt(past.now))]]));
    writeRounds(database, site, past);
    writeBuckets(database, site, past);
    await writeIncidents(database, site, past);
    database.exec('COMMIT');
  }
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

/** From when on something is there: for as long as it is kept, and no longer than since the beginning. */
const since = ({ now, days }: Past, keptMs: number): number => now - Math.min(keptMs, days * DAY);

function writeRounds(database: Connection, site: string, past: Past): void {
  const insert = database.prepare('INSERT INTO run (site, at, kind, duration, checks) VALUES (?, ?, ?, ?, ?)');
  const id = database.idOf('site', site);
  let number = 0;
  for (let at = since(past, past.retention.rawMs); at < past.now; at += past.everyMs) {
    const round = usualRound(site, at, number++);
    insert.run(
      id,
      at,
      packKind(round),
      round.durationMs,
      packChecks(round.checks, (word) => database.idOf('word', word)),
    );
  }
}

function writeBuckets(database: Connection, site: string, past: Past): void {
  const { minuteMs, hourMs, dayMs } = past.retention;
  const insert = database.prepare(
    `INSERT INTO rollup (site, size, at, ${Object.keys(emptyTally()).join(', ')}) VALUES (?, ?, ?, ${'?, '.repeat(9)}?)`,
  );
  const id = database.idOf('site', site);
  for (const [resolution, keptMs, lengthMs] of [
    ['minute', minuteMs, MINUTE],
    ['hour', hourMs, HOUR],
    ['day', dayMs, DAY],
  ] as const) {
    const tally = emptyTally();
    for (let number = 0; number < lengthMs / past.everyMs; number++) addRun(tally, usualRound(site, 0, number));
    const values = Object.values({ ...tally, times: packHistogram(tally.times) });
    for (let at = since(past, keptMs); at < past.now; at += lengthMs)
      insert.run(id, sizeOf(resolution), beginOf(at, resolution) / MINUTE, ...values);
  }
}

/** One a day, in the last day one an hour, each told on two routes. */
async function writeIncidents(database: Connection, site: string, past: Past): Promise<void> {
  for (let at = since(past, past.days * DAY) + HOUR; at < past.now; at += at < past.now - DAY ? DAY : HOUR) {
    const incident = incidentOf({
      id: `${site}-${at}`,
      site,
      startedAt: at - 6000,
      detectedAt: at,
      recoveredAt: at + 41_000,
    });
    await writeIncident(sqlOf(database), incident);
    if (at < past.now - 90 * DAY) continue;
    const add = ['ops', 'mail'].flatMap((route) =>
      (['opened', 'recovered'] as const).map((event) => alertOf({ incident, route, event, createdAt: at, dueAt: at })),
    );
    await writeOutbox(sqlOf(database), { add, cancel: [] });
  }
  database.exec(
    `UPDATE notification SET state = 'sent', sent_at = due_at; UPDATE incident SET notified_at = detected_at`,
  );
}
