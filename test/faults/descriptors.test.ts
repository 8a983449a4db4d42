import { describe, expect, it } from 'vitest';
import { spendDescriptors } from './descriptors.ts';
import { row } from './fault.ts';
import { serve } from './serve.ts';
import { runRow, told } from './verify.ts';

// Limits of a process are set by a POSIX shell.
describe.skipIf(process.platform === 'win32')('with few file descriptors left', () => {
  it.each(Array.from({ length: 13 }, (_, left) => left))('%i: each check passes or is unknown', async (left) => {
    const served = await serve({});
    const scarce = row('scarce', {}, {}, { descriptors: 64, preload: spendDescriptors(left) });
    const { exit, checks } = told(await runRow(scarce, served.url));
    await served.close();
    const outcomes = new Set(Object.values(checks));
    expect(['pass:', 'unknown: out-of-descriptors']).toEqual(expect.arrayContaining([...outcomes]));
    expect(exit).toBe(outcomes.has('unknown: out-of-descriptors') ? 3 : 0);
  });
});
