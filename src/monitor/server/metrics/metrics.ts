/** `/metrics`. */
import type { MonitorView, SiteView } from '../../view.ts';
import { exposition, type Answered } from '../answer.ts';
import type { CheckResult, Status } from '../../../check.ts';
import { printable } from '../../../printable.ts';
import { groupsOf } from '../../../report/groups.ts';
import { siteStatusAt, type SiteVerdict } from '../../site-state.ts';
import { rtoStart } from '../../incident/document.ts';
import { certificateEnd, isUp } from '../../../report/prometheus.ts';

export type Metrics = () => Promise<Answered>;

/** Many readers at once cost one reading; no reader gets figures that are older than this, in milliseconds. */
const KEPT_MS = 1_000;

/** Metrics of a monitor. prom-client is loaded with the first request. */
export function createMetrics(view: MonitorView): Metrics {
  let loading: Promise<() => Promise<string>> | undefined;
  let kept: { readonly until: number; readonly answered: Promise<Answered> } | undefined;
  const read = async (): Promise<Answered> => {
    loading ??= import('./monitor-metrics.ts').then(({ monitorMetrics }) => monitorMetrics(view));
    const text = await (await loading)();
    return exposition(Buffer.concat([Buffer.from(`${text}\n`), await siteMetrics(view.sites(), view.now())]));
  };
  return () => {
    const now = performance.now();
    if (kept !== undefined && now < kept.until) return kept.answered;
    const answered = read();
    kept = { until: now + KEPT_MS, answered };
    // A failure is not kept: out of file descriptors, perhaps.
    answered.catch(() => (kept = loading = undefined));
    return answered;
  };
}

/*
 * What is known of each site, as metrics. What `docvitals check --format prometheus` tells as well has its names, help,
 * labels and meaning here too; only that `site` is the id of the configuration, whose URL `docvitals_site_info` has.
 */

const STATUSES = ['pass', 'warn', 'fail', 'skip', 'unknown'] as const satisfies readonly Status[];
const VERDICTS = [
  'healthy',
  'degraded',
  'down',
  'stale',
  'unknown',
  'unstable',
] as const satisfies readonly SiteVerdict[];

/** A site with the labels that its lines begin with. */
interface Labelled {
  readonly facts: SiteFacts;
  /** `site="docs"` */
  readonly site: string;
  /** Each check's result behind `site="docs",check="bundle"`. */
  readonly checks: readonly (readonly [string, CheckResult])[];
}

/** All metrics of all sites at `now` as text, in UTF-8; what is not known of a site has no sample. */
export async function siteMetrics(views: readonly SiteView[], now: number): Promise<Buffer> {
  const sites = await Promise.all(views.map((view) => labelled(view, now)));
  const output = new Exposition();
  info(sites, output);
  verdicts(sites, output);
  for (const { name, help, valueOf } of OF_SITES) {
    output.family(name, 'gauge', help, (add) => {
      for (const { site, facts } of sites) add(site, valueOf(facts));
    });
  }
  statuses(sites, output);
  for (const { name, help, valueOf } of OF_CHECKS) {
    output.family(name, 'gauge', help, (add) => {
      for (const { checks } of sites) for (const [labels, result] of checks) add(labels, valueOf(result));
    });
  }
  findings(sites, output);
  return output.bytes();
}

async function labelled(view: SiteView, now: number): Promise<Labelled> {
  const site = label('site', view.site.id);
  const results = [...view.results.values()];
  return {
    facts: { ...view, verdict: (await siteStatusAt(view, now)).verdict, checks: results },
    site,
    checks: results.map((result) => [`${site},${label('check', result.id)}`, result]),
  };
}

function info(sites: readonly Labelled[], output: Exposition): void {
  const help = 'The sites of the monitor: their URL and title, as labels.';
  output.family('docvitals_site_info', 'gauge', help, (add) => {
    for (const { site, facts } of sites) {
      add(`${site},${label('url', printable(facts.url))},${label('title', printable(facts.site.title))}`, 1);
    }
  });
}

function verdicts(sites: readonly Labelled[], output: Exposition): void {
  const help = 'The verdict of the last run: 1 for the one that holds, 0 for the others.';
  output.family('docvitals_verdict', 'gauge', help, (add) => {
    for (const { site, facts } of sites) states(add, site, 'verdict', VERDICTS, facts.verdict);
  });
}

function statuses(sites: readonly Labelled[], output: Exposition): void {
  const help = 'How each check ended: 1 for the status that holds, 0 for the others.';
  output.family('docvitals_check_status', 'gauge', help, (add) => {
    for (const { checks } of sites) {
      for (const [labels, { status }] of checks) states(add, labels, 'status', STATUSES, status);
    }
  });
}

function findings(sites: readonly Labelled[], output: Exposition): void {
  const help = 'How many findings of each code there are; a code without findings is absent.';
  output.family('docvitals_findings', 'gauge', help, (add) => {
    for (const { checks } of sites) for (const [labels, result] of checks) codes(add, labels, result);
  });
}

/** Most checks have one finding or none, and there are many checks. */
function codes(add: AddSample, labels: string, result: CheckResult): void {
  const [first, ...more] = result.findings;
  if (first === undefined) return;
  const groups = more.length === 0 && result.omitted === undefined ? [{ ...first, count: 1 }] : groupsOf(result);
  for (const { rule, severity, count } of groups) add(`${labels},${label('code', rule)},severity="${severity}"`, count);
}

/** A state set: a line for each state, so that a query sees a state end. */
function states(add: AddSample, labels: string, name: string, all: readonly string[], state: string): void {
  for (const one of all) add(`${labels},${name}="${one}"`, one === state ? 1 : 0);
}

/**
 * Writes the text exposition format 0.0.4. A thousand sites with all their checks are more than fifty thousand lines:
 * what all lines of a site and of a check share is written once, no object is made for a line, and lines become bytes
 * before there are so many that the memory they take is costly to give back.
 */

/** Lines wait to become bytes until they have so many UTF-16 code units. */
const ENOUGH = 16_384;

/** A label's value: backslash, quote and line feed escaped. */
function labelText(text: string): string {
  return /[\\"\n]/.test(text) ? text.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`) : text;
}

/** `name="value"` */
function label(name: string, value: string): string {
  return `${name}="${labelText(value)}"`;
}

/** Adds a line: labels as they stand between the braces. `null`: it is not known, and there is no line. */
type AddSample = (labels: string, value: number | boolean | null) => void;

/** Metrics, one after the other. */
class Exposition {
  readonly #bytes: Buffer[] = [];
  #lines = '';

  /** One metric with its samples; nothing at all where there are none. */
  family(name: string, type: 'gauge' | 'counter', help: string, fill: (add: AddSample) => void): void {
    let head = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    fill((labels, value) => {
      if (value === null) return;
      this.#lines += `${head}${name}{${labels}} ${Number(value)}\n`;
      head = '';
      if (this.#lines.length > ENOUGH) this.#flush();
    });
  }

  /** All that was written, in UTF-8. */
  bytes(): Buffer {
    this.#flush();
    return Buffer.concat(this.#bytes);
  }

  #flush(): void {
    this.#bytes.push(Buffer.from(this.#lines));
    this.#lines = '';
  }
}

/* The gauges of sites and of their checks: name, help, and what a site has of it. `null`: there is no sample. */

type Value = number | boolean | null;

/** A gauge with one sample for each site, or check. */
interface Gauges<T> {
  readonly name: string;
  readonly help: string;
  readonly valueOf: (of: T) => Value;
}

/** A site, its state at this moment, its last results in a list. */
interface SiteFacts extends SiteView {
  readonly verdict: SiteVerdict;
  readonly checks: readonly CheckResult[];
}

/** With `site` as their only label. */
const OF_SITES: readonly Gauges<SiteFacts>[] = [
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
const OF_CHECKS: readonly Gauges<CheckResult>[] = [
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
