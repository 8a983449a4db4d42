import type { InputWords } from './words/words.ts';

/** A mistake in what a workflow gives the Action: told in one line in its language, exit 2. */
export class InputError extends Error {
  readonly tell: (words: InputWords) => string;

  constructor(tell: (words: InputWords) => string) {
    super('input');
    this.tell = tell;
  }
}
