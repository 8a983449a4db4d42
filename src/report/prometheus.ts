/**
 * The text exposition format 0.0.4 of Prometheus, for the textfile collector of node_exporter.
 *
 * Every series has the site as a label, so that the files of several sites stand beside one another, and the help is in
 * one language, since the collector takes one help text for a metric. Nothing has a timestamp: the collector refuses
 * them. Labels are ids, codes and words of closed lists, never what a site sends.
 */
import type { CheckResult, Report, Status, Verdict, Waited } from '../check.ts';
import { printable } from '../printable.ts';
import { groupsOf } from './groups.ts';

const STATUSES = ['pass', 'warn', 'fail', 'skip', 'unknown'] as const satisfies readonly Status[];
const VERDICTS = ['healthy', 'degraded', 'down', 'stale', 'unknown'] as const satisfies readonly Verdict[];

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** All samples of one gauge. */
interface Family {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** The report as metrics; ends with a newline. A gauge that nothing is known for has no samples and is left out. */
export function prometheusReport(report: Report): string {
  const families = [...runFamilies(report), ...waitFamilies(report.waited), ...checkFamilies(report.checks)];
  const site = printable(report.site.url);
  return families
    .filter(({ samples }) => samples.length > 0)
    .map((family) => familyText(family, site))
    .join('');
}

function familyText({ name, help, samples }: Family, site: string): string {
  const lines = samples.map(({ labels, value }) => {
    const pairs = Object.entries({ site, ...labels }).map(([label, text]) => `${label}="${labelText(text)}"`);
    return `${name}{${pairs.join(',')}} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
}

function labelText(text: string): string {
  return text.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
}

function runFamilies(report: Report): readonly Family[] {
  const { verdict, durationMs, fresh, interrupted, tool } = report;
  return [
    one('docvitals_build_info', 'The version of docvitals that wrote this, as a label.', 1, { version: tool.version }),
    one('docvitals_up', 'Whether visitors get the site at all; absent where that could not be told.', isUp(report)),
    {
      name: 'docvitals_verdict',
      help: 'The verdict of the last run: 1 for the one that holds, 0 for the others.',
      samples: states('verdict', VERDICTS, verdict),
    },
    one('docvitals_fresh', 'Whether the expected version is live; absent where none was expected or told.', fresh),
    one('docvitals_last_run_timestamp_seconds', 'When the last run ended, in seconds since 1970.', endOf(report)),
    one('docvitals_last_run_duration_seconds', 'How long the last run took.', durationMs / 1000),
    one('docvitals_last_run_interrupted', 'Whether the last run was stopped before its end.', interrupted),
    one(
      'docvitals_tls_certificate_expiry_timestamp_seconds',
      "When the site's certificate ends, in seconds since 1970; absent where no check saw it.",
      certificateEnd(report.checks),
    ),
  ];
}

/** Whether visitors get the site at all; `null`: that could not be reported. */
export function isUp({ verdict, checks }: Pick<Report, 'verdict' | 'checks'>): boolean | null {
  if (verdict === 'down') return false;
  const isObserved = checks.every(({ status, vital }) => status !== 'unknown' || vital !== true);
  return verdict === 'unknown' || !isObserved ? null : true;
}

function waitFamilies(waited: Waited | undefined): readonly Family[] {
  if (waited === undefined) return [];
  const { forMs, elapsedMs, rounds, firstNewMs, allNewMs, allGreenMs } = waited;
  return [
    one('docvitals_wait_limit_seconds', 'How long the last run was to wait for the site at most.', inSeconds(forMs)),
    one('docvitals_wait_elapsed_seconds', 'How long the last run waited for the site.', inSeconds(elapsedMs)),
    one('docvitals_wait_rounds', 'How often the site was asked while the last run waited.', rounds),
    one(
      'docvitals_wait_first_new_seconds',
      'From the beginning of the waiting to the first sign of the new version; absent where it did not come to that.',
      inSeconds(firstNewMs),
    ),
    one(
      'docvitals_wait_all_new_seconds',
      'From the beginning of the waiting until all samples were new; absent where it did not come to that.',
      inSeconds(allNewMs),
    ),
    one(
      'docvitals_wait_all_green_seconds',
      'From the beginning of the waiting until all was well; absent where it did not come to that.',
      inSeconds(allGreenMs),
    ),
  ];
}

function checkFamilies(checks: readonly CheckResult[]): readonly Family[] {
  return [
    {
      name: 'docvitals_check_status',
      help: 'How each check ended: 1 for the status that holds, 0 for the others.',
      samples: checks.flatMap(({ id, status }) => states('status', STATUSES, status, { check: id })),
    },
    perCheck('docvitals_check_duration_seconds', 'How long each check took.', checks, ({ durationMs }) =>
      inSeconds(durationMs),
    ),
    perCheck(
      'docvitals_http_status_code',
      'The HTTP status of the answer that each check judged; absent where none came or there was more than one.',
      checks,
      ({ httpStatus }) => httpStatus,
    ),
    perCheck(
      'docvitals_requests',
      'How many requests each check sent in the last run.',
      checks,
      ({ requests, attempts }) => requests ?? attempts,
    ),
    {
      name: 'docvitals_findings',
      help: 'How many findings of each code there are; a code without findings is absent.',
      samples: checks.flatMap((result) =>
        groupsOf(result).map(({ id, rule, severity, count }) => ({
          labels: { check: id, code: rule, severity },
          value: count,
        })),
      ),
    },
  ];
}

function perCheck(
  name: string,
  help: string,
  checks: readonly CheckResult[],
  valueOf: (result: CheckResult) => number | null,
): Family {
  const samples = checks.flatMap((result) => {
    const value = valueOf(result);
    return value === null ? [] : [{ labels: { check: result.id }, value }];
  });
  return { name, help, samples };
}

/** A gauge with one sample, or with none for `null`. */
function one(
  name: string,
  help: string,
  value: number | boolean | null,
  labels: Readonly<Record<string, string>> = {},
): Family {
  return { name, help, samples: value === null ? [] : [{ labels, value: Number(value) }] };
}

/** A state set: a sample for each state, so that a query sees a state end. */
function states(
  label: string,
  all: readonly string[],
  state: string,
  labels: Readonly<Record<string, string>> = {},
): readonly Sample[] {
  return all.map((name) => ({ labels: { ...labels, [label]: name }, value: name === state ? 1 : 0 }));
}

function inSeconds(ms: number): number;
function inSeconds(ms: number | null): number | null;
function inSeconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}

/** Seconds since 1970. */
function endOf({ startedAt, durationMs }: Report): number {
  return (Date.parse(startedAt) + durationMs) / 1000;
}

/**
 * The end of the site's certificate in seconds since 1970: as the check of the certificate read it, or as the evidence of a connection
 * for the bundle that was given up because of it; `null`: nothing saw it.
 */
export function certificateEnd(checks: readonly CheckResult[]): number | null {
  const own = checks.filter(({ role }) => role === 'certificate' || role === 'bundle');
  const refused = own.flatMap(({ findings }) => findings).filter(({ rule }) => rule.startsWith('tls-'));
  const reported = [own.find(({ role }) => role === 'certificate')?.facts, ...refused.map(({ evidence }) => evidence)];
  const validTo = reported.map((facts) => facts?.['validTo']).find((date) => typeof date === 'string') ?? '';
  const end = Date.parse(validTo);
  return Number.isNaN(end) ? null : end / 1000;
}
