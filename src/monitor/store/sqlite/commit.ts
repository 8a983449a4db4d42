import type { RunCommit } from '../store.ts';
import type { Database } from './database.ts';
import { incidentWriter, stateWriter } from './incidents.ts';
import { outboxWriter } from './outbox.ts';
import { runWriter } from './runs.ts';

/** Writes runs and all that follows from them in one transaction. */
export type CommitRuns = (runs: readonly RunCommit[]) => void;

export function commitWriter(database: Database): CommitRuns {
  const [writeRuns, writeState] = [runWriter(database), stateWriter(database)];
  const [writeIncident, writeOutbox] = [incidentWriter(database), outboxWriter(database)];
  return (commits) => {
    if (commits.length === 0) return;
    // A run more or less after a power cut is no loss; an incident that people were told of is.
    const isGrave = commits.some(
      ({ incidents, outbox }) => incidents.length + outbox.add.length + outbox.cancel.length > 0,
    );
    database.write(() => {
      writeRuns(commits.map(({ run }) => run));
      for (const { run, state, incidents, outbox } of commits) {
        writeState(run.site, state);
        for (const incident of incidents) writeIncident(incident);
        writeOutbox(outbox);
      }
    }, isGrave);
  };
}
