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
import { currentIncidents } from './site-state.ts';
import type { Incident } from './incident/incident.ts';

const SECOND = 1_000;
const newer = incidentOf({ id: 'newer', detectedAt: NOON - 10 * SECOND, notifiedAt: null });
const older = incidentOf({ id: 'older', detectedAt: NOON - 90 * SECOND, notifiedAt: null });
const ended = (incident: Incident): Incident => ({ ...incident, recoveredAt: NOON });
const reported = (incident: Incident): Incident => ({ ...incident, notifiedAt: NOON });

interface Known {
  readonly stored?: readonly Incident[];
  readonly waiting?: readonly Incident[];
  readonly open?: Incident | null;
  readonly suspended?: Incident | null;
}

function current({ stored = [], waiting = [], open = null, suspended = null }: Known) {
  const site = siteOf();
  const view = viewOf({
    remembered: memory({ incidents: [...stored] }),
    settings: () => settingsOf({ sites: [site] }),
    sites: () => [siteViewOf(site, healthy(), { state: stateOf(healthy(), { incident: open, suspended }) })],
    unwritten: () => waiting,
  });
  return currentIncidents(view);
}

describe('currentIncidents', () => {
  const rows: readonly (readonly [string, Known, object, readonly Incident[]])[] = [
    ['none', {}, {}, []],
    ['what is in the database', { stored: [newer, ended(older)] }, {}, [newer, ended(older)]],
    ['what is open and waits', { waiting: [newer], open: newer }, {}, [newer]],
    ['what was opened and waits no more', { open: newer }, { open: true }, [newer]],
    ['what ended and waits', { stored: [newer], waiting: [ended(newer)] }, {}, [ended(newer)]],
    ['what is open, of which one ended and waits', { stored: [newer], waiting: [ended(newer)] }, { open: true }, []],
    ['what is over, of which one waits', { stored: [newer], waiting: [ended(newer)] }, { open: false }, [ended(newer)]],
    ['what came and went', { waiting: [newer, ended(newer)] }, {}, [ended(newer)]],
    [
      'as many as are asked for, though one ended',
      { stored: [newer, older], waiting: [ended(newer)] },
      { open: true, limit: 1 },
      [older],
    ],
    ['an outage, and the defect under it', { open: newer, suspended: older }, { open: true }, [newer, older]],
    ['the newest first', { stored: [older], open: newer }, {}, [newer, older]],
    ['the newest only', { stored: [older], open: newer }, { limit: 1 }, [newer]],
    ['another site', { open: newer }, { site: 'wiki' }, []],
    ['a site that is not watched any more', { waiting: [newer] }, { openOf: ['wiki'] }, []],
    ['a time before', { open: newer }, { before: newer.detectedAt }, []],
    ['a time since', { open: newer }, { since: newer.detectedAt + 1 }, []],
    ['who was told, as the database knows', { stored: [reported(newer)], open: newer }, {}, [reported(newer)]],
    ['who was told, as the monitor knows', { stored: [newer], open: reported(newer) }, {}, [reported(newer)]],
  ];
  it.each(rows)('tells of %s', async (_, known, query, expected) => {
    expect(await current(known).incidents(query)).toEqual(expected);
  });

  it.each<readonly [string, Known, Incident | null]>([
    ['nobody knows', {}, null],
    ['is stored', { stored: [newer] }, newer],
    ['waits', { waiting: [newer] }, newer],
    ['has ended, which waits', { stored: [newer], waiting: [ended(newer)] }, ended(newer)],
    ['is open, and somebody was told', { stored: [reported(newer)], open: newer }, reported(newer)],
  ])('tells of one that %s', async (_, known, expected) => {
    expect(await current(known).incident('newer')).toEqual(expected);
  });

  it('tells of an open one though the database cannot be read', async () => {
    const site = siteViewOf(siteOf(), healthy(), { state: stateOf(healthy(), { incident: newer }) });
    const view = viewOf({ remembered: memory({ failure: new Error('EIO') }), sites: () => [site] });
    expect(await currentIncidents(view).incident('newer')).toEqual(newer);
  });
});
