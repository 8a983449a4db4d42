/** What failing checks make of a site. Pure. */
import type { Severity, Verdict } from '../../check.ts';
import { verdictOf } from '../../verdict.ts';
import type { IncidentVerdict } from '../settings.ts';
import type { CheckStates, IncidentPolicy } from './incident.ts';

const RANK = { stale: 1, degraded: 2, down: 3 } as const satisfies Record<IncidentVerdict, number>;

/** Whether a verdict is graver than another one; `null`: than none. */
export function isWorse(one: IncidentVerdict, other: IncidentVerdict | null): boolean {
  return RANK[one] > (other === null ? 0 : RANK[other]);
}

/** The verdict of some checks, as a report would have it; `unknown` where nothing is known of any. */
export function verdictOfChecks(ids: readonly string[], checks: CheckStates, policy: IncidentPolicy): Verdict {
  const results = ids.flatMap((id) => {
    const state = checks[id];
    if (state === undefined) return [];
    const { status, findings } = state;
    const severity: Severity = status === 'fail' ? 'error' : 'warning';
    return [{ id, status, findings: findings.map(({ code: rule, evidence }) => ({ rule, evidence, severity })) }];
  });
  return results.length === 0 ? 'unknown' : verdictOf(results, policy.declared, policy.strict);
}

/** The verdict of checks of which at least one fails; `null`: none does. */
export function verdictOfFailing(
  ids: readonly string[],
  checks: CheckStates,
  policy: IncidentPolicy,
): IncidentVerdict | null {
  const verdict = verdictOfChecks(ids, checks, policy);
  return verdict === 'down' || verdict === 'degraded' || verdict === 'stale' ? verdict : null;
}
