/** What a check reports: facts, without words. */
import type { Evidence } from './answer.ts';

/** `line` and `column` count from 1; `column` counts UTF-16 code units, as editors do. */
export interface Location {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** The lines around a fault, for a code frame. `firstLine` and `caretColumn` count from 1; long lines are cut. */
export interface Excerpt {
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** The fault's column in its line as cut. */
  readonly caretColumn?: number;
}

/** What a finding means for its check: an error fails it, a warning makes it warn, an info does not affect it. */
export type Severity = 'error' | 'warning' | 'info';

/** What a rule declares that reports no fault: its check does not apply, or could not be determined by this machine. */
export type Outcome = 'skip' | 'unknown';

/** What a check declares for a rule: a severity of its findings, or an outcome of the check. */
export type SeverityOrOutcome = Severity | Outcome;

/** A finding before its severity, which the run adds. */
export interface RawFinding<Rule extends string = string> {
  readonly rule: Rule;
  readonly evidence?: Evidence;
  readonly location?: Location;
  /** All locations of the fault: the first hundred, `location` among them. */
  readonly locations?: readonly Location[];
  readonly excerpt?: Excerpt;
  /** How many more findings of this rule there are; on the last that is reported. */
  readonly omitted?: number;
}

/** What is wrong, with its severity after the rules of the user. */
export interface Finding extends Omit<RawFinding, 'omitted'> {
  /** `null`: its rule declares an outcome, so that it is the reason why its check was skipped or is unknown. */
  readonly severity: Severity | null;
  /** The finding that this one is an effect of, as `<check id>/<rule>`: its fix is the fix of both. */
  readonly cause?: string;
  readonly evidence: Evidence;
}
