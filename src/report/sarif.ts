/** SARIF 2.1.0 (OASIS Standard with Errata 01), for GitHub's code scanning and editors. Pure. */
import { jsonText } from './document.ts';
import { hash } from 'node:crypto';
import type { CheckResult, Report } from '../core/check.ts';
import type { EvidenceValue } from '../core/answer.ts';
import type { Finding, Location } from '../core/finding.ts';
import { printable } from '../text/printable.ts';
import { firstSentence, type Texts } from './texts.ts';
import { cutText } from './cut.ts';
import { factLines } from './facts.ts';
import { levelOf } from './groups.ts';
import { summaryOf } from './summary.ts';
import { repositoryLocationOf, type Locate, type RepositoryLocation } from './location.ts';
import type { ReportOptions } from './formats.ts';

/** Required by GitHub's code scanning. */
const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** Code scanning refuses more than 10 MB after gzip and more than 25,000 results: less than that before gzip is safe. */
const MOST_BYTES = 9_000_000;
const MOST_NOTIFICATIONS = 100;
/** An upper bound of the indentation of a line of a result. */
const INDENTATION = 10;
/** Code scanning takes 1,024 characters of a description. */
const LONGEST_DESCRIPTION = 1_000;
const LONGEST_FACTS = 2_000;
/** Code scanning refuses more than 1,000 locations of a result and shows 100. */
const MOST_RELATED = 100;

/** The worst first. */
const LEVELS = ['error', 'warning', 'note'] as const;

interface Reported {
  readonly result: CheckResult;
  readonly finding: Finding;
}

/** The report as a log with one run. What is unknown or left out is a notification of the run. */
export function sarifReport(report: Report, options: ReportOptions): string {
  const { texts, messages } = options;
  const { tool, site, verdict, strict, fresh, interrupted, waited, startedAt, durationMs } = report;
  const fingerprintOf = fingerprints(site.url);
  const reported = report.checks.flatMap((result) =>
    result.findings.flatMap((finding): Reported[] => (finding.cause === undefined ? [{ result, finding }] : [])),
  );
  const { unknown = [], known = [] } = Object.groupBy(reported, ({ finding }) =>
    finding.severity === null ? 'unknown' : 'known',
  );
  const rules = descriptorsOf(known, texts);
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const results = withinSize(known.map((one) => resultOf(one, site.url, indexes, fingerprintOf(one), options)));
  const notices = unknown.slice(0, MOST_NOTIFICATIONS);
  const noticeRules = descriptorsOf(notices, texts);
  const notifications = notices.map((one) => notificationOf(one, noticeRules, options));
  const leftOut = reported.length - results.length - notifications.length;
  const omitted = report.checks.flatMap((check) => Object.values(check.omitted ?? {})).reduce((a, b) => a + b, 0);
  const notes = [
    ...(interrupted ? [{ id: 'interrupted', text: messages.interrupted() }] : []),
    ...(leftOut > 0 ? [{ id: 'limit-reached', text: messages.leftOutOfSarif(leftOut) }] : []),
    ...(omitted > 0 ? [{ id: 'only-counted', text: messages.onlyCounted(omitted) }] : []),
  ].map(({ id, text }) => ({ descriptor: { id }, level: 'warning', message: { text } }));
  const driver = { ...tool, semanticVersion: tool.version, language: texts.language };
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { ...driver, rules, notifications: noticeRules } },
        language: texts.language,
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            startTimeUtc: startedAt,
            endTimeUtc: new Date(Date.parse(startedAt) + durationMs).toISOString(),
            executionSuccessful: !interrupted && verdict !== 'unknown',
            toolExecutionNotifications: [...notifications, ...notes],
          },
        ],
        results,
        properties: {
          site: site.url,
          verdict,
          summary: summaryOf(report, options),
          strict,
          fresh,
          interrupted,
          waited,
          leftOut: leftOut || undefined,
          omitted: omitted || undefined,
        },
      },
    ],
  };
  return `${jsonText(log)}\n`;
}

/** The worst that fit, in their order. */
function withinSize<R extends { readonly level: (typeof LEVELS)[number] }>(results: readonly R[]): readonly R[] {
  let left = MOST_BYTES;
  const worstFirst = results.toSorted((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level));
  const kept = worstFirst.filter((result) => {
    const text = jsonText(result);
    const bytes = Buffer.byteLength(text) + INDENTATION * text.split('\n').length;
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
  const isKept = new Set(kept);
  return results.filter((result) => isKept.has(result));
}

/** The `reportingDescriptor` objects (section 3.49) of a log, in the order of their first use. */
function descriptorsOf(all: readonly Reported[], texts: Texts) {
  const firsts = [...Map.groupBy(all, idOf).values()].flatMap((same) => same.slice(0, 1));
  return firsts.map((one) => descriptorOf(one, texts));
}

type Descriptors = ReturnType<typeof descriptorsOf>;

const idOf = ({ result, finding }: Reported): string => `${result.id}/${finding.rule}`;

function descriptorOf(reported: Reported, texts: Texts) {
  const { id } = reported.result;
  const { rule } = reported.finding;
  const { problem = rule, fix = '' } = texts.finding(id, rule) ?? {};
  const title = texts.title(id);
  return {
    id: idOf(reported),
    // `links/missing-anchor` → `LinksMissingAnchor`.
    name: idOf(reported).replaceAll(/(?:^|[^\p{L}\p{N}]+)([\p{L}\p{N}])/gu, (_, letter: string) =>
      letter.toUpperCase(),
    ),
    shortDescription: { text: cutText(plain(firstSentence(problem)), LONGEST_DESCRIPTION) },
    fullDescription: { text: cutText(plain(problem), LONGEST_DESCRIPTION) },
    helpUri: texts.docsUrl(id, rule),
    help: {
      text: plain([title, problem, fix].filter((part) => part !== '').join('\n\n')),
      markdown: `# ${title}\n\n${texts.section(id, rule) ?? `## ${rule}`}`,
    },
    defaultConfiguration: { level: levelOf(reported.finding) },
  };
}

function plain(text: string): string {
  return text.replaceAll(/`([^`]+)`/g, '$1');
}

/** A `result` object (section 3.27). `indexes`: of the rules in the log, by their ids. */
function resultOf(
  reported: Reported,
  site: string,
  indexes: ReadonlyMap<string, number>,
  fingerprint: string,
  options: ReportOptions,
) {
  const { result, finding } = reported;
  const { requests, attempts, httpStatus, url } = result;
  const primary = primaryLocation(finding, url, site, options.locate);
  // Of a line of the repository upload-sarif computes this fingerprint itself.
  const isLineOfRepository = primary.artifactLocation.uriBaseId !== undefined && primary.region !== undefined;
  const live = finding.location === undefined ? null : URL.parse(finding.location.path.toWellFormed(), site);
  const ruleId = idOf(reported);
  return {
    ruleId,
    ruleIndex: indexes.get(ruleId),
    level: levelOf(finding),
    message: { text: messageOf(reported, options) },
    locations: [{ physicalLocation: primary }],
    relatedLocations: relatedLocations(finding, primary, site, options.locate),
    partialFingerprints: {
      'docvitals/v1': fingerprint,
      // The only one that code scanning compares.
      primaryLocationLineHash: isLineOfRepository ? undefined : fingerprint,
    },
    // The request behind a finding (sections 3.46 and 3.47), where there was only one.
    ...(requests === undefined &&
      attempts > 0 && {
        webRequest: { method: 'GET', target: url },
        webResponse: httpStatus === null ? { noResponseReceived: true } : { statusCode: httpStatus },
      }),
    properties: { url: live?.href ?? url, evidence: finding.evidence },
  };
}

/** A `notification` object (section 3.58). */
function notificationOf(reported: Reported, notices: Descriptors, options: ReportOptions): object {
  const { result, finding } = reported;
  const id = idOf(reported);
  return {
    descriptor: { id, index: notices.findIndex((notice) => notice.id === id) },
    level: levelOf(finding),
    message: { text: messageOf(reported, options) },
    properties: { url: result.url, evidence: finding.evidence },
  };
}

function messageOf({ result, finding: { rule, evidence } }: Reported, { texts }: ReportOptions): string {
  const problem = texts.problem(result.id, rule);
  const facts = cutText(printable(factLines(evidence, texts.language).join(' · ')), LONGEST_FACTS);
  return literal(facts === '' ? problem : `${problem}\n${facts}`);
}

/** Plain text as a message string, without placeholders (section 3.11.5) and embedded links (3.11.6). */
export function literal(text: string): string {
  return text.replaceAll('](', '] (').replaceAll(/\{(\d+)\}/g, '{{$1}}');
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Makes the fingerprints of the results of one log. Equal ones are numbered. */
function fingerprints(site: string): (reported: Reported) => string {
  const counts = new Map<string, number>();
  // Previews have other addresses, and names for missing files are random.
  const lasting = (value?: EvidenceValue): EvidenceValue | undefined =>
    typeof value === 'string' ? value.slice(value.startsWith(site) ? site.length : 0).replaceAll(UUID, '') : value;
  return ({ result, finding: { rule, evidence, location } }) => {
    const { target, path, page, link, url, anchor, setting, value, agent, language, prefix } = evidence;
    // What identifies a finding, whatever its line is.
    const identity = [target, path, page, link, url, anchor, setting, value, agent, language, prefix].map(lasting);
    const name = hash('sha256', JSON.stringify([result.id, rule, location?.path ?? null, identity])).slice(0, 16);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return `${name}:${count}`;
  };
}

/*
 * Locations (sections 3.28 and 3.29): relative to `%SRCROOT%` in the repository, else `docs.example.com/guide.md`. Code
 * scanning refuses a file in which one result has no location or an `https:` one.
 */

interface PhysicalLocation {
  readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: '%SRCROOT%' };
  /** Absent: the file as a whole. */
  readonly region?: object;
}

/** In the repository, on the site, or the `url` that the check requested. */
function primaryLocation(finding: Finding, url: string, site: string, locate: Locate): PhysicalLocation {
  if (finding.location !== undefined) return physicalOf(finding.location, site, locate);
  const known = repositoryLocationOf(finding, locate);
  if (known !== null) return inRepository(known);
  return { artifactLocation: { uri: siteUri(url) ?? siteUri(site) ?? 'site' } };
}

function relatedLocations({ locations = [] }: Finding, primary: PhysicalLocation, site: string, locate: Locate) {
  const all = locations.map((location) => physicalOf(location, site, locate));
  const others = new Map(all.map((physical) => [JSON.stringify(physical), physical]));
  others.delete(JSON.stringify(primary));
  const related = [...others.values()].slice(0, MOST_RELATED);
  if (related.length === 0) return undefined;
  return related.map((physicalLocation, index) => ({ id: index + 1, physicalLocation }));
}

function physicalOf(location: Location, site: string, locate: Locate): PhysicalLocation {
  const known = locate(location);
  if (known !== null) return inRepository(known);
  const { path, line, column } = location;
  const uri = [siteUri(site) ?? 'site', ...segmentsOf(path)].join('/');
  return { artifactLocation: { uri }, region: regionOf(line, column) };
}

function inRepository({ file, line, column }: RepositoryLocation): PhysicalLocation {
  return {
    artifactLocation: { uri: file.split('/').map(encoded).join('/'), uriBaseId: '%SRCROOT%' },
    ...(line !== null && { region: regionOf(line, column ?? 1) }),
  };
}

/** One character: the end is not known. */
function regionOf(line: number, column: number): object {
  return { startLine: line, startColumn: column, endLine: line, endColumn: column + 1 };
}

/** `https://docs.example.com:8080/a/` → `docs.example.com%3A8080/a`; `null` for anything but a web address. */
function siteUri(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.host === '') return null;
  return [encodeURIComponent(parsed.host), ...segmentsOf(decoded(parsed.pathname))].join('/');
}

/** A path must not lead out of the site's name. */
function segmentsOf(path: string): readonly string[] {
  const segments = path.split('/').filter((segment) => !['', '.', '..'].includes(segment));
  return segments.map(encoded);
}

const encoded = (segment: string): string => encodeURIComponent(segment.toWellFormed());

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
