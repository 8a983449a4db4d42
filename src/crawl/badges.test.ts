import { expect, it } from 'vitest';
import { withPlainBadges } from './anchors.ts';

it.each([
  ['Sitemap :badge[Auto-Generated]{type=success} :badge[Live Filter]', 'Sitemap Auto-Generated Live Filter'],
  ['Sitemap', 'Sitemap'],
  ['A :badge[] and a :badge[cut off', 'A :badge[] and a :badge[cut off'],
])('shows the badges of %s', (text, shown) => {
  expect(withPlainBadges(text)).toBe(shown);
});
