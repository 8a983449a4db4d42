import type { CheckResult, Report, Status } from '../core/check.ts';
import type { Finding, Location } from '../core/finding.ts';
import { reportedSeverity } from '../core/verdict.ts';
import { unicodeEscapes, withoutCommands } from '../text/printable.ts';
import type { RenderedPage } from '../browser/open.ts';
import type { Texts } from './texts.ts';
import type { Locate, RepositoryLocation } from './location.ts';

/** What the JSON output is: see `report.schema.json`. */
export type ReportDocument = ReturnType<typeof toDocument>;
/** A check in the JSON report. */
export type CheckDocument = ReturnType<typeof checkDocument>;
/** A finding in the JSON report. */
export type FindingDocument = ReturnType<typeof findingDocument>;

/** A location on the site, and the same in the repository where it is known there. */
export interface LocationDocument extends Location {
  readonly repository?: RepositoryLocation;
}

/** Joins a report with the texts of one language. */
export function toDocument(report: Report, texts: Texts, locate: Locate = () => null) {
  return {
    schemaVersion: 1 as const,
    tool: report.tool,
    site: report.site,
    language: texts.language,
    startedAt: report.startedAt,
    durationMs: report.durationMs,
    ...(report.receivedBytes !== undefined && { receivedBytes: report.receivedBytes }),
    verdict: report.verdict,
    strict: report.strict,
    interrupted: report.interrupted,
    fresh: report.fresh,
    ...(report.waited !== undefined && { waited: report.waited }),
    summary: countStatuses(report.checks),
    checks: report.checks.map((result) => checkDocument(result, texts, locate)),
  };
}

export function countStatuses(checks: readonly Pick<CheckResult, 'status'>[]): Record<Status, number> {
  const counts = { pass: 0, warn: 0, fail: 0, skip: 0, unknown: 0 };
  for (const { status } of checks) counts[status] += 1;
  return counts;
}

/** How long the site took to answer, without the evaluation; of many requests all of it. In milliseconds. */
export function timeOf({ attempts, durationMs, timings }: CheckResult): number {
  return attempts === 0 ? durationMs : timings.totalMs;
}

function checkDocument(result: CheckResult, texts: Texts, locate: Locate) {
  const { id, status, findings, revalidated, requests, facts, omitted, skipped, rendered } = result;
  const text = texts.check(id);
  return {
    id,
    title: text?.title ?? id,
    target: result.target,
    url: result.url,
    status,
    httpStatus: result.httpStatus,
    ...(revalidated && { revalidated }),
    durationMs: result.durationMs,
    attempts: result.attempts,
    timings: result.timings,
    ...(requests !== undefined && { requests }),
    ...(facts && { facts }),
    findings: findings.map((finding) => findingDocument(id, finding, texts, locate)),
    ...(omitted && { omitted: withRuleIds(id, omitted) }),
    ...(skipped && { skipped: { rule: `${id}/${skipped.rule}`, reason: texts.problem(id, skipped.rule) } }),
    ...((status === 'fail' || status === 'warn') && { documentedAction: text?.degraded ?? '' }),
    ...(rendered && { pages: rendered.map(pageDocument) }),
  };
}

/** Numbers by the names of rules become numbers by their ids. */
function withRuleIds(id: string, omitted: NonNullable<CheckResult['omitted']>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(omitted).map(([rule, count]) => [`${id}/${rule}`, count]));
}

function pageDocument(page: RenderedPage) {
  const { route, isOk, headingMs, largestPaintMs, layoutShift, transferredBytes, requests } = page;
  return { route, ok: isOk, headingMs, largestPaintMs, layoutShift, transferredBytes, requests };
}

function findingDocument(id: string, finding: Finding, texts: Texts, locate: Locate) {
  const { location, locations, cause } = finding;
  const text = texts.finding(id, finding.rule);
  const docsUrl = texts.docsUrl(id, finding.rule);
  return {
    rule: `${id}/${finding.rule}`,
    severity: reportedSeverity(finding),
    problem: text?.problem ?? finding.rule,
    fix: text?.fix ?? '',
    ...(docsUrl !== undefined && { docsUrl }),
    evidence: finding.evidence,
    ...(cause !== undefined && { cause }),
    ...(location && { location: locationDocument(location, locate) }),
    ...(locations && { locations: locations.map((target) => locationDocument(target, locate)) }),
  };
}

function locationDocument(location: Location, locate: Locate): LocationDocument {
  const repository = locate(location);
  return repository === null ? location : { ...location, repository };
}

/** What JSON may have as it is, but a terminal or an editor would act on. */
const ACTING = /[^\n\P{C}]|[\p{Zl}\p{Zp}]/gu;

/** The report as JSON (RFC 8259); ends with a newline. */
export function jsonReport(report: Report, { texts, locate }: { texts: Texts; locate: Locate }): string {
  return `${jsonText(toDocument(report, texts, locate))}\n`;
}

/** Indented JSON that nothing acts on: no terminal, and no CI service. */
export function jsonText(value: unknown): string {
  // Outside of strings no number sign occurs, and no line begins with a colon.
  return withoutCommands(JSON.stringify(value, null, 2).replaceAll(ACTING, unicodeEscapes), String.raw`\u005b`);
}
