import { describe, expect, it } from 'vitest';
import { prefersMarkdown, takesGzip } from './accept.ts';

const MARKDOWN: readonly { accept: string; wants: boolean }[] = [
  { accept: 'text/markdown', wants: true },
  { accept: 'TEXT/Markdown', wants: true },
  { accept: 'text/markdown;charset=utf-8;q=0.9', wants: true },
  { accept: 'text/markdown, text/html', wants: true },
  { accept: 'text/html;q=0.8, text/markdown;q=0.9', wants: true },
  { accept: 'text/markdown, */*;q=0.1', wants: true },
  { accept: 'text/markdown;q=0.5, text/html;q=0, */*', wants: true },
  { accept: 'text/markdown;q=0', wants: false },
  { accept: 'text/markdown;q=0.000', wants: false },
  { accept: 'text/markdown;q=0.8, text/html;q=0.9', wants: false },
  { accept: 'text/markdown;q=0.5, */*', wants: false },
  { accept: 'text/markdown;q=0.5, text/*', wants: false },
  { accept: 'text/markdown;q=none', wants: false },
  { accept: 'text/markdownx', wants: false },
  { accept: 'text/*', wants: false },
  { accept: '*/*', wants: false },
  { accept: '', wants: false },
  { accept: ',,;', wants: false },
];

describe('prefersMarkdown', () => {
  it.each(MARKDOWN)('$accept: $wants', ({ accept, wants }) => {
    expect(prefersMarkdown(accept)).toBe(wants);
  });
});

const GZIP: readonly { accept: string; takes: boolean }[] = [
  { accept: 'gzip', takes: true },
  { accept: 'br, GZIP;q=0.5', takes: true },
  { accept: 'gzip;q=0', takes: false },
  { accept: 'x-gzipped', takes: false },
  { accept: '*', takes: false },
  { accept: '', takes: false },
];

describe('takesGzip', () => {
  it.each(GZIP)('$accept: $takes', ({ accept, takes }) => {
    expect(takesGzip(accept)).toBe(takes);
  });
});
