import { describe, expect, it } from 'vitest';
import { incidentOf } from '../../../test/monitor/incident/incidents.ts';
import type { Incident } from './incident.ts';
import { rootCause, type SitedIncident, type Suspect } from './state.ts';

const NOW = Date.parse('2026-11-20T18:00:00Z');
const sited = (id: string, rest: Partial<Incident> = {}, url = `https://docs.test/${id}/`): SitedIncident => ({
  incident: incidentOf({ id, site: id, detectedAt: NOW, ...rest }),
  url,
});
const one = sited('one');

describe('rootCause', () => {
  const rows: readonly (readonly [string, SitedIncident, readonly SitedIncident[], string | null])[] = [
    ['nothing else is open', one, [], null],
    ['itself', one, [one], null],
    ['no reply from the same host', one, [sited('other')], 'other'],
    [
      'no reply, in another way',
      sited('one', { rules: ['bundle/connect-timeout', 'bundle/reset'] }),
      [sited('other')],
      'other',
    ],
    ['another host', one, [sited('other', {}, 'https://other.test/')], null],
    ['another port', one, [sited('other', {}, 'https://docs.test:8443/')], null],
    ['another scheme', one, [sited('other', {}, 'http://docs.test/')], null],
    ['the usual port, written', one, [sited('other', {}, 'https://docs.test:443/')], 'other'],
    ['two minutes before', one, [sited('other', { detectedAt: NOW - 120_000 })], 'other'],
    ['longer ago', one, [sited('other', { detectedAt: NOW - 120_001 })], null],
    ['it is over', one, [sited('other', { recoveredAt: NOW })], null],
    ['it shares another one itself', one, [sited('other', { sameAs: 'first' })], null],
    [
      'the first of several',
      one,
      [sited('c', { detectedAt: NOW - 1 }), sited('b', { detectedAt: NOW - 2 }), sited('a')],
      'b',
    ],
    ['several at once', one, [sited('b'), sited('a')], 'a'],
    ['the one is down, the other is not', one, [sited('other', { verdict: 'degraded' })], null],
    [
      'both are degraded, and without a reply',
      sited('one', { verdict: 'degraded' }),
      [sited('other', { verdict: 'degraded' })],
      'other',
    ],
    ['the one has replies, the other has not', one, [sited('other', { rules: ['bundle/server-error'] })], null],
    [
      'down with the same rules',
      sited('one', { rules: ['bundle/server-error'] }),
      [sited('other', { rules: ['bundle/server-error'] })],
      'other',
    ],
    [
      'the same rules in another order',
      sited('one', { rules: ['bundle/html', 'bundle/server-error'] }),
      [sited('other', { rules: ['bundle/server-error', 'bundle/html'] })],
      'other',
    ],
    [
      'down with other rules',
      sited('one', { rules: ['bundle/server-error'] }),
      [sited('other', { rules: ['bundle/not-found'] })],
      null,
    ],
    [
      'degraded with the same rules: each has its own fault',
      sited('one', { verdict: 'degraded', rules: ['bundle/not-found'] }),
      [sited('other', { verdict: 'degraded', rules: ['bundle/not-found'] })],
      null,
    ],
  ];
  it.each(rows)('%s', (_, incident, open, expected) => {
    expect(rootCause(incident, open)).toBe(expected);
  });
});

describe('rootCause of sites of different origins', () => {
  const CAUSES = ['address 192.0.2.0/24', 'host Netlify'];
  const shared = (id: string, rest: Partial<Incident> = {}): SitedIncident =>
    sited(id, { causes: CAUSES, ...rest }, `https://${id}.test/`);
  const suspect = { site: 'c', since: NOW, causes: ['host Netlify'] };
  const self = shared('one');

  it.each<
    readonly [name: string, open: readonly SitedIncident[], suspects: readonly Suspect[], expected: string | null]
  >([
    ['three that share something have one', [shared('a'), shared('b')], [], 'a'],
    ['two are not enough', [shared('a')], [], null],
    ['a third that is being confirmed is', [shared('a')], [suspect], 'a'],
    ['a third that shares nothing is not', [shared('a')], [{ ...suspect, causes: ['host Vercel'] }], null],
    ['a third that failed more than a minute ago is not', [shared('a')], [{ ...suspect, since: NOW - 60_001 }], null],
    ['a site counts once', [shared('a')], [{ ...suspect, site: 'a' }], null],
    [
      'those of more than a minute ago do not count',
      [shared('a'), shared('b', { detectedAt: NOW - 60_001 })],
      [],
      null,
    ],
    [
      'those that fail in another way do not count',
      [shared('a'), shared('b', { rules: ['bundle/not-found'] })],
      [],
      null,
    ],
    ['one that follows counts, and is not followed', [shared('b', { sameAs: 'x' }), shared('x')], [], 'x'],
    [
      'nothing is known of what they share',
      [sited('a', {}, 'https://a.test/'), sited('b', {}, 'https://b.test/')],
      [],
      null,
    ],
  ])('%s', (_, open, suspects, expected) => {
    expect(rootCause(self, open, suspects)).toBe(expected);
  });
});
