/** The gauges of sites and of their checks: name, help, and what a site has of it. `null`: there is no sample. */
import type { CheckResult } from '../../../check.ts';
import { rtoStart } from '../../incident/document.ts';
import { certificateEnd, isUp } from '../../../report/prometheus.ts';
import type { SiteVerdict } from '../../site-state.ts';
import type { SiteView } from '../../view.ts';

type Value = number | boolean | null;

/** A gauge with one sample for each site, or check. */
export interface Gauges<T> {
  readonly name: string;
  readonly help: string;
  readonly valueOf: (of: T) => Value;
}

/** A site, its state at this moment, its last results in a list. */
export interface SiteFacts extends SiteView {
  readonly verdict: SiteVerdict;
  readonly checks: readonly CheckResult[];
}

/** With `site` as their only label. */
export const OF_SITES: readonly Gauges<SiteFacts>[] = [
  {
    name: 'docvitals_up',
    help: 'Whether visitors get the site at all; absent where that could not be told.',
    valueOf: ({ verdict, state, checks }) =>
      isUp({ verdict: verdict === 'unstable' ? (state?.verdict ?? 'unknown') : verdict, checks }),
  },
  {
    name: 'docvitals_fresh',
    help: 'Whether the expected version is live; absent where none was expected or told.',
    valueOf: ({ report }) => report?.fresh ?? null,
  },
  {
    name: 'docvitals_last_run_timestamp_seconds',
    help: 'When the last run ended, in seconds since 1970.',
    valueOf: ({ state }) => inSeconds(state?.lastAt),
  },
  {
    name: 'docvitals_last_run_duration_seconds',
    help: 'How long the last run took.',
    valueOf: ({ report }) => inSeconds(report?.durationMs),
  },
  {
    name: 'docvitals_last_good_timestamp_seconds',
    help: 'When the site was seen well last, in seconds since 1970; absent where it never was.',
    valueOf: ({ state }) => inSeconds(state?.lastGoodAt),
  },
  {
    name: 'docvitals_response_seconds',
    help: 'How long the slowest request of the last run took; absent where nothing came back.',
    valueOf: ({ report }) => inSeconds(slowest(report?.checks ?? [])),
  },
  {
    name: 'docvitals_tls_certificate_expiry_timestamp_seconds',
    help: "When the site's certificate ends, in seconds since 1970; absent where no check saw it.",
    valueOf: ({ checks }) => certificateEnd(checks),
  },
  {
    name: 'docvitals_maintenance',
    help: 'Whether the site is being worked on: it opens no incident.',
    valueOf: ({ maintenance }) => maintenance !== null,
  },
  {
    name: 'docvitals_objective_seconds',
    help: 'Within this an incident is to be over.',
    valueOf: ({ site }) => inSeconds(site.objectiveMs),
  },
  {
    name: 'docvitals_incident_open',
    help: 'Whether an incident is open.',
    valueOf: ({ state }) => (state?.incident ?? null) !== null,
  },
  {
    name: 'docvitals_incident_started_timestamp_seconds',
    help: 'When the site was seen well last before the open incident, in seconds since 1970; absent where none is open.',
    valueOf: ({ state }) => inSeconds(state?.incident?.startedAt),
  },
  {
    name: 'docvitals_incident_detected_timestamp_seconds',
    help: 'When the open incident was confirmed, in seconds since 1970; absent where none is open.',
    valueOf: ({ state }) => inSeconds(state?.incident?.detectedAt),
  },
  {
    name: 'docvitals_incident_objective_end_timestamp_seconds',
    help: 'Until when the open incident has to be over to meet its objective, in seconds since 1970; absent where none is open.',
    valueOf: ({ state }) => (state?.incident ? inSeconds(rtoStart(state.incident) + state.incident.objectiveMs) : null),
  },
  {
    name: 'docvitals_incident_notified_timestamp_seconds',
    help: 'When somebody was told of the open incident, in seconds since 1970; absent where nobody was, or none is open.',
    valueOf: ({ state }) => inSeconds(state?.incident?.notifiedAt),
  },
  {
    name: 'docvitals_incident_flapping',
    help: 'Whether the site goes up and down again and again; absent where no incident is open.',
    valueOf: ({ state }) => state?.incident?.flapping ?? null,
  },
];

/** With `site` and `check` as their labels. */
export const OF_CHECKS: readonly Gauges<CheckResult>[] = [
  {
    name: 'docvitals_check_duration_seconds',
    help: 'How long each check took.',
    valueOf: ({ durationMs }) => inSeconds(durationMs),
  },
  {
    name: 'docvitals_http_status_code',
    help: 'The HTTP status of the answer that each check judged; absent where none came or there was more than one.',
    valueOf: ({ httpStatus }) => httpStatus,
  },
  {
    name: 'docvitals_requests',
    help: 'How many requests each check sent in the last run.',
    valueOf: ({ requests, attempts }) => requests ?? attempts,
  },
];

function slowest(checks: readonly CheckResult[]): number | null {
  const times = checks.flatMap(({ timings, httpStatus }) => (httpStatus === null ? [] : [timings.totalMs]));
  return times.length === 0 ? null : Math.max(...times);
}

function inSeconds(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : ms / 1000;
}
