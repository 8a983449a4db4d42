/**
 * A night of a monitor: a clock that can be hurried, and everything else as it is: sockets, SQLite, a receiver of alerts.
 * Four hours with two dozen outages of three seconds to half an hour, in about half a minute.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Incident } from '../../../src/monitor/incident/incident.ts';
import { recoveryOf, ruleName } from '../../../src/monitor/incident/document.ts';
import { Connection } from '../../../src/monitor/store/sqlite/connection.ts';
import { ticksOf } from '../../../src/monitor/schedule/schedule.ts';
import { ACTS, DOCS_TICK, END } from './script.ts';
import { startStage, type Stage } from './stage.ts';

const EPOCH = Date.parse('2026-11-20T22:00:00Z');
const MINUTE = 60_000;

let stage: Stage;
let incidents: readonly Incident[] = [];

beforeAll(async () => {
  stage = await startStage(EPOCH);
  for (const { at, play } of ACTS.toSorted((a, b) => a.at - b.at)) {
    await stage.until(EPOCH + at * MINUTE);
    await play(stage);
  }
  await stage.until(EPOCH + END * MINUTE);
  incidents = (await stage.world.store().incidents({})).toReversed();
}, 300_000);
afterAll(() => stage.end());

/** Seconds after 22:00, to a tenth. */
const second = (at: number | null): number | null => (at === null ? null : Math.round((at - EPOCH) / 100) / 10);

/** `docs down 470.6 484.6 484.6 490.6`: the four clocks. */
const clocks = ({ site, verdict, startedAt, detectedAt, notifiedAt, recoveredAt }: Incident): string =>
  [site, verdict, ...[startedAt, detectedAt, notifiedAt, recoveredAt].map(second)].join(' ');

const linesOf = (event: string): readonly unknown[] => stage.world.told(event);

describe('a night', () => {
  it('checks the site when the script thinks that it does', async () => {
    const ticks = ticksOf({ kind: 'every', everyMs: 10_000, jitterMs: 0 }, 'docs core');
    expect(ticks.next(EPOCH)).toBe(EPOCH + DOCS_TICK * 1_000);
  });

  it('has these incidents, with these clocks: started, detected, notified, recovered', () => {
    expect(incidents.map(clocks)).toEqual([
      // 5 s, then 30 s, then 10 minutes; each seen at the next look, confirmed 4 s later.
      'docs down 472.5 486.5 486.5 492.5',
      'docs down 712.5 726.5 726.5 752.5',
      'handbook down 674.5 738.5  754.5',
      'docs down 1192.5 1206.5 1206.5 1802.5',
      // On the same host: told as one that has joined, checked as soon as the one before has recovered.
      'handbook down 1154.5 1218.5 1251 1804.5',
      // The deploy; then a page that is missing, and the configuration for a while.
      'docs down 2392.5 2406.5 2406.5 2522.5',
      'docs degraded 2992.5 3006.5 3006.5 3182.5',
      'docs down 3052.5 3066.5 3066.5 3122.5',
      // Down and up every minute.
      'blog down 3587.5 3621.5 3621.5 3667.5',
      'blog down 3707.5 3741.5 3741.5 3787.5',
      'blog down 3827.5 3861.5 3861.5 4997.5',
      // Degraded; then down, of which nobody could be determined for a quarter of an hour; and degraded again after that.
      'docs degraded 6172.5 6186.5 6186.5 6722.5',
      expect.stringMatching(/^docs down 6412\.5 6426\.5 7\d{3}\.\d 6542\.5$/),
      'handbook down 6374.5 6438.5  6544.5',
      // Over a restart, with a defect that was fixed meanwhile.
      'docs degraded 8152.5 8166.5 8166.5 8522.5',
      'docs down 8212.5 8226.5 8226.5 8522.5',
      'handbook down 8174.5 8238.5 8271 8524.5',
      // With a full disk.
      'docs down 9112.5 9126.5 9126.5 9182.5',
      'handbook down 9074.5 9138.5 9171 9184.5',
      // From the end of the maintenance on.
      expect.stringMatching(/^intranet down 14100 14150\.8 14150\.8 144\d\d\.8$/),
      // By a clock that was set back.
      'docs down 14692.5 14706.5 14706.5 14732.5',
      'handbook down 14654.5 14718.5  14734.5',
    ]);
  });

  it('says whether the objective was met', () => {
    const met = incidents.map((incident) => recoveryOf(incident).recoveryTimeObjectiveMet);
    expect(incidents.filter((_, at) => met[at]).map(({ startedAt }) => second(startedAt))).toEqual([
      472.5, 712.5, 14_692.5,
    ]);
    expect(met).not.toContain(null);
  });

  it('suspects the deploy, and no other incident of one', () => {
    const deploys = incidents.filter(({ deploy }) => deploy !== null);
    expect(deploys.map(({ rules, deploy }) => [...rules, second(deploy?.seenAt ?? null)])).toEqual([
      // Its repair, eight minutes before the next thing fails, is none.
      ['config/trailing-comma', 2402.5],
    ]);
  });

  it('reports what failed', () => {
    const five = 'bundle config navigation home llms-txt';
    const told = incidents.map(
      ({ checks, rules }) => `${checks.join(' ')}: ${[...new Set(rules.map(ruleName))].join(' ')}`,
    );
    expect(new Set(told)).toEqual(
      new Set([
        `${five}: reset`,
        `${five}: server-error`,
        'config: trailing-comma',
        'config: not-found',
        'navigation: not-found',
      ]),
    );
  });

  it('recognises the one that flaps, and no other', () => {
    expect(incidents.filter(({ flapping }) => flapping).map(clocks)).toEqual(['blog down 3827.5 3861.5 3861.5 4997.5']);
  });

  it('reports each root cause once, in order, of each end, and reminds', () => {
    const texts = stage.told.map(
      ({ at, route, event, site, verdict }) =>
        `${Math.floor((at - EPOCH) / 1_000)} ${route} ${event} ${site}${verdict === 'down' ? '' : ` ${verdict}`}`,
    );
    expect(texts).toEqual([
      '486 ops opened docs',
      '494 ops recovered docs',
      '726 ops opened docs',
      '754 ops recovered docs',
      '1206 ops opened docs',
      // The handbook has joined.
      '1251 ops reminder docs',
      '1506 boss opened docs',
      '1551 ops reminder docs',
      '1804 ops recovered docs',
      '1804 boss recovered docs',
      '2406 ops opened docs',
      '2524 ops recovered docs',
      '3006 ops opened docs degraded',
      '3066 ops opened docs',
      '3124 ops recovered docs',
      '3184 ops recovered docs degraded',
      '3621 ops opened blog',
      '3669 ops recovered blog',
      '3741 ops opened blog',
      '3789 ops recovered blog',
      '3861 ops opened blog',
      '4161 boss opened blog',
      '4164 ops reminder blog',
      '4464 ops reminder blog',
      '4764 ops reminder blog',
      '5064 ops reminder blog',
      '5297 ops recovered blog',
      '5297 boss recovered blog',
      '6186 ops opened docs degraded',
      // As soon as somebody can be reported, in whatever order.
      expect.stringMatching(/^7\d{3} ops (opened|recovered) docs( degraded)?$/),
      expect.stringMatching(/^7\d{3} ops (opened|recovered) docs( degraded)?$/),
      expect.stringMatching(/^7\d{3} ops (opened|recovered) docs( degraded)?$/),
      '8166 ops opened docs degraded',
      '8226 ops opened docs',
      '8271 ops reminder docs',
      '8524 ops recovered docs',
      '8524 ops recovered docs degraded',
      '9126 ops opened docs',
      // The handbook has joined, while the disk is full.
      '9171 ops reminder docs',
      '9184 ops recovered docs',
      '14150 ops opened intranet',
      expect.stringMatching(/^144\d\d ops recovered intranet$/),
      '14706 ops opened docs',
      '14734 ops recovered docs',
    ]);
  });

  it('separates of outages and defects, and of each that it opened and that it ended', () => {
    for (const [, alerts] of Map.groupBy(stage.told, ({ route, incident }) => `${route} ${incident}`)) {
      const events = alerts.map(({ event }) => event).filter((event) => event !== 'reminder');
      expect(events).toEqual(['opened', 'recovered']);
    }
    expect(new Set(stage.told.filter(({ route }) => route === 'boss').map(({ verdict }) => verdict))).toEqual(
      new Set(['down']),
    );
    expect(stage.told.some(({ verdict }) => verdict === 'degraded')).toBe(true);
  });

  it('never uses a key for two alerts, and leaves none behind', async () => {
    const keys = stage.told.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(await stage.world.store().waiting(0)).toMatchObject({ pending: 0 });
  });

  it('knows what was about us: the network, the sleep, the clock', () => {
    expect(linesOf('probe-failing')).toMatchObject([{ reason: 'no-network' }]);
    expect(linesOf('resumed')).toMatchObject([{ afterMs: 20 * MINUTE }]);
    expect(linesOf('clock-jump')).toMatchObject([{ byMs: -5 * MINUTE }]);
    expect(linesOf('failure-suspected').length).toBeGreaterThan(linesOf('incident-opened').length);
  });

  it('says that the disk was full, and that it is not any more', () => {
    // A small write may find room in between.
    const [refused, written] = [linesOf('database-not-writable'), linesOf('database-writable')];
    expect(refused.length).toBeGreaterThan(0);
    expect(refused).toMatchObject(refused.map(() => ({ problem: 'full' })));
    expect(written).toMatchObject(refused.map(() => ({ leftOut: expect.any(Number) })));
    expect(stage.world.monitor().troubles()).toEqual([]);
  });

  it('ends with all sites well, and a database that is whole', () => {
    expect(
      stage.world
        .monitor()
        .sites()
        .map(({ state }) => state?.verdict),
    ).toEqual(Array(4).fill('healthy'));
    const file = `${stage.world.folder}/docvitals.db`;
    const connection = new Connection(file, { access: 'read', busyMs: 1_000 });
    expect(connection.value('PRAGMA integrity_check')).toBe('ok');
    connection.close();
  });

  it('has a gap in the history while the disk was full, but not the outage', async () => {
    const from = EPOCH + 147 * MINUTE;
    const rounds = await stage.world.store().runs({ site: 'docs', from, to: from + 15 * MINUTE });
    const core = rounds.filter(({ scope }) => scope === 'core');
    expect(core.length).toBeLessThan(90);
    expect(core.some(({ verdict }) => verdict === 'down')).toBe(true);
  });
});
