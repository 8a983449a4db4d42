/** Our reader of Markdown against remark-parse and marked, over the documentation of the installed packages. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { differencesOf } from './differences.ts';

const PACKAGES = path.join(import.meta.dirname, '../../node_modules');
/** remark-parse takes long for longer ones, and they hold nothing else. */
const LONGEST = 12 * 1024;

/** The differences that are known, each of a kind that agreement.test.ts explains. */
const KNOWN = new Set(['../expressions/', '#new-sourcenodeline-column-source-chunk-name']);

describe('the documentation of packages', () => {
  const files = globSync('**/*.md', { cwd: PACKAGES }).toSorted();
  const texts = files
    .map((file) => [file, readFileSync(path.join(PACKAGES, file), 'utf8')] as const)
    .filter(([, text]) => text.length <= LONGEST);

  it('reads the same to all three', { timeout: 120_000 }, () => {
    const differences = texts.flatMap(([file, text]) => differencesOf(file, text));
    const unknown = differences.filter((one) => one.theirs.length > 0 || one.ours.some((url) => !KNOWN.has(url)));
    expect(unknown).toEqual([]);
    expect(texts.length).toBeGreaterThan(300);
  });
});
