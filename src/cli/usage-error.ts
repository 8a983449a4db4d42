import type { UsageMessages } from '../messages/messages.ts';

/** A mistake of whoever called: told in one line in their language, exit 2. */
export class UsageError extends Error {
  readonly tell: (messages: UsageMessages) => string;

  constructor(tell: (messages: UsageMessages) => string) {
    super('usage');
    this.tell = tell;
  }
}
