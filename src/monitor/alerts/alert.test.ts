import { expect, it } from 'vitest';
import { routeOf, SECOND, siteOf, SIX } from '../../../test/alerts/samples.ts';
import { noticeAlert, testAlert } from './alert.ts';

it.each([
  ['opened', 'test-docs-20261120T175925000:opened:ops', null, null],
  ['reminder', 'test-docs-20261120T175925000:reminder:1:ops', SIX - 35 * SECOND, null],
  ['recovered', 'test-docs-20261120T175925000:recovered:ops', SIX - 35 * SECOND, SIX],
] as const)('the test of a route with the event %s looks like a real alert', (event, key, notifiedAt, recoveredAt) => {
  const alert = testAlert(routeOf({ verdicts: ['degraded', 'down'] }), siteOf(), event, SIX);
  expect(alert).toMatchObject({
    key,
    event,
    test: true,
    incident: {
      site: 'docs',
      verdict: 'degraded',
      checks: ['bundle'],
      rules: ['bundle/refused'],
      notifiedAt,
      recoveredAt,
    },
  });
  expect(testAlert(routeOf({ verdicts: [] }), siteOf(), event, SIX).incident.verdict).toBe('down');
});

it('a notice about the database is about the monitor, not about a site', () => {
  const alert = noticeAlert('replaced', 'ops', SIX);
  expect(alert).toMatchObject({
    key: 'monitor-20261120T180000000:opened:ops',
    notice: 'replaced',
    incident: { verdict: 'degraded', rules: ['monitor/database-replaced'], recoveredAt: null, flapping: false },
  });
  expect(alert).not.toHaveProperty('test');
});
