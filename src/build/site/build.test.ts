import { expect, it } from 'vitest';
import { withAbsoluteLinks, withIndex } from './build.ts';

it('relative links become absolute, and nothing else', () => {
  const address = new URL('https://docs.example.com/docs/guides/wait.md');
  const text = [
    'See [concepts](../concepts.md#rule), [`here`](here.md), ![x](../assets/x.svg) and [a ref][ref].',
    '[elsewhere](https://example.com/), [above](#above), `[code](code.md)`',
    '```md\n[fenced](fenced.md)\n```',
    '[ref]: other.md',
  ].join('\n\n');
  expect(withAbsoluteLinks(text, address)).toBe(
    [
      'See [concepts](https://docs.example.com/docs/concepts.md#rule), [`here`](https://docs.example.com/docs/guides/here.md), ![x](https://docs.example.com/docs/assets/x.svg) and [a ref][ref].',
      '[elsewhere](https://example.com/), [above](#above), `[code](code.md)`',
      '```md\n[fenced](fenced.md)\n```',
      '[ref]: https://docs.example.com/docs/guides/other.md',
    ].join('\n\n'),
  );
});

it('each page names the index below its heading', () => {
  expect(withIndex('ro/guides/wait.md', '# Așteptare\n\nText.\n')).toBe(
    '# Așteptare\n\n<!-- Index of all pages: ../../llms.txt -->\n\nText.\n',
  );
  expect(withIndex('index.md', '# Home\n')).toContain('./llms.txt');
});
