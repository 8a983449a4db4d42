import { describe, expect, it } from 'vitest';
import { HOUR, incident, MINUTE, NOW, state } from '../../../test/page/sample.ts';
import { openState } from '../../../test/monitor/incident/state.ts';
import { policy } from '../../../test/monitor/incident/story.ts';
import type { Incident } from '../incident/incident.ts';
import { openIncidents, type SiteState } from '../incident/state.ts';
import { reconcileAll } from './apply-observation.ts';
import type { Core } from './core.ts';
import type { WatchedSite } from './watched-site.ts';

/** What becomes of the state of a site, and of what its next run writes, with these open incidents in the database. */
async function reconciled(known: SiteState | null, stored: readonly Incident[]) {
  const watched = { site: { id: 'docs' }, state: known, owed: null, policy: policy() } as unknown as WatchedSite;
  const lines: unknown[] = [];
  const core = {
    watched: new Map([['docs', watched]]),
    book: {
      plan: (events: readonly unknown[]) => ({ add: events, cancel: [] }),
      close: ({ id }: Incident) => ({ add: [], cancel: [`${id}:opened:ops`] }),
    },
    clock: { now: () => NOW },
    options: {
      store: { incidents: async () => stored },
      log: (...line: readonly unknown[]) => void lines.push(line),
    },
  } as unknown as Core;
  await reconcileAll(core);
  const ids = openIncidents(watched.state).map(({ id }) => id);
  const written = watched.owed?.incidents.map(({ id, recoveredAt }) => [id, recoveredAt]) ?? null;
  const { add: planned = [], cancel: cancelled = [] } = watched.owed?.outbox ?? {};
  return { ids, written, planned, cancelled, lines };
}

const newer = incident('docs', MINUTE, null);
const older = incident('docs', HOUR, null);
const down = (...open: readonly Incident[]): SiteState => state('down', [], openState(...open));

describe('incidents of the state and of the database', () => {
  it('that agree stay as they are', async () => {
    expect(await reconciled(down(newer), [newer])).toEqual({
      ids: [newer.id],
      written: null,
      planned: [],
      cancelled: [],
      lines: [],
    });
    const ofOthers = { ...newer, site: 'api' };
    expect(await reconciled(null, [ofOthers])).toMatchObject({ ids: [], written: null });
  });

  it('are written again where the database has lost them', async () => {
    const { ids, written, lines } = await reconciled(down(newer), []);
    expect([ids, written]).toEqual([[newer.id], [[newer.id, null]]]);
    expect(lines).toEqual([['warn', 'incidents-reconciled', { site: 'docs', open: 0 }]]);
  });

  it('go on where the state does not know them: the newest, the others end with its start', async () => {
    for (const known of [null, state('healthy')]) {
      const { ids, written, planned } = await reconciled(known, [older, newer]);
      expect([ids, written]).toEqual([[newer.id], [[older.id, newer.startedAt]]]);
      expect(planned).toMatchObject([{ kind: 'recovered', incident: { id: older.id }, at: NOW }]);
    }
  });

  it('end beside one that the state knows, not before they were detected', async () => {
    expect((await reconciled(down(newer), [newer, older])).written).toEqual([[older.id, newer.startedAt]]);
    expect((await reconciled(down(older), [newer, older])).written).toEqual([[newer.id, newer.detectedAt]]);
  });

  it('of earlier versions, of what only full checks see, are closed without a notification', async () => {
    const dead: Incident = { ...newer, verdict: 'degraded', checks: ['links'], rules: ['links/missing'] };
    const outcome = await reconciled(state('degraded', [], openState(dead)), [dead]);
    expect(outcome).toEqual({
      ids: [],
      written: [[dead.id, NOW]],
      planned: [],
      cancelled: [`${dead.id}:opened:ops`],
      lines: [['info', 'degradation-closed', { site: 'docs', incident: dead.id }]],
    });
  });
});
