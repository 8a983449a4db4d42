import { describe, expect, it } from 'vitest';
import type { SiteState } from '../../src/monitor/incident/state.ts';
import type { IncidentQuery } from '../../src/monitor/store/store.ts';
import { openState } from '../monitor/incident/state.ts';
import { eachWith, type OpenEmpty } from './opened.ts';
import { commitOf, DAY, HOUR, incidentOf, MINUTE, NOON, opening, roundRecord, EVER, siteState } from './samples.ts';

export function describeIncidents(open: OpenEmpty): void {
  describe('incidents', () => {
    const current = eachWith(open);
    const four = [1, 2, 3, 4].map((number) =>
      incidentOf({
        id: `i${number}`,
        site: number === 3 ? 'other' : 'docs',
        detectedAt: NOON + number * MINUTE,
        recoveredAt: number === 2 ? NOON + 10 * MINUTE : null,
      }),
    );

    const QUERIES: readonly (readonly [name: string, query: IncidentQuery, ids: readonly string[]])[] = [
      ['all, newest first', {}, ['i4', 'i3', 'i2', 'i1']],
      ['those of a site', { site: 'docs' }, ['i4', 'i2', 'i1']],
      ['none of an unknown site', { site: 'nowhere' }, []],
      ['open ones', { open: true }, ['i4', 'i3', 'i1']],
      ['those that are over', { open: false }, ['i2']],
      ['open ones of sites that are watched', { open: true, openOf: ['other', 'nowhere'] }, ['i3']],
      ['those that are over, and open ones of nobody', { openOf: [] }, ['i2']],
      ['those that are over, and open ones of one site', { openOf: ['other'], limit: 2 }, ['i3', 'i2']],
      ['since a time', { since: NOON + 3 * MINUTE }, ['i4', 'i3']],
      ['before a time', { before: NOON + 3 * MINUTE }, ['i2', 'i1']],
      ['no more than wanted', { limit: 2 }, ['i4', 'i3']],
      ['all of it together', { site: 'docs', open: true, before: NOON + 4 * MINUTE, since: NOON, limit: 5 }, ['i1']],
    ];

    it('returns those that a query selects', async () => {
      const { store } = current();
      await store.append(four.map((incident) => opening(incident)));
      const returned = await Promise.all(
        QUERIES.map(async ([name, query]) => [name, (await store.incidents(query)).map(({ id }) => id)]),
      );
      expect(returned).toEqual(QUERIES.map(([name, , ids]) => [name, ids]));
    });

    it('keeps all of one', async () => {
      const { store, reopen } = current();
      const incident = incidentOf({
        deploy: { version: 'b2', before: null, seenAt: NOON },
        flapping: true,
        sameAs: 'x',
        findings: [
          {
            check: 'config',
            rule: 'config/syntax',
            evidence: { text: '<b>„ș” \u0000 \u{1F600} "' },
            location: { path: 'config.json', line: 1, column: 2 },
          },
        ],
      });
      await store.append([opening(incident)]);
      const again = await reopen();
      expect(await again.incident(incident.id)).toEqual(incident);
      expect(await again.incident('unknown')).toBeNull();
    });

    it('writes over what changed', async () => {
      const { store } = current();
      const incident = incidentOf({ verdict: 'degraded' });
      const over = { ...incident, verdict: 'down', recoveredAt: NOON + MINUTE } as const;
      await store.append([opening(incident)]);
      await store.append([commitOf({ run: roundRecord({ startedAt: NOON + MINUTE }), incidents: [over] })]);
      expect(await store.incidents({})).toEqual([over]);
      expect(await store.incidents({ open: true })).toEqual([]);
    });

    it('are open although their state has a form that is not known: it is not read, as one that is damaged', async () => {
      const { store } = current();
      const state = { ...siteState(openState(incidentOf())), form: 1 } as unknown as SiteState;
      await store.append([commitOf({ state, incidents: [incidentOf()] })]);
      expect((await store.states()).get('docs')).toBeUndefined();
      expect(await store.incidents({ open: true })).toEqual([incidentOf()]);
    });
  });
}

export function describeMaintenance(open: OpenEmpty): void {
  describe('maintenance', () => {
    const current = eachWith(open);
    const window = (id: string, from: number, to: number, site = 'docs') => ({
      id,
      site,
      from: NOON + from * MINUTE,
      to: NOON + to * MINUTE,
      reason: id === 'a' ? 'new disks' : null,
    });

    it('tells what has not ended', async () => {
      const { store } = current();
      const [a, b, c] = [window('a', 0, 30), window('b', 10, 20, 'other'), window('c', 60, 90)];
      for (const each of [c, b, a]) await store.startMaintenance(each);
      expect(await store.maintenance(NOON)).toEqual([a, b, c]);
      expect(await store.maintenance(NOON + 20 * MINUTE)).toEqual([a, c]);
      expect(await store.maintenance(NOON + 90 * MINUTE)).toEqual([]);
    });

    it('is ended where it goes on', async () => {
      const { store } = current();
      const [a, b, c] = [window('a', 0, 30), window('b', 0, 20, 'other'), window('c', 60, 90)];
      for (const each of [a, b, c]) await store.startMaintenance(each);
      expect(await store.endMaintenance('docs', NOON + MINUTE)).toBe(1);
      expect(await store.endMaintenance('docs', NOON + MINUTE)).toBe(0);
      expect(await store.maintenance(NOON + MINUTE)).toEqual([b, c]);
    });

    it('may be told again', async () => {
      const { store } = current();
      await store.startMaintenance(window('a', 0, 30));
      await store.startMaintenance(window('a', 0, 60));
      expect(await store.maintenance(NOON)).toEqual([window('a', 0, 60)]);
    });
  });
}

export function describePrune(open: OpenEmpty): void {
  describe('prune', () => {
    const current = eachWith(open);
    const retention = { rawMs: HOUR, minuteMs: 2 * HOUR, hourMs: 2 * DAY, dayMs: 10 * DAY };
    const now = NOON + 2 * DAY;

    it('removes what is older than it is kept for, and nothing else', async () => {
      const { store } = current();
      const times = [now - 20 * DAY, now - 3 * DAY, now - 90 * MINUTE, now - MINUTE];
      await store.append(
        times.flatMap((startedAt) =>
          ['docs', 'other'].map((site) => commitOf({ run: roundRecord({ site, startedAt }) })),
        ),
      );
      const removed = await store.prune(now, retention);
      const left = async (resolution: 'minute' | 'hour' | 'day'): Promise<number> =>
        (await store.buckets({ ...EVER, site: 'docs', resolution })).length;
      const rounds = await store.runs({ ...EVER, site: 'other' });
      expect([rounds.length, await left('minute'), await left('hour'), await left('day')]).toEqual([1, 2, 2, 2]);
      expect(removed).toBe(2 * (3 + 2 + 2 + 1));
      expect(await store.prune(now, retention)).toBe(0);
    });

    it('removes more than one step can', async () => {
      const { store } = current();
      const rounds = Array.from({ length: 1200 }, (_, index) => roundRecord({ startedAt: NOON + index }));
      await store.append(rounds.map((run) => commitOf({ run })));
      await store.prune(now, retention);
      expect(await store.runs({ ...EVER, site: 'docs' })).toEqual([]);
    });

    it('keeps what is open, with its alerts', async () => {
      const { store } = current();
      const long = incidentOf({ id: 'long', detectedAt: now - 50 * DAY });
      const over = incidentOf({ id: 'over', detectedAt: now - 50 * DAY, recoveredAt: now - 49 * DAY });
      const young = incidentOf({ id: 'young', detectedAt: now - DAY, recoveredAt: now - DAY + MINUTE });
      await store.append([long, over, young].map((incident) => opening(incident)));
      await store.startMaintenance({ id: 'm', site: 'docs', from: 0, to: now - 11 * DAY, reason: null });
      await store.prune(now, retention);
      expect((await store.incidents({})).map(({ id }) => id)).toEqual(['young', 'long']);
      expect(await store.maintenance(0)).toEqual([]);
    });
  });
}
