import { describe, expect, it } from 'vitest';
import { finding, reportOf } from '../../../test/reports.ts';
import { optionsIn } from '../../../test/reports/samples.ts';
import type { Evidence, EvidenceValue } from '../../check.ts';
import { factsOf, htmlContextOf } from './findings.ts';

const context = htmlContextOf(reportOf([{ findings: [finding()] }]), await optionsIn('en'));

/** The values as they are read, without their markup. */
const read = (evidence: Evidence): readonly string[] =>
  [...factsOf(evidence, context).html.matchAll(/<dd>([^]*?)<\/dd>/g)].map(([, value = '']) =>
    value.replaceAll(/<[^>]*>/g, '').trim(),
  );

describe('a value', () => {
  it.each<{ name: string; value: EvidenceValue; reported: string }>([
    { name: 'words in a list', value: ['a', 'b', 1, null, true], reported: 'a, b, 1, null, yes' },
    { name: 'words in a list in a member', value: { paths: ['/a.svg', '/b.svg'] }, reported: 'paths /a.svg, /b.svg' },
    {
      name: 'words in a list in a member of a list',
      value: [{ host: 'a', paths: ['/a.svg', '/b.svg'] }],
      reported: 'host a paths /a.svg, /b.svg',
    },
    { name: 'an empty list that lies deep', value: [{ paths: [] }], reported: 'paths []' },
    {
      name: 'what lies deeper',
      value: [{ folder: { file: ['c'] } }],
      reported: 'folder {&quot;file&quot;:[&quot;c&quot;]}',
    },
    { name: 'line ends', value: 'a\r\nb', reported: String.raw`a\r\nb` },
  ])('is told in words: $name', ({ value, reported }) => {
    expect(read({ value })).toEqual([reported]);
  });
});
