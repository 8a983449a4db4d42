import { describe, expect, it } from 'vitest';
import { csv, type Cell } from './documents.ts';

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
