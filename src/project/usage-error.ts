import type { UsageMessages } from '../messages/messages.ts';
import type { Language } from '../texts.ts';

/** A mistake of whoever called: told in one line in their language, exit 2. */
export class UsageError extends Error {
  readonly report: (messages: UsageMessages) => string;
  /** The language of the configuration, once it is known. */
  language: Language | undefined;

  constructor(report: (messages: UsageMessages) => string) {
    super('usage');
    this.report = report;
  }
}

/** Runs `work`; a usage error in it is told in `language`. */
export async function inLanguage<T>(language: Language, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) error.language = language;
    throw error;
  }
}
