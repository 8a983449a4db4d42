import { describe, expect, it } from 'vitest';
import { noReply, reply } from '../../test/answers.ts';
import type { Answer } from '../check.ts';
import { baselineOf } from './runs.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const DAY = 86_400_000;
const on = (ms: number): string => new Date(ms).toUTCString();
const page = (headers: Readonly<Record<string, string>>, status = 200): Answer =>
  reply('<!doctype html>', { status, contentType: 'text/html', headers });

const ROWS: readonly { name: string; answer: Answer; baseline: ReturnType<typeof baselineOf> }[] = [
  { name: 'an ETag', answer: page({ etag: '"65f1-4d2"' }), baseline: { since: { etag: '"65f1-4d2"' } } },
  { name: 'a weak ETag', answer: page({ etag: 'W/"65f1"' }), baseline: { since: { etag: 'W/"65f1"' } } },
  {
    name: 'both validators: the ETag',
    answer: page({ etag: '"a1"', 'last-modified': on(NOW - DAY) }),
    baseline: { since: { etag: '"a1"' } },
  },
  {
    name: 'a date only',
    answer: page({ 'last-modified': on(NOW - DAY), date: on(NOW) }),
    baseline: { since: { modifiedMs: NOW - DAY } },
  },
  {
    name: 'no validators: the time of the host',
    answer: page({ date: on(NOW + DAY) }),
    baseline: { since: { modifiedMs: NOW + DAY } },
  },
  { name: 'no validators and no time', answer: page({}), baseline: { since: { modifiedMs: NOW } } },
  {
    name: 'a date that is none',
    answer: page({ 'last-modified': 'yesterday', date: 'today' }),
    baseline: { since: { modifiedMs: NOW } },
  },
  { name: 'an empty ETag', answer: page({ etag: '' }), baseline: { since: { modifiedMs: NOW } } },
  { name: 'no file yet', answer: page({ etag: '"404"' }, 404), baseline: { since: null } },
  { name: 'a file that is gone', answer: page({}, 410), baseline: { since: null } },
  { name: 'nobody listening', answer: noReply('refused'), baseline: { since: null } },
  { name: 'no such name yet', answer: noReply('dns-not-found'), baseline: { since: null } },
  { name: 'an error of the host', answer: page({ etag: '"500"' }, 500), baseline: null },
  { name: 'too many requests', answer: page({}, 429), baseline: null },
  { name: 'nobody let in', answer: page({}, 403), baseline: null },
  { name: 'a host that is silent', answer: noReply('headers-timeout'), baseline: null },
  { name: 'a certificate that is not trusted', answer: noReply('tls-untrusted'), baseline: null },
];

describe('what the bundle has before the deploy', () => {
  it.each(ROWS)('$name', ({ answer, baseline }) => {
    expect(baselineOf(answer, NOW)).toEqual(baseline);
  });
});
