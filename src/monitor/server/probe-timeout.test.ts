import { expect, it } from 'vitest';
import { RequestProblem } from './request.ts';
import { probeDeadlineMs } from './probe.ts';

it.each([
  ['nobody says', null, 15_000, 15_000],
  ['an empty header', '', 15_000, 15_000],
  ['more than the limit', '60', 15_000, 15_000],
  ['Prometheus waits ten seconds', '10', 15_000, 9_500],
  ['a fraction', '9.5', 15_000, 9_000],
  ['one second', '1', 15_000, 500],
  ['less than the offset', '0.4', 15_000, 200],
  ['no time at all', '0', 15_000, 15_000],
  ['no limit', null, Infinity, 120_000],
  ['longer than anybody waits', '900', Infinity, 120_000],
])('%s', (_, header, limit, deadline) => {
  expect(probeDeadlineMs(header, limit)).toBe(deadline);
});

it.each(['ten', '-1', '1e3', 'Infinity', 'NaN', '1,5', '0x10', ' 5', '99999999999'])('%j is no time', (header) => {
  expect(() => probeDeadlineMs(header, 15_000)).toThrow(RequestProblem);
});
