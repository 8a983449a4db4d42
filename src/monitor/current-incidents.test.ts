import { describe, expect, it } from 'vitest';
import {
  healthy,
  incidentOf,
  memory,
  NOON,
  settingsOf,
  siteOf,
  siteViewOf,
  stateOf,
  viewOf,
} from '../../test/server/view.ts';
import { openState } from '../../test/monitor/incident/state.ts';
import { currentIncidents } from './site-state.ts';
import type { Incident } from './incident/incident.ts';

const SECOND = 1_000;
const newer = incidentOf({ id: 'newer', detectedAt: NOON - 10 * SECOND, notifiedAt: null });
const older = incidentOf({ id: 'older', detectedAt: NOON - 90 * SECOND, notifiedAt: null });
const ended = (incident: Incident): Incident => ({ ...incident, recoveredAt: NOON });

function current(stored: readonly Incident[], ...open: readonly Incident[]) {
  const site = siteOf();
  const view = viewOf({
    remembered: memory({ incidents: [...stored] }),
    settings: () => settingsOf({ sites: [site] }),
    sites: () => [siteViewOf(site, healthy(), { state: stateOf(healthy(), openState(...open)) })],
  });
  return currentIncidents(view.sites(), view.store);
}

describe('currentIncidents', () => {
  it('are those of the database', async () => {
    expect(await current([newer, ended(older)]).incidents({})).toEqual([newer, ended(older)]);
    expect(await current([newer]).incident('newer')).toEqual(newer);
    expect(await current([]).incident('newer')).toBeNull();
  });

  it('say of open ones what the last runs found', async () => {
    const found = { ...newer, notifiedAt: NOON, findings: [] };
    expect(await current([newer, ended(older)], found).incidents({})).toEqual([found, ended(older)]);
    expect(await current([newer], found).incident('newer')).toEqual(found);
  });

  it('know an open one though the database cannot be read', async () => {
    const site = siteViewOf(siteOf(), healthy(), { state: stateOf(healthy(), openState(newer)) });
    const view = viewOf({ remembered: memory({ failure: new Error('EIO') }), sites: () => [site] });
    expect(await currentIncidents(view.sites(), view.store).incident('newer')).toEqual(newer);
  });
});
