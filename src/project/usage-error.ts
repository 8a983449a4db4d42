import type { Language } from '../texts.ts';
import type { ConfigProblem } from '../config/problem.ts';
import { withoutUserinfo } from '../base-url.ts';
import { printable } from '../printable.ts';
import type { Messages } from '../locales/messages.ts';

/** A mistake of whoever called: reported in one line in their language, exit 2. */
export class UsageError extends Error {
  readonly report: (messages: Messages) => string;
  /** The language of the configuration, once it is known. */
  language: Language | undefined;

  constructor(report: (messages: Messages) => string) {
    super('usage');
    this.report = report;
  }
}

/** Runs `work`; a usage error in it is reported in `language`. */
export async function inLanguage<T>(language: Language, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) error.language = language;
    throw error;
  }
}

/** The configuration file has mistakes: reported line by line, exit 2. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super('configuration');
    this.problems = problems;
  }
}

/** An argument as an error may repeat it: printable, and without the userinfo of an address in the wrong place. */
export function echoed(argument: string): string {
  return printable(withoutUserinfo(argument));
}
