import { describe, expect, it } from 'vitest';
import { finding, reportOf } from '../../../test/reports.ts';
import { optionsIn } from '../../../test/reports/samples.ts';
import type { Evidence, EvidenceValue } from '../../check.ts';
import { tellingOf } from './telling.ts';
import { factsOf } from './values.ts';

const telling = tellingOf(reportOf([{ findings: [finding()] }]), await optionsIn('en'));

/** The values as they are read, without their markup. */
const read = (evidence: Evidence): readonly string[] =>
  [...factsOf(evidence, telling).html.matchAll(/<dd>([^]*?)<\/dd>/g)].map(([, value = '']) =>
    value.replaceAll(/<[^>]*>/g, '').trim(),
  );

describe('a value', () => {
  it.each<{ name: string; value: EvidenceValue; told: string }>([
    { name: 'words in a list', value: ['a', 'b', 1, null, true], told: 'a, b, 1, null, yes' },
    { name: 'words in a list in a member', value: { paths: ['/a.svg', '/b.svg'] }, told: 'paths /a.svg, /b.svg' },
    {
      name: 'words in a list in a member of a list',
      value: [{ host: 'a', paths: ['/a.svg', '/b.svg'] }],
      told: 'host a paths /a.svg, /b.svg',
    },
    { name: 'an empty list that lies deep', value: [{ paths: [] }], told: 'paths []' },
    {
      name: 'what lies deeper',
      value: [{ folder: { file: ['c'] } }],
      told: 'folder {&quot;file&quot;:[&quot;c&quot;]}',
    },
    { name: 'line ends', value: 'a\r\nb', told: String.raw`a\r\nb` },
  ])('is told in words: $name', ({ value, told }) => {
    expect(read({ value })).toEqual([told]);
  });
});
