import type { StoreProblem } from '../store.ts';

/** A monitor that has the database; `since`: ISO 8601. */
export interface OwnerFacts {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/** What is said of databases, in one language. All strings come printable. */
export interface StoreWords {
  /** What is wrong with a database, and what to do. `detail`: the cause as the system names it. */
  readonly problems: Readonly<Record<Exclude<StoreProblem, 'locked'>, (file: string, detail: string) => string>>;
  /** `null`: it is not known who. */
  locked(file: string, owner: OwnerFacts | null): string;
}
