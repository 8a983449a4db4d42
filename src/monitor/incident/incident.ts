/** The vocabulary of incidents. Types only. Times are ms since 1970, durations ms. */
import type { Evidence } from '../../core/answer.ts';
import type { Excerpt, Location } from '../../core/finding.ts';
import type { Report } from '../../core/check.ts';
import type { ProbeSideReason } from '../connectivity/connectivity.ts';
import type { IncidentVerdict } from '../settings.ts';
import type { SiteState } from './state.ts';

/** A time in which a site was down (an outage), or up while some of its core checks failed (a degradation). */
export interface Incident {
  /** Unique, stable, safe in a URL: `<site>-<detected as UTC YYYYMMDDTHHMMSSsss>`, e.g. `docs-20261120T180000123`. */
  readonly id: string;
  readonly site: string;
  /** The worst so far: down, degraded, stale. */
  readonly verdict: IncidentVerdict;
  /** Ids of all checks that have failed in it, in the report's order. */
  readonly checks: readonly string[];
  /** Ids of all rules that have failed a check in it, in the order in which they came. */
  readonly rules: readonly string[];
  /** The last good run before it, or what `startedBy` says. */
  readonly startedAt: number;
  /** `up-round`: the last run that was not down, of a degraded site; `outage-end`: of a degradation after an outage. */
  readonly startedBy?: 'maintenance-end' | 'first-bad-round' | 'up-round' | 'outage-end';
  readonly detectedAt: number;
  /** When the first alert about it was received. */
  readonly notifiedAt: number | null;
  /** The first of the good runs that ended it; of an outage: of those that were not down. */
  readonly recoveredAt: number | null;
  readonly recoveryTimeObjectiveMs: number;
  /** What failed in the last run, while it was open. */
  readonly findings: readonly IncidentFinding[];
  /** The deployment that may be the cause; `null`: none is known. */
  readonly deploy: SuspectedDeploy | null;
  /** The site goes up and down again and again. */
  readonly flapping: boolean;
  /** What the site shares with others that may be the cause, as {@link Observation.causes}; absent: nothing is known. */
  readonly causes?: readonly string[];
  /** The incident of another site with the same root cause, which is notified for both; `null`: none. */
  readonly sameAs: string | null;
}

/** A finding that failed a check. Facts only; words are added where it is reported. */
export interface IncidentFinding {
  readonly check: string;
  /** Its full id, e.g. `navigation/spa-fallback`. */
  readonly rule: string;
  readonly evidence: Evidence;
  readonly location: Location | null;
  readonly excerpt?: Excerpt;
}

/** A finding that no incident is about, listed at its site. `since`: when it was seen first. */
export interface ListedFinding extends IncidentFinding {
  readonly key: string;
  readonly since: number;
}

export interface SuspectedDeploy {
  /** As the site or the source reports it (a commit, a tag), or a hash of its files (`sha256:…`). */
  readonly version: string;
  readonly before: string | null;
  readonly seenAt: number;
}

/**
 * Which checks a run ran: the core checks (`core` in logs and the database), with the rest of the full check, or with
 * pages in the browser.
 */
export type Scope = 'core' | 'full' | 'browser';

export type DeepScope = Exclude<Scope, 'core'>;

export interface Observation {
  readonly report: Report;
  readonly scope: Scope;
  readonly startedAt: number;
  readonly endedAt: number;
  /** During maintenance no incident opens. */
  readonly maintenance: boolean;
  /** When the current maintenance ends, or the last one ended, if that is known: no incident starts before it. */
  readonly maintenanceUntil?: number | null;
  /** Why it is about this machine, or the locations, and says nothing about the site; `null`: it is about the site. */
  readonly probeSide: ProbeSideReason | null;
  /** Locations from which the site fails, too few for the quorum; absent: none, or there is one location only. */
  readonly failingFrom?: readonly string[];
  /** What a failing site shares with others: `address 192.0.2.0/24`, `host Netlify`; absent: not known. */
  readonly causes?: readonly string[];
  readonly version: string | null;
  /** Hashes of the site's files, by check. */
  readonly contents?: Readonly<Record<string, string>>;
}

/** What happened to an incident, for alerts, logs and metrics. `changed`: more fails, or the verdict is worse. */
export interface IncidentEvent {
  readonly kind: 'opened' | 'changed' | 'recovered';
  readonly incident: Incident;
  readonly at: number;
}

export interface Transition {
  readonly state: SiteState;
  readonly events: readonly IncidentEvent[];
  /** `suspected`: a first failed run, which is confirmed before anybody is notified; `dismissed`: it was not confirmed. */
  readonly suspicion: 'suspected' | 'dismissed' | null;
  /**
   * When, and by which run, the site has to be checked before its time, over new connections; `null`: as scheduled. What
   * only full checks see is confirmed by one.
   */
  readonly recheck: { readonly scope: Scope; readonly afterMs: number } | null;
  /**
   * When the next run is due at the latest; `null`: as scheduled. Core checks while an incident is open (not for single
   * runs), others while they fail, so that a fix is soon known.
   */
  readonly dueWithinMs: Readonly<Record<Scope, number | null>>;
  /** How long no run of the core checks is due, because the host refuses them; `null`: as scheduled. */
  readonly pauseMs: number | null;
}
