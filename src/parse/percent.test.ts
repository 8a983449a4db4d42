import { describe, expect, it } from 'vitest';
import { decoded, utf8 } from './percent.ts';

describe('decoded', () => {
  it.each([
    { name: 'nothing to undo', text: 'guide/a b.md', is: 'guide/a b.md' },
    { name: 'a space', text: 'a%20b', is: 'a b' },
    { name: 'letters of two octets', text: 'ghid/%C8%99%c8%9bi.md', is: 'ghid/șți.md' },
    { name: 'a lone percent sign', text: '100%', is: '100%' },
    { name: 'a lone percent sign beside a sequence', text: '100%/a%20b', is: '100%/a b' },
    { name: 'what is no UTF-8', text: 'caf%E9/%C8%99', is: 'caf%E9/ș' },
    { name: 'twice encoded, once undone', text: '%2520', is: '%20' },
    { name: 'a lone surrogate', text: 'a\ud800', is: 'a\ufffd' },
    { name: 'nothing', text: '', is: '' },
  ])('$name', ({ text, is }) => {
    expect(decoded(text)).toBe(is);
  });

  it('is bounded', () => {
    expect(decoded('%41'.repeat(3_000_000))).toHaveLength(3_000_000);
    expect(decoded('%4'.repeat(3_000_000))).toHaveLength(6_000_000);
  });
});

describe('utf8', () => {
  it.each([
    { sequence: '%C8%99', is: 'ș' },
    { sequence: '%C8', is: null },
    { sequence: '%', is: null },
  ])('$sequence: $is', ({ sequence, is }) => {
    expect(utf8(sequence)).toBe(is);
  });
});
