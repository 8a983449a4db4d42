import { describe, expect, it } from 'vitest';
import { prefersMarkdown } from './static-server.ts';

const ROWS: readonly { accept: string; markdown: boolean }[] = [
  { accept: 'text/markdown', markdown: true },
  { accept: 'TEXT/Markdown', markdown: true },
  { accept: 'text/markdown;charset=utf-8;q=0.9', markdown: true },
  { accept: 'text/markdown, text/html', markdown: true },
  { accept: 'text/html;q=0.8, text/markdown;q=0.9', markdown: true },
  { accept: 'text/markdown, */*;q=0.1', markdown: true },
  { accept: 'text/markdown;q=0.5, text/html;q=0, */*', markdown: true },
  { accept: 'text/markdown;q=0', markdown: false },
  { accept: 'text/markdown;q=0.000', markdown: false },
  { accept: 'text/markdown;q=0.8, text/html;q=0.9', markdown: false },
  { accept: 'text/markdown;q=0.5, */*', markdown: false },
  { accept: 'text/markdown;q=0.5, text/*', markdown: false },
  { accept: 'text/markdown;q=none', markdown: false },
  { accept: 'text/markdownx', markdown: false },
  { accept: 'text/*', markdown: false },
  { accept: '*/*', markdown: false },
  { accept: '', markdown: false },
  { accept: ',,;', markdown: false },
];

describe('prefersMarkdown', () => {
  it.each(ROWS)('$accept: $markdown', ({ accept, markdown }) => {
    expect(prefersMarkdown(accept)).toBe(markdown);
  });
});
