/** The queue of a location, by the functions that its role may call (`runner-functions.sql`). */
import { hostname } from 'node:os';
import { sql } from 'kysely';
import { VERSION } from '../../core/version.ts';
import type { Connections } from '../store/postgres/connection.ts';
import { StoreError } from '../store/store.ts';
import { isRunJob, packed, type ResultJob, type RunJob } from './job-format.ts';

export interface TakenRun {
  readonly id: string;
  /** 0 for the first: a run that another runner has taken over is no longer this one's. */
  readonly attempt: number;
  readonly data: RunJob;
}

/** A result with the run that it ends. */
export interface Ended {
  readonly job: TakenRun;
  readonly result: ResultJob;
}

/** How much is sent at a time, in characters of JSON. */
const MOST_SENT = 8 * 1024 * 1024;

export type RunnerQueue = ReturnType<typeof runnerQueue>;

/**
 * Whether a coordinator has created what a runner uses. Rejects with a `StoreError` where the role is not that of the
 * location, or may do nothing.
 */
export async function isPrepared({ read, name }: Connections, location: string): Promise<boolean> {
  const { rows: found } = await sql<{ is: boolean }>`
    SELECT to_regnamespace('docvitals') IS NOT NULL AND to_regproc('docvitals.take_runs') IS NOT NULL AS is`.execute(
    read,
  );
  if (found[0]?.is !== true) return false;
  const { rows } = await sql<{ role: string; location: string | null }>`
    SELECT session_user AS role, docvitals.runner_location() AS location`.execute(read);
  const { role, location: own } = rows[0] ?? { role: '', location: null };
  if (own === location) return true;
  const of = own === null ? 'no location' : `the location ${own}`;
  throw new StoreError('unreadable', name, `the role ${role} has ${of} in docvitals.location_role, not ${location}`);
}

export function runnerQueue({ read }: Connections, runner: string) {
  const keysOf = (jobs: readonly TakenRun[]) =>
    sql`${jobs.map(({ id }) => id)}::uuid[], ${jobs.map(({ attempt }) => attempt)}::integer[]`;
  return {
    /** `mayRepeat`: one that was lost with its runner may be among them. */
    async take(most: number, mayRepeat: boolean): Promise<readonly TakenRun[]> {
      const { rows } = await sql<TakenRun>`SELECT * FROM docvitals.take_runs(${most}, ${mayRepeat})`.execute(read);
      return rows.filter(({ data }) => isRunJob(data));
    },

    /** Sends as many results as it may at once, and ends their runs; resolves with how many. */
    async handIn(ended: readonly Ended[]): Promise<number> {
      const texts: (string | null)[] = [];
      for (const { result } of ended) {
        const text = result.measured === undefined ? null : packed(result.measured);
        const length = texts.reduce((sum, one) => sum + (one?.length ?? 0), text?.length ?? 0);
        if (texts.length > 0 && length > MOST_SENT) break;
        texts.push(text);
      }
      const jobs = ended.slice(0, texts.length).map(({ job }) => job);
      await sql`
        SELECT docvitals.hand_in(run, attempt, ${runner}, measured)
        FROM unnest(${keysOf(jobs)}, ${texts}::text[]) AS r (run, attempt, measured)`.execute(read);
      return texts.length;
    },

    /** Reports that this runner, and runs that it has taken, are alive. */
    async beat(jobs: readonly TakenRun[], running: number, problems: readonly string[]): Promise<void> {
      await sql`SELECT docvitals.runner_beat(${runner}, ${VERSION}, ${hostname()}, ${process.pid}::integer,
        ${running}::integer, ${problems}::text[], ${keysOf(jobs)})`.execute(read);
    },

    /** Gives back runs that it has taken, and ends. */
    async leave(jobs: readonly TakenRun[]): Promise<void> {
      await sql`SELECT docvitals.runner_leave(${runner}, ${keysOf(jobs)})`.execute(read);
    },
  };
}
