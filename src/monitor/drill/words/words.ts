import type { Language } from '../../../texts.ts';
import type { FailureReason, StepId } from '../result.ts';

/** What `docvitals drill` says, in one language. All strings come printable; all times come with their unit. */
export interface DrillWords {
  readonly language: Language;
  /** Above everything. `commit`: an abbreviated name. */
  title(source: string, commit: string | null): string;
  /** The site's folder in what was cloned, and where it was checked. */
  place(site: string | null, url: string): string;
  readonly steps: Readonly<Record<StepId, string>>;
  readonly total: string;
  /** While a step goes on. */
  readonly doing: Readonly<Record<StepId, string>>;
  /** The verdict on the objective; `is met` comes coloured. */
  recovered(total: string, objective: string, verdict: string): string;
  notRecovered(total: string, objective: string, verdict: string): string;
  /** This machine is at fault, or somebody stopped the drill: there is no verdict. */
  unknown(total: string): string;
  readonly met: string;
  readonly notMet: string;
  readonly failures: Readonly<Record<FailureReason, string>>;
  /** What to do; empty: the report of the checks says it. */
  readonly fixes: Readonly<Record<FailureReason, string>>;
  readonly notes: {
    uncommitted(count: number): string;
    readonly submodules: string;
    readonly 'answered-before': string;
    readonly 'not-compared': string;
  };
  /** Above the last lines that a command printed. */
  readonly output: string;
  kept(folder: string): string;
  readonly stopped: string;
}
