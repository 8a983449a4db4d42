import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { partsOf, readBlocks, suspectsOf, writeBlocks } from './blocks.ts';

const MINUTE = 60_000;

/** Who is suspected after blocks that came a minute apart, and until which minute each is held back. */
function suspected(...blocks: readonly (readonly string[])[]): Record<string, number | null> {
  const found = suspectsOf(blocks.map((runs, index) => ({ at: index * MINUTE, runs })));
  return Object.fromEntries([...found].map(([run, { heldUntil }]) => [run, heldUntil && heldUntil / MINUTE]));
}

describe('runs that blocked the process', () => {
  it('are held back for ten minutes if they were alone, and twice as long each time', () => {
    expect(suspected()).toEqual({});
    expect(suspected(['a core'])).toEqual({ 'a core': 10 });
    expect(suspected(['a core'], ['a core'])).toEqual({ 'a core': 21 });
    expect(suspected(['a core'], ['a core'], ['a core'])).toEqual({ 'a core': 42 });
  });

  it('are held back for a day at most', () => {
    const often = Array.from({ length: 20 }, () => ['a core']);
    expect(suspected(...often)).toEqual({ 'a core': 19 + 24 * 60 });
  });

  it('are all suspected if there were several, until one of them is in progress again', () => {
    expect(suspected(['a core', 'b core'])).toEqual({ 'a core': null, 'b core': null });
    expect(suspected(['a core', 'b core'], ['b core', 'c core'])).toEqual({ 'b core': 11 + 10 });
  });

  it('are apart by what is checked', () => {
    expect(suspected(['a core', 'a full'])).toEqual({ 'a core': 10, 'a full': 10 });
    expect(suspected(['a full'], ['b core', 'a full'])).toEqual({ 'a full': 21 });
    expect(suspected(['a core', 'a full', 'b core'], ['a full'])).toEqual({ 'a core': 11, 'a full': 21 });
  });
});

it('a run is named by its site and its scope', () => {
  expect(partsOf('docs full')).toEqual({ site: 'docs', scope: 'full' });
});

describe('the file of blocks', () => {
  it('is read as far as it is what was written, and removed with the last block', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-blocks-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'blocked.json');
    expect(readBlocks(file)).toEqual([]);
    const block = { at: 1, runs: ['a core'] };
    writeBlocks(file, [block]);
    expect(readBlocks(file)).toEqual([block]);
    writeFileSync(file, JSON.stringify([block, { at: 'x', runs: [] }, null, 7]));
    expect(readBlocks(file)).toEqual([block]);
    writeFileSync(file, '[{"at":');
    expect(readBlocks(file)).toEqual([]);
    writeBlocks(file, []);
    expect(readBlocks(file)).toEqual([]);
    writeBlocks(path.join(folder, 'missing', 'blocked.json'), [block]);
  });
});
