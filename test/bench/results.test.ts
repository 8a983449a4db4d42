import { describe, expect, it } from 'vitest';
import { joined, resultOf, type Result, type Results } from './results.ts';
import { ROWS } from './rows.ts';

const result = (date: string): Result => ({ date, pairs: 3, figures: {} });
const results = (cpu: string, rows: Results['rows'], proof: Results['proof'] = []): Results => ({
  environment: { cpu, cores: 2, system: 'Debian', node: '24.0.0', peers: { [cpu]: '1.0' } },
  rows,
  growth: {},
  proof,
});
const saw = (contender: string, ...seen: readonly string[]) => ({
  contender,
  shown: ['a', 'b'],
  seen,
  isElsewhere: false,
});

describe('results', () => {
  it('keep what was not measured again', () => {
    const before = results('one', { a: result('2026-01-01'), b: result('2026-01-01') }, [saw('curl', 'a'), saw('jq')]);
    const now = results('one', { b: result('2026-02-02') }, [saw('curl', 'a', 'b')]);
    expect(joined(before, now)).toMatchObject({
      rows: { a: result('2026-01-01'), b: result('2026-02-02') },
      proof: [saw('curl', 'a', 'b'), saw('jq')],
    });
  });

  it('of some rows on another machine name it', () => {
    const before = results('one', { a: result('2026-01-01'), b: result('2026-01-01') });
    const now = results('two', { b: result('2026-02-02') });
    expect(joined(before, now)).toMatchObject({
      environment: before.environment,
      rows: { a: result('2026-01-01'), b: { ...result('2026-02-02'), environment: now.environment } },
    });
  });

  it('of what grows report their own machine, and leave the rows as they are', () => {
    const before = results('one', { a: result('2026-01-01') });
    const { environment } = results('two', {});
    const grown = { date: '2026-02-02', runs: 1, environment, points: [] };
    expect(joined(before, { ...results('two', {}), growth: { x: grown } })).toEqual({
      ...before,
      growth: { x: grown },
    });
  });

  it('of another machine take the place of all that were there', () => {
    const now = results('two', { a: result('2026-02-02') });
    expect(joined(results('one', { a: result('2026-01-01') }), now).rows).toEqual(now.rows);
  });

  it('are the first ones', () => {
    const now = results('one', { a: result('2026-01-01') });
    expect(joined(undefined, now)).toEqual(now);
  });

  it('sum up the figures that a row has', () => {
    const [row] = ROWS;
    if (row === undefined) throw new Error('there is no row');
    const pairs = { ours: [{ wallMs: 1, cpuMsPerCheck: 1 }], theirs: [{ wallMs: 2, cpuMsPerCheck: 1 }] };
    const { date, figures } = resultOf(row, pairs, new Date('2026-03-04T05:06:07Z'));
    expect(date).toBe('2026-03-04');
    expect(Object.keys(figures)).toEqual(['wallMs']);
    expect(figures.wallMs?.ratio?.median).toBe(0.5);
  });
});
