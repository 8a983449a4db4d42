/** What a check received. */
import type { RenderedPage } from '../browser/open.ts';
import type { Answer, Evidence } from './answer.ts';

/** What a check gathered, for the evaluation and the report. */
export interface Gathered {
  /** `null`: there is not one answer that counts. */
  readonly answer: Answer | null;
  /** Requests of a check that sends more than one. */
  readonly requests?: number;
  /** What the check found, whatever the result: numbers and names, never prose. */
  readonly facts?: Evidence;
  readonly rendered?: readonly RenderedPage[];
  /** Overrides `vital` of the check: engines differ in which files they need. */
  readonly vital?: boolean;
}
