/** Each key that ends `docvitals init`, at each of its questions. */
import { describe, it } from 'vitest';
import { hasTerminal } from '../cli/pty.ts';
import { ENDS, expectEnd } from './conversation.ts';

describe.skipIf(!hasTerminal).concurrent('an end', () => {
  it.each(ENDS)('$name writes nothing', async (end) => {
    await expectEnd(end);
  });
});
