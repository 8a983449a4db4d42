import { describe, expect, it } from 'vitest';
import { makeStyle } from '../../report/terminal.ts';
import { loadTexts } from '../../report/texts.ts';
import type { Incident } from '../incident/incident.ts';
import type { Bucket, RunRecord } from '../store/store.ts';
import { type History, historyCsv, historyDocument, incidentsCsv } from './documents.ts';
import { prettyHistory, prettyIncidents } from './pretty.ts';
import { alertsWords } from '../../generated/locales/alerts.ts';
import { historyWords } from '../../generated/locales/history.ts';

const AT = Date.parse('2026-11-20T18:00:00Z');
const alertWords = alertsWords('en');
const words = historyWords('en');
const plain = ['en', makeStyle(false)] as const;
const coloured = ['en', makeStyle(true)] as const;
const HOSTILE = 'x\u001b[31m\u202e<b>';
/** Whether anything in a text would act on a terminal. */
const acts = (text: string): boolean => text.includes('\u001b') || text.includes('\u202e');

const bucket = (rest: Partial<Bucket> = {}): Bucket => ({
  site: 'docs',
  at: AT,
  runs: 360,
  healthy: 360,
  degraded: 0,
  down: 0,
  stale: 0,
  unknown: 0,
  maintenance: 0,
  meanMs: 20,
  minMs: 10,
  maxMs: 40,
  p95Ms: 30,
  ...rest,
});
const hours = (...entries: readonly Bucket[]): History => ({
  site: 'docs',
  from: 0,
  to: AT,
  resolution: 'hour',
  entries,
});
const runs = (...entries: readonly RunRecord[]): History => ({
  site: 'docs',
  from: 0,
  to: AT,
  resolution: 'run',
  entries,
});
const run = (rest: Partial<RunRecord> = {}): RunRecord => ({
  site: 'docs',
  scope: 'core',
  startedAt: AT,
  durationMs: 70,
  verdict: 'down',
  maintenance: false,
  ticks: 1,
  checks: [
    { id: 'bundle', status: 'fail', rules: ['bundle/status'], httpStatus: 503, durationMs: 12 },
    { id: 'config', status: 'pass', rules: [], httpStatus: 200, durationMs: 9 },
  ],
  ...rest,
});
const incident = (rest: Partial<Incident> = {}): Incident => ({
  id: 'docs-1',
  site: 'docs',
  verdict: 'down',
  checks: ['bundle', 'config'],
  rules: ['bundle/status'],
  startedAt: AT - 6000,
  detectedAt: AT,
  notifiedAt: AT + 400,
  recoveredAt: AT + 35_000,
  recoveryTimeObjectiveMs: 60_000,
  findings: [],
  deploy: null,
  flapping: false,
  sameAs: null,
  ...rest,
});

/** The cell of the column that says how much of the time the site was up. */
const upOf = (text: string): string | undefined => text.split('\n')[1]?.split(/ {2,}/)[1];

describe('a history as a table', () => {
  it.each([
    ['all is well', {}, '100.00%'],
    ['it was down once in a million rounds', { healthy: 999_999, down: 1 }, '99.99%'],
    ['it was down', { healthy: 359, down: 1 }, '99.72%'],
    ['a part of it did not work', { healthy: 0, degraded: 360 }, '100.00%'],
    ['it was never up', { healthy: 0, down: 360 }, '0.00%'],
    ['nobody knows', { healthy: 0, unknown: 360 }, '–'],
    ['it was worked on', { healthy: 0, maintenance: 360 }, '–'],
  ])('reports how much it was up where %s', (_name, counts, up) => {
    expect(upOf(prettyHistory(hours(bucket(counts)), ...plain))).toBe(up);
  });

  it('has columns of the same width in every line', () => {
    const text = prettyHistory(
      hours(bucket(), bucket({ healthy: 0, down: 12_345, p95Ms: 12_000, meanMs: null })),
      ...plain,
    );
    const ends = text
      .trimEnd()
      .split('\n')
      .map((line) => line.indexOf('ms') >= 0 || line.includes('–'));
    expect(ends.filter(Boolean)).toHaveLength(2);
    expect(text).not.toMatch(/ \n/);
    expect(text).not.toMatch(/undefined|NaN|null/);
  });

  it('names the findings of a run', () => {
    const text = prettyHistory(runs(run(), run({ verdict: 'healthy', scope: 'full', maintenance: true })), ...plain);
    expect(text).toContain('bundle/status');
    expect(text.split('\n')[2]).toContain(`${words.deepRuns.full}, ${words.maintenance}`);
  });

  it('colours on terminals only', () => {
    expect(prettyHistory(runs(run()), ...coloured)).toContain('\u001b[31m');
    expect(acts(prettyHistory(runs(run()), ...plain))).toBe(false);
  });

  it('lets nothing act on the terminal', () => {
    const checks = [{ id: HOSTILE, status: 'fail', rules: [HOSTILE], httpStatus: null, durationMs: null }] as const;
    expect(acts(prettyHistory(runs(run({ checks })), ...plain))).toBe(false);
    expect(acts(prettyHistory({ ...runs(), site: HOSTILE }, ...plain))).toBe(false);
  });

  it('says where there is nothing', () => {
    expect(prettyHistory(hours(), ...plain)).toBe(`${words.noHistory('docs')}\n`);
  });
});

describe('a history for programs', () => {
  it('is what the API answers', () => {
    const { site: _site, at: _at, ...counts } = bucket();
    expect(historyDocument(hours(bucket()))).toEqual({
      site: 'docs',
      resolution: 'hour',
      from: '1970-01-01T00:00:00.000Z',
      to: '2026-11-20T18:00:00.000Z',
      entries: [{ at: '2026-11-20T18:00:00.000Z', ...counts }],
    });
    expect(historyDocument(runs(run()))).toMatchObject({ entries: [{ verdict: 'down', checks: run().checks }] });
  });

  it.each([
    ['hours', hours(bucket(), bucket()), 3],
    ['rounds, one line for each check', runs(run(), run()), 5],
    ['rounds without checks', runs(run({ checks: [] })), 2],
    ['nothing', runs(), 1],
  ])('is CSV of as many cells in each line: %s', (_name, history, lines) => {
    const rows = historyCsv(history).split('\r\n').slice(0, -1);
    expect(rows).toHaveLength(lines);
    expect(new Set(rows.map((row) => row.split(',').length)).size).toBe(1);
  });
});

describe('incidents', () => {
  const now = AT + 90_000;
  const printed = async (reported: Incident): Promise<string> =>
    prettyIncidents([reported], now, await loadTexts('en'), makeStyle(false));

  it('report their clocks and the objective', async () => {
    const text = await printed(incident({ deploy: { version: 'b2', before: 'a1', seenAt: AT } }));
    expect(text).toContain(alertWords.recovered('41 s', '60 s', true));
    expect(text).toMatch(/^ +Checks +Engine bundle \(bundle\), Configuration \(config\)$/m);
    for (const time of ['17:59:54', '18:00:00', '18:00:35', '6.4 s', 'b2', 'a1']) expect(text).toContain(time);
  });

  it('that are open report for how long', async () => {
    const text = await printed(incident({ recoveredAt: null, notifiedAt: null }));
    expect(text).toContain(words.open('96 s'));
    expect(text).toContain(alertWords.objective('60 s', true));
    expect(text).toContain(words.nobodyNotified);
  });

  it.each([
    ['the last healthy run', incident(), 'Last healthy'],
    ['the end of maintenance', incident({ startedBy: 'maintenance-end' }), 'Maintenance ended'],
    ['the first failed run', incident({ startedBy: 'first-bad-round' }), 'First failed run'],
    ['the last run that was not down', incident({ startedBy: 'up-round' }), 'Last not down'],
    ['the end of an outage', incident({ startedBy: 'outage-end' }), 'Outage ended'],
  ])('say that they began with %s', async (_, reported, label) => {
    expect(await printed(reported)).toMatch(new RegExp(`^ +${label} +2026-11-20 17:59:54 UTC$`, 'm'));
  });

  it('that were notified with another of the same cause say so', async () => {
    const text = await printed(incident({ notifiedAt: null, sameAs: 'blog-1' }));
    expect(text).toContain(words.notifiedWith('blog-1'));
    expect(text).not.toContain(words.nobodyNotified);
  });

  it('let nothing act on the terminal', async () => {
    const deploy = { version: HOSTILE, before: HOSTILE, seenAt: AT };
    const hostile = incident({ id: HOSTILE, site: HOSTILE, checks: [HOSTILE], rules: [HOSTILE], deploy });
    expect(acts(await printed(hostile))).toBe(false);
  });

  it('are CSV of as many cells in each line', () => {
    const text = incidentsCsv([incident(), incident({ recoveredAt: null, checks: [] }), incident({ site: '=1' })]);
    const rows = text.split('\r\n').slice(0, -1);
    expect(rows.map((row) => row.split(',').length)).toEqual([14, 14, 14, 14]);
    expect(rows[3]).toContain(",'=1,");
  });
});
