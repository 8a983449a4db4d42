import { describe, expect, it } from 'vitest';
import { bareUrls, decoded, srcsetUrls, utf8 } from './urls.ts';

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

const LONG = 9_000_000;

describe('srcsetUrls', () => {
  it.each([
    { name: 'one', srcset: 'a.png', is: ['a.png'] },
    { name: 'densities', srcset: 'a.png 1x, b.png 2x', is: ['a.png', 'b.png'] },
    { name: 'widths and line ends', srcset: '\n a.png 400w,\n b.png 800w\n', is: ['a.png', 'b.png'] },
    { name: 'commas in a URL', srcset: 'c,d.png 2x, e.png', is: ['c,d.png', 'e.png'] },
    { name: 'a comma behind a URL', srcset: 'a.png, b.png', is: ['a.png', 'b.png'] },
    { name: 'data', srcset: 'data:image/png;base64,AA== 1x, b.png 2x', is: ['data:image/png;base64,AA==', 'b.png'] },
    { name: 'brackets', srcset: 'a.png calc(1x, 2), b.png', is: ['a.png', 'b.png'] },
    { name: 'only commas', srcset: ' , ,', is: [] },
    { name: 'nothing', srcset: '', is: [] },
  ])('$name: $is', ({ srcset, is }) => {
    expect(srcsetUrls(srcset)).toEqual(is);
  });

  it.each([
    { name: 'one URL', srcset: 'a'.repeat(LONG), length: 0 },
    { name: 'a long URL after another', srcset: `b.png 1x, ${'a'.repeat(LONG)}`, length: 1 },
    { name: 'commas', srcset: ','.repeat(LONG), length: 0 },
    { name: 'white space', srcset: ' '.repeat(LONG), length: 0 },
    { name: 'descriptors', srcset: `a.png ${'x '.repeat(LONG / 2)}`, length: 1 },
    { name: 'open brackets', srcset: `a.png ${'('.repeat(LONG)}`, length: 1 },
    { name: 'URLs', srcset: 'a 1x,'.repeat(LONG / 5), length: 2000 },
  ])('bounded: $name', ({ srcset, length }) => {
    expect(srcsetUrls(srcset)).toHaveLength(length);
  });
});

describe('bareUrls', () => {
  it.each([
    {
      name: 'in a sentence',
      text: 'see https://example.org/a, or http://b.example.',
      urls: ['https://example.org/a', 'http://b.example'],
    },
    { name: 'in Markdown', text: '- [a](https://example.org/a): b', urls: ['https://example.org/a'] },
    { name: 'with parentheses of its own', text: '(https://example.org/a_(b))', urls: ['https://example.org/a_(b)'] },
    { name: 'in angle brackets', text: '<https://example.org/>', urls: ['https://example.org/'] },
    { name: 'in bold', text: '**https://example.org**', urls: ['https://example.org'] },
    { name: 'in capitals', text: 'HTTPS://EXAMPLE.ORG', urls: ['HTTPS://EXAMPLE.ORG'] },
    { name: 'an IPv6 host', text: 'http://[::1]:8080/x', urls: ['http://[::1]:8080/x'] },
    { name: 'beyond ASCII', text: 'https://example.org/ghid/pagină.md', urls: ['https://example.org/ghid/pagină.md'] },
    { name: 'no other scheme', text: 'ftp://example.org mailto:a@b example.org', urls: [] },
    { name: 'no host', text: 'https:// http://. https:///x', urls: [] },
  ])('$name', ({ text, urls }) => {
    expect(bareUrls(text)).toEqual(urls);
  });

  it.each([
    { name: 'a megabyte of parentheses', text: `https://a${')'.repeat(1_000_000)}`, count: 1 },
    { name: 'a megabyte of schemes', text: 'http'.repeat(250_000), count: 0 },
    { name: 'more than a thousand', text: 'https://example.org '.repeat(5000), count: 1000 },
  ])('stays bounded: $name', ({ text, count }) => {
    expect(bareUrls(text)).toHaveLength(count);
  });
});
