/** What the documents say of speed is what was measured last. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DETAILS, PAGES, partsOf, pictures, withParts } from './documents.ts';
import { readResults } from './results.ts';
import { GROWTHS, ROWS } from './rows.ts';

const results = readResults();
if (results === undefined) throw new Error('nothing was measured');
const measured = { rows: ROWS, growths: GROWTHS, results };

describe('the documents', () => {
  it.each([...Object.values(PAGES), DETAILS])('say what was measured: %s', (file) => {
    const text = readFileSync(file, 'utf8');
    expect(withParts(text, partsOf(measured)[file] ?? new Map())).toBe(text);
  });

  it('show what was measured', () => {
    for (const [file, svg] of pictures(measured)) expect(readFileSync(file, 'utf8')).toBe(svg);
  });

  it('have only pictures that are there', () => {
    const shown = [...readFileSync(DETAILS, 'utf8').matchAll(/\]\((\S+\.svg)\)/g)].flatMap(([, name]) => name ?? []);
    expect(shown.filter((name) => !existsSync(new URL(name, import.meta.url)))).toEqual([]);
  });
});

describe('a part', () => {
  const document = 'a\n<!-- x -->\nold\n<!-- /x -->\nb\n';

  it('takes the place of what was there', () => {
    expect(withParts(document, new Map([['x', 'new $& text\n']]))).toBe('a\n<!-- x -->\nnew $& text\n<!-- /x -->\nb\n');
  });

  it('has to have a place', () => {
    expect(() => withParts(document, new Map([['y', 'new\n']]))).toThrow(/\by\b/);
  });
});
