/** An incident as published: the API, webhooks, commands and the status page. Pure. */
import { iso, isoOrNull } from '../iso-time.ts';
import { seenFrom } from '../locations.ts';
import type { Incident, Recovery } from './incident.ts';
import type { IncidentVerdict } from '../settings.ts';

/** Times are ISO 8601 in UTC, durations milliseconds; `null` while they are not known. */
export interface IncidentDocument {
  readonly id: string;
  readonly site: string;
  readonly verdict: IncidentVerdict;
  readonly checks: readonly string[];
  readonly codes: readonly string[];
  readonly startedAt: string;
  readonly detectedAt: string;
  readonly notifiedAt: string | null;
  readonly recoveredAt: string | null;
  readonly durationMs: number | null;
  readonly objectiveMs: number;
  readonly objectiveMet: boolean | null;
  /** Only where the objective counts from `detectedAt` instead of `startedAt`. */
  readonly objectiveFrom?: 'detected';
  /** Only where a deploy is suspected. */
  readonly deploy?: { readonly version: string; readonly before: string | null; readonly seenAt: string };
  /** Only where the site went up and down again and again. */
  readonly flapping?: true;
  /** Only where the site is checked from several locations: those that saw it fail last. */
  readonly locations?: readonly string[];
}

/** The incident in the shape that callers rely on: exactly these keys. */
export function incidentDocument(incident: Incident): IncidentDocument {
  const { id, site, verdict, checks, codes, objectiveMs, deploy } = incident;
  const { durationMs, objectiveMet } = recoveryOf(incident);
  const locations = seenFrom(incident.findings);
  return {
    id,
    site,
    verdict,
    checks: [...checks],
    codes: [...codes],
    startedAt: iso(incident.startedAt),
    detectedAt: iso(incident.detectedAt),
    notifiedAt: isoOrNull(incident.notifiedAt),
    recoveredAt: isoOrNull(incident.recoveredAt),
    durationMs,
    objectiveMs,
    objectiveMet,
    ...(incident.objectiveFrom === undefined ? {} : { objectiveFrom: incident.objectiveFrom }),
    ...(deploy === null ? {} : { deploy: { ...deploy, seenAt: iso(deploy.seenAt) } }),
    ...(incident.flapping ? { flapping: true } : {}),
    ...(locations.length === 0 ? {} : { locations }),
  };
}

/** How long an incident was, from the last good run before it to the first good one after; `null` while it is open. */
export function recoveryOf(incident: Incident): Recovery {
  const { startedAt, recoveredAt } = incident;
  if (recoveredAt === null) return { durationMs: null, objectiveMet: null };
  return { durationMs: Math.max(0, recoveredAt - startedAt), objectiveMet: rtoOf(incident, recoveredAt).isWithin };
}

/** The time that an incident has taken so far, or took, as its objective counts it; and whether that is within it. */
export function rtoOf(incident: Incident, now: number): { readonly elapsedMs: number; readonly isWithin: boolean } {
  const elapsedMs = Math.max(0, (incident.recoveredAt ?? now) - rtoStart(incident));
  return { elapsedMs, isWithin: elapsedMs <= incident.objectiveMs };
}

export function rtoStart({ startedAt, detectedAt, objectiveFrom }: Incident): number {
  return objectiveFrom === 'detected' ? detectedAt : startedAt;
}
