/** The vocabulary of incidents. Types only. All times are milliseconds since 1970, all durations milliseconds. */
import type { Check, Evidence, Excerpt, Location, Report } from '../../check.ts';
import type { IncidentVerdict } from '../settings.ts';
import type { SiteState } from './state.ts';

/**
 * A time in which a site was not well: an outage, while it was down, or a defect. Each is an incident of its own, and a
 * defect may lie under an outage.
 */
export interface Incident {
  /** Unique, stable, safe in a URL: `<site>-<detected as UTC YYYYMMDDTHHMMSSsss>`, e.g. `docs-20261120T180000123`. */
  readonly id: string;
  readonly site: string;
  /** The gravest so far: down, degraded, stale. */
  readonly verdict: IncidentVerdict;
  /** Ids of all checks that failed in its course, in the report's order. */
  readonly checks: readonly string[];
  /** All codes that failed a check in its course, in the order in which they came. */
  readonly codes: readonly string[];
  /** The last good run before it, or what there was instead. */
  readonly startedAt: number;
  /** That: of a site that had a defect, the last run that was not down; of a defect after an outage, its end. */
  readonly startedBy?: 'maintenance-end' | 'first-bad-round' | 'up-round' | 'outage-end';
  /** When it was confirmed, and opened. */
  readonly detectedAt: number;
  /** When the first alert about it arrived. */
  readonly notifiedAt: number | null;
  /** The first of the good runs that ended it; of an outage: of those that were not down. */
  readonly recoveredAt: number | null;
  readonly objectiveMs: number;
  /**
   * `detected`: the objective counts from detection, because only full checks see what failed: by their schedule, the last
   * good one may be an hour old. Absent: it counts from the start.
   */
  readonly objectiveFrom?: 'detected';
  /** What failed when it was checked last; while it was open. */
  readonly findings: readonly IncidentFinding[];
  /** The deploy that is suspected; `null`: none is known. */
  readonly deploy: SuspectedDeploy | null;
  /** The site goes up and down again and again. */
  readonly flapping: boolean;
  /** The incident of another site whose root cause is the same, and which is told for both; `null`: its own. */
  readonly sameAs: string | null;
}

/** A finding that failed a check. Facts only; words join where it is reported. */
export interface IncidentFinding {
  readonly check: string;
  readonly code: string;
  readonly evidence: Evidence;
  readonly location: Location | null;
  /** The lines around the fault, where the check reads a text. */
  readonly excerpt?: Excerpt;
}

/** A version that went live shortly before a site was not well any more. */
export interface SuspectedDeploy {
  /** As the site or the source tells it: a commit, a tag; or a hash of its files (`sha256:…`). */
  readonly version: string;
  /** The version before; `null`: not known. */
  readonly before: string | null;
  /** When it was seen first. */
  readonly seenAt: number;
}

/** How long an incident was, and whether that is within the objective; `null` while it is open. */
export interface Recovery {
  readonly durationMs: number | null;
  readonly objectiveMet: boolean | null;
}

/** Which checks a run ran. */
export type Scope = 'five' | 'full';

/** What one run over a site saw. */
export interface Observation {
  readonly report: Report;
  readonly scope: Scope;
  /** When the run began. */
  readonly startedAt: number;
  /** When it ended. */
  readonly endedAt: number;
  /** The site is being worked on: it opens no incident. */
  readonly maintenance: boolean;
  /**
   * When the maintenance that goes on ends, or the last one ended, as far as that is known; an incident that outlasts it
   * does not begin before.
   */
  readonly maintenanceUntil?: number | null;
  /** Not the site: our network is gone, the machine was suspended. Whatever the report says is `unknown`. */
  readonly isProbeSide: boolean;
  /** The version that the site tells; `null`: not known. */
  readonly version: string | null;
  /** Hashes of the files that the site has of its own, by the check that asked for each. */
  readonly contents?: Readonly<Record<string, string>>;
}

/** What transitions of a site depend on. */
export interface IncidentPolicy {
  readonly site: string;
  readonly rtoMs: number;
  readonly confirm: { readonly afterMs: number; readonly times: number };
  readonly recover: { readonly times: number };
  readonly strict: boolean;
  /** All checks that the site's runs run, and what their failing means. What is not among them any more is forgotten. */
  readonly declared: readonly Pick<Check, 'id' | 'vital' | 'freshness'>[];
  /** Ids of those that only runs of the whole site run. */
  readonly fullOnly: readonly string[];
  /** How often the core checks are checked; `null`: by a cron expression. */
  readonly everyMs: number | null;
  /** How often the whole site is checked; `null`: by a cron expression, or never. */
  readonly fullEveryMs: number | null;
  /** Runs that are further apart do not confirm each other; absent: as runs by the clock. */
  readonly apartMs?: number;
}

/** What happened to a site, for alerts, logs and metrics. */
export type IncidentEvent =
  /** A first failing run; it is confirmed before anybody is reported. */
  | { readonly kind: 'suspected'; readonly site: string; readonly at: number }
  /** It was not confirmed. */
  | { readonly kind: 'dismissed'; readonly site: string; readonly at: number }
  | { readonly kind: 'opened'; readonly incident: Incident; readonly at: number }
  /** What fails, or how gravely, is another. */
  | { readonly kind: 'changed'; readonly incident: Incident; readonly at: number }
  | { readonly kind: 'recovered'; readonly incident: Incident; readonly at: number };

/** What comes of one observation. */
export interface Transition {
  readonly state: SiteState;
  readonly events: readonly IncidentEvent[];
  /** When the site has to be checked again before its time, over fresh connections; `null`: as scheduled. */
  readonly recheckAfterMs: number | null;
  /** What that look has to be: a failure that only runs of the whole site see is confirmed by such a run. */
  readonly recheckScope: Scope;
  /**
   * While checks of the whole site fail: when a run of the whole site is due at the latest, counted from this
   * observation, so that what is repaired is known sooner than by its schedule. `null`: as scheduled.
   */
  readonly fullRecheckAfterMs: number | null;
  /**
   * While an incident is open: when a run of the core checks is due at the latest, so that a site that is checked every few
   * minutes is not told to have been down for minutes. `null`: as scheduled. (A single run does not wait for it.)
   */
  readonly openRecheckAfterMs: number | null;
}
