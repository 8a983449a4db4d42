import { describe, expect, it } from 'vitest';
import type { CheckResult, Report } from '../../core/check.ts';
import { finding, reportOf } from '../../../test/reports.ts';
import { type Connectivity, hasAnswered, isSilent, probeSideReason, type RunConditions } from './connectivity.ts';

const failed = (id: string, rule: string, httpStatus: number | null = null): Partial<CheckResult> => ({
  id,
  httpStatus,
  findings: [finding({ rule })],
});
const passed = (id: string): Partial<CheckResult> => ({ id, status: 'pass', httpStatus: 200 });
const untold = (id: string, rule: string, evidence = {}): Partial<CheckResult> => ({
  id,
  status: 'unknown',
  httpStatus: null,
  findings: [finding({ rule, severity: null, evidence })],
});
const skipped = (id: string): Partial<CheckResult> => ({ id, status: 'skip', httpStatus: null });

const answering = (gone: boolean, nameless = gone): Connectivity => ({
  learn: () => Promise.resolve(),
  isGone: () => Promise.resolve(gone),
  isNameless: () => Promise.resolve(nameless),
});
const timers = (rest: Partial<RunConditions> = {}): RunConditions => ({
  suspended: false,
  blocked: false,
  answeredMeanwhile: false,
  connectivity: answering(true),
  ...rest,
});

const SILENT = reportOf([failed('bundle', 'refused'), failed('config', 'connect-timeout'), skipped('links')]);

const UNRESOLVED = reportOf([failed('bundle', 'dns-temporary'), failed('config', 'dns-timeout'), skipped('links')]);
const NAMELESS = timers({ connectivity: answering(false, true) });

describe('oursOf', () => {
  const rows: readonly (readonly [string, Report, RunConditions, string | null])[] = [
    ['well', reportOf([passed('bundle')]), timers(), null],
    ['no reply, and the connectivity is gone', SILENT, timers(), 'no-network'],
    ['no reply, and the network is there', SILENT, timers({ connectivity: answering(false) }), null],
    ['no reply, but another site answered', SILENT, timers({ answeredMeanwhile: true }), null],
    ['a name that does not resolve, and no other one does', UNRESOLVED, NAMELESS, 'no-network'],
    [
      'a name that does not resolve, and another one does',
      UNRESOLVED,
      timers({ connectivity: answering(false) }),
      null,
    ],
    [
      'a name that does not resolve, and no other one does, though another site answered',
      UNRESOLVED,
      { ...NAMELESS, answeredMeanwhile: true },
      'no-network',
    ],
    ['no name resolves, but this one did', SILENT, NAMELESS, null],
    ['no name resolves, and this one does not exist', reportOf([failed('bundle', 'dns-not-found')]), NAMELESS, null],
    [
      'no name resolves, but part of the site did',
      reportOf([failed('bundle', 'dns-temporary'), passed('config')]),
      NAMELESS,
      null,
    ],
    ['one reply', reportOf([failed('bundle', 'refused'), passed('config')]), timers(), null],
    ['a reply that failed', reportOf([failed('bundle', 'server-error', 503)]), timers(), null],
    ['suspended, whatever came', reportOf([passed('bundle')]), timers({ suspended: true }), 'suspended'],
    [
      'blocked, and no reply in time',
      reportOf([failed('bundle', 'headers-timeout'), passed('config')]),
      timers({ blocked: true }),
      'machine',
    ],
    [
      'blocked, and a reply that failed',
      reportOf([failed('bundle', 'server-error', 503)]),
      timers({ blocked: true }),
      null,
    ],
    ['no file descriptors', reportOf([untold('bundle', 'out-of-descriptors'), skipped('links')]), timers(), 'machine'],
    [
      'a host that refuses this client',
      reportOf([untold('bundle', 'client-refused'), skipped('config')]),
      timers(),
      'refused',
    ],
    ['a host that refuses one file', reportOf([untold('bundle', 'client-refused'), passed('config')]), timers(), null],
    [
      'a full disk',
      reportOf([untold('source', 'internal-error', { error: 'ENOSPC: no space left on device' })]),
      timers(),
      'disk-full',
    ],
    [
      'unknown and failed',
      reportOf([untold('bundle', 'out-of-descriptors'), failed('config', 'server-error', 500)]),
      timers(),
      null,
    ],
    ['unknown and well', reportOf([untold('bundle', 'out-of-descriptors'), passed('config')]), timers(), null],
    ['nothing to look at', reportOf([skipped('links')]), timers(), null],
  ];
  it.each(rows)('%s', async (_, report, given, expected) => {
    expect(await probeSideReason(report, given)).toBe(expected);
  });
});

describe('isSilent', () => {
  it.each([
    ['no reply', SILENT, true],
    ['nothing failed', reportOf([passed('bundle')]), false],
    [
      'a check of the whole site failed for what it found',
      reportOf([failed('bundle', 'refused'), failed('links', 'missing')]),
      false,
    ],
    [
      'a warning beside it',
      reportOf([
        {
          ...failed('bundle', 'refused'),
          findings: [finding({ rule: 'refused' }), finding({ rule: 'media-type', severity: 'warning' })],
        },
      ]),
      true,
    ],
  ])('%s', (_, report, expected) => {
    expect(isSilent(report)).toBe(expected);
  });
});

describe('hasAnswered', () => {
  it.each([
    ['a reply', reportOf([failed('bundle', 'server-error', 500)]), true],
    ['none', SILENT, false],
  ])('%s', (_, report, expected) => {
    expect(hasAnswered(report)).toBe(expected);
  });
});
