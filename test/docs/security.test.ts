/** Each promise of the security page names its test by file and title; these exist, on the pages of all languages. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { inLanguage } from './languages.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const ROW = /^\| .+ \| `(?<file>[^`]+\.test\.ts)`: `(?<title>[^`]+)` \|$/gm;
const namedTests = (page: string): string[] =>
  [...read(page).matchAll(ROW)].map(({ groups }) => `${groups?.['file']}: ${groups?.['title']}`);

const tests = namedTests('docs/security.md');

describe('the security page', () => {
  it('names a test for each promise', () => {
    const rows = read('docs/security.md').match(/^\| (?!Promise|:--).+$/gm) ?? [];
    expect(rows.length).toBeGreaterThan(20);
    expect(tests).toHaveLength(rows.length);
  });

  it.each(tests)('%s exists', (named) => {
    const [file = '', ...title] = named.split(': ');
    expect(read(file)).toContain(title.join(': '));
  });

  it('names the same tests in each language', () => {
    for (const language of ['ro', 'fr'] as const) {
      expect(namedTests(inLanguage('docs/security.md', language))).toEqual(tests);
    }
  });

  it('is linked by SECURITY.md', () => {
    expect(read('.github/SECURITY.md')).toContain('/docvitals/#/security)');
  });
});
