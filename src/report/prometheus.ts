/**
 * The text exposition format 0.0.4 of Prometheus. Every series has the site as a label; there are no timestamps, which
 * the textfile collector refuses, and one language, since it takes one help text for a metric.
 */
import type { RenderedPage } from '../browser/open.ts';
import type { CheckResult, Report, Status, Verdict, Waited } from '../core/check.ts';
import metrics from '../generated/metrics.json' with { type: 'json' };
import { printable } from '../text/printable.ts';
import { reportedSeverity } from '../core/verdict.ts';
import { groupsOf } from './groups.ts';

/** A metric of ours: `src/locales/metrics.yaml` says what it means, and its type. */
export type MetricName = keyof typeof metrics;

export type Labels = Readonly<Record<string, string>>;

/** A value that is `null` is left out. */
export type Sample = readonly [labels: Labels, value: number | boolean | null];

export interface Family {
  readonly name: MetricName;
  readonly samples: readonly Sample[];
}

/** A metric without samples is left out. */
export function exposition(families: readonly Family[]): string {
  return families
    .map(({ name, samples }) => {
      const { type, help } = metrics[name];
      const lines = samples.flatMap(([labels, value]) =>
        value === null ? [] : [`${name}${labelsText(labels)} ${Number(value)}\n`],
      );
      return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('');
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    const escaped = value.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
    return `${name}="${escaped}"`;
  });
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

export function gauge(name: MetricName, value: number | boolean | null, labels: Labels = {}): Family {
  return { name, samples: [[labels, value]] };
}

/** A sample for each state, so that a query sees a state end. */
export function states(name: string, all: readonly string[], current: string, labels: Labels): readonly Sample[] {
  return all.map((state) => [{ ...labels, [name]: state }, state === current]);
}

export function inSeconds(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : ms / 1000;
}

/** The last run of a site. Times in ms. */
export interface LastRun {
  readonly site: string;
  /** What one location measured; absent: all of them together, or the only one. */
  readonly location?: string;
  /** `null`: not reported. */
  readonly verdict: string | null;
  /** As in {@link isUp}. */
  readonly up: boolean | null;
  readonly fresh: boolean | null;
  readonly endedAt: number | null;
  readonly durationMs: number | null;
  readonly receivedBytes: number | null;
  readonly checks: readonly CheckResult[];
}

const STATUSES = ['pass', 'warn', 'fail', 'skip', 'unknown'] as const satisfies readonly Status[];
export const VERDICTS = ['healthy', 'degraded', 'down', 'stale', 'unknown'] as const satisfies readonly Verdict[];

/** Gauges of one kind of thing by their names: the value or samples of a thing. */
export type Gauges<T> = Readonly<
  Partial<Record<MetricName, (thing: T, labels: Labels) => Sample[1] | readonly Sample[]>>
>;

export function familiesOf<T>(gauges: Gauges<T>, things: readonly (readonly [labels: Labels, thing: T])[]) {
  return Object.entries(gauges).map(([name, valueOf]) => {
    const samples = things.flatMap(([labels, thing]): readonly Sample[] => {
      const value = valueOf(thing, labels);
      return typeof value === 'object' && value !== null ? value : [[labels, value]];
    });
    return { name: name as MetricName, samples };
  });
}

export function runFamilies(runs: readonly LastRun[], verdicts: readonly string[]): readonly Family[] {
  const gauges: Gauges<LastRun> = {
    docvitals_up: ({ up }) => up,
    docvitals_verdict: ({ verdict }, labels) =>
      verdict === null ? null : states('verdict', verdicts, verdict, labels),
    docvitals_fresh: ({ fresh }) => fresh,
    docvitals_last_run_timestamp_seconds: ({ endedAt }) => inSeconds(endedAt),
    docvitals_last_run_duration_seconds: ({ durationMs }) => inSeconds(durationMs),
    docvitals_last_run_received_bytes: ({ receivedBytes }) => receivedBytes,
    docvitals_tls_certificate_expiry_timestamp_seconds: ({ checks }) => certificateEnd(checks),
  };
  return familiesOf(
    gauges,
    runs.map((run) => [{ site: run.site, ...(run.location !== undefined && { location: run.location }) }, run]),
  );
}

const CHECK_GAUGES: Gauges<CheckResult> = {
  docvitals_check_status: ({ status }, labels) => states('status', STATUSES, status, labels),
  docvitals_check_duration_seconds: ({ durationMs }) => inSeconds(durationMs),
  docvitals_http_status_code: ({ httpStatus }) => httpStatus,
  docvitals_last_run_requests: ({ requests, attempts }) => requests ?? attempts,
  docvitals_findings: (result, labels) =>
    groupsOf(result).map((group) => {
      const severity = reportedSeverity(group);
      return [{ ...labels, rule: `${result.id}/${group.rule}`, severity }, group.count];
    }),
};

const PAGE_GAUGES: Gauges<RenderedPage> = {
  docvitals_page_first_heading_seconds: ({ headingMs }) => inSeconds(headingMs),
  docvitals_page_largest_contentful_paint_seconds: ({ largestPaintMs }) => inSeconds(largestPaintMs),
  docvitals_page_layout_shift: ({ layoutShift }) => layoutShift,
  docvitals_page_transferred_bytes: ({ transferredBytes }) => transferredBytes,
  docvitals_page_load_requests: ({ requests }) => requests,
};

/** Pages of a site that have series. */
const MOST_PAGES = 20;
const LONGEST_ROUTE = 200;

/** The checks of sites, and the pages that were opened in a browser, by their route: no two have the same labels. */
export function checkFamilies(runs: readonly Pick<LastRun, 'site' | 'checks'>[]): readonly Family[] {
  const results = runs.flatMap(({ site, checks }) =>
    checks.map((result) => [{ site, check: result.id }, result] as const),
  );
  const pages = runs.flatMap(({ site, checks }) => {
    const rendered = checks.flatMap((result) => result.rendered ?? []).slice(0, MOST_PAGES);
    const byRoute = new Map(rendered.map((page) => [printable(page.route || '/').slice(0, LONGEST_ROUTE), page]));
    return [...byRoute].map(([route, page]) => [{ site, route }, page] as const);
  });
  return [...familiesOf(CHECK_GAUGES, results), ...familiesOf(PAGE_GAUGES, pages)];
}

const WAIT_GAUGES: Gauges<Waited> = {
  docvitals_wait_limit_seconds: ({ forMs }) => inSeconds(forMs),
  docvitals_wait_elapsed_seconds: ({ elapsedMs }) => inSeconds(elapsedMs),
  docvitals_wait_runs: ({ runs }) => runs,
  docvitals_wait_first_new_seconds: ({ firstNewMs }) => inSeconds(firstNewMs),
  docvitals_wait_all_new_seconds: ({ allNewMs }) => inSeconds(allNewMs),
  docvitals_wait_all_passed_seconds: ({ allPassedMs }) => inSeconds(allPassedMs),
};

export function prometheusReport(report: Report): string {
  const { verdict, durationMs, receivedBytes = null, fresh, interrupted, tool, waited, checks } = report;
  const site = printable(report.site.url);
  const endedAt = Date.parse(report.startedAt) + durationMs;
  const run = { site, verdict, up: isUp(report), fresh, endedAt, durationMs, receivedBytes, checks };
  const version = { site, version: tool.version };
  return exposition([
    gauge('docvitals_build_info', 1, version),
    ...runFamilies([run], VERDICTS),
    gauge('docvitals_last_run_interrupted', interrupted, { site }),
    ...(waited === undefined ? [] : familiesOf(WAIT_GAUGES, [[{ site }, waited]])),
    ...checkFamilies([run]),
  ]);
}

/** Whether visitors get the site at all; `null`: that could not be determined. */
export function isUp({ verdict, checks }: Pick<Report, 'verdict' | 'checks'>): boolean | null {
  if (verdict === 'down') return false;
  const isObserved = checks.every(({ status, vital }) => status !== 'unknown' || vital !== true);
  return verdict === 'unknown' || !isObserved ? null : true;
}

/** In seconds since 1970, from the certificate's check, else from a connection that failed because of it. */
function certificateEnd(checks: readonly CheckResult[]): number | null {
  const own = checks.filter(({ role }) => role === 'certificate' || role === 'bundle');
  const refused = own.flatMap(({ findings }) => findings).filter(({ rule }) => rule.startsWith('tls-'));
  const reported = [own.find(({ role }) => role === 'certificate')?.facts, ...refused.map(({ evidence }) => evidence)];
  const validTo = reported.map((facts) => facts?.['validTo']).find((date) => typeof date === 'string') ?? '';
  const end = Date.parse(validTo);
  return Number.isNaN(end) ? null : end / 1000;
}
