import type { Language } from '../texts.ts';
import { withoutUserinfo } from '../base-url.ts';
import { printable } from '../printable.ts';
import type { Messages } from '../locales/messages.ts';

/** A mistake of the user: reported in one line in their language, exit 2. */
export class UsageError<Words = Messages> extends Error {
  readonly report: (words: Words) => string;

  constructor(report: (words: Words) => string) {
    super('usage');
    this.report = report;
  }
}

/** How a process reports what ends it: in the language of the command line and its configuration, once that is known. */
export const reporting: { language?: Language } = {};

/** An argument as an error may repeat it: printable, and without the userinfo of an address in the wrong place. */
export function echoed(argument: string): string {
  return printable(withoutUserinfo(argument));
}
