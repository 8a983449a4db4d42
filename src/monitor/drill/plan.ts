/** What a drill is to do, and what it does it with. Types only. */
import type { Answer, Report } from '../../check.ts';
import type { HostRules } from '../../hosting/rules.ts';
import type { Wait } from '../../wait/wait.ts';
import type { StepId } from './result.ts';
import type { DrillSource } from './source.ts';

/** Where the files go. */
export type Target =
  | { readonly kind: 'serve'; readonly rules: HostRules }
  | {
      readonly kind: 'deploy';
      /** A line for the shell, as its user typed it. */
      readonly command: string;
      /** Where the site is then; may carry userinfo. */
      readonly url: string;
      /** Whether what is live is compared with what was cloned. */
      readonly compare: boolean;
    };

/** What to rehearse. Times are in milliseconds. */
export interface DrillPlan {
  readonly source: DrillSource;
  /** The branch or tag to clone; `null`: the repository's own default. */
  readonly branch: string | null;
  /** The site's folder in it; `null`: found out. */
  readonly folder: string | null;
  readonly target: Target;
  readonly objectiveMs: number;
  /** The whole drill takes no longer, but for the end of its last round of checks. */
  readonly deadlineMs: number;
  /** Keep the folder that was cloned into. */
  readonly keep: boolean;
}

/** How a site is checked in a drill. */
export interface Checking {
  readonly url: string;
  /** A folder that what is live is compared with; `null`: none. */
  readonly source: string | null;
  /** `null`: checked once, since nothing could change. */
  readonly wait: Wait | null;
  readonly interrupt: AbortSignal;
  readonly onAnswer: (answer: Answer) => void;
}

/** What is not the same in every drill. */
export interface DrillAround {
  /** Milliseconds, monotonic. */
  clock(): number;
  now(): Date;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the drill early. */
  readonly interrupt: AbortSignal;
  check(checking: Checking): Promise<Report>;
  /** Whether an address has a site already. */
  answers(url: string): Promise<boolean>;
  /** Called as each step begins. */
  readonly onStep?: (step: StepId) => void;
  /** Called with what the deploy command prints, as it comes. */
  readonly onOutput?: (text: string) => void;
}
