/** The report in GitHub-flavoured Markdown: for job summaries, comments and files. */
import type { CheckResult, Report, Status } from '../core/check.ts';
import type { Evidence } from '../core/answer.ts';
import type { Finding } from '../core/finding.ts';
import type { Language } from '../locales/language.ts';
import type { Texts } from './texts.ts';
import { fitting, singleSpaced } from './cut.ts';
import { timeOf } from './document.ts';
import { factsOf, factText } from './facts.ts';
import { adviceWord, allGroupsOf, failing, sharedCause, timesText, type Group } from './groups.ts';
import { freshnessLines, summaryOf, type StaleFacts } from './summary.ts';
import { cellCode, codeBlock, codeSpan, plain, prose, siteLink } from './markdown-text.ts';
import { statusBy, VERDICT_STATUS } from '../core/verdict.ts';
import type { ReportOptions } from './formats.ts';
import { frameLines } from './terminal.ts';
import { locationsOrFileOf } from './location.ts';
import { reportWords } from '../generated/locales/report.ts';

const SIGNS: Readonly<Record<Status, string>> = { pass: '✅', warn: '⚠️', fail: '❌', skip: '➖', unknown: '❔' };
/** The order in which rows get room. */
const KEPT_FIRST: readonly Status[] = ['fail', 'unknown', 'warn', 'skip', 'pass'];

/** Findings of one rule, and locations of one finding, unless all are requested. */
const MOST_OF_ONE_RULE = 10;
const MOST_LOCATIONS = 5;

export function markdownReport(report: Report, options: ReportOptions): string {
  return wholeOf(partsOf(report, options));
}

/** At most so many bytes of UTF-8: the worst findings, and a line that counts the rest. `whole`: where the whole report is. */
export function markdownWithin(report: Report, options: ReportOptions, maxBytes: number, whole: string | null = null) {
  const parts = partsOf(report, options);
  const text = wholeOf(parts);
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const words = reportWords(options.texts.language);
  const location = whole === null ? null : codeSpan(whole);
  const leftOut = (findings: number, checks: number): string => {
    const what = [
      ...(findings === 0 ? [] : [words.leftOutFindings(findings)]),
      ...(checks === 0 ? [] : [words.leftOutRows(checks)]),
    ];
    return `> ${words.leftOut(what.length === 0 ? [words.leftOutEvidence] : what, location)}`;
  };
  const all = parts.sections.reduce((sum, { count }) => sum + count, 0);
  // The longest line at the end: numbers only get smaller, or nothing is left to count.
  const everything = leftOut(all, parts.rows.length);
  const longest = Math.max(bytesOf(['', everything]), bytesOf(['', leftOut(0, 0)]));
  const room = maxBytes - bytesOf(parts.head) - longest;
  if (room < 0) return bytesOf([everything]) <= maxBytes ? textOf([everything]) : '';
  // At most half of the room is for the table.
  const rows = keptRows(parts, room / 2);
  const table = below(parts.tableHead, rows);
  const { lines, count } = keptSections(parts, room - bytesOf(table));
  return textOf([...parts.head, ...table, ...lines, '', leftOut(all - count, parts.rows.length - rows.length)]);
}

type Parts = ReturnType<typeof partsOf>;

function partsOf(report: Report, options: ReportOptions) {
  const { texts } = options;
  const words = reportWords(texts.language);
  const isQuiet = options.detail === 'quiet';
  const checks = isQuiet ? failing(report.checks) : report.checks;
  return {
    head: headOf(report, options),
    tableHead: [
      `| ${words.status} | ${words.check} | ${words.target} | HTTP | ${words.time} |`,
      '| :--- | :--- | :--- | ---: | ---: |',
    ],
    rows: checks.map((result) => ({ line: rowOf(result, options), weight: KEPT_FIRST.indexOf(result.status) })),
    sectionsHead: [`## ${words.findings}`],
    sections: sectionsOf(report, options),
    /** Left out first. */
    rest: isQuiet
      ? []
      : [
          ...listed(words.skipped, checks, texts, ({ id, skipped }) =>
            skipped === undefined ? '' : prose(texts.problem(id, skipped.rule)),
          ),
          ...listed(words.seen, checks, texts, ({ facts = {} }) => factItems(facts, texts.language).join(' · ')),
        ],
  };
}

function headOf(report: Report, options: ReportOptions): string[] {
  const { verdict, site, interrupted } = report;
  const { messages } = options;
  const about = [...(interrupted ? [messages.interrupted()] : []), ...freshnessLines(report, options)];
  return [
    `# ${SIGNS[VERDICT_STATUS[verdict]]} ${messages.verdictLine('docvitals', plain(messages.verdicts[verdict]))}`,
    '',
    siteLink(site.url),
    '',
    summaryOf(report, options, asCode),
    ...about.flatMap((line) => ['', plain(line)]),
  ];
}

export function markdownVerdict(report: Report, options: ReportOptions): string {
  const { verdictLine, verdicts } = options.messages;
  return verdictLine(plain(verdicts[report.verdict]), summaryOf(report, options, asCode));
}

/** Names and versions come from the site. */
function asCode(old: StaleFacts): StaleFacts {
  const shown = (name: string | null): string | null => (name === null ? null : codeSpan(name));
  const files = old.files.map((name) => codeSpan(name));
  return { ...old, files, expected: shown(old.expected), found: shown(old.found) };
}

function rowOf(result: CheckResult, { texts, messages }: ReportOptions): string {
  const { id, status, target, requests, httpStatus } = result;
  const cells = [
    `${SIGNS[status]} ${messages.statuses[status]}`,
    plain(texts.title(id)),
    `${cellCode(target)}${timesText(requests)}`,
    httpStatus === null ? '' : String(httpStatus),
    messages.milliseconds(timeOf(result)),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The findings of each rule: their number, all lines, and those of the first finding only. */
function sectionsOf({ checks }: Report, options: ReportOptions) {
  const { detail, messages, texts } = options;
  const cause = sharedCause(checks, texts);
  if (cause !== null) {
    const lead = plain(messages.sameCause(failing(checks).length));
    const lines = ['', lead, ...groupLines(cause, 1, fixOf(cause, options), options)];
    return [{ count: 1, lines, short: lines }];
  }
  const most = detail === 'verbose' ? Infinity : MOST_OF_ONE_RULE;
  /** Each fix with the finding that it was printed for; sections are only left out from the end. */
  const reported = new Map<string, string>();
  const groups = allGroupsOf(checks).filter(({ severity }) => detail !== 'quiet' || severity !== 'info');
  return groups.map((group) => {
    const fix = fixOf(group, options, reported);
    const count = group.findings.length;
    return { count, lines: groupLines(group, most, fix, options), short: groupLines(group, 1, fix, options) };
  });
}

function fixOf({ id, rule, cause }: Group, { texts, messages }: ReportOptions, reported = new Map<string, string>()) {
  const fix = texts.finding(id, rule)?.fix ?? '';
  // An effect is fixed with its cause.
  const sameAs = cause ?? reported.get(fix);
  if (sameAs !== undefined) return prose(messages.sameFix(`\`${sameAs}\``));
  if (fix !== '') reported.set(fix, `${id}/${rule}`);
  return prose(fix);
}

function groupLines(group: Group, most: number, fix: string, options: ReportOptions): string[] {
  const { id, rule, severity, findings, count } = group;
  const { texts, messages } = options;
  const name = messages.verdictLine(plain(texts.title(id)), codeSpan(`${id}/${rule}`));
  const sign = severity === 'info' ? 'ℹ️' : SIGNS[statusBy(group)];
  const shown = findings.slice(0, most);
  const more = count - shown.length;
  return [
    '',
    `### ${sign} ${name}${timesText(count)}`,
    '',
    prose(texts.problem(id, rule)),
    '',
    ...shown.flatMap((finding) => findingLines(finding, options)),
    ...(more === 0 ? [] : [`- ${reportWords(texts.language).more(more)}`]),
    ...(fix === '' ? [] : ['', `**${plain(adviceWord(severity, options))}** ${fix}`]),
  ];
}

function findingLines(finding: Finding, { texts, locate, detail }: ReportOptions): string[] {
  const words = reportWords(texts.language);
  const [first, ...others] = locationsOrFileOf(finding, locate);
  const also = detail === 'verbose' ? others : others.slice(0, MOST_LOCATIONS);
  const more = others.length - also.length;
  const items = [
    ...(first === undefined ? [] : [codeSpan(first)]),
    ...factItems(finding.evidence, texts.language),
    ...(also.length === 0 ? [] : [`${words.also} ${also.map((location) => codeSpan(location)).join(', ')}`]),
    ...(more === 0 ? [] : [words.more(more)]),
  ];
  const frame = frameLines(finding);
  if (items.length === 0) return [];
  return [`- ${items.join(' · ')}`, ...(frame.length === 0 ? [] : ['', ...codeBlock(frame, '  '), ''])];
}

function factItems(evidence: Evidence, language: Language): readonly string[] {
  return factsOf(evidence, language).map(({ label, value, isWords }) =>
    factText({ label: label && plain(label), value: isWords ? plain(value) : codeSpan(value) }, language),
  );
}

function listed(
  heading: string,
  checks: readonly CheckResult[],
  texts: Texts,
  textOfCheck: (result: CheckResult) => string,
): string[] {
  const lines = checks.flatMap((result) => {
    const text = textOfCheck(result);
    return text === '' ? [] : [`- **${plain(texts.title(result.id))}** ${text}`];
  });
  return below([`## ${heading}`, ''], lines);
}

/* Puts together as many parts as have room. */

function wholeOf({ head, tableHead, rows, sectionsHead, sections, rest }: Parts): string {
  const table = rows.map(({ line }) => line);
  const findings = sections.flatMap(({ lines }) => lines);
  return textOf([...head, ...below(tableHead, table), ...below(sectionsHead, findings), ...rest]);
}

function keptRows(parts: Parts, room: number): string[] {
  const worstFirst = parts.rows.toSorted((a, b) => a.weight - b.weight);
  const left = room - bytesOf(below(parts.tableHead, ['']));
  const kept = new Set(fitting(worstFirst, left, ({ line }) => bytesOf([line])));
  return parts.rows.flatMap((row) => (kept.has(row) ? [row.line] : []));
}

/** Each whole, or with its first finding only; none after one that has no room. */
function keptSections({ sectionsHead, sections }: Parts, room: number): { lines: string[]; count: number } {
  let left = room - bytesOf(below(sectionsHead, ['']));
  const kept: string[] = [];
  let count = 0;
  for (const section of sections) {
    const isWhole = bytesOf(section.lines) <= left;
    const lines = isWhole ? section.lines : section.short;
    left -= bytesOf(lines);
    if (left < 0) break;
    kept.push(...lines);
    count += isWhole ? section.count : 1;
  }
  return { lines: below(sectionsHead, kept), count };
}

/** Lines below their head; nothing where there are none. */
function below(head: readonly string[], lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', ...head, ...lines];
}

function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

function textOf(lines: readonly string[]): string {
  return singleSpaced(lines)
    .map((line) => `${line}\n`)
    .join('');
}
