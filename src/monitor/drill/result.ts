/** What a recovery drill comes to. Types only. */
import type { Report } from '../../check.ts';

/**
 * The steps of a drill, in their order. `clone` and `copy` get the files (the site's folder is found in it), `serve` and
 * `deploy` bring them to a host, `first-answer` ends with the first file that the host sends, `healthy` with the end of
 * the first round of checks that were all good.
 */
export type StepId = 'clone' | 'copy' | 'serve' | 'deploy' | 'first-answer' | 'healthy';

/** A step that ended well. Steps follow each other without gaps: their times add up to the total. */
export interface Step {
  readonly id: StepId;
  readonly durationMs: number;
}

/**
 * Why a drill ended before the site was healthy.
 * `no-git`, `no-room`, `cannot-serve` and `not-told` are about this machine: they say nothing of the recovery.
 * `no-site`: no folder has an `index.html` with Markdown beside it; `no-folder`: `--folder` is not there.
 * `not-healthy`: the host answers, but the checks find faults; `no-answer`: it sends no file at all.
 */
export type FailureReason =
  | 'no-git'
  | 'no-room'
  | 'clone-failed'
  | 'copy-failed'
  | 'no-site'
  | 'no-folder'
  | 'cannot-serve'
  | 'deploy-failed'
  | 'time-up'
  | 'no-answer'
  | 'not-healthy'
  | 'not-told';

/** The step that a drill ended in, and why. */
export interface Failure {
  readonly step: StepId;
  readonly reason: FailureReason;
  /** What the system, Git or the shell says of it; `null`: nothing. May be anything: to be printed with care. */
  readonly detail: string | null;
  /** The last lines that a command printed. May be anything: to be printed with care. */
  readonly output: readonly string[];
}

/**
 * What is good to know of a drill that went well.
 * `uncommitted`: files of the work tree that are not in its last commit, so that a recovery would not have them.
 * `submodules`: the repository names some, which are not cloned.
 * `answered-before`: the address had a site before the deploy, so that a redeploy was measured.
 * `not-compared`: what is live was not compared with what was cloned.
 */
export type Note =
  | { readonly id: 'uncommitted'; readonly count: number }
  | { readonly id: 'submodules' }
  | { readonly id: 'answered-before' }
  | { readonly id: 'not-compared' };

/** One drill. */
export interface DrillResult {
  /** As the user named it, without userinfo. */
  readonly source: string;
  /** The commit that was cloned, in full; `null`: a plain folder, or it did not come to that. */
  readonly commit: string | null;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** The site's folder below the root of what was cloned, and the root's own name where it is that; `null`: none was found. */
  readonly site: string | null;
  /** Where the site was checked, without userinfo; `null`: it did not come to that. */
  readonly url: string | null;
  readonly steps: readonly Step[];
  readonly failure: Failure | null;
  /** Somebody stopped it. */
  readonly interrupted: boolean;
  /** Until the site was healthy, or until the drill ended without that. */
  readonly totalMs: number;
  readonly objectiveMs: number;
  /** `null`: not known, since this machine is at fault or somebody stopped it. */
  readonly objectiveMet: boolean | null;
  readonly notes: readonly Note[];
  /** The folder that was kept; `null`: it is gone. */
  readonly folder: string | null;
  /** The last round of checks; `null`: it did not come to that. */
  readonly report: Report | null;
}

const OURS: ReadonlySet<FailureReason> = new Set(['no-git', 'no-room', 'cannot-serve', 'not-told']);

/** Whether the site was healthy within the objective; `null`: it is not known. */
export function metBy({
  failure,
  interrupted,
  totalMs,
  objectiveMs,
}: Pick<DrillResult, 'failure' | 'interrupted' | 'totalMs' | 'objectiveMs'>): boolean | null {
  if (interrupted || (failure !== null && OURS.has(failure.reason))) return null;
  return failure === null && totalMs <= objectiveMs;
}

/** 0: the objective is met; 1: it is not, or the site did not become healthy; 3: this machine could not tell. */
export function drillStatus({ objectiveMet }: Pick<DrillResult, 'objectiveMet'>): 0 | 1 | 3 {
  if (objectiveMet === null) return 3;
  return objectiveMet ? 0 : 1;
}
