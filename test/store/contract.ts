/** What every store has to do, whatever database stands behind it. */
import { describe } from 'vitest';
import { describeIncidents, describeMaintenance, describePrune } from './contract-incidents.ts';
import { describeNotes } from './contract-notes.ts';
import { describePictures } from './contract-pictures.ts';
import { describeNotifications } from './contract-notifications.ts';
import { describeBuckets, describeRounds } from './contract-rounds.ts';
import type { OpenEmpty } from './opened.ts';

/** Declares the tests of a store. */
export function describeStore(name: string, open: OpenEmpty): void {
  describe(`a store in ${name}`, () => {
    describeRounds(open);
    describeBuckets(open);
    describeIncidents(open);
    describeNotifications(open);
    describeMaintenance(open);
    describeNotes(open);
    describePictures(open);
    describePrune(open);
  });
}
