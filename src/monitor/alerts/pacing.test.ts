import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND, SIX, waitingOf } from '../../../test/alerts/samples.ts';
import type { Notification, SendFailure } from './alert.ts';
import { delayAfter, Pacing } from './pacing.ts';

const FAILURE: SendFailure = { ok: false, error: 'http 503', permanent: false, retryAfterMs: null };

const alertOf = waitingOf;

describe('the delay after a failure', () => {
  it.each([
    ['doubles', 4, {}, 1, 8 * SECOND],
    ['is at least half of that', 4, {}, 0, 4 * SECOND],
    ['grows to a quarter of an hour', 40, {}, 1, 15 * MINUTE],
    ['is longer where the failure lasts', 2, { permanent: true }, 1, 2 * MINUTE],
    ['is what the receiver requests', 1, { retryAfterMs: 20 * SECOND }, 1, 20 * SECOND],
    ['is a second at least', 1, { retryAfterMs: 0 }, 0, SECOND],
    ['is five minutes at most, whatever the receiver requests', 1, { retryAfterMs: 60 * MINUTE }, 1, 5 * MINUTE],
    ['grows to a minute where the receiver requests less', 40, { retryAfterMs: SECOND }, 1, MINUTE],
  ])('%s', (_, attempts, failure, random, delayMs) => {
    expect(delayAfter(attempts, { ...FAILURE, ...failure }, () => random)).toBe(delayMs);
  });
});

describe('a route', () => {
  it('sends four alerts at once', () => {
    const pacing = new Pacing();
    const started = Array.from({ length: 5 }, () => pacing.start(alertOf(), SIX));
    expect(started).toEqual([true, true, true, true, false]);
    pacing.end('ops');
    expect([pacing.start(alertOf(), SIX), pacing.start(alertOf(), SIX)]).toEqual([true, false]);
  });

  it('shares 64 places with all others', () => {
    const pacing = new Pacing();
    const routes = Array.from({ length: 17 }, (_, index) => `route-${index}`);
    const started = routes.flatMap((route) => [1, 2, 3, 4].map(() => pacing.start(alertOf({ route }), SIX)));
    expect(started.filter(Boolean)).toHaveLength(64);
    pacing.end('route-0');
    expect(pacing.start(alertOf({ route: 'route-16' }), SIX)).toBe(true);
  });

  const failing = (failure: SendFailure = FAILURE): Pacing => {
    const pacing = new Pacing();
    pacing.start(alertOf(), SIX);
    pacing.end('ops');
    pacing.failed('ops', SIX, SIX + SECOND, failure, () => 1);
    return pacing;
  };

  it('pauses after a failure, and is tried with a single alert then', () => {
    const pacing = failing();
    expect(pacing.nextStart(SIX + SECOND)).toBe(SIX + 2 * SECOND);
    expect(pacing.start(alertOf({ attempts: 1 }), SIX + 2 * SECOND - 1)).toBe(false);
    expect(pacing.start(alertOf({ attempts: 1 }), SIX + 2 * SECOND)).toBe(true);
    expect(pacing.start(alertOf({ attempts: 1 }), SIX + 2 * SECOND)).toBe(false);
    pacing.end('ops');
    pacing.succeeded('ops');
    expect([1, 2].map(() => pacing.start(alertOf({ attempts: 1 }), SIX + 2 * SECOND))).toEqual([true, true]);
    expect(pacing.nextStart(SIX + MINUTE)).toBe(SIX + MINUTE);
  });

  it('pauses for ten seconds at most', () => {
    expect(failing({ ...FAILURE, permanent: true }).start(alertOf({ attempts: 1 }), SIX + 11 * SECOND)).toBe(true);
  });

  it.each<readonly [name: string, alert: Partial<Notification>, at: number, isSent: boolean]>([
    ['a new outage is sent', { dueAt: SIX + 1 }, 3 * SECOND, true],
    ['no more than one new outage in three seconds is sent', { dueAt: SIX + 1 }, 3 * SECOND - 1, false],
    ['an alert that waited already is not sent', { dueAt: SIX }, 3 * SECOND, false],
    ['an alert that was tried is not sent', { dueAt: SIX + 1, attempts: 1 }, 3 * SECOND, false],
    ['a reminder is not sent', { dueAt: SIX + 1, event: 'reminder' }, 3 * SECOND, false],
  ])('in a pause %s', (_, alert, afterMs, isSent) => {
    const pacing = failing({ ...FAILURE, permanent: true });
    expect(pacing.start(alertOf(alert), SIX + afterMs)).toBe(isSent);
  });

  it('waits as long as the receiver requests, also when the clock is set back', () => {
    const pacing = new Pacing();
    pacing.retryAfter('ops', SIX + MINUTE);
    expect(pacing.retryAfters(SIX)).toEqual([['ops', SIX + MINUTE]]);
    expect(pacing.retryAfters(SIX + MINUTE)).toEqual([]);
    expect(pacing.start(alertOf({ attempts: 1 }), SIX + MINUTE - 1)).toBe(false);
    pacing.clockSetBack(MINUTE);
    expect(pacing.start(alertOf({ attempts: 1 }), SIX)).toBe(true);
  });
});
