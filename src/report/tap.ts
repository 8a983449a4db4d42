/**
 * TAP version 13 (testanything.org/tap-version-13-specification.html): one test point for each check. All of it is
 * version 14 as well; harnesses that know 13 only, as Perl's `prove`, refuse a document that calls itself by a later one.
 *
 * A check that could not be completed is `not ok`: a harness must count a failing `TODO` or `SKIP` as fine, and nothing
 * is known to be fine. What warns is `ok`, with the warnings in its diagnostics; under `strict` it is `not ok`.
 */
import type { CheckResult, Finding, Json, Report } from '../check.ts';
import { inertLine, printable } from '../printable.ts';
import { isFailed } from '../verdict.ts';
import { fixTextOf, groupsOf, problemOf, summaryOf, titleOf, type Group } from './groups.ts';
import type { ReportOptions } from './options.ts';
import { frameLines } from './code-frame.ts';
import { locationsOrFileOf } from './location.ts';
import { yamlMapping } from './xml.ts';
import { reportWords } from '../generated/locales/report.ts';

const MOST_OF_ONE_RULE = 10;
const MOST_LOCATIONS = 10;

/** The report as a TAP document; ends with a newline. */
export function tapReport(report: Report, options: ReportOptions): string {
  const { checks, interrupted } = report;
  const lines = [
    'TAP version 13',
    `1..${checks.length}`,
    // A comment means nothing to a harness, but a runner may act on what a file's name is.
    ...aboutRun(report, options).map((line) => inertLine(`# ${line}`)),
    ...checks.flatMap((result, index) => testPoint(result, index + 1, report, options)),
    ...(interrupted ? [`Bail out! ${escaped(options.messages.interrupted())}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function aboutRun(report: Report, { messages, texts }: ReportOptions): string[] {
  const { site, verdict, fresh, waited } = report;
  const words = reportWords(texts.language);
  return [
    printable(site.url),
    messages.verdictLine(messages.verdicts[verdict], summaryOf(report, messages)),
    ...(fresh === null ? [] : [words.fresh(fresh)]),
    ...(waited === undefined ? [] : [messages.waiting.clocks(waited)]),
  ];
}

function testPoint(result: CheckResult, number: number, report: Report, options: ReportOptions): string[] {
  const { id, status, skipped } = result;
  const { texts } = options;
  const isOk = !isFailed(result, report) && status !== 'unknown';
  const description = escaped(`${id}: ${printable(titleOf(id, texts))}`);
  const reason = skipped === undefined ? '' : ` ${escaped(problemOf(id, skipped.rule, texts))}`;
  const directive = status === 'skip' ? ` # SKIP${reason}` : '';
  return [
    `${isOk ? 'ok' : 'not ok'} ${number} - ${description}${directive}`,
    '  ---',
    ...yamlMapping(diagnostics(result, options)).map((line) => `  ${line}`),
    '  ...',
  ];
}

function diagnostics(result: CheckResult, options: ReportOptions): { readonly [name: string]: Json } {
  const { status, target, url, httpStatus, durationMs, facts } = result;
  const groups = groupsOf(result);
  const [worst] = groups;
  return {
    ...(worst === undefined ? {} : { message: problemOf(worst.id, worst.rule, options.texts) }),
    severity: status,
    target,
    url,
    ...(httpStatus === null ? {} : { httpStatus }),
    duration_ms: durationMs,
    ...(groups.length === 0 ? {} : { findings: groups.map((group) => groupOf(group, options)) }),
    ...(facts === undefined ? {} : { facts }),
  };
}

function groupOf(group: Group, options: ReportOptions): Json {
  const { id, rule, severity, findings, count } = group;
  const text = options.texts.finding(id, rule);
  const shown = findings.slice(0, MOST_OF_ONE_RULE);
  const more = count - shown.length;
  return {
    code: `${id}/${rule}`,
    severity,
    problem: text?.problem ?? rule,
    fix: fixTextOf(group, options.texts, options.messages),
    count,
    shown: shown.map((finding) => findingOf(finding, options)),
    ...(more === 0 ? {} : { more }),
  };
}

function findingOf(finding: Finding, { locate }: ReportOptions): Json {
  const locations = locationsOrFileOf(finding, locate);
  const at = locations.slice(0, MOST_LOCATIONS);
  const more = locations.length - at.length;
  const excerpt = frameLines(finding);
  return {
    ...(at.length === 0 ? {} : { at }),
    ...(more === 0 ? {} : { morePlaces: more }),
    ...(excerpt.length === 0 ? {} : { excerpt }),
    evidence: finding.evidence,
  };
}

/** A description or a reason: `#` would begin a directive, and `\` escapes (section "Escaping"). */
function escaped(text: string): string {
  return text.replaceAll(/[\\#]/g, String.raw`\$&`);
}
