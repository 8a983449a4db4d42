/** While the host of a site refuses the monitor, nothing is known of the site. Pure. */
import type { Report } from '../../core/check.ts';
import { MINUTE_MS } from '../../core/time.ts';
import type { Observation } from './incident.ts';
import type { IncidentPolicy } from './run.ts';
import type { Refusal, SiteState } from './state.ts';

/** The problem of the monitor that it is refused by the host of some site. */
export const REFUSED = 'client-refused';

const LONGEST_PAUSE_MS = 5 * MINUTE_MS;
/** A refusal that lasts so long is notified. */
const NOTIFIED_AFTER_MS = 15 * MINUTE_MS;

/** `null`: the host answers. */
export function refusalAfter(before: SiteState, observation: Observation, policy: IncidentPolicy): Refusal | null {
  const { probeSide, scope } = observation;
  const known = before.refusal ?? null;
  // What is about this machine in another way shows nothing of the host.
  if (scope !== 'core' || (probeSide !== null && probeSide !== 'refused')) return known;
  return probeSide === null ? null : refusedAgain(known, observation, policy);
}

function refusedAgain(known: Refusal | null, { report, endedAt }: Observation, policy: IncidentPolicy): Refusal {
  const everyMs = policy.everyMs.core ?? LONGEST_PAUSE_MS;
  const doubled = known === null ? everyMs : 2 * known.pauseMs;
  const { since, notified } = known ?? { since: endedAt, notified: [] };
  return {
    since,
    pauseMs: Math.max(everyMs, Math.min(LONGEST_PAUSE_MS, doubled)),
    ...refusedCheckIn(report),
    ...(report.site.host && { host: report.site.host }),
    notified,
  };
}

/** A run that is refused has one such finding. */
function refusedCheckIn({ checks }: Report): Pick<Refusal, 'check' | 'evidence'> {
  const refused = checks.flatMap(({ id, findings }) =>
    findings.flatMap(({ rule, evidence }) => (rule === REFUSED ? [{ check: id, evidence }] : [])),
  );
  return refused[0] ?? { check: '', evidence: {} };
}

/** How long the next run of the core checks is delayed; `null`: not at all. */
export function pauseAfter({ probeSide, scope }: Observation, refusal: Refusal | null): number | null {
  return probeSide === 'refused' && scope === 'core' && refusal !== null ? refusal.pauseMs : null;
}

/** Whether a refusal has lasted long enough to be notified. */
export const isNotable = ({ since }: Refusal, now: number): boolean => now - since >= NOTIFIED_AFTER_MS;
