/** Errors of full checks that take nothing down: no incident, but a list of findings. */
import { describe, expect, it } from 'vitest';
import { policy, story, type Looked } from '../../../test/monitor/incident/story.ts';
import { openState } from '../../../test/monitor/incident/state.ts';
import { incident, state as stateOf } from '../../../test/page/sample.ts';
import { confirmedFindings, countFindings, fingerprintOf, listedFindings, withoutDeepDegradation } from './findings.ts';
import type { SiteState } from './state.ts';

const DAY = 86_400;
const full = (at: number, ...links: readonly string[]): Looked => ({ at, scope: 'full', fails: { links } });
const known = (state: SiteState, isOpen = true): number => confirmedFindings(state, policy(), isOpen).length;

describe('findings', () => {
  const found = [full(0), full(3_600, 'missing'), full(3_602, 'missing')];

  it('open no incident, and are confirmed by a second run', () => {
    const first = story(found.slice(0, 2));
    expect([first.events, first.next, known(first.state)]).toEqual([[], ['full in 2', 'whole in 300'], 0]);
    const { events, next, state } = story(found);
    expect([events, next, known(state)]).toEqual([[], ['whole in 300'], 1]);
    expect([state.verdict, countFindings(state)]).toEqual(['degraded', 1]);
    expect(listedFindings({ state, strict: false }).map(({ rule }) => rule)).toEqual(['links/missing']);
  });

  it('are confirmed by one run where one confirms a failure', () => {
    const once = policy({ confirm: { afterMs: 2_000, times: 1 } });
    const { state, next } = story(found.slice(0, 2), once);
    expect([confirmedFindings(state, once, true).length, next]).toEqual([1, ['whole in 300']]);
  });

  it.each<[name: string, more: readonly Looked[], open: number, remembered: number]>([
    ['stay through core checks', [{ at: 3_610 }, { at: 3_620 }], 1, 1],
    ['stay where their check could not run', [{ at: 3_900, scope: 'full', unknown: ['links'] }], 1, 1],
    ['stay where the site is down', [{ at: 3_900, scope: 'full', fails: { bundle: 'refused' } }], 1, 1],
    ['end when they are fixed, and are remembered for a day', [full(3_900)], 0, 1],
    ['are the same when they return within a day', [full(3_900), full(7_200, 'missing')], 1, 1],
    ['are forgotten after a day', [full(3_900), full(3_900 + DAY)], 0, 0],
    ['are new after a day', [full(3_900), full(3_900 + DAY), full(3_901 + DAY, 'missing')], 0, 0],
    [
      'that come in maintenance wait for its end',
      [{ ...full(3_900, 'missing', 'spa-fallback'), maintenance: 4_000 }],
      1,
      1,
    ],
    ['that come beside others are confirmed on their own', [full(3_900, 'missing', 'spa-fallback')], 1, 1],
    [
      'are as many as there are',
      [full(3_900, 'missing', 'spa-fallback'), full(3_902, 'missing', 'spa-fallback')],
      2,
      2,
    ],
  ])('%s', (_, more, open, remembered) => {
    const { state } = story([...found, ...more]);
    expect([known(state), known(state, false)]).toEqual([open, remembered]);
  });

  it('that vanish before they are confirmed begin again', () => {
    const { state } = story([full(0, 'missing'), full(2), full(4, 'missing')]);
    expect(known(state)).toBe(0);
    expect(known(story([full(6, 'missing')], policy(), state).state)).toBe(1);
  });

  it('of core checks are none: these open an incident', () => {
    const { state, events } = story([0, 2, 4].map((at) => ({ at, scope: 'full', fails: { home: 'not-found' } })));
    expect([countFindings(state), events.length]).toEqual([0, 2]);
  });
});

describe('the fingerprint of a finding', () => {
  const finding = {
    rule: 'links/missing',
    evidence: { target: 'gone.md', count: 1 },
    location: { path: 'index.md', line: 3, column: 1 },
  };

  it('is the same whatever its line and figures are, and another for another target or page', () => {
    const same = fingerprintOf({
      ...finding,
      evidence: { target: 'gone.md', count: 7 },
      location: { path: 'index.md', line: 9, column: 4 },
    });
    expect(same).toBe(fingerprintOf(finding));
    expect(fingerprintOf({ ...finding, evidence: { target: 'lost.md', count: 1 } })).not.toBe(same);
    expect(fingerprintOf({ ...finding, location: { path: 'guide.md', line: 3, column: 1 } })).not.toBe(same);
    expect(fingerprintOf({ ...finding, rule: 'links/missing-file' })).not.toBe(same);
  });
});

describe('a state of an earlier version', () => {
  const degraded = (...checks: readonly string[]) => ({
    ...incident('docs', 60_000, null),
    verdict: 'degraded' as const,
    checks,
    rules: checks.map((check) => `${check}/missing`),
    findings: [],
  });

  it('loses a degradation that only full checks saw', () => {
    const old = degraded('links', 'assets');
    const { state, closed } = withoutDeepDegradation(stateOf('degraded', [], openState(old)), policy());
    expect([state.degradation.incident, closed]).toEqual([null, old]);
  });

  it('keeps the part of one that core checks see', () => {
    const { state, closed } = withoutDeepDegradation(
      stateOf('degraded', [], openState(degraded('home', 'links'))),
      policy(),
    );
    expect([closed, state.degradation.incident?.checks, state.degradation.incident?.rules]).toEqual([
      null,
      ['home'],
      ['home/missing'],
    ]);
  });

  it('keeps an outage', () => {
    const down = { ...incident('docs', 60_000, null), checks: ['rendered'] };
    const { state, closed } = withoutDeepDegradation(stateOf('down', [], openState(down)), policy());
    expect([state.outage.incident, closed]).toEqual([down, null]);
  });
});
