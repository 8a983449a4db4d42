/** An incident as published: the API, webhooks, commands and the status page. Pure. */
import { iso, isoOrNull } from '../../core/time.ts';
import type { Incident, IncidentFinding } from './incident.ts';

/** Exactly these keys. Times are ISO 8601 in UTC, durations milliseconds; `null` while they are not known. */
export type IncidentDocument = ReturnType<typeof incidentDocument>;

export function incidentDocument(incident: Incident) {
  const { id, site, verdict, checks, rules, recoveryTimeObjectiveMs, deploy } = incident;
  const { durationMs, recoveryTimeObjectiveMet } = recoveryOf(incident);
  const locations = seenFrom(incident.findings);
  return {
    id,
    site,
    verdict,
    checks: [...checks],
    rules: [...rules],
    startedAt: iso(incident.startedAt),
    detectedAt: iso(incident.detectedAt),
    notifiedAt: isoOrNull(incident.notifiedAt),
    recoveredAt: isoOrNull(incident.recoveredAt),
    durationMs,
    recoveryTimeObjectiveMs,
    recoveryTimeObjectiveMet,
    ...(deploy === null ? {} : { deploy: { ...deploy, seenAt: iso(deploy.seenAt) } }),
    ...(incident.flapping ? { flapping: true as const } : {}),
    /** Those that saw it fail last, where there are several. */
    ...(locations.length === 0 ? {} : { locations }),
  };
}

/** The name of a rule in its check, of its full id. */
export const ruleName = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

/** Ids of the locations that findings name; empty: there is only one. */
export function seenFrom(findings: readonly Pick<IncidentFinding, 'evidence'>[]): string[] {
  const named = findings.flatMap(({ evidence: { seenFrom: ids } }) => (typeof ids === 'string' ? ids.split(', ') : []));
  return [...new Set(named)];
}

/** How long an incident was, from the last good run before it to the first good one after; `null` while it is open. */
export function recoveryOf(incident: Incident) {
  const { startedAt, recoveredAt } = incident;
  if (recoveredAt === null) return { durationMs: null, recoveryTimeObjectiveMet: null };
  return {
    durationMs: Math.max(0, recoveredAt - startedAt),
    recoveryTimeObjectiveMet: rtoOf(incident, recoveredAt).isWithin,
  };
}

/** The time that an incident has taken so far, or took, as its objective counts it; and whether that is within it. */
export function rtoOf(incident: Incident, now: number): { readonly elapsedMs: number; readonly isWithin: boolean } {
  const elapsedMs = Math.max(0, (incident.recoveredAt ?? now) - incident.startedAt);
  return { elapsedMs, isWithin: elapsedMs <= incident.recoveryTimeObjectiveMs };
}
