import type { CheckResult, Evidence, Finding, Location, Report, Status } from '../check.ts';
import { withoutCommands } from '../printable.ts';
import type { Measures, RenderedPage } from '../browser/types.ts';
import type { Language, Texts } from '../texts.ts';
import { LOCATE_NOTHING, type Locate, type ReportOptions, type RepositoryLocation } from './options.ts';

/** What the JSON output is: see `report.schema.json`. */
export interface ReportDocument extends Omit<Report, 'strict' | 'checks'> {
  readonly schemaVersion: 1;
  readonly language: Language;
  /** Absent in reports of earlier versions, as `receivedBytes` is. */
  readonly strict?: boolean;
  readonly summary: Readonly<Record<Status, number>>;
  readonly checks: readonly CheckDocument[];
}

type ResultFacts = Omit<CheckResult, 'role' | 'vital' | 'findings' | 'skipped' | 'rendered'>;

export interface CheckDocument extends ResultFacts {
  readonly title: string;
  readonly findings: readonly FindingDocument[];
  readonly skipped?: { readonly code: string; readonly reason: string };
  readonly remediation?: string;
  readonly pages?: readonly PageDocument[];
}

export interface PageDocument extends Measures {
  readonly route: string;
  readonly ok: boolean;
}

export interface FindingDocument {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly problem: string;
  readonly fix: string;
  /** Absent in reports of earlier versions. */
  readonly docsUrl?: string;
  readonly evidence: Evidence;
  /** The finding that explains this one, as `<check id>/<code>`. */
  readonly cause?: string;
  readonly location?: LocationDocument;
  readonly places?: readonly LocationDocument[];
}

/** A place on the site, and the same in the repository where it is known there. */
export interface LocationDocument extends Location {
  readonly repository?: RepositoryLocation;
}

/** Joins a report with the texts of one language. */
export function toDocument(report: Report, texts: Texts, locate: Locate = LOCATE_NOTHING): ReportDocument {
  return {
    schemaVersion: 1,
    tool: report.tool,
    site: report.site,
    language: texts.language,
    startedAt: report.startedAt,
    durationMs: report.durationMs,
    ...(report.receivedBytes === undefined ? {} : { receivedBytes: report.receivedBytes }),
    verdict: report.verdict,
    strict: report.strict,
    interrupted: report.interrupted,
    fresh: report.fresh,
    ...(report.waited === undefined ? {} : { waited: report.waited }),
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

function checkDocument(result: CheckResult, texts: Texts, locate: Locate): CheckDocument {
  const { skipped, findings, rendered, ...facts } = result;
  const text = texts.check(result.id);
  const wantsAction = result.status === 'fail' || result.status === 'warn';
  return {
    id: facts.id,
    title: text?.title ?? result.id,
    target: facts.target,
    url: facts.url,
    status: facts.status,
    httpStatus: facts.httpStatus,
    ...(facts.revalidated === undefined ? {} : { revalidated: facts.revalidated }),
    durationMs: facts.durationMs,
    attempts: facts.attempts,
    timings: facts.timings,
    ...(facts.requests === undefined ? {} : { requests: facts.requests }),
    ...(facts.facts === undefined ? {} : { facts: facts.facts }),
    findings: findings.map((finding) => findingDocument(result.id, finding, texts, locate)),
    ...(facts.omitted === undefined ? {} : { omitted: facts.omitted }),
    ...(skipped === undefined
      ? {}
      : { skipped: { code: skipped.rule, reason: texts.finding(result.id, skipped.rule)?.problem ?? skipped.rule } }),
    ...(wantsAction ? { remediation: text?.degraded ?? '' } : {}),
    ...(rendered === undefined ? {} : { pages: rendered.map(pageDocument) }),
  };
}

function pageDocument(page: RenderedPage): PageDocument {
  const { headingMs, largestPaintMs, layoutShift, transferredBytes, requests } = page;
  return { route: page.route, ok: page.isOk, headingMs, largestPaintMs, layoutShift, transferredBytes, requests };
}

function findingDocument(id: string, finding: Finding, texts: Texts, locate: Locate): FindingDocument {
  const { severity, location, locations, cause } = finding;
  const text = texts.finding(id, finding.rule);
  const docsUrl = texts.docsUrl(id, finding.rule);
  return {
    code: finding.rule,
    // `unknown` is not a fault of the site.
    severity: severity === 'error' || severity === 'info' ? severity : 'warning',
    problem: text?.problem ?? finding.rule,
    fix: text?.fix ?? '',
    ...(docsUrl === undefined ? {} : { docsUrl }),
    evidence: finding.evidence,
    ...(cause === undefined ? {} : { cause }),
    ...(location === undefined ? {} : { location: locationDocument(location, locate) }),
    ...(locations === undefined ? {} : { places: locations.map((target) => locationDocument(target, locate)) }),
  };
}

function locationDocument(location: Location, locate: Locate): LocationDocument {
  const repository = locate(location);
  return repository === null ? location : { ...location, repository };
}

/** What JSON may have as it is, but a terminal or an editor would act on. */
const ACTING = /[^\n\P{C}]|[\p{Zl}\p{Zp}]/gu;

/** The report as JSON (RFC 8259); ends with a newline. */
export function jsonReport(report: Report, { texts, locate }: Pick<ReportOptions, 'texts' | 'locate'>): string {
  return `${jsonText(toDocument(report, texts, locate))}\n`;
}

/** Indented JSON that nothing acts on: no terminal, and no CI service. */
export function jsonText(value: unknown): string {
  // Outside of strings no number sign occurs, and no line begins with a colon.
  return withoutCommands(JSON.stringify(value, null, 2).replaceAll(ACTING, escaped), String.raw`\u005b`);
}

/** One escape for each UTF-16 unit. */
function escaped(character: string): string {
  const units = character.split('');
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}
