/** Findings as results and notifications of a SARIF log (sections 3.27 and 3.58). Pure. */
import { createHash } from 'node:crypto';
import type { CheckResult, Finding, Severity, EvidenceValue } from '../check.ts';
import { printable } from '../printable.ts';
import { cutText } from './cut.ts';
import { factLines } from './facts.ts';
import type { ReportOptions } from './options.ts';
import { isLineOfRepository, primaryLocation, relatedLocations, type Whereabouts } from './sarif-locations.ts';
import type { Descriptors, Level } from './sarif-rules.ts';

/** A finding and the check that told it. */
export interface Reported {
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
export class Results {
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

  /** A preview of a pull request has another address, and files that are not there are asked for by a chance name. */
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
