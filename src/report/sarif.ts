import { createHash } from 'node:crypto';
import type { Report, CheckResult, Finding, Severity, EvidenceValue, Location } from '../check.ts';
import { jsonText } from './json.ts';
import type { ReportOptions, Locate, RepositoryLocation } from './options.ts';
import { summaryOf } from './groups.ts';
import { printable } from '../printable.ts';
import { cutText } from './cut.ts';
import { factLines } from './facts.ts';
import { repositoryLocationOf } from './location.ts';
import type { Texts } from '../texts.ts';

/* Rules of a SARIF log: one for each code that was found, with its words in the language of the report. Pure. */

/** Levels as SARIF knows them (section 3.27.10). */
type Level = 'error' | 'warning' | 'note';

/** A `reportingDescriptor` (section 3.49). */
interface Descriptor {
  readonly id: string;
  readonly name: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string; readonly markdown: string };
  readonly defaultConfiguration: { readonly level: Level };
}

/** Code scanning takes 1,024 characters of a description. */
const LONGEST_DESCRIPTION = 1_000;

/** Descriptors in the order in which they were first asked for. */
class Descriptors {
  readonly #texts: Texts;
  readonly #sentences: Intl.Segmenter;
  readonly #found = new Map<string, { readonly index: number; readonly descriptor: Descriptor }>();

  constructor(texts: Texts) {
    this.#texts = texts;
    this.#sentences = new Intl.Segmenter(texts.language, { granularity: 'sentence' });
  }

  /** The index of a code's descriptor, which is made when it is first asked for. */
  indexOf(check: string, rule: string, level: Level): number {
    const id = `${check}/${rule}`;
    const known = this.#found.get(id);
    if (known !== undefined) return known.index;
    const index = this.#found.size;
    this.#found.set(id, { index, descriptor: this.#make(check, rule, level) });
    return index;
  }

  all(): readonly Descriptor[] {
    return [...this.#found.values()].map(({ descriptor }) => descriptor);
  }

  #make(check: string, rule: string, level: Level): Descriptor {
    const text = this.#texts.finding(check, rule);
    const problem = text?.problem ?? rule;
    const [first] = this.#sentences.segment(problem);
    const title = this.#texts.check(check)?.title ?? check;
    const help = [title, problem, text?.fix ?? ''].filter((part) => part !== '');
    return {
      id: `${check}/${rule}`,
      name: pascalCase(`${check}-${rule}`),
      shortDescription: { text: cutText(plain(first?.segment.trim() ?? problem), LONGEST_DESCRIPTION) },
      fullDescription: { text: cutText(plain(problem), LONGEST_DESCRIPTION) },
      help: {
        text: plain(help.join('\n\n')),
        markdown: `# ${title}\n\n${this.#texts.section(check, rule) ?? `## ${rule}`}`,
      },
      defaultConfiguration: { level },
    };
  }
}

/** `links/missing-anchor` → `LinksMissingAnchor`. */
function pascalCase(id: string): string {
  return id.replaceAll(/(?:^|[^\p{L}\p{N}]+)([\p{L}\p{N}])/gu, (_, letter: string) => letter.toUpperCase());
}

/** Markdown's inline code as plain text. */
function plain(text: string): string {
  return text.replaceAll(/`([^`]+)`/g, '$1');
}

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

/* Findings as results and notifications of a SARIF log (sections 3.27 and 3.58). Pure. */

/** A finding and the check that told it. */
interface Reported {
  readonly result: CheckResult;
  readonly finding: Finding;
}

const LEVELS: Readonly<Record<Severity, Level>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
  skip: 'note',
  unknown: 'warning',
};

/** Evidence that says what a finding is about, whatever line it stands at and whatever came for it this time. */
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

const LONGEST_FACTS = 2_000;

/** Makes the results of one log: it counts what looks the same, so that no two have one fingerprint. */
class Results {
  readonly #options: ReportOptions;
  readonly #rules: Descriptors;
  readonly #whereabouts: Whereabouts;
  readonly #fingerprints = new Map<string, number>();

  constructor(site: string, rules: Descriptors, options: ReportOptions) {
    this.#options = options;
    this.#rules = rules;
    this.#whereabouts = { site, locate: options.locate };
  }

  /** A `result` object. */
  result({ result, finding }: Reported) {
    const level = levelOf(finding);
    const primary = primaryLocation(finding, result.url, this.#whereabouts);
    const related = relatedLocations(finding, primary, this.#whereabouts);
    const fingerprint = this.#fingerprint(result.id, finding);
    return {
      ruleId: `${result.id}/${finding.rule}`,
      ruleIndex: this.#rules.indexOf(result.id, finding.rule, level),
      level,
      message: { text: this.#message(result.id, finding) },
      locations: [{ physicalLocation: primary }],
      ...(related.length === 0
        ? {}
        : { relatedLocations: related.map((physicalLocation, index) => ({ id: index + 1, physicalLocation })) }),
      partialFingerprints: {
        'docvitals/v1': fingerprint,
        // Code scanning compares this one only. Where upload-sarif has the line, it computes another and warns of ours.
        ...(isLineOfRepository(primary) ? {} : { primaryLocationLineHash: fingerprint }),
      },
      ...exchange(result),
      properties: { url: liveUrl(finding, result.url, this.#whereabouts.site), evidence: finding.evidence },
    };
  }

  /** A `notification` object: what this machine could not tell is nothing that the site did. */
  notification({ result, finding }: Reported, descriptors: Descriptors) {
    const level = levelOf(finding);
    return {
      descriptor: {
        id: `${result.id}/${finding.rule}`,
        index: descriptors.indexOf(result.id, finding.rule, level),
      },
      level,
      message: { text: this.#message(result.id, finding) },
      properties: { url: result.url, evidence: finding.evidence },
    };
  }

  /** The problem, and the facts that make it this one. */
  #message(id: string, { rule, evidence }: Finding): string {
    const problem = this.#options.texts.finding(id, rule)?.problem ?? rule;
    const facts = factLines(evidence, this.#options.texts.language);
    const shown = cutText(printable(facts.join(' · ')), LONGEST_FACTS);
    return literal(shown === '' ? problem : `${problem}\n${shown}`);
  }

  #fingerprint(id: string, { rule, evidence, location }: Finding): string {
    const identity = IDENTITY.map((name) => (Object.hasOwn(evidence, name) ? (evidence[name] ?? null) : null));
    const lasting = identity.map((value) => this.#lasting(value));
    const hash = createHash('sha256')
      .update(JSON.stringify([id, rule, location?.path ?? null, lasting]))
      .digest('hex')
      .slice(0, 16);
    const count = (this.#fingerprints.get(hash) ?? 0) + 1;
    this.#fingerprints.set(hash, count);
    return `${hash}:${count}`;
  }

  /** A preview of a pull request has another address, and files that are not there are requested by a chance name. */
  #lasting(value: EvidenceValue): EvidenceValue {
    if (typeof value !== 'string') return value;
    const { site } = this.#whereabouts;
    return (value.startsWith(site) ? value.slice(site.length) : value).replaceAll(UUID, '');
  }
}

function levelOf({ severity }: Finding): Level {
  return LEVELS[severity];
}

/**
 * Plain text as a message string: nothing of it is a placeholder (section 3.11.5) or an embedded link (3.11.6). Viewers
 * that know neither show it all the same, so no more is changed than has to be; the evidence has the very text.
 */
export function literal(text: string): string {
  return text.replaceAll('](', '] (').replaceAll(/\{(\d+)\}/g, '{{$1}}');
}

/** The request behind a finding (sections 3.46 and 3.47), where it was a single one. */
function exchange({ requests, attempts, httpStatus, url }: CheckResult) {
  if (requests !== undefined || attempts === 0) return {};
  return {
    webRequest: { method: 'GET', target: url },
    webResponse: httpStatus === null ? { noResponseReceived: true } : { statusCode: httpStatus },
  };
}

function liveUrl({ location }: Finding, url: string, site: string): string {
  if (location === undefined) return url;
  return URL.parse(location.path.toWellFormed(), site)?.href ?? url;
}

/*
 * Where findings are, as SARIF tells it (sections 3.28 and 3.29). Pure.
 *
 * A file that is known in the repository is relative to `%SRCROOT%`. A place that is known on the site only is
 * `docs.example.com/guide.md`, relative to nothing: GitHub's code scanning refuses a whole file in which one result has
 * no location, or one with a scheme that is not the checkout's (`https:` beside `file:`), and shows a relative one that
 * it does not find in the repository by its name alone. A path without the host could be taken for another file there.
 */

/** A `physicalLocation`. */
interface PhysicalLocation {
  readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: '%SRCROOT%' };
  /** Absent where the file as a whole is meant. */
  readonly region?: Region;
}

interface Region {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Code scanning refuses a result with more than 1,000 locations and shows 100. */
const MOST_RELATED = 100;

/** What is needed to find places. */
interface Whereabouts {
  readonly locate: Locate;
  /** The site's base URL. */
  readonly site: string;
}

/** Where a finding is: in the repository, on the site, or all that its check asked for, at `url`. */
function primaryLocation(finding: Finding, url: string, { locate, site }: Whereabouts): PhysicalLocation {
  const repositoryLocation = repositoryLocationOf(finding, locate);
  if (repositoryLocation !== null) return inRepository(repositoryLocation);
  if (finding.location !== undefined) return onSite(finding.location, site);
  return { artifactLocation: { uri: siteUri(url) ?? siteUri(site) ?? 'site' } };
}

/** The other places where a finding shows. */
function relatedLocations(
  { locations = [] }: Finding,
  primary: PhysicalLocation,
  { locate, site }: Whereabouts,
): readonly PhysicalLocation[] {
  const observed = new Set([JSON.stringify(primary)]);
  const others: PhysicalLocation[] = [];
  for (const location of locations) {
    if (others.length === MOST_RELATED) break;
    const repositoryLocation = locate(location);
    const physical = repositoryLocation === null ? onSite(location, site) : inRepository(repositoryLocation);
    const key = JSON.stringify(physical);
    if (!observed.has(key)) others.push(physical);
    observed.add(key);
  }
  return others;
}

/** Whether upload-sarif computes the fingerprint that code scanning compares: from the line, where it has the file. */
function isLineOfRepository({ artifactLocation, region }: PhysicalLocation): boolean {
  return artifactLocation.uriBaseId !== undefined && region !== undefined;
}

function inRepository({ file, line, column }: RepositoryLocation): PhysicalLocation {
  return {
    artifactLocation: { uri: file.split('/').map(encoded).join('/'), uriBaseId: '%SRCROOT%' },
    ...(line === null ? {} : { region: regionOf(line, column ?? 1) }),
  };
}

function onSite({ path, line, column }: Location, site: string): PhysicalLocation {
  const base = siteUri(site) ?? 'site';
  return { artifactLocation: { uri: [base, ...segmentsOf(path)].join('/') }, region: regionOf(line, column) };
}

/** One character: where it begins is all that is known. */
function regionOf(line: number, column: number): Region {
  return { startLine: line, startColumn: column, endLine: line, endColumn: column + 1 };
}

/** `https://docs.example.com:8080/a/` → `docs.example.com%3A8080/a`; `null` for what is no web address. */
function siteUri(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.host === '') return null;
  return [encodeURIComponent(parsed.host), ...segmentsOf(decoded(parsed.pathname))].join('/');
}

/** What a site says must not lead out of its own name. */
function segmentsOf(path: string): readonly string[] {
  return path
    .split('/')
    .filter((segment) => !['', '.', '..'].includes(segment))
    .map(encoded);
}

function encoded(segment: string): string {
  return encodeURIComponent(segment.toWellFormed());
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
