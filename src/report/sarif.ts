import type { Report } from '../check.ts';
import { jsonText } from './json.ts';
import type { ReportOptions } from './options.ts';
import { Results, type Reported } from './sarif-results.ts';
import { Descriptors, type Level } from './sarif-rules.ts';
import { summaryOf } from './summary.ts';

/** GitHub's code scanning wants it, and editors check the log by it. */
const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/**
 * Code scanning refuses files of more than 10 MB after gzip, whatever they hold, and more than 25,000 results. Less
 * than that before gzip is always taken, and has no room for so many.
 */
const MOST_BYTES = 9_000_000;
const MOST_NOTIFICATIONS = 100;
/** An upper bound of the indentation of a line of a result in the whole log. */
const INDENTATION = 10;

const WORST_FIRST: Readonly<Record<Level, number>> = { error: 0, warning: 1, note: 2 };

/**
 * The report as a SARIF 2.1.0 log (OASIS Standard with Errata 01) with one run; ends with a newline. What could not be
 * told, and what was left out, are notifications of the run.
 */
export function sarifReport(report: Report, options: ReportOptions): string {
  const rules = new Descriptors(options.texts);
  const notices = new Descriptors(options.texts);
  const results = new Results(report.site.url, rules, options);
  const reported = report.checks.flatMap((result) => result.findings.map((finding): Reported => ({ result, finding })));
  const isUnknown = ({ finding }: Reported): boolean => finding.severity === 'unknown';
  const kept = withinSize(reported.filter((one) => !isUnknown(one)).map((one) => results.result(one)));
  const unknown = reported.filter(isUnknown);
  const notifications = unknown.slice(0, MOST_NOTIFICATIONS).map((one) => results.notification(one, notices));
  const leftOut = reported.length - kept.length - notifications.length;
  const omitted = omittedOf(report);
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { ...driver(report, options), rules: rules.all(), notifications: notices.all() } },
        language: options.texts.language,
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            ...times(report),
            executionSuccessful: !report.interrupted && report.verdict !== 'unknown',
            toolExecutionNotifications: [...notifications, ...ofTheRun(report, { leftOut, omitted }, options)],
          },
        ],
        results: kept,
        properties: aboutTheRun(report, { leftOut, omitted }, options),
      },
    ],
  };
  return `${jsonText(log)}\n`;
}

/** The worst that fit, in their order. */
function withinSize<R extends { readonly level: Level }>(results: readonly R[]): readonly R[] {
  const sized = results.map((result) => {
    const text = jsonText(result);
    return { result, bytes: Buffer.byteLength(text) + INDENTATION * text.split('\n').length };
  });
  const total = sized.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= MOST_BYTES) return results;
  const kept = new Set<R>();
  let left = MOST_BYTES;
  for (const { result, bytes } of sized.toSorted((a, b) => WORST_FIRST[a.result.level] - WORST_FIRST[b.result.level])) {
    if (bytes > left) continue;
    left -= bytes;
    kept.add(result);
  }
  return results.filter((result) => kept.has(result));
}

function driver({ tool: { name, version } }: Report, { texts }: ReportOptions) {
  return { name, version, semanticVersion: version, language: texts.language };
}

function times({ startedAt, durationMs }: Report) {
  const began = Date.parse(startedAt);
  return { startTimeUtc: startedAt, endTimeUtc: new Date(began + durationMs).toISOString() };
}

/** Findings that are not in the log: for want of room, and those that no report tells one by one. */
interface NotReported {
  readonly leftOut: number;
  readonly omitted: number;
}

function omittedOf({ checks }: Report): number {
  return checks.flatMap(({ omitted = {} }) => Object.values(omitted)).reduce((sum, count) => sum + count, 0);
}

/** What is to be known of the run as a whole. */
function ofTheRun({ interrupted }: Report, { leftOut, omitted }: NotReported, { messages }: ReportOptions) {
  const notes = [
    ...(interrupted ? [{ id: 'interrupted', text: messages.interrupted() }] : []),
    ...(leftOut > 0 ? [{ id: 'left-out', text: messages.leftOutOfSarif(leftOut) }] : []),
    ...(omitted > 0 ? [{ id: 'only-counted', text: messages.onlyCounted(omitted) }] : []),
  ];
  return notes.map(({ id, text }) => ({ descriptor: { id }, level: 'warning', message: { text } }));
}

function aboutTheRun(report: Report, { leftOut, omitted }: NotReported, { messages }: ReportOptions) {
  const { site, verdict, strict, fresh, interrupted, waited } = report;
  return {
    site: site.url,
    verdict,
    summary: summaryOf(report, messages),
    strict,
    fresh,
    interrupted,
    ...(waited === undefined ? {} : { waited }),
    ...(leftOut > 0 ? { leftOut } : {}),
    ...(omitted > 0 ? { omitted } : {}),
  };
}
