import { describe, expect, it } from 'vitest';
import { HOUR, incident, MINUTE, NOW, state } from '../../../test/page/sample.ts';
import { openState } from '../../../test/monitor/incident/state.ts';
import { policy } from '../../../test/monitor/incident/story.ts';
import type { Incident } from '../incident/incident.ts';
import { openIncidents, type SiteState } from '../incident/state.ts';
import type { Notification } from '../alerts/alert.ts';
import { OpenAlerts } from '../alerts/open-alerts.ts';
import { waitingOf } from '../../../test/alerts/samples.ts';
import { restoreAll } from './restore.ts';

/** What becomes of the state of a site, and what is written, with these open incidents in the database. */
function restored(known: SiteState | null, stored: readonly Incident[]) {
  const watched = { site: { id: 'docs' }, state: known, policy: policy() };
  const lines: unknown[] = [];
  const notifications = stored.map((one): Notification => waitingOf({ incident: one }));
  const alerts = new OpenAlerts({ incidents: stored, notifications }, () => ({ sites: [], alerts: [] }));
  const log = (...line: readonly unknown[]) => void lines.push(line);
  const from = { watched: new Map([['docs', watched]]), alerts, now: NOW, log };
  const { incidents = [], states, notifications: changed = [] } = restoreAll(from, stored);
  const ids = openIncidents(watched.state).map(({ id }) => id);
  const written = incidents.map(({ id, recoveredAt }) => [id, recoveredAt]);
  const isWritten = states?.get('docs') === watched.state;
  return { ids, written, isWritten, cancelled: changed.map(({ key, state: is }) => `${key} ${is}`), lines, alerts };
}

const newer = incident('docs', MINUTE, null);
const older = incident('docs', HOUR, null);
const down = (...open: readonly Incident[]): SiteState => state('down', [], openState(...open));

describe('incidents of the state and of the database', () => {
  it('that agree stay as they are', () => {
    const { alerts: _, ...agreed } = restored(down(newer), [newer]);
    expect(agreed).toEqual({ ids: [newer.id], written: [], isWritten: false, cancelled: [], lines: [] });
    const ofOthers = { ...newer, site: 'api' };
    expect(restored(null, [ofOthers])).toMatchObject({ ids: [], written: [] });
  });

  it('are written again where the database has lost them, and are open', () => {
    const { ids, written, lines, alerts } = restored(down(newer), []);
    expect([ids, written, alerts.isOpen(newer.id)]).toEqual([[newer.id], [[newer.id, null]], true]);
    expect(lines).toEqual([['warn', 'incidents-reconciled', { site: 'docs', open: 0 }]]);
  });

  it('go on where the state does not know them: the newest, the others end with its start', () => {
    for (const known of [null, state('healthy')]) {
      const { ids, written, isWritten, alerts } = restored(known, [older, newer]);
      expect([ids, written, isWritten]).toEqual([[newer.id], [[older.id, newer.startedAt]], true]);
      expect([alerts.isOpen(older.id), alerts.isOpen(newer.id)]).toEqual([false, true]);
    }
  });

  it('end beside one that the state knows, not before they were detected', () => {
    expect(restored(down(newer), [newer, older]).written).toEqual([[older.id, newer.startedAt]]);
    expect(restored(down(older), [newer, older]).written).toEqual([[newer.id, newer.detectedAt]]);
  });

  it('of earlier versions, of what only full checks see, are closed without a notification', () => {
    const dead: Incident = { ...newer, verdict: 'degraded', checks: ['links'], rules: ['links/missing'] };
    expect(restored(state('degraded', [], openState(dead)), [dead])).toMatchObject({
      ids: [],
      written: [[dead.id, NOW]],
      isWritten: true,
      cancelled: [`${dead.id}:opened:ops cancelled`],
      lines: [['info', 'degradation-closed', { site: 'docs', incident: dead.id }]],
    });
  });
});
