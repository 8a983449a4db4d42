/** SARIF 2.1.0 (OASIS Standard with Errata 01), for GitHub's code scanning and editors. Pure. */
import { jsonText } from './document.ts';
import { createHash } from 'node:crypto';
import type { CheckResult, EvidenceValue, Finding, Location, Report, Severity } from '../check.ts';
import { printable } from '../printable.ts';
import type { Texts } from '../texts.ts';
import { cutText } from './cut.ts';
import { factLines } from './facts.ts';
import { problemOf, summaryOf, titleOf } from './groups.ts';
import { repositoryLocationOf } from './location.ts';
import type { Locate, ReportOptions, RepositoryLocation } from './options.ts';

/** GitHub's code scanning requires it, and editors validate the log with it. */
const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/**
 * Code scanning refuses files of more than 10 MB after gzip, whatever they hold, and more than 25,000 results. Less
 * than that before gzip is always taken, and has no room for so many.
 */
const MOST_BYTES = 9_000_000;
const MOST_NOTIFICATIONS = 100;
/** An upper bound of the indentation of a line of a result in the whole log. */
const INDENTATION = 10;
/** Code scanning takes 1,024 characters of a description. */
const LONGEST_DESCRIPTION = 1_000;
const LONGEST_FACTS = 2_000;
/** Code scanning refuses a result with more than 1,000 locations and shows 100. */
const MOST_RELATED = 100;

/** Levels as SARIF defines them (section 3.27.10), the worst first. */
const LEVELS = ['error', 'warning', 'note'] as const;
const LEVEL_OF: Readonly<Record<Severity, (typeof LEVELS)[number]>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
  skip: 'note',
  unknown: 'warning',
};

/** A finding and the check that reported it. */
interface Reported {
  readonly result: CheckResult;
  readonly finding: Finding;
}

/**
 * The report as a log with one run; ends with a newline. What could not be determined, and what was left out, are
 * notifications of the run.
 */
export function sarifReport(report: Report, options: ReportOptions): string {
  const { texts, messages } = options;
  const { tool, site, verdict, strict, fresh, interrupted, waited, startedAt, durationMs } = report;
  const [rules, notices] = [new Descriptors(texts), new Descriptors(texts)];
  const fingerprintOf = fingerprints(site.url);
  const reported = report.checks.flatMap((result) =>
    result.findings.flatMap((finding): Reported[] => (finding.cause === undefined ? [{ result, finding }] : [])),
  );
  const { unknown = [], known = [] } = Object.groupBy(reported, ({ finding }) =>
    finding.severity === 'unknown' ? 'unknown' : 'known',
  );
  const results = withinSize(known.map((one) => resultOf(one, site.url, rules, fingerprintOf(one), options)));
  const notifications = unknown.slice(0, MOST_NOTIFICATIONS).map((one) => notificationOf(one, notices, options));
  // Findings that are not in the log: for want of room, and those that no report lists one by one.
  const leftOut = reported.length - results.length - notifications.length;
  const omitted = report.checks.flatMap((check) => Object.values(check.omitted ?? {})).reduce((a, b) => a + b, 0);
  const notes = [
    ...(interrupted ? [{ id: 'interrupted', text: messages.interrupted() }] : []),
    ...(leftOut > 0 ? [{ id: 'left-out', text: messages.leftOutOfSarif(leftOut) }] : []),
    ...(omitted > 0 ? [{ id: 'only-counted', text: messages.onlyCounted(omitted) }] : []),
  ].map(({ id, text }) => ({ descriptor: { id }, level: 'warning', message: { text } }));
  const driver = { ...tool, semanticVersion: tool.version, language: texts.language };
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { ...driver, rules: rules.all(), notifications: notices.all() } },
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
          summary: summaryOf(report, messages),
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

/** The `reportingDescriptor` objects (section 3.49) of the rules in a log, in the order in which they are first used. */
class Descriptors {
  readonly #texts: Texts;
  readonly #sentences: Intl.Segmenter;
  readonly #byId = new Map<string, { readonly index: number; readonly descriptor: object }>();

  constructor(texts: Texts) {
    this.#texts = texts;
    this.#sentences = new Intl.Segmenter(texts.language, { granularity: 'sentence' });
  }

  /** Of a rule; its descriptor is made at the first use. */
  indexOf({ result, finding: { rule, severity } }: Reported): number {
    const id = `${result.id}/${rule}`;
    const known = this.#byId.get(id) ?? { index: this.#byId.size, descriptor: this.#make(result.id, rule, severity) };
    this.#byId.set(id, known);
    return known.index;
  }

  all(): readonly object[] {
    return [...this.#byId.values()].map(({ descriptor }) => descriptor);
  }

  #make(check: string, rule: string, severity: Severity): object {
    const { problem = rule, fix = '' } = this.#texts.finding(check, rule) ?? {};
    const [first] = this.#sentences.segment(problem);
    const title = titleOf(check, this.#texts);
    return {
      id: `${check}/${rule}`,
      // `links/missing-anchor` → `LinksMissingAnchor`.
      name: `${check}-${rule}`.replaceAll(/(?:^|[^\p{L}\p{N}]+)([\p{L}\p{N}])/gu, (_, letter: string) =>
        letter.toUpperCase(),
      ),
      shortDescription: { text: cutText(plain(first?.segment.trim() ?? problem), LONGEST_DESCRIPTION) },
      fullDescription: { text: cutText(plain(problem), LONGEST_DESCRIPTION) },
      helpUri: this.#texts.docsUrl(check, rule),
      help: {
        text: plain([title, problem, fix].filter((part) => part !== '').join('\n\n')),
        markdown: `# ${title}\n\n${this.#texts.section(check, rule) ?? `## ${rule}`}`,
      },
      defaultConfiguration: { level: LEVEL_OF[severity] },
    };
  }
}

/** Markdown's inline code as plain text. */
function plain(text: string): string {
  return text.replaceAll(/`([^`]+)`/g, '$1');
}

/** A `result` object (section 3.27). */
function resultOf(reported: Reported, site: string, rules: Descriptors, fingerprint: string, options: ReportOptions) {
  const { result, finding } = reported;
  const primary = primaryLocation(finding, result.url, site, options.locate);
  const related = relatedLocations(finding, primary, site, options.locate);
  // Where upload-sarif has the file and the line, it computes this fingerprint itself, and warns of another one.
  const isLineOfRepository = primary.artifactLocation.uriBaseId !== undefined && primary.region !== undefined;
  const live = finding.location === undefined ? null : URL.parse(finding.location.path.toWellFormed(), site);
  return {
    ruleId: `${result.id}/${finding.rule}`,
    ruleIndex: rules.indexOf(reported),
    level: LEVEL_OF[finding.severity],
    message: { text: messageOf(reported, options) },
    locations: [{ physicalLocation: primary }],
    relatedLocations:
      related.length === 0
        ? undefined
        : related.map((physicalLocation, index) => ({ id: index + 1, physicalLocation })),
    partialFingerprints: {
      'docvitals/v1': fingerprint,
      // Code scanning compares this one only.
      primaryLocationLineHash: isLineOfRepository ? undefined : fingerprint,
    },
    ...exchange(result),
    properties: { url: live?.href ?? result.url, evidence: finding.evidence },
  };
}

/** A `notification` object (section 3.58): what this machine could not determine is not a fault of the site. */
function notificationOf(reported: Reported, notices: Descriptors, options: ReportOptions): object {
  const { result, finding } = reported;
  return {
    descriptor: { id: `${result.id}/${finding.rule}`, index: notices.indexOf(reported) },
    level: LEVEL_OF[finding.severity],
    message: { text: messageOf(reported, options) },
    properties: { url: result.url, evidence: finding.evidence },
  };
}

/** The problem, and the facts that make it this one. */
function messageOf({ result, finding: { rule, evidence } }: Reported, { texts }: ReportOptions): string {
  const problem = problemOf(result.id, rule, texts);
  const facts = cutText(printable(factLines(evidence, texts.language).join(' · ')), LONGEST_FACTS);
  return literal(facts === '' ? problem : `${problem}\n${facts}`);
}

/**
 * Plain text as a message string: nothing of it is a placeholder (section 3.11.5) or an embedded link (3.11.6). Viewers
 * that know neither show it all the same, so no more is changed than has to be; the evidence has the very text.
 */
export function literal(text: string): string {
  return text.replaceAll('](', '] (').replaceAll(/\{(\d+)\}/g, '{{$1}}');
}

/** The request behind a finding (sections 3.46 and 3.47), where it was a single one. */
function exchange({ requests, attempts, httpStatus, url }: CheckResult): object {
  if (requests !== undefined || attempts === 0) return {};
  return {
    webRequest: { method: 'GET', target: url },
    webResponse: httpStatus === null ? { noResponseReceived: true } : { statusCode: httpStatus },
  };
}

/** Evidence that identifies what a finding is about, whatever its line is and whatever was received this time. */
const IDENTITY = [
  'target',
  'path',
  'page',
  'link',
  'url',
  'anchor',
  'setting',
  'value',
  'agent',
  'language',
  'prefix',
] as const;

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Makes the fingerprints of the results of one log. Results that look the same are numbered. */
function fingerprints(site: string): (reported: Reported) => string {
  const counts = new Map<string, number>();
  // A preview of a pull request has another address, and files that should be missing are requested by a random name.
  const lasting = (value: EvidenceValue): EvidenceValue =>
    typeof value === 'string' ? value.slice(value.startsWith(site) ? site.length : 0).replaceAll(UUID, '') : value;
  return ({ result, finding: { rule, evidence, location } }) => {
    const identity = IDENTITY.map((name) => lasting(evidence[name] ?? null));
    const hash = createHash('sha256')
      .update(JSON.stringify([result.id, rule, location?.path ?? null, identity]))
      .digest('hex')
      .slice(0, 16);
    const count = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, count);
    return `${hash}:${count}`;
  };
}

/*
 * Locations (sections 3.28 and 3.29).
 *
 * A file that is known in the repository is relative to `%SRCROOT%`. A location that is known on the site only is
 * `docs.example.com/guide.md`, relative to nothing: GitHub's code scanning refuses a whole file in which one result has
 * no location, or one with a scheme that is not the checkout's (`https:` beside `file:`), and shows a relative one that
 * it does not find in the repository by its name alone. A path without the host could be taken for another file there.
 */

interface PhysicalLocation {
  readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: '%SRCROOT%' };
  /** Absent where the file as a whole is meant. */
  readonly region?: object;
}

/** Where a finding is: in the repository, on the site, or everything that its check requested, at `url`. */
function primaryLocation(finding: Finding, url: string, site: string, locate: Locate): PhysicalLocation {
  const repositoryLocation = repositoryLocationOf(finding, locate);
  if (repositoryLocation !== null) return inRepository(repositoryLocation);
  if (finding.location !== undefined) return onSite(finding.location, site);
  return { artifactLocation: { uri: siteUri(url) ?? siteUri(site) ?? 'site' } };
}

/** The other locations of a finding, each once. */
function relatedLocations(
  { locations = [] }: Finding,
  primary: PhysicalLocation,
  site: string,
  locate: Locate,
): readonly PhysicalLocation[] {
  const others = new Map<string, PhysicalLocation>();
  for (const location of locations) {
    const repositoryLocation = locate(location);
    const physical = repositoryLocation === null ? onSite(location, site) : inRepository(repositoryLocation);
    others.set(JSON.stringify(physical), physical);
  }
  others.delete(JSON.stringify(primary));
  return [...others.values()].slice(0, MOST_RELATED);
}

function inRepository({ file, line, column }: RepositoryLocation): PhysicalLocation {
  return {
    artifactLocation: { uri: file.split('/').map(encoded).join('/'), uriBaseId: '%SRCROOT%' },
    ...(line !== null && { region: regionOf(line, column ?? 1) }),
  };
}

function onSite({ path, line, column }: Location, site: string): PhysicalLocation {
  const uri = [siteUri(site) ?? 'site', ...segmentsOf(path)].join('/');
  return { artifactLocation: { uri }, region: regionOf(line, column) };
}

/** One character: where it begins is all that is known. */
function regionOf(line: number, column: number): object {
  return { startLine: line, startColumn: column, endLine: line, endColumn: column + 1 };
}

/** `https://docs.example.com:8080/a/` → `docs.example.com%3A8080/a`; `null` for anything but a web address. */
function siteUri(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.host === '') return null;
  return [encodeURIComponent(parsed.host), ...segmentsOf(decoded(parsed.pathname))].join('/');
}

/** A path from the site must not lead out of the site's own name. */
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
