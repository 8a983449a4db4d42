import { describe, expect, it } from 'vitest';
import type { CheckResult, Report } from '../../check.ts';
import { finding, reportOf } from '../../../test/reports.ts';
import type { Control } from './control.ts';
import { hasAnswered, isSilent, oursOf, type RoundAround } from './ours.ts';

const failed = (id: string, code: string, httpStatus: number | null = null): Partial<CheckResult> => ({
  id,
  httpStatus,
  findings: [finding({ code })],
});
const passed = (id: string): Partial<CheckResult> => ({ id, status: 'pass', httpStatus: 200 });
const untold = (id: string, code: string, evidence = {}): Partial<CheckResult> => ({
  id,
  status: 'unknown',
  httpStatus: null,
  findings: [finding({ code, grade: 'unknown', evidence })],
});
const skipped = (id: string): Partial<CheckResult> => ({ id, status: 'skip', httpStatus: null });

const control = (gone: boolean, nameless = gone): Control => ({
  learn: () => Promise.resolve(),
  isGone: () => Promise.resolve(gone),
  isNameless: () => Promise.resolve(nameless),
});
const around = (rest: Partial<RoundAround> = {}): RoundAround => ({
  suspended: false,
  blocked: false,
  answeredMeanwhile: false,
  control: control(true),
  ...rest,
});

const SILENT = reportOf([failed('bundle', 'refused'), failed('config', 'connect-timeout'), skipped('links')]);

const UNRESOLVED = reportOf([failed('bundle', 'dns-temporary'), failed('config', 'dns-timeout'), skipped('links')]);
const NAMELESS = around({ control: control(false, true) });

describe('oursOf', () => {
  const rows: readonly (readonly [string, Report, RoundAround, string | null])[] = [
    ['well', reportOf([passed('bundle')]), around(), null],
    ['no reply, and the control is gone', SILENT, around(), 'no-network'],
    ['no reply, and the control is there', SILENT, around({ control: control(false) }), null],
    ['no reply, and no control', SILENT, around({ control: null }), null],
    ['no reply, but another site answered', SILENT, around({ answeredMeanwhile: true }), null],
    ['a name that does not resolve, and no other one does', UNRESOLVED, NAMELESS, 'no-network'],
    ['a name that does not resolve, and another one does', UNRESOLVED, around({ control: control(false) }), null],
    ['a name that does not resolve, and no control', UNRESOLVED, around({ control: null }), null],
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
    ['one reply', reportOf([failed('bundle', 'refused'), passed('config')]), around(), null],
    ['a reply that failed', reportOf([failed('bundle', 'server-error', 503)]), around(), null],
    ['suspended, whatever came', reportOf([passed('bundle')]), around({ suspended: true }), 'suspended'],
    [
      'blocked, and no reply in time',
      reportOf([failed('bundle', 'headers-timeout'), passed('config')]),
      around({ blocked: true }),
      'machine',
    ],
    [
      'blocked, and a reply that failed',
      reportOf([failed('bundle', 'server-error', 503)]),
      around({ blocked: true }),
      null,
    ],
    ['no file descriptors', reportOf([untold('bundle', 'out-of-descriptors'), skipped('links')]), around(), 'machine'],
    [
      'a full disk',
      reportOf([untold('source', 'internal-error', { error: 'ENOSPC: no space left on device' })]),
      around(),
      'disk-full',
    ],
    [
      'unknown and failed',
      reportOf([untold('bundle', 'out-of-descriptors'), failed('config', 'server-error', 500)]),
      around(),
      null,
    ],
    ['unknown and well', reportOf([untold('bundle', 'out-of-descriptors'), passed('config')]), around(), null],
    ['nothing to look at', reportOf([skipped('links')]), around(), null],
  ];
  it.each(rows)('%s', async (_, report, given, expected) => {
    expect(await oursOf(report, given)).toBe(expected);
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
          findings: [finding({ code: 'refused' }), finding({ code: 'media-type', grade: 'warning' })],
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
