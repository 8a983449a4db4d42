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
    // With none left, Node 22 cannot read the command's own files.
    const isStarted = !(checks['stderr'] ?? '').startsWith('docvitals: cannot start: EMFILE');
    const outcomes = new Set(isStarted ? Object.values(checks) : ['cannot start']);
    const known = ['pass:', 'unknown: out-of-descriptors', ...(left === 0 ? ['cannot start'] : [])];
    expect(known).toEqual(expect.arrayContaining([...outcomes]));
    expect(exit).toBe(outcomes.has('pass:') && outcomes.size === 1 ? 0 : 3);
  });
});
