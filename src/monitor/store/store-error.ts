/**
 * Why a store could not do what was asked:
 * `full` the disk (or the quota) is full; `busy` somebody else is writing, try again; `corrupt` the file is damaged;
 * `newer` a later docvitals wrote it; `older` an earlier one is still using it; `foreign` it is no database of
 * docvitals'; `missing` there is none; `unreadable` the system refuses to read it, `read-only` to write it; `locked`
 * another monitor has it; `closed` it was closed before.
 */
export type StoreProblem =
  | 'full'
  | 'busy'
  | 'corrupt'
  | 'newer'
  | 'older'
  | 'foreign'
  | 'missing'
  | 'unreadable'
  | 'read-only'
  | 'locked'
  | 'closed';

/** Who has a database: a process, and since when (ms since 1970). */
export interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

/** What a store rejects with. `message` is for people who look for the cause; it holds nothing that was stored. */
export class StoreError extends Error {
  readonly problem: StoreProblem;
  /** The database. */
  readonly file: string;
  /** With `locked`: the monitor that has it; `null`: not known. */
  readonly owner: Owner | null;

  constructor(problem: StoreProblem, file: string, detail: string, owner: Owner | null = null) {
    super(detail);
    this.name = 'StoreError';
    this.problem = problem;
    this.file = file;
    this.owner = owner;
  }
}
