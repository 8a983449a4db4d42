/** Which runs are about us, and not about the site that they looked at. */
import type { CheckResult, Report } from '../../check.ts';
import { REASONS, type Reason } from '../../http/reasons.ts';
import type { Connectivity } from './connectivity.ts';

/**
 * Why a run says nothing of the site: `suspended`: this machine slept meanwhile; `no-network`: our network is gone;
 * `disk-full`: this machine's; `machine`: whatever else lies with it, no file descriptors for instance.
 */
export type ProbeSideReason = 'suspended' | 'no-network' | 'disk-full' | 'machine';

export interface RunConditions {
  /** The machine was suspended, or this process stood still, while the run went on. */
  readonly suspended: boolean;
  /** This process blocked itself while the run went on: requests timed out although responses may have been there. */
  readonly blocked: boolean;
  /** Another site answered since this run began: the network is there. */
  readonly answeredMeanwhile: boolean;
  /** `null`: nothing is to be asked. */
  readonly control: Connectivity | null;
}

/**
 * Why a run is about us; `null`: it is about the site. Asks the control only where no reply came at all: and whether
 * names resolve, where it was the site's name that did not. That another site answered says nothing of that: its name may
 * be remembered still, or it may have none.
 */
export async function probeSideReason(
  report: Report,
  { suspended, blocked, answeredMeanwhile, control }: RunConditions,
): Promise<ProbeSideReason | null> {
  if (suspended) return 'suspended';
  if (isUndetermined(report)) return hasFullDisk(report) ? 'disk-full' : 'machine';
  if (blocked && failedWithoutReplies(report)) return 'machine';
  if (!isSilent(report) || control === null) return null;
  if (!answeredMeanwhile && (await control.isGone())) return 'no-network';
  return isUnresolved(report) && (await control.isNameless()) ? 'no-network' : null;
}

/** Whether the site gave no reply to anything that failed: the run may as well be about our network. */
export function isSilent(report: Pick<Report, 'checks'>): boolean {
  return !report.checks.some(hasReply) && failedWithoutReplies(report);
}

function failedWithoutReplies({ checks }: Pick<Report, 'checks'>): boolean {
  const failed = checks.filter(({ status }) => status === 'fail');
  return failed.length > 0 && failed.every(failedWithoutReply);
}

/** Whether any check had a reply, whatever it was. */
export function hasAnswered({ checks }: Pick<Report, 'checks'>): boolean {
  return checks.some(hasReply);
}

const hasReply = ({ httpStatus }: CheckResult): boolean => httpStatus !== null;

/** What comes of a name server that is silent or out of order, be it ours or the site's. */
const UNRESOLVED: ReadonlySet<string> = new Set(['dns-temporary', 'dns-timeout'] satisfies Reason[]);

/** Whether nothing but a name that could not be resolved failed a run. */
function isUnresolved({ checks }: Report): boolean {
  return checks
    .filter(({ status }) => status === 'fail')
    .every(({ findings }) => findings.every(({ rule, severity }) => severity !== 'error' || UNRESOLVED.has(rule)));
}

const failedWithoutReply = ({ findings }: CheckResult): boolean =>
  findings.every(({ rule, severity }) => severity !== 'error' || Object.hasOwn(REASONS, rule));

/** Whether nothing is known of any check, for reasons that are this machine's. */
function isUndetermined({ checks }: Report): boolean {
  return (
    checks.some(({ status }) => status === 'unknown') &&
    checks.every(({ status }) => status === 'unknown' || status === 'skip')
  );
}

function hasFullDisk({ checks }: Report): boolean {
  return checks.some(({ findings }) =>
    findings.some(({ severity, evidence }) => severity === 'unknown' && JSON.stringify(evidence).includes('ENOSPC')),
  );
}
