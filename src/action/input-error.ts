import type { InputWords } from './words/words.ts';

/** A mistake in what a workflow gives the Action: told in one line in its language, exit 2. */
export class InputError extends Error {
  readonly report: (words: InputWords) => string;

  constructor(report: (words: InputWords) => string) {
    super('input');
    this.report = report;
  }
}
