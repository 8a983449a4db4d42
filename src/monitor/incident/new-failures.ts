/** What of that which fails is not told by the incidents that are open. Pure. */
import { failingIn, isDown } from './checks.ts';
import { isWorse, verdictOfFailing } from './severity.ts';
import type { CheckStates, Incident, IncidentPolicy, Scope } from './incident.ts';
import type { Open } from './open.ts';

/** Whether what fails in a scope is more, or graver, than what is open tells already. */
export function isNewFailure(
  scope: Scope,
  { outage, degradation }: Open,
  checks: CheckStates,
  policy: IncidentPolicy,
): boolean {
  if (isDown(checks, policy, scope)) {
    return (
      outage === null || failingBeside(degradation, scope, checks, policy).some((id) => !outage.checks.includes(id))
    );
  }
  if (degradation === null) return true;
  const failing = failingIn(scope, checks, policy);
  if (failing.some((id) => !degradation.checks.includes(id))) return true;
  const verdict = verdictOfFailing(failing, checks, policy);
  return verdict !== null && isWorse(verdict, degradation.verdict);
}

/** Ids of the checks that fail in a scope, without those that fail as a defect has it and take nothing down. */
export function failingBeside(
  degradation: Incident | null,
  scope: Scope,
  checks: CheckStates,
  policy: IncidentPolicy,
): readonly string[] {
  const isReported = (id: string): boolean => {
    const known = degradation?.findings.filter(({ check }) => check === id).map(({ code }) => code) ?? [];
    const now = checks[id]?.findings ?? [];
    return now.every(({ code }) => known.includes(code)) && verdictOfFailing([id], checks, policy) !== 'down';
  };
  return failingIn(scope, checks, policy).filter((id) => !isReported(id));
}
