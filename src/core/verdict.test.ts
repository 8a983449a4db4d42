import { describe, expect, it } from 'vitest';
import type { Status, Verdict } from './check.ts';
import { defaultChecks as checks } from '../../checks/index.ts';
import { exitStatus, verdictOf } from './verdict.ts';

/** The statuses of the core checks, in the order of the report. */
const IDS = ['bundle', 'config', 'navigation', 'home', 'llms-txt'];
type Row = readonly [name: string, statuses: readonly Status[], verdict: Verdict, strict: Verdict];

const ROWS: readonly Row[] = [
  ['all pass', ['pass', 'pass', 'pass', 'pass', 'pass'], 'healthy', 'healthy'],
  ['one is skipped', ['pass', 'pass', 'pass', 'pass', 'skip'], 'healthy', 'healthy'],
  ['the page warns', ['pass', 'pass', 'warn', 'pass', 'pass'], 'healthy', 'degraded'],
  ['the configuration warns', ['pass', 'warn', 'pass', 'pass', 'pass'], 'healthy', 'degraded'],
  ['the bundle fails', ['fail', 'pass', 'pass', 'pass', 'pass'], 'down', 'down'],
  ['the configuration fails', ['pass', 'fail', 'pass', 'pass', 'pass'], 'down', 'down'],
  ['the navigation fails', ['pass', 'pass', 'fail', 'pass', 'pass'], 'degraded', 'degraded'],
  ['the home page fails', ['pass', 'pass', 'pass', 'fail', 'pass'], 'degraded', 'degraded'],
  ['the agent index fails', ['pass', 'pass', 'pass', 'pass', 'fail'], 'degraded', 'degraded'],
  ['all fail', ['fail', 'fail', 'fail', 'fail', 'fail'], 'down', 'down'],
  ['one is unknown', ['pass', 'pass', 'pass', 'unknown', 'pass'], 'unknown', 'unknown'],
  ['the bundle is unknown', ['unknown', 'pass', 'pass', 'pass', 'pass'], 'unknown', 'unknown'],
  ['one is unknown, one warns', ['pass', 'pass', 'warn', 'unknown', 'pass'], 'unknown', 'unknown'],
  ['one is unknown, one fails', ['unknown', 'pass', 'fail', 'pass', 'pass'], 'degraded', 'degraded'],
  ['one is unknown, the bundle fails', ['fail', 'pass', 'pass', 'unknown', 'pass'], 'down', 'down'],
  ['nothing ran', [], 'healthy', 'healthy'],
];

const asChecks = (statuses: readonly Status[]) =>
  statuses.map((status, index) => ({ id: IDS[index] ?? '', status, findings: [] }));

describe('verdictOf', () => {
  it.each(ROWS)('%s: %s is %s, %s when strict', (_name, statuses, verdict, strict) => {
    expect(verdictOf(asChecks(statuses), checks, false)).toBe(verdict);
    expect(verdictOf(asChecks(statuses), checks, true)).toBe(strict);
  });

  it('degrades for a failed check of the user’s own', () => {
    expect(verdictOf([{ id: 'sitemap', status: 'fail', findings: [] }], [...checks, { id: 'sitemap' }], false)).toBe(
      'degraded',
    );
  });
});

describe('a site of which only the version is wrong', () => {
  const source = { id: 'source', freshness: ['stale', 'differs'], older: ['stale'] };
  const old = { id: 'source', status: 'fail', findings: [{ rule: 'stale', severity: 'error', evidence: {} }] } as const;

  it.each<{ name: string; others: readonly Status[]; verdict: Verdict; strict: Verdict }>([
    { name: 'all else is well', others: ['pass', 'skip'], verdict: 'stale', strict: 'stale' },
    { name: 'one warns', others: ['pass', 'warn'], verdict: 'stale', strict: 'degraded' },
    { name: 'one is not known', others: ['pass', 'unknown'], verdict: 'unknown', strict: 'unknown' },
    { name: 'nothing else is known', others: ['unknown', 'unknown'], verdict: 'unknown', strict: 'unknown' },
    { name: 'one fails', others: ['pass', 'pass', 'fail'], verdict: 'degraded', strict: 'degraded' },
    {
      name: 'one fails, one is not known',
      others: ['pass', 'unknown', 'fail'],
      verdict: 'degraded',
      strict: 'degraded',
    },
    { name: 'visitors see nothing', others: ['fail', 'unknown'], verdict: 'down', strict: 'down' },
  ])('$name: $verdict', ({ others, verdict, strict }) => {
    const results = [...asChecks(others), old];
    expect(verdictOf(results, [...checks, source], false)).toBe(verdict);
    expect(verdictOf(results, [...checks, source], true)).toBe(strict);
  });
});

describe('a site that differs from its source', () => {
  const source = { id: 'source', freshness: ['stale', 'differs'], older: ['stale'] };
  const failing = (...rules: string[]) => ({
    id: 'source',
    status: 'fail' as const,
    findings: rules.map((rule) => ({ rule, severity: 'error' as const, evidence: {} })),
  });

  it.each([
    [['differs'], 'degraded'],
    [['stale'], 'stale'],
    [['differs', 'stale'], 'stale'],
  ])('by %j is %s: whether an older version is known', (rules, verdict) => {
    expect(verdictOf([failing(...rules)], [...checks, source], false)).toBe(verdict);
  });
});

describe('exitStatus', () => {
  it.each([
    ['healthy', 0],
    ['degraded', 1],
    ['down', 1],
    ['unknown', 3],
  ] as const)('%s: %i', (verdict, status) => {
    expect(exitStatus({ verdict })).toBe(status);
  });
});
