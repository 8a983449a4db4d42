/** The result of a recovery drill, and the result as JSON. */
import type { Report } from '../../check.ts';
import { jsonText, toDocument, type ReportDocument } from '../../report/document.ts';
import { LOCATE_NOTHING } from '../../report/options.ts';
import type { Texts } from '../../texts.ts';
import { VERSION } from '../../version.ts';

/**
 * The steps of a drill, in order. `clone` and `copy` get the files, `serve` and `deploy` bring them to a host,
 * `first-answer` ends with the first file that the host sends, `healthy` with the first run in which all checks pass.
 */
export type StepId = 'clone' | 'copy' | 'serve' | 'deploy' | 'first-answer' | 'healthy';

/** A completed step. Steps follow each other without gaps: their times add up to the total. */
export interface Step {
  readonly id: StepId;
  readonly durationMs: number;
}

/** Why a drill ended before the site was healthy. */
export type FailureReason =
  | 'no-git'
  | 'no-room'
  | 'clone-failed'
  | 'copy-failed'
  /** No folder has an `index.html` with Markdown beside it. */
  | 'no-site'
  /** The folder of `--folder` does not exist. */
  | 'no-folder'
  | 'cannot-serve'
  | 'deploy-failed'
  | 'time-up'
  /** The host sent no file of the site. */
  | 'no-answer'
  | 'not-healthy'
  /** The verdict of the checks is `unknown`. */
  | 'not-told';

export interface Failure {
  /** The step that failed. */
  readonly step: StepId;
  readonly reason: FailureReason;
  /** The message of the system, Git or the shell; untrusted. */
  readonly detail: string | null;
  /** The last lines that a command printed; untrusted. */
  readonly output: readonly string[];
}

/** A remark on what was measured. */
export type Note =
  /** Files of the work tree that differ from its last commit, so that a recovery would not have them. */
  | { readonly id: 'uncommitted'; readonly count: number }
  /** The repository has submodules, which are not cloned. */
  | { readonly id: 'submodules' }
  /** The address had a site before the deployment: a redeployment was measured. */
  | { readonly id: 'answered-before' }
  /** The deployed files were not compared with the clone. */
  | { readonly id: 'not-compared' };

export interface DrillResult {
  /** As the user wrote it, without userinfo. */
  readonly source: string;
  /** The full hash; `null` for a plain folder, and if nothing was cloned. */
  readonly commit: string | null;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** The site's folder below the root of the clone; for the root its own name. */
  readonly site: string | null;
  /** The address of the checks, without userinfo. */
  readonly url: string | null;
  readonly steps: readonly Step[];
  readonly failure: Failure | null;
  readonly interrupted: boolean;
  readonly totalMs: number;
  readonly objectiveMs: number;
  /** `null` if this machine failed or the drill was stopped. */
  readonly objectiveMet: boolean | null;
  readonly notes: readonly Note[];
  /** The clone, if it was kept. */
  readonly folder: string | null;
  /** The last run of the checks. */
  readonly report: Report | null;
}

/** Failures of this machine: they say nothing about the recovery. */
const LOCAL: ReadonlySet<FailureReason> = new Set(['no-git', 'no-room', 'cannot-serve', 'not-told']);

/** Whether the site recovered within the objective; `null`: not known. */
export function isObjectiveMet({
  failure,
  interrupted,
  totalMs,
  objectiveMs,
}: Pick<DrillResult, 'failure' | 'interrupted' | 'totalMs' | 'objectiveMs'>): boolean | null {
  if (interrupted || (failure !== null && LOCAL.has(failure.reason))) return null;
  return failure === null && totalMs <= objectiveMs;
}

/** 0: the objective was met; 1: it was missed, or the site did not become healthy; 3: not known. */
export function drillStatus({ objectiveMet }: Pick<DrillResult, 'objectiveMet'>): 0 | 1 | 3 {
  if (objectiveMet === null) return 3;
  return objectiveMet ? 0 : 1;
}

/** A drill as JSON. Times are in milliseconds. */
export interface DrillDocument extends Omit<DrillResult, 'report'> {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly language: Texts['language'];
  readonly report: ReportDocument | null;
}

export function drillJson({ report, ...facts }: DrillResult, texts: Texts): string {
  const document: DrillDocument = {
    schemaVersion: 1,
    tool: { name: 'docvitals', version: VERSION },
    language: texts.language,
    ...facts,
    report: report === null ? null : toDocument(report, texts, LOCATE_NOTHING),
  };
  return `${jsonText(document)}\n`;
}
