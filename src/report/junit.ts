/** JUnit XML for Jenkins and GitLab. Jenkins' xunit plugin refuses `file` and `line` of a case: locations are in the text. */
import type { CheckResult, Evidence, Finding, Severity, Report, Status } from '../check.ts';
import { printable } from '../printable.ts';
import { isFailed } from '../verdict.ts';
import { frameLines } from './terminal.ts';
import { cutText, linesWithin } from './cut.ts';
import { factLines } from './facts.ts';
import { adviceWord, fixTextOf, groupsOf, problemOf, summaryOf, type Group } from './groups.ts';
import { locationsOrFileOf } from './location.ts';
import type { ReportOptions } from './options.ts';
import { element, textElement, type Xml } from './xml.ts';
import { reportWords } from '../generated/locales/report.ts';

/** Of one case. GitLab takes files of 30 MB. */
const LONGEST_TEXT = 64_000;
const LONGEST_ADDRESS = 1_000;

export function junitReport(report: Report, options: ReportOptions): string {
  const { checks, durationMs, site } = report;
  const counts = {
    name: printable(site.url),
    tests: checks.length,
    failures: checks.filter((result) => isFailed(result, report)).length,
    errors: checks.filter(({ status }) => status === 'unknown').length,
  };
  const skipped = checks.filter(({ status }) => status === 'skip').length;
  const time = secondsOf(durationMs);
  // The schemas want a local time without a zone: it is UTC.
  const timestamp = report.startedAt.slice(0, 19);
  const className = `docvitals.${nameOf(site.url)}`;
  const suite = element('testsuite', { ...counts, skipped, time, timestamp }, [
    propertiesOf(report, options),
    ...checks.map((result) => testCase(result, className, { ...options, strict: report.strict })),
  ]);
  const root = element('testsuites', { ...counts, name: 'docvitals', time }, [suite]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root('')}\n`;
}

function propertiesOf(report: Report, { texts, messages }: ReportOptions): Xml {
  const { tool, verdict, strict, fresh, waited, interrupted } = report;
  const properties = {
    version: tool.version,
    language: texts.language,
    verdict,
    summary: summaryOf(report, messages),
    strict,
    fresh,
    interrupted,
  };
  const ofWait = Object.entries(waited ?? {}).map(([name, value]) => [`waited.${name}`, value] as const);
  const known = [...Object.entries(properties), ...ofWait].filter(([, value]) => value !== null);
  return element(
    'properties',
    {},
    known.map(([name, value]) => element('property', { name: `docvitals.${name}`, value: String(value) })),
  );
}

type CaseOptions = ReportOptions & Pick<Report, 'strict'>;

/** The severity of the findings that a status comes from. */
const SEVERITY_OF: Readonly<Partial<Record<Status, Severity>>> = { fail: 'error', warn: 'warning', unknown: 'unknown' };

function testCase(result: CheckResult, className: string, options: CaseOptions): Xml {
  const { id, durationMs } = result;
  const attributes = { classname: className, name: id, time: secondsOf(durationMs) };
  return element('testcase', attributes, [...outcomeOf(result, options), ...outputOf(result, options)]);
}

function outcomeOf(result: CheckResult, options: CaseOptions): Xml[] {
  const { id, status, skipped } = result;
  if (status === 'skip') {
    const reason = skipped === undefined ? '' : problemOf(id, skipped.rule, options.texts);
    return [textElement('skipped', { message: reason }, reason)];
  }
  if (!isUnwell(result, options)) return [];
  const groups = groupsOf(result);
  const worst = groups.find((group) => group.severity === SEVERITY_OF[status]) ?? groups[0];
  const rule = worst?.rule ?? status;
  const attributes = { type: `${id}/${rule}`, message: problemOf(id, rule, options.texts) };
  const lines = [aboutRequest(result), '', ...plainFindings(result, options)];
  return [textElement(isFailed(result, options) ? 'failure' : 'error', attributes, textOf(lines, options))];
}

const isUnwell = (result: CheckResult, options: CaseOptions): boolean =>
  isFailed(result, options) || result.status === 'unknown';

/** Warnings and advice of a check that passed, and the facts of any check. */
function outputOf(result: CheckResult, options: CaseOptions): Xml[] {
  const findings = isUnwell(result, options) ? [] : plainFindings(result, options);
  const facts = plainFacts(result.facts ?? {}, options);
  const lines = [...findings, ...(findings.length > 0 && facts.length > 0 ? [''] : []), ...facts];
  return lines.length === 0 ? [] : [textElement('system-out', {}, textOf(lines, options))];
}

function aboutRequest({ target, url, httpStatus }: CheckResult): string {
  const parts = [cutText(printable(target), LONGEST_ADDRESS), httpStatus, cutText(printable(url), LONGEST_ADDRESS)];
  return parts.filter((part) => part !== null).join('  ');
}

function textOf(all: readonly string[], { texts }: ReportOptions): string {
  const { kept, left } = linesWithin(all, LONGEST_TEXT);
  const lines = left === 0 ? kept : [...kept, reportWords(texts.language).cutLines(left)];
  // Jenkins and GitLab take the file that this names for an attachment of the case.
  return lines.join('\n').replaceAll(/\[\[(?=ATTACHMENT\|)/gi, '[ [');
}

const secondsOf = (ms: number): string => (ms / 1000).toFixed(3);

/** An address as part of a class name, in which a dot ends a package: `docs-example-com-guide`. */
function nameOf(url: string): string {
  const parts = url.replace(/^https?:\/\//, '').split(/[^A-Za-z0-9]+/);
  return parts.filter((part) => part !== '').join('-');
}

/** Findings of one rule, and locations of one finding. */
const MOST_OF_ONE_RULE = 20;
const MOST_LOCATIONS = 10;
const LONGEST_FACT = 1_000;

function plainFindings(result: CheckResult, options: ReportOptions): readonly string[] {
  return groupsOf(result).flatMap((group, index) => [...(index === 0 ? [] : ['']), ...groupLines(group, options)]);
}

function plainFacts(evidence: Evidence, { texts }: ReportOptions): readonly string[] {
  return factLines(evidence, texts.language).map((fact) => cutText(fact, LONGEST_FACT));
}

function groupLines(group: Group, options: ReportOptions): string[] {
  const { id, rule, severity, findings, count } = group;
  const { texts, messages } = options;
  const fix = fixTextOf(group, texts, messages);
  const shown = findings.slice(0, MOST_OF_ONE_RULE);
  const more = count - shown.length;
  return [
    `${id}/${rule}${count === 1 ? '' : ` ×${count}`}`,
    problemOf(id, rule, texts),
    ...shown.flatMap((finding) => findingLines(finding, options)),
    ...(more === 0 ? [] : [`  ${reportWords(texts.language).more(more)}`]),
    ...(fix === '' ? [] : [`${adviceWord(severity, options)} ${fix}`]),
  ];
}

function findingLines(finding: Finding, options: ReportOptions): string[] {
  const words = reportWords(options.texts.language);
  const [first, ...others] = locationsOrFileOf(finding, options.locate);
  const also = others.slice(0, MOST_LOCATIONS);
  const more = others.length - also.length;
  const indent = first === undefined ? '  ' : '    ';
  return [
    ...(first === undefined ? [] : [`  ${first}`]),
    ...frameLines(finding).map((line) => `${indent}${line}`),
    ...plainFacts(finding.evidence, options).map((fact) => `${indent}${fact}`),
    ...(also.length === 0
      ? []
      : [`${indent}${words.also} ${also.join(', ')}${more === 0 ? '' : `, ${words.more(more)}`}`]),
  ].map((line) => cutText(line, LONGEST_FACT));
}
