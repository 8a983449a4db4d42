import { describe, expect, it } from 'vitest';
import { finding, reportOf } from '../../test/reports.ts';
import type { CheckResult, Report } from '../core/check.ts';
import { OLD, play, type Scene } from '../wait/fixtures/scene.ts';
import { cut, runLog, waitingFor, waitingLine } from './progress.ts';
import type { WaitState } from '../wait/wait.ts';
import { messagesIn, type Messages } from '../locales/messages.ts';

/** Names what would be said, with its values. */
const waiting: Messages['waiting'] = {
  ...messagesIn('en').waiting,
  starting: () => 'starting',
  noAnswer: (reason) => `no answer ${reason}`,
  refused: (status) => `refused ${status}`,
  still: {
    missing: (files) => files.join(' '),
    differ: (files) => files.join(' '),
    notLive: () => '',
    otherLive: String,
    unchanged: 'unchanged',
  },
  old: (details) => `old ${details}`.trim(),
  partlyOld: (details) => `partly ${details}`,
  notKnown: (why) => `not known ${why}`,
  notWell: (ids) => `not well ${ids.join(' ')}`,
  lookingOn: () => 'looking on',
  good: (count, wanted) => `good ${count}/${wanted}`,
  whole: () => 'whole',
  timeUp: () => 'time up',
  line: (what, run, elapsed, limit, next) => `${what} · ${run} · ${elapsed} of ${limit} · ${next}`,
  stale: () => 'stale',
  unfinished: () => 'unfinished',
};
const messages = { waiting };

const STATE: WaitState = {
  run: 4,
  elapsedMs: 42_000,
  forMs: 300_000,
  by: 'source',
  phase: 'new',
  whole: false,
  report: null,
  failing: [],
  good: 0,
  stable: 2,
  pauseMs: 8_000,
};
const failed = (id: string, rule: string, more: Partial<CheckResult> = {}): Partial<CheckResult> => ({
  id,
  httpStatus: null,
  findings: [finding({ rule, evidence: { path: 'config.json' } })],
  ...more,
});
const stale = reportOf([failed('source', 'stale')], { fresh: false, verdict: 'stale' });
const reported = (...checks: readonly Partial<CheckResult>[]): Report => reportOf(checks);
const passing: Partial<CheckResult> = { id: 'bundle', status: 'pass' };

const ROWS: readonly { name: string; state: Partial<WaitState>; says: string }[] = [
  { name: 'the first round', state: { pauseMs: null }, says: 'starting' },
  { name: 'an old file', state: { report: stale }, says: 'old config.json' },
  {
    name: 'an old version',
    state: {
      report: reported(
        failed('deployed-version', 'old-version', {
          findings: [finding({ rule: 'old-version', evidence: { expected: '2', found: '1' } })],
        }),
      ),
    },
    says: 'old 1',
  },
  {
    name: 'an old bundle',
    state: { report: reported(failed('deployed-version', 'not-changed')) },
    says: 'old unchanged',
  },
  {
    name: 'some that is old',
    state: { phase: 'all', report: { ...stale, checks: [...stale.checks, ...reported(passing).checks] } },
    says: 'partly config.json',
  },
  {
    name: 'nobody there',
    state: { report: reported(failed('bundle', 'refused'), failed('config', 'refused')) },
    says: 'no answer refused',
  },
  {
    name: 'a source that could not be compared',
    state: {
      report: reported({
        id: 'source',
        status: 'unknown',
        httpStatus: null,
        findings: [finding({ rule: 'no-answer', evidence: { reason: 'connect-timeout' } })],
      }),
    },
    says: 'no answer connect-timeout',
  },
  {
    name: 'too many requests',
    state: {
      report: reported(
        failed('bundle', 'rate-limited', { httpStatus: 429 }),
        failed('config', 'rate-limited', { httpStatus: 429 }),
      ),
    },
    says: 'refused 429',
  },
  {
    name: 'nobody let in, as the version tells',
    state: {
      report: reported({
        id: 'deployed-version',
        status: 'unknown',
        httpStatus: 403,
        findings: [finding({ rule: 'no-answer', evidence: { status: 403 } })],
      }),
    },
    says: 'refused 403',
  },
  {
    name: 'a source that nobody serves',
    state: {
      report: reported({
        id: 'source',
        status: 'unknown',
        httpStatus: null,
        findings: [finding({ rule: 'no-answer', severity: null, evidence: { status: 503 } })],
      }),
    },
    says: 'no answer 503',
  },
  {
    name: 'a host that is starting',
    state: {
      report: reported(
        failed('bundle', 'server-error', { httpStatus: 503 }),
        failed('config', 'x', { httpStatus: 503 }),
      ),
    },
    says: 'no answer 503',
  },
  {
    name: 'a bundle without validators',
    state: {
      report: reported({
        id: 'deployed-version',
        status: 'unknown',
        httpStatus: 200,
        findings: [finding({ rule: 'no-validators', severity: null })],
      }),
    },
    says: 'not known deployed-version: no-validators',
  },
  {
    name: 'no version at its place',
    state: {
      report: reported({
        id: 'deployed-version',
        status: 'fail',
        httpStatus: 404,
        findings: [finding({ rule: 'version-not-found', evidence: { status: 404 } })],
      }),
    },
    says: 'not known deployed-version: version-not-found 404',
  },
  {
    name: 'no version at all',
    state: {
      report: reported(
        failed('deployed-version', 'no-version', {
          httpStatus: 404,
          findings: [finding({ rule: 'no-version', evidence: { expected: '2' } })],
        }),
      ),
    },
    says: 'not known deployed-version: no-version 404',
  },
  {
    name: 'a site that is in another folder of the source',
    state: {
      report: reported({
        id: 'source',
        status: 'unknown',
        httpStatus: null,
        findings: [finding({ rule: 'other-folder', severity: null, evidence: { folder: 'docs' } })],
      }),
    },
    says: 'not known source: other-folder',
  },
  {
    name: 'a good round, while the round over everything was not',
    state: { phase: 'healthy', report: reported(passing), good: 1, failing: ['links'] },
    says: 'not well links',
  },
  { name: 'a first sign', state: { phase: 'all', report: reported(passing) }, says: 'looking on' },
  {
    name: 'a broken site',
    state: { phase: 'healthy', report: reported(passing, failed('config', 'syntax', { httpStatus: 200 })) },
    says: 'not well config',
  },
  {
    name: 'a site of which one file does not come',
    state: { phase: 'healthy', report: reported(passing, failed('config', 'reset')) },
    says: 'not well config',
  },
  {
    name: 'a site that is all broken, each file in its way',
    state: {
      phase: 'healthy',
      report: reported(failed('bundle', 'not-found', { httpStatus: 404 }), failed('config', 'reset')),
    },
    says: 'not well bundle config',
  },
  { name: 'a good round', state: { phase: 'healthy', report: reported(passing), good: 1 }, says: 'good 1/2' },
  {
    name: 'the round over everything',
    state: { phase: 'healthy', report: reported(passing), good: 2, whole: true, pauseMs: null },
    says: 'whole',
  },
  {
    name: 'a quick round that is whole',
    state: { phase: 'healthy', report: reported(passing), good: 1, whole: true, pauseMs: null },
    says: 'good 1/2',
  },
  { name: 'the end', state: { report: stale, elapsedMs: 300_000, whole: true, pauseMs: null }, says: 'time up' },
];

describe('what a waiting says', () => {
  it.each(ROWS)('$name', ({ state, says }) => {
    expect(waitingFor({ ...STATE, ...state }, messages)).toBe(says);
  });

  it('goes on with the time', () => {
    const line = waitingLine({ ...STATE, report: stale }, messages, 3_000);
    expect(line).toBe('old config.json · 4 · 0:45 of 5:00 · 5');
    expect(waitingLine({ ...STATE, pauseMs: null }, messages, 3_000)).toBe('starting · 4 · 0:45 of 5:00 · null');
  });
});

async function logOf(scene: Scene): Promise<readonly string[]> {
  const lines: string[] = [];
  const log = runLog(messages, (line) => void lines.push(line));
  const { states } = await play(scene);
  for (const state of states) log(state);
  return lines;
}
const words = (lines: readonly string[]): string[] => lines.map((line) => line.split(' · ')[0] ?? '');

describe('a log of a waiting', () => {
  it('says nothing of a site that is live at once', async () => {
    expect(await logOf({ site: () => ({ verdict: 'healthy', fresh: true, isNew: true }) })).toEqual([]);
  });

  it('says what changes, once', async () => {
    const lines = await logOf({ site: (ms) => (ms < 20_000 ? OLD : { verdict: 'healthy', fresh: true, isNew: true }) });
    expect(words(lines)).toEqual(['old', 'good 1/2', 'whole']);
  });

  it('says the same at most once a minute', async () => {
    const lines = await logOf({ site: () => OLD, forMs: 300_000 });
    expect(words(lines).filter((one) => one === 'old').length).toBeLessThanOrEqual(5);
    expect(words(lines).at(-1)).toBe('time up');
  });
});

it.each([
  ['that fits is whole', 'round 4 · 0:42 of 5:00', 30, 'round 4 · 0:42 of 5:00'],
  ['that is too long is cut', 'round 4 · 0:42 of 5:00', 7, 'round 4'],
  ['counts columns, not letters', '文档文档', 5, '文档'],
])('a line of progress %s', (_, line, columns, shown) => {
  expect(cut(line, columns)).toBe(shown);
});
