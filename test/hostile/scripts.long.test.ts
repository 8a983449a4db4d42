/** More of what `scripts.test.ts` has one of. */
import { describe, it } from 'vitest';
import { expectAliased, expectUnread } from './scripts.ts';

describe('a script that is slow to read', () => {
  it.each([
    'a variable of 100,000 members that is spread 50,000 times',
    'a variable of 50,000 members that is spread 50,000 times',
    '60,000 declarations',
    'lists that nest',
  ] as const)('is not known: %s', (name) => expectUnread(name));

  it.each(['options', 'repeats'] as const)('does not stop a full check by an alias: %s', (name) => expectAliased(name));
});
