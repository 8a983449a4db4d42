import { describe, expect, it } from 'vitest';
import type { Incident } from './incident/incident.ts';
import type { SiteState } from './incident/state.ts';
import { emptyState } from './incident/state.ts';
import { countKinds, overallKind, siteStatusAt } from './site-state.ts';
import { site, watched } from '../../test/page/sample.ts';
import { checkedAt, openState } from '../../test/monitor/incident/state.ts';

const state = (rest: Partial<SiteState>): SiteState => ({ ...emptyState(), ...checkedAt(1000), ...rest });

interface Observed {
  readonly state: SiteState | null;
  readonly isInMaintenance: boolean;
  /** Whether it has to be checked again: silent from 2000 on. */
  readonly isDue: boolean;
  readonly now: number;
}

const { checking } = site('docs');

const observed = (rest: Partial<Observed>): Parameters<typeof siteStatusAt> => {
  const { state: known = state({ verdict: 'healthy' }), isInMaintenance = false, isDue = true, now = 1500 } = rest;
  const of = site('docs', {
    schedule: isDue
      ? { kind: 'every', everyMs: 300, jitterMs: 0 }
      : { kind: 'cron', pattern: '0 0 30 2 *', timeZone: 'Etc/UTC', jitterMs: 0 },
    checking: { ...checking, limits: { deadlineMs: 100 } },
  });
  return [watched(of, known, isInMaintenance ? { from: 0, to: now + 1, reason: null } : null), now];
};

const MINUTE = 60_000;

/** A site with an open incident; `upAgo`: how long ago it was not down. */
const withIncident = (
  verdict: Incident['verdict'],
  flapping: boolean,
  last: SiteState['verdict'],
  upAgo: number,
): Parameters<typeof siteStatusAt> => {
  const now = 60 * MINUTE;
  const incident = { verdict, flapping, recoveredAt: null } as Incident;
  return observed({
    now,
    state: state({ verdict: last, ...openState(incident), ...checkedAt(now, null, now - upAgo) }),
  });
};

describe('how a site stands', () => {
  it.each([
    ['well', observed({}), 'healthy', false],
    ['down', observed({ state: state({ verdict: 'down' }) }), 'down', false],
    ['never looked at', observed({ state: null }), 'new', false],
    [
      'remembered without a round',
      observed({ state: state({ scopes: emptyState().scopes, verdict: 'healthy' }) }),
      'new',
      false,
    ],
    ['at the last moment', observed({ now: 2000 }), 'healthy', false],
    ['not heard of for too long, and well then', observed({ now: 2001 }), 'unknown', true],
    [
      'not heard of for too long, and down then',
      observed({ now: 2001, state: state({ verdict: 'down' }) }),
      'unknown',
      true,
    ],
    ['never due again', observed({ isDue: false, now: 1e12 }), 'healthy', false],
    [
      'unwell in maintenance',
      observed({ isInMaintenance: true, state: state({ verdict: 'down' }) }),
      'maintenance',
      false,
    ],
    [
      'unknown in maintenance',
      observed({ isInMaintenance: true, state: state({ verdict: 'unknown' }) }),
      'maintenance',
      false,
    ],
    ['well in maintenance', observed({ isInMaintenance: true }), 'healthy', false],
    ['silent in maintenance', observed({ isInMaintenance: true, now: 3000 }), 'unknown', true],
    ['down', withIncident('down', false, 'down', MINUTE), 'down', false],
    ['up again, but its outage is not over', withIncident('down', false, 'healthy', 0), 'unstable', false],
    [
      'up again with a defect, but its outage is not over',
      withIncident('down', false, 'degraded', 0),
      'unstable',
      false,
    ],
    ['flapping, and down at this moment', withIncident('down', true, 'down', MINUTE), 'unstable', false],
    ['flapping, and down for long by now', withIncident('down', true, 'down', 6 * MINUTE), 'down', false],
    ['unknown with an open incident', withIncident('down', true, 'unknown', 0), 'unknown', false],
    ['degraded', withIncident('degraded', false, 'degraded', 0), 'degraded', false],
    ['well again, but its defect is not over', withIncident('degraded', false, 'healthy', 0), 'unstable', false],
    // A clock that was set back.
    ['looked at in the future', observed({ now: 0 }), 'healthy', false],
  ] as const)('%s', (_name, of, kind, isSilent) => {
    expect(siteStatusAt(...of)).toMatchObject({ kind, isSilent });
  });

  it('reports that a failure is being confirmed, until it is', () => {
    const suspicion = { since: 900, lastAt: 900, times: 1, lastGoodAt: 800 };
    const { core, ...others } = checkedAt(1000).scopes;
    const scopes = { core: { ...core, suspicion }, ...others };
    const suspected = siteStatusAt(...observed({ state: state({ verdict: 'down', scopes }) }));
    const silent = siteStatusAt(...observed({ now: 3000, state: state({ verdict: 'down', scopes }) }));
    expect([suspected.isSuspected, silent.isSuspected]).toEqual([true, false]);
  });
});

describe('many sites', () => {
  it('begin with the most severe', () => {
    expect([...countKinds(['healthy', 'down', 'new', 'healthy', 'degraded']).entries()]).toEqual([
      ['down', 1],
      ['degraded', 1],
      ['new', 1],
      ['healthy', 2],
    ]);
  });

  it.each([
    [['healthy', 'stale', 'unknown'], 'unknown'],
    [['healthy', 'maintenance'], 'maintenance'],
    [['healthy'], 'healthy'],
    [[], 'new'],
  ] as const)('%j are %s', (kinds, gravest) => {
    expect(overallKind(countKinds(kinds))).toBe(gravest);
  });
});
