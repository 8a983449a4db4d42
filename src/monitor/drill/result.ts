/** What a recovery drill may come to, and its result as JSON. */
import { jsonText, toDocument } from '../../report/document.ts';
import { LOCATE_NOTHING } from '../../report/options.ts';
import type { Texts } from '../../texts.ts';
import { VERSION } from '../../version.ts';
import type { DrillResult } from './drill.ts';

/**
 * The steps of a drill, in order. `clone` and `copy` get the files, `serve` and `deploy` bring them to a host,
 * `first-answer` ends with the first file that the host sends, `healthy` with the first run in which all checks pass.
 */
export type StepId = 'clone' | 'copy' | 'serve' | 'deploy' | 'first-answer' | 'healthy';

/** Why a drill ended before the site was healthy. */
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
  /** The verdict of the checks is `unknown`. */
  | 'not-told';

export interface Failure {
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
  | { readonly id: 'not-compared' };

/** 0: the objective was met; 1: it was missed, or the site did not become healthy; 3: not known. */
export function drillStatus({ objectiveMet }: Pick<DrillResult, 'objectiveMet'>): 0 | 1 | 3 {
  if (objectiveMet === null) return 3;
  return objectiveMet ? 0 : 1;
}

export type DrillDocument = ReturnType<typeof drillDocument>;

/** A drill as JSON. Times are in milliseconds. */
function drillDocument({ report, ...facts }: DrillResult, texts: Texts) {
  return {
    schemaVersion: 1,
    tool: { name: 'docvitals', version: VERSION },
    language: texts.language,
    ...facts,
    report: report === null ? null : toDocument(report, texts, LOCATE_NOTHING),
  };
}

export function drillJson(result: DrillResult, texts: Texts): string {
  return `${jsonText(drillDocument(result, texts))}\n`;
}
