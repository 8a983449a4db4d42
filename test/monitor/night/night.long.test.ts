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
      'docs down 470.6 484.6 484.6 490.6',
      'docs down 710.6 724.6 724.6 750.6',
      'docs down 1190.6 1204.6 1204.6 1800.6',
      // On the same host: told as one that has joined, checked as soon as the one before has recovered.
      'handbook down 1174.3 1238.3 1269 1802.6',
      // The deploy; then a page that is missing, and the configuration for a while.
      'docs down 2390.6 2404.6 2404.6 2520.6',
      'docs degraded 2990.6 3004.6 3004.6 3180.6',
      'docs down 3050.6 3064.6 3064.6 3120.6',
      // Down and up every minute.
      'blog down 3571.3 3605.3 3605.3 3661.3',
      'blog down 3691.3 3725.3 3725.3 3781.3',
      'blog down 3811.3 3845.3 3845.3 4981.3',
      // Degraded; then down, of which nobody could be determined for a quarter of an hour; and degraded again after that.
      'docs degraded 6170.6 6184.6 6184.6 6720.6',
      expect.stringMatching(/^docs down 6410\.6 6424\.6 7\d{3}\.\d 6540\.6$/),
      'handbook down 6394.3 6458.3  6542.6',
      // Over a restart, with a defect that was fixed meanwhile.
      'docs degraded 8150.6 8164.6 8164.6 8520.6',
      'docs down 8210.6 8224.6 8224.6 8520.6',
      'handbook down 8194.3 8258.3 8289 8522.6',
      // With a full disk.
      'docs down 9110.6 9124.6 9124.6 9180.6',
      'handbook down 9094.3 9158.3  9182.6',
      // From the end of the maintenance on.
      expect.stringMatching(/^intranet down 14100 14155\.9 14155\.9 144\d\d\.9$/),
      // By a clock that was set back.
      'docs down 14690.6 14704.6 14704.6 14730.6',
    ]);
  });

  it('says whether the objective was met', () => {
    const met = incidents.map((incident) => recoveryOf(incident).recoveryTimeObjectiveMet);
    expect(incidents.filter((_, at) => met[at]).map(({ startedAt }) => second(startedAt))).toEqual([
      470.6, 710.6, 14_690.6,
    ]);
    expect(met).not.toContain(null);
  });

  it('suspects the deploy, and no other incident of one', () => {
    const deploys = incidents.filter(({ deploy }) => deploy !== null);
    expect(deploys.map(({ rules, deploy }) => [...rules, second(deploy?.seenAt ?? null)])).toEqual([
      // Its repair, eight minutes before the next thing fails, is none.
      ['config/trailing-comma', 2400.6],
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
    expect(incidents.filter(({ flapping }) => flapping).map(clocks)).toEqual(['blog down 3811.3 3845.3 3845.3 4981.3']);
  });

  it('reports each root cause once, in order, of each end, and reminds', () => {
    const texts = stage.told.map(
      ({ at, route, event, site, verdict }) =>
        `${Math.floor((at - EPOCH) / 1_000)} ${route} ${event} ${site}${verdict === 'down' ? '' : ` ${verdict}`}`,
    );
    expect(texts).toEqual([
      '484 ops opened docs',
      '492 ops recovered docs',
      '724 ops opened docs',
      '752 ops recovered docs',
      '1204 ops opened docs',
      // The handbook has joined.
      '1269 ops reminder docs',
      '1504 boss opened docs',
      '1569 ops reminder docs',
      '1802 ops recovered docs',
      '1802 boss recovered docs',
      '2404 ops opened docs',
      '2522 ops recovered docs',
      '3004 ops opened docs degraded',
      '3064 ops opened docs',
      '3122 ops recovered docs',
      '3182 ops recovered docs degraded',
      '3605 ops opened blog',
      '3663 ops recovered blog',
      '3725 ops opened blog',
      '3783 ops recovered blog',
      '3845 ops opened blog',
      '4145 boss opened blog',
      '4146 ops reminder blog',
      '4446 ops reminder blog',
      '4746 ops reminder blog',
      '5046 ops reminder blog',
      '5281 ops recovered blog',
      '5281 boss recovered blog',
      '6184 ops opened docs degraded',
      // As soon as somebody can be reported, in whatever order.
      expect.stringMatching(/^7\d{3} ops (opened|recovered) docs( degraded)?$/),
      expect.stringMatching(/^7\d{3} ops (opened|recovered) docs( degraded)?$/),
      expect.stringMatching(/^7\d{3} ops (opened|recovered) docs( degraded)?$/),
      '8164 ops opened docs degraded',
      '8224 ops opened docs',
      '8289 ops reminder docs',
      '8522 ops recovered docs',
      '8522 ops recovered docs degraded',
      '9124 ops opened docs',
      '9182 ops recovered docs',
      '14155 ops opened intranet',
      expect.stringMatching(/^144\d\d ops recovered intranet$/),
      '14704 ops opened docs',
      '14732 ops recovered docs',
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
    expect(await stage.world.store().outboxState()).toMatchObject({ pending: 0 });
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
    const five = rounds.filter(({ scope }) => scope === 'core');
    expect(five.length).toBeLessThan(90);
    expect(five.some(({ verdict }) => verdict === 'down')).toBe(true);
  });
});
