import type { RoundCommit } from '../store.ts';
import type { Database } from './database.ts';
import { incidentWriter, stateWriter } from './incidents.ts';
import { outboxWriter } from './outbox.ts';
import { roundWriter } from './rounds.ts';

/** Writes rounds and all that follows from them in one transaction. */
export type CommitRounds = (rounds: readonly RoundCommit[]) => void;

export function commitWriter(database: Database): CommitRounds {
  const [writeRounds, writeState] = [roundWriter(database), stateWriter(database)];
  const [writeIncident, writeOutbox] = [incidentWriter(database), outboxWriter(database)];
  return (commits) => {
    if (commits.length === 0) return;
    // A round more or less after a power cut is no loss; an incident that people were told of is.
    const isGrave = commits.some(
      ({ incidents, outbox }) => incidents.length + outbox.add.length + outbox.cancel.length > 0,
    );
    database.write(() => {
      writeRounds(commits.map(({ round }) => round));
      for (const { round, state, incidents, outbox } of commits) {
        writeState(round.site, state);
        for (const incident of incidents) writeIncident(incident);
        writeOutbox(outbox);
      }
    }, isGrave);
  };
}
