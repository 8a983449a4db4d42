/** What of that which fails is not told by the incidents that are open. Pure. */
import { failingIn, isDown } from './checks.ts';
import { isGraver, verdictOfFailing } from './gravity.ts';
import type { CheckStates, Incident, IncidentPolicy, Scope } from './incident.ts';
import type { Open } from './open.ts';

/** Whether what fails in a scope is more, or graver, than what is open tells already. */
export function isNews(scope: Scope, { outage, defect }: Open, checks: CheckStates, policy: IncidentPolicy): boolean {
  if (isDown(checks, policy, scope)) {
    return outage === null || failingBeside(defect, scope, checks, policy).some((id) => !outage.checks.includes(id));
  }
  if (defect === null) return true;
  const failing = failingIn(scope, checks, policy);
  if (failing.some((id) => !defect.checks.includes(id))) return true;
  const verdict = verdictOfFailing(failing, checks, policy);
  return verdict !== null && isGraver(verdict, defect.verdict);
}

/** Ids of the checks that fail in a scope, without those that fail as a defect has it and take nothing down. */
export function failingBeside(
  defect: Incident | null,
  scope: Scope,
  checks: CheckStates,
  policy: IncidentPolicy,
): readonly string[] {
  const isTold = (id: string): boolean => {
    const known = defect?.findings.filter(({ check }) => check === id).map(({ code }) => code) ?? [];
    const now = checks[id]?.findings ?? [];
    return now.every(({ code }) => known.includes(code)) && verdictOfFailing([id], checks, policy) !== 'down';
  };
  return failingIn(scope, checks, policy).filter((id) => !isTold(id));
}
