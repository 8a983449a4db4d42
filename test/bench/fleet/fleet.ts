/** Coordinator, runners and PostgreSQL at work, and what each of them takes. */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createRoles, startPostgres, type Postgres } from '../../hosts/postgres.ts';
import { BIN } from '../checkers.ts';
import type { Origins } from '../monitor/origins.ts';
import { cpuMsOf, endedCpuMsOf, parentOf, peakMiBOf, Process } from '../process.ts';
import { newFolder, pause } from '../session.ts';
import type { MemberOptions } from './member.ts';

export const LOCATIONS = ['paris', 'bucharest', 'virginia'] as const;

const MEMBER = path.join(import.meta.dirname, 'member.ts');

export interface Work {
  readonly sites: number;
  readonly everySeconds: number;
  /** Before it is measured, so that every site has been checked once. */
  readonly settleSeconds: number;
  readonly windowSeconds: number;
}

/** What happened in a window. */
export interface Taken {
  /** Of all locations together. */
  readonly runs: number;
  readonly seconds: number;
  /** Runs that were left out, because the one before began later than its interval allows. */
  readonly lateRuns: number;
  /** By the names of the members, and of the database. */
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly peakMiB: Readonly<Record<string, number>>;
  /** The peaks of all processes but those of the database together. */
  readonly memoryMiB: number;
  /** By which runs, their checks and the minutes of the history grew. */
  readonly bytes: number;
  /** Received by the origins; 0 with canned reports. */
  readonly requests: number;
}

interface Member {
  readonly name: string;
  readonly running: Process;
}

type Roles = readonly (Pick<MemberOptions, 'role' | 'location'> & { readonly name: string })[];

const FLEET: Roles = [
  { name: 'coordinator', role: 'coordinator' },
  ...LOCATIONS.map((location) => ({ name: 'runners', role: 'runner' as const, location })),
];

/** With origins the built commands check one site of each, else reports are canned. */
export const watchFleet = (work: Work, origins?: Origins): Promise<Taken> => watch(FLEET, LOCATIONS, work, origins);

/** `docvitals monitor` on PostgreSQL with the same canned reports. */
export const watchEmbedded = (work: Work): Promise<Taken> => watch([{ name: 'monitor', role: 'monitor' }], [], work);

async function watch(roles: Roles, locations: readonly string[], work: Work, origins?: Origins): Promise<Taken> {
  const postgres = await startPostgres();
  createRoles(postgres);
  /** Each process has the role of its location. */
  const addressOf = (location = 'coordinator'): string => postgres.url('docvitals', `docvitals_${location}`);
  const members: Member[] = [];
  const cwd = newFolder('fleet');
  if (origins !== undefined) {
    const sites = origins.list.slice(0, work.sites).map(({ url }, index) => ({ id: `site-${index}`, url }));
    const monitor = {
      database: '${DATABASE}',
      connectivity: [],
      locations,
      every: `${work.everySeconds}s`,
      full: false,
    };
    writeFileSync(path.join(cwd, 'docvitals.json'), JSON.stringify({ sites, monitor }));
  }
  try {
    for (const { name, role, location } of roles) {
      const canned = { role, location, locations, address: addressOf(location), ...work };
      const at = location === undefined ? [] : ['--location', location];
      const args = origins === undefined ? [MEMBER, JSON.stringify(canned)] : [BIN, role, ...at, '--log', 'json'];
      const running = new Process([process.execPath, ...args], {
        cwd,
        env: { NODE_NO_WARNINGS: '1', DATABASE: addressOf(location) },
      });
      members.push({ name, running });
      await running.untilPrinted(/"event":"(?:ready|coordinator-acting|runner-started)"/);
    }
    return await measured(work, postgres, members, origins);
  } finally {
    for (const { running } of members) await running.stop('SIGKILL');
    await postgres.stop();
  }
}

async function measured(work: Work, postgres: Postgres, members: readonly Member[], origins?: Origins): Promise<Taken> {
  await pause(work.settleSeconds);
  const before = await state(postgres, members, origins);
  await pause(work.windowSeconds);
  const after = await state(postgres, members, origins);
  const [runs, seconds] = [after.runs - before.runs, (after.at - before.at) / 1000];
  const cpuMs = Object.entries(after.cpuMs).map(([name, value]) => [name, value - (before.cpuMs[name] ?? 0)]);
  const peaks = members.map(({ name, running }) => ({ name, peak: peakMiBOf(running.pid) }));
  const highest = [...Map.groupBy(peaks, ({ name }) => name)].map(([name, group]) => [
    name,
    Math.max(...group.map(({ peak }) => peak)),
  ]);
  return {
    runs,
    seconds,
    lateRuns: lateRuns(work, postgres, runs, seconds),
    cpuMs: Object.fromEntries(cpuMs) as Record<string, number>,
    peakMiB: Object.fromEntries(highest) as Record<string, number>,
    memoryMiB: peaks.reduce((sum, { peak }) => sum + peak, 0),
    bytes: after.bytes - before.bytes,
    requests: after.requests - before.requests,
  };
}

async function state(postgres: Postgres, members: readonly Member[], origins?: Origins) {
  const cpuMs: Record<string, number> = { database: databaseCpuMs(postgres.pid()) };
  for (const { name, running } of members) cpuMs[name] = (cpuMs[name] ?? 0) + cpuMsOf(running.pid);
  const [runs = NaN, bytes = NaN] = postgres
    .psql(
      `SELECT (SELECT count(*) FROM docvitals.run WHERE site NOT LIKE '%@%'), sum(pg_total_relation_size(c.oid))
       FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
       WHERE nspname = 'docvitals' AND relkind = 'r' AND relname ~ '^(run|run_check|rollup_minute)_[0-9]{8}$'`,
    )
    .split('|')
    .map(Number);
  const requests = (await origins?.traffic())?.requests ?? 0;
  return { at: performance.now(), cpuMs, runs, bytes, requests };
}

/** The share of the runs that have to end in a window of this length. */
const ENOUGH = 0.95;

/** Scheduled moments that a run covered beside its own, sites that have waited for longer, and what is missing of all runs. */
function lateRuns({ sites, everySeconds }: Work, postgres: Postgres, runs: number, seconds: number): number {
  const covered = postgres.psql(
    `SELECT coalesce(sum(ticks - 1), 0) FROM docvitals.run
     WHERE site NOT LIKE '%@%' AND started_at > now() - interval '${Math.ceil(seconds)} s'`,
  );
  const waiting = postgres.psql(
    `SELECT count(*) FROM (SELECT max(started_at) AS last FROM docvitals.run WHERE site NOT LIKE '%@%' GROUP BY site) s
     WHERE last < now() - interval '${2 * everySeconds + 2} s'`,
  );
  const missing = Math.round((sites / everySeconds) * seconds * ENOUGH) - runs;
  return Math.max(Number(covered) + Number(waiting), missing, 0);
}

/** The server, its connections and its workers, and those of them that have ended. */
export function databaseCpuMs(server: number): number {
  const isBelow = (pid: string): boolean => /^\d+$/.test(pid) && parentOf(pid) === String(server);
  const cpu = readdirSync('/proc').map((pid) => {
    try {
      return isBelow(pid) ? cpuMsOf(pid) : 0;
    } catch {
      return 0; // It ended meanwhile.
    }
  });
  return cpu.reduce((sum, ms) => sum + ms, cpuMsOf(server) + endedCpuMsOf(server));
}
