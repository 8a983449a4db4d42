/** Our reading of Markdown against that of remark-parse, over what people have written and what nobody would. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { random } from '../../../test/generator/random.ts';
import { changed } from '../../../test/odd-markdown/changes.ts';
import { oddMarkdown } from '../../../test/odd-markdown/documents.ts';
import { compared } from '../../../test/odd-markdown/readers.ts';
import { prepare } from '../markdown-facts.ts';
import type { Wanted } from '../markdown-types.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
/** The parser takes long for long ones, and they hold nothing else. */
const LONGEST = 6 * 1024;
/** Much more than it takes, on a machine with much else to do. */
const PATIENCE_MS = 120_000;

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

describe('reads as remark-parse does', { timeout: PATIENCE_MS }, () => {
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

  it.each([...Array(9).keys()])('2,000 odd texts, seed %i', (seed) => {
    const { read, different } = compared(oddTexts(seed));
    expect(different).toEqual([]);
    // Or it says nothing.
    expect(read).toBeGreaterThan(1_000);
  });
});

describe('finds what remark-parse finds where that is enough', { timeout: PATIENCE_MS }, () => {
  it.each<{ readonly enough: readonly Wanted[] }>([
    { enough: ['content'] },
    { enough: ['content', 'link'] },
    { enough: ['title', 'link'] },
  ])('$enough', ({ enough }) => {
    const { read, different } = compared(oddTexts(enough.join(' ')), enough);
    expect(different).toEqual([]);
    expect(read).toBeGreaterThan(1_000);
  });
});

/** Half of them are made of the others. */
function oddTexts(seed: number | string): string[] {
  const numbers = random(seed);
  return Array.from({ length: 1_000 }, () => {
    const text = textOf(oddMarkdown(numbers));
    return [text, changed(text, numbers)];
  }).flat();
}
