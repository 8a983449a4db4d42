/** Our reading of Markdown against that of remark-parse, over what people have written and what nobody would. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { random } from '../../../test/generator/random.ts';
import { changed } from '../../../test/odd-markdown/changes.ts';
import { oddMarkdown } from '../../../test/odd-markdown/documents.ts';
import { compared } from '../../../test/odd-markdown/readers.ts';
import { prepare } from '../markdown-facts.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
/** The parser takes a second for half a megabyte. */
const LONGEST = 16 * 1024;

/** Front matter blanked, as everywhere. */
function textOf(source: string): string {
  return prepare(source, Infinity).text;
}

function documentation(pattern: string): string[] {
  const files = globSync(pattern, { cwd: ROOT }).toSorted();
  return files
    .map((file) => textOf(readFileSync(path.join(ROOT, file), 'utf8')))
    .filter((text) => text.length < LONGEST);
}

describe('reads as remark-parse does', () => {
  it.each([
    { name: 'the documentation of packages', pattern: 'node_modules/**/*.md', least: 300, share: 0.95 },
    // Some of them have faults that Markdown cannot have.
    { name: 'our own texts', pattern: '{checks,src,test}/**/*.md', least: 100, share: 0.8 },
  ])('$name, nearly all of it', ({ pattern, least, share }) => {
    const texts = documentation(pattern);
    const { read, different } = compared(texts);
    expect(different).toEqual([]);
    expect(texts.length).toBeGreaterThan(least);
    expect(read / texts.length).toBeGreaterThan(share);
  });

  it.each([...Array(10).keys()])('2,000 odd texts and changed ones, seed %i', (seed) => {
    const numbers = random(seed);
    const texts = Array.from({ length: 1_000 }, () => {
      const text = textOf(oddMarkdown(numbers));
      return [text, changed(text, numbers)];
    }).flat();
    const { read, different } = compared(texts);
    expect(different).toEqual([]);
    // Or it says nothing.
    expect(read).toBeGreaterThan(1_000);
  });
});
