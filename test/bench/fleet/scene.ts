/** Coordinator, runners and PostgreSQL at work, and what each of them takes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres, type Postgres } from '../../hosts/postgres.ts';
import { BIN } from '../contenders/docvitals.ts';
import type { Origins } from '../monitor/origins.ts';
import { cpuMsOf, peakMiBOf } from '../monitor/process.ts';
import type { Bench } from '../row.ts';
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

/** What went on in a window. */
export interface Taken {
  /** Of all locations together. */
  readonly runs: number;
  readonly seconds: number;
  /** Runs that were left out, because the one before began later than its interval allows. */
  readonly lateRuns: number;
  /** By what took it. */
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly peakMiB: Readonly<Record<string, number>>;
  /** The peaks of all processes but the database's together. */
  readonly memoryMiB: number;
  /** By which runs, their checks and the minutes of the history grew. */
  readonly bytes: number;
  /** That the origins received; 0 with canned reports. */
  readonly requests: number;
}

interface Member {
  readonly name: string;
  readonly child: ChildProcess;
}

/** With origins the built commands check one site of each, else reports are canned. */
export async function watchFleet(
  work: Work,
  { folder, signal }: Pick<Bench, 'folder' | 'signal'>,
  origins?: Origins,
): Promise<Taken> {
  const postgres = await startPostgres();
  const members: Member[] = [];
  const cwd = mkdtempSync(path.join(folder, 'fleet-'));
  const start = async (name: string, options: Pick<MemberOptions, 'role' | 'location'>): Promise<void> => {
    const { role, location } = options;
    const own = { ...options, ...work, address: postgres.url(), locations: LOCATIONS };
    const command = [BIN, role, ...(location === undefined ? [] : ['--location', location]), '--log', 'json'];
    const args = origins === undefined ? [MEMBER, JSON.stringify(own)] : command;
    members.push({ name, child: await started(args, cwd, signal) });
  };
  if (origins !== undefined) {
    writeFileSync(path.join(cwd, 'docvitals.json'), configuration(work, postgres.url(), origins));
  }
  try {
    await start('coordinator', { role: 'coordinator' });
    for (const location of LOCATIONS) await start('runners', { role: 'runner', location });
    return await measured(work, { postgres, members, origins }, signal);
  } finally {
    await end(members);
    await postgres.stop();
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** `docvitals monitor` on PostgreSQL with the same canned reports. */
export async function watchEmbedded(work: Work, { folder, signal }: Pick<Bench, 'folder' | 'signal'>): Promise<Taken> {
  const postgres = await startPostgres();
  const members: Member[] = [];
  try {
    const own = { role: 'monitor', ...work, address: postgres.url(), locations: [] } satisfies MemberOptions & Work;
    members.push({ name: 'monitor', child: await started([MEMBER, JSON.stringify(own)], folder, signal) });
    return await measured(work, { postgres, members }, signal);
  } finally {
    await end(members);
    await postgres.stop();
  }
}

const configuration = ({ sites, everySeconds }: Work, database: string, { list }: Origins): string =>
  JSON.stringify({
    sites: list.slice(0, sites).map(({ url }, index) => ({ id: `site-${index}`, url })),
    monitor: { database, control: [], locations: LOCATIONS, every: `${everySeconds}s`, full: false },
  });

/** Resolves when it runs. */
async function started(args: readonly string[], cwd: string, signal: AbortSignal): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: cwd, NODE_NO_WARNINGS: '1' },
  });
  await new Promise<void>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-10_000);
      if (/"event":"(?:ready|coordinator-acting|runner-started)"/.test(text)) resolve();
    });
    child.once('exit', (status) => reject(new Error(`a member ended with ${status}: ${text.slice(-1_000)}`)));
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  }).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return child;
}

async function end(members: readonly Member[]): Promise<void> {
  const ended = members.map(async ({ child }) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  });
  await Promise.all(ended);
}

interface Scene {
  readonly postgres: Postgres;
  readonly members: readonly Member[];
  readonly origins?: Origins | undefined;
}

async function measured(work: Work, scene: Scene, signal: AbortSignal): Promise<Taken> {
  const { settleSeconds, windowSeconds } = work;
  const { postgres, members } = scene;
  await sleep(settleSeconds * 1_000, undefined, { signal });
  const before = await read(scene);
  await sleep(windowSeconds * 1_000, undefined, { signal });
  const after = await read(scene);
  const seconds = (after.at - before.at) / 1_000;
  const names = Object.keys(after.cpuMs);
  return {
    runs: after.runs - before.runs,
    seconds,
    lateRuns: lateRuns(work, postgres, { runs: after.runs - before.runs, seconds }),
    cpuMs: Object.fromEntries(names.map((name) => [name, (after.cpuMs[name] ?? 0) - (before.cpuMs[name] ?? 0)])),
    peakMiB: peaks(members),
    memoryMiB: members.reduce((sum, { child }) => sum + peakMiBOf(child.pid ?? NaN), 0),
    bytes: after.bytes - before.bytes,
    requests: after.requests - before.requests,
  };
}

/** The share of the runs that have to end in a window of this length. */
const ENOUGH = 0.95;

/** Ticks that a run stood for beside its own, sites that have waited for longer, and what is missing of all runs. */
function lateRuns(
  { sites, everySeconds }: Work,
  postgres: Postgres,
  { runs, seconds }: Pick<Taken, 'runs' | 'seconds'>,
): number {
  const [covered, waiting] = [
    `SELECT coalesce(sum(ticks - 1), 0) FROM docvitals.run
     WHERE site NOT LIKE '%@%' AND started_at > now() - interval '${Math.ceil(seconds)} s'`,
    `SELECT count(*) FROM (SELECT max(started_at) AS last FROM docvitals.run WHERE site NOT LIKE '%@%' GROUP BY site) s
     WHERE last < now() - interval '${2 * everySeconds + 2} s'`,
  ].map((query) => Number(postgres.psql(query)));
  const missing = Math.max(0, Math.round((sites / everySeconds) * seconds * ENOUGH) - runs);
  return Math.max((covered ?? 0) + (waiting ?? 0), missing);
}

async function read({ postgres, members, origins }: Scene) {
  const cpuMs: Record<string, number> = { database: databaseCpuMs(postgres.pid()) };
  for (const { name, child } of members) cpuMs[name] = (cpuMs[name] ?? 0) + cpuMsOf(child.pid ?? NaN);
  const [runs = NaN, bytes = NaN] = postgres
    .psql(
      `SELECT (SELECT count(*) FROM docvitals.run WHERE site NOT LIKE '%@%'), sum(pg_total_relation_size(c.oid))
       FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
       WHERE nspname = 'docvitals' AND relkind = 'r' AND relname ~ '^(run|run_check|rollup_minute)_[0-9]{8}$'`,
    )
    .split('|')
    .map(Number);
  const { requests } = (await origins?.traffic()) ?? { requests: 0 };
  return { at: performance.now(), cpuMs, runs, bytes, requests };
}

/** The server, its connections and its workers; those that have ended are its own account. */
export function databaseCpuMs(server: number): number {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const below = processes.filter((pid) => fieldsOf(pid)[1] === String(server));
  const own = fieldsOf(String(server));
  const ended = (Number(own[13]) + Number(own[14])) * 10;
  return [String(server), ...below].reduce((sum, pid) => sum + cpuOf(pid), 0) + ended;
}

/** Beside it ends between two looks. */
function cpuOf(pid: string): number {
  try {
    return cpuMsOf(Number(pid));
  } catch {
    return 0;
  }
}

/** The fields of proc(5) from the third one, the state, on. */
function fieldsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

function peaks(members: readonly Member[]): Record<string, number> {
  const all = Map.groupBy(members, ({ name }) => name);
  return Object.fromEntries(
    [...all].map(([name, group]) => [name, Math.max(...group.map(({ child }) => peakMiBOf(child.pid ?? NaN)))]),
  );
}
