/** A drill on a terminal. */
import { afterAll, describe, expect, it } from 'vitest';
import { hasTerminal, onTerminal } from '../cli/pty.ts';
import { BROKEN, HEALTHY, makeRepository, removeAll } from './repository.ts';

afterAll(removeAll);

describe.runIf(hasTerminal)('on a terminal', () => {
  it('one line reports the step that goes on, and is gone at the end', async () => {
    const args = ['drill', '--source', makeRepository(HEALTHY), '--deploy', 'sleep 1; exit 1'];
    const { status, text } = await onTerminal([...args, '--url', 'http://127.0.0.1:9/']);
    expect(status).toBe(1);
    const drawn = text.split('\r\u001b[2K').filter((line) => /^\S.* \(\d\.\d+\u00a0s\)$/.test(line));
    expect(drawn.length).toBeGreaterThan(3);
    expect(text.split('\u001b[2K').at(-1)).toMatch(/✗/);
  });

  it('what is waited for is reported', async () => {
    const args = ['drill', '--source', makeRepository(BROKEN), '--deploy', 'true', '--deadline', '2s'];
    const { status, text } = await onTerminal([...args, '--url', 'http://127.0.0.1:9/']);
    expect(status).toBe(1);
    expect(text).toContain('refused');
    expect(text).toMatch(/of 0:0[12]/);
  });
});
