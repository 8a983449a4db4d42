import type { ExampleName } from '../examples.ts';

/** What `docvitals example` says, in one language. */
export interface ExampleWords {
  /** What each example is, on one line. */
  readonly about: Readonly<Record<ExampleName, string>>;
  /** How to print one and how to write it. */
  readonly hint: string;
}
