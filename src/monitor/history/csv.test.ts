import { describe, expect, it } from 'vitest';
import { csv, historyCsv, historyDocument, type Cell, type History } from './documents.ts';

describe('CSV', () => {
  it.each<[Cell, string]>([
    ['docs', 'docs'],
    ['', ''],
    [null, ''],
    [0, '0'],
    [-5, '-5'],
    [1.5, '1.5'],
    [true, 'true'],
    ['a b', 'a b'],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\r\nb', '"a\r\nb"'],
    ['a\nb', '"a\nb"'],
    ['știri ș', 'știri ș'],
    [' a', '" a"'],
    // What a spreadsheet would run.
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['\t=1', '"\'\t=1"'],
    ['  =1', "'  =1"],
    ['＝1', "'＝1"],
    ['|calc', "'|calc"],
    ['\r=1', '"\'\r=1"'],
    // And what it would not.
    ['a=1', 'a=1'],
    ['docs-1', 'docs-1'],
    ['2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.000Z'],
  ])('writes %j as %j', (cell, text) => {
    expect(csv(['head'], [[cell]])).toBe(`head\r\n${text}\r\n`);
  });

  it('separates cells by commas', () => {
    expect(
      csv(
        ['a', 'b'],
        [
          [1, null],
          [null, 'x'],
        ],
      ),
    ).toBe('a,b\r\n1,\r\n,x\r\n');
  });
});

describe('a history', () => {
  const at = Date.UTC(2026, 10, 20, 12);
  const run = {
    site: 'docs',
    scope: 'core',
    startedAt: at,
    durationMs: 40,
    verdict: 'down',
    maintenance: false,
    ticks: 1,
    checks: [
      { id: 'bundle', status: 'fail', rules: ['bundle/status', 'bundle/soft-404'], httpStatus: 503, durationMs: 4 },
    ],
  } as const;
  const runs: History = { site: 'docs', from: at, to: at, resolution: 'run', entries: [run, { ...run, checks: [] }] };

  it('has a row for each check, and one for a run without any', () => {
    expect(historyCsv(runs).split('\r\n')).toEqual([
      'site,at,scope,verdict,maintenance,runMs,check,status,rules,httpStatus,checkMs',
      'docs,2026-11-20T12:00:00.000Z,core,down,false,40,bundle,fail,bundle/status bundle/soft-404,503,4',
      'docs,2026-11-20T12:00:00.000Z,core,down,false,40,,,,,',
      '',
    ]);
  });

  it('names the location that it is from', () => {
    const [header, row] = historyCsv({ ...runs, location: 'paris' }).split('\r\n');
    expect([header?.slice(0, 16), row?.slice(0, 11)]).toEqual(['site,location,at', 'docs,paris,']);
    expect(historyDocument({ ...runs, location: 'paris' })).toMatchObject({ site: 'docs', location: 'paris' });
    expect(historyDocument(runs)).not.toHaveProperty('location');
  });
});
