/** The report in GitHub-flavoured Markdown: for job summaries, comments and files. */
import type { CheckResult, Evidence, Finding, Report, Status } from '../check.ts';
import type { Language, Texts } from '../texts.ts';
import { countStatuses, timeOf } from './document.ts';
import { factsOf, factText } from './facts.ts';
import { adviceWord, allGroupsOf, failing, fixTextOf, problemOf, sharedCause, titleOf, type Group } from './groups.ts';
import { cellCode, codeBlock, codeSpan, plain, prose, siteLink } from './markdown-text.ts';
import { staleSentence } from './stale.ts';
import { SEVERITY_STATUS } from '../verdict.ts';
import type { ReportOptions } from './options.ts';
import { frameLines } from './terminal.ts';
import { locationsOrFileOf } from './location.ts';
import type { Messages, StaleFacts } from '../locales/messages.ts';
import { reportWords } from '../generated/locales/report.ts';

const SIGNS: Readonly<Record<Status, string>> = { pass: '✅', warn: '⚠️', fail: '❌', skip: '➖', unknown: '❔' };
/** Which rows are kept without room for all. */
const KEPT_FIRST: readonly Status[] = ['fail', 'unknown', 'warn', 'skip', 'pass'];

/** Findings of one code, and places of one finding, that are shown unless all are requested. */
const MOST_OF_ONE_RULE = 10;
const MOST_LOCATIONS = 5;

/** The whole report; ends with a newline. */
export function markdownReport(report: Report, options: ReportOptions): string {
  return wholeOf(partsOf(report, options));
}

/**
 * The report in at most so many bytes of UTF-8; ends with a newline. What has no room is left out by whole findings, the
 * worst are kept, and a line shows what is missing; nothing is left where even that has no room. `whole`: where the whole
 * report is, e.g. a file's name.
 */
export function markdownWithin(
  report: Report,
  options: ReportOptions,
  maxBytes: number,
  whole: string | null = null,
): string {
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
  // The line at the end never gets longer than these: numbers only get smaller, or nothing is left to count.
  const everything = leftOut(all, parts.rows.length);
  const longest = Math.max(bytesOf(['', everything]), bytesOf(['', leftOut(0, 0)]));
  const room = maxBytes - bytesOf(parts.head) - longest;
  if (room < 0) return bytesOf([everything]) <= maxBytes ? textOf([everything]) : '';
  // Half of the room at most is for the table, so that it leaves some for what is wrong.
  const rows = keptRows(parts, room / 2);
  const table = tableOf(parts, rows);
  const { lines, count } = keptSections(parts, room - bytesOf(table));
  return textOf([...parts.head, ...table, ...lines, '', leftOut(all - count, parts.rows.length - rows.length)]);
}

/** What a report is put together from, in this order. */
type Parts = ReturnType<typeof partsOf>;

function partsOf(report: Report, options: ReportOptions) {
  const words = reportWords(options.texts.language);
  const isQuiet = options.detail === 'quiet';
  const checks = isQuiet ? report.checks.filter(({ status }) => status !== 'pass' && status !== 'skip') : report.checks;
  return {
    head: headOf(report, options),
    tableHead: [
      `| ${words.status} | ${words.check} | ${words.target} | HTTP | ${words.time} |`,
      '| :--- | :--- | :--- | ---: | ---: |',
    ],
    rows: checks.map((result) => ({ line: rowOf(result, options), weight: KEPT_FIRST.indexOf(result.status) })),
    /** The heading of the sections, if there are any. */
    heading: `## ${words.findings}`,
    /** The worst first. */
    sections: sectionsOf(report, options),
    /** What is omitted first without room. */
    rest: isQuiet ? [] : [...skippedLines(checks, options), ...observedLines(checks, options)],
  };
}

function headOf(report: Report, { messages, texts }: ReportOptions): string[] {
  const { verdict, site, interrupted, fresh, waited } = report;
  const words = reportWords(texts.language);
  const sign = verdict === 'healthy' ? SIGNS.pass : SIGNS[verdict === 'unknown' ? 'unknown' : 'fail'];
  const about = [
    ...(interrupted ? [messages.interrupted()] : []),
    ...(fresh === null ? [] : [words.fresh(fresh)]),
    ...(waited === undefined ? [] : [messages.waiting.clocks(waited)]),
  ];
  return [
    `# ${sign} ${messages.verdictLine('docvitals', plain(messages.verdicts[verdict]))}`,
    '',
    siteLink(site.url),
    '',
    summaryLine(report, messages),
    ...about.flatMap((line) => ['', plain(line)]),
  ];
}

/** The verdict in one line of Markdown, as `degraded: 2 of 5 checks failed (0.31 s)`. */
export function markdownVerdict(report: Report, messages: Messages): string {
  return messages.verdictLine(plain(messages.verdicts[report.verdict]), summaryLine(report, messages));
}

function summaryLine(report: Report, messages: Messages): string {
  const { verdict, checks, durationMs } = report;
  return staleSentence(report, messages, asCode) ?? plain(messages.summary(verdict, countStatuses(checks), durationMs));
}

/** What is old is named by what the site sends. */
function asCode(old: StaleFacts): StaleFacts {
  const shown = (name: string | null): string | null => (name === null ? null : codeSpan(name));
  const files = old.files.map((name) => codeSpan(name));
  return { ...old, files, expected: shown(old.expected), found: shown(old.found) };
}

function rowOf(result: CheckResult, { texts, messages }: ReportOptions): string {
  const { id, status, target, requests, httpStatus } = result;
  const cells = [
    `${SIGNS[status]} ${messages.statuses[status]}`,
    plain(titleOf(id, texts)),
    `${cellCode(target)}${requests === undefined || requests < 2 ? '' : ` ×${requests}`}`,
    httpStatus === null ? '' : String(httpStatus),
    messages.milliseconds(timeOf(result)),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Findings of one code: how many, and their lines, of all and of the first one only. */
interface Section {
  readonly count: number;
  readonly lines: readonly string[];
  readonly short: readonly string[];
}

function sectionsOf({ checks }: Report, options: ReportOptions): readonly Section[] {
  const { detail, messages, texts } = options;
  const cause = sharedCause(checks, texts);
  if (cause !== null) {
    const lead = plain(messages.sameCause(failing(checks).length));
    const lines = ['', lead, ...groupLines(cause, 1, fixOf(cause, options), options)];
    return [{ count: 1, lines, short: lines }];
  }
  const most = detail === 'verbose' ? Infinity : MOST_OF_ONE_RULE;
  /** Each fix with the finding it was printed for; sections are only ever left out from the end. */
  const reported = new Map<string, string>();
  const groups = allGroupsOf(checks).filter(({ severity }) => detail !== 'quiet' || severity !== 'info');
  return groups.map((group) => {
    const fix = fixOf(group, options, reported);
    const count = group.findings.length;
    return { count, lines: groupLines(group, most, fix, options), short: groupLines(group, 1, fix, options) };
  });
}

/** The fix of a group; one that several groups share is reported once. */
function fixOf(group: Group, { texts, messages }: ReportOptions, reported = new Map<string, string>()): string {
  const { id, rule, cause } = group;
  if (cause !== undefined) return prose(messages.sameFix(`\`${cause}\``));
  const fix = fixTextOf(group, texts, messages);
  const finding = reported.get(fix);
  if (finding !== undefined) return prose(messages.sameFix(finding));
  if (fix !== '') reported.set(fix, `\`${id}/${rule}\``);
  return prose(fix);
}

function groupLines(group: Group, most: number, fix: string, options: ReportOptions): string[] {
  const { id, rule, severity, findings, count } = group;
  const { texts, messages } = options;
  const name = messages.verdictLine(plain(titleOf(id, texts)), codeSpan(`${id}/${rule}`));
  const sign = severity === 'info' ? 'ℹ️' : SIGNS[SEVERITY_STATUS[severity]];
  const shown = findings.slice(0, most);
  const more = count - shown.length;
  return [
    '',
    `### ${sign} ${name}${count === 1 ? '' : ` ×${count}`}`,
    '',
    prose(problemOf(id, rule, texts)),
    '',
    ...shown.flatMap((finding) => findingLines(finding, options)),
    ...(more === 0 ? [] : [`- ${reportWords(texts.language).more(more)}`]),
    ...(fix === '' ? [] : ['', `**${plain(adviceWord(severity, options))}** ${fix}`]),
  ];
}

/** An item of a list: the place, the facts, and the lines around it where they are known. */
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

/** Values in words are text, all others code. */
function factItems(evidence: Evidence, language: Language): readonly string[] {
  return factsOf(evidence, language).map(({ label, value, isWords }) =>
    factText({ label: label && plain(label), value: isWords ? plain(value) : codeSpan(value) }, language),
  );
}

function skippedLines(checks: readonly CheckResult[], { texts }: ReportOptions): string[] {
  const { skipped: heading } = reportWords(texts.language);
  return listed(heading, checks, texts, ({ id, skipped }) =>
    skipped === undefined ? '' : prose(problemOf(id, skipped.rule, texts)),
  );
}

function observedLines(checks: readonly CheckResult[], { texts }: ReportOptions): string[] {
  const { seen: heading } = reportWords(texts.language);
  return listed(heading, checks, texts, ({ facts = {} }) => factItems(facts, texts.language).join(' · '));
}

/** A list with an item for each check that has any text. */
function listed(
  heading: string,
  checks: readonly CheckResult[],
  texts: Texts,
  textOfCheck: (result: CheckResult) => string,
): string[] {
  const lines = checks.flatMap((result) => {
    const text = textOfCheck(result);
    return text === '' ? [] : [`- **${plain(titleOf(result.id, texts))}** ${text}`];
  });
  return lines.length === 0 ? [] : ['', `## ${heading}`, '', ...lines];
}

/* Puts the parts of a Markdown report together, as many as have room. Pure. */

function wholeOf(parts: Parts): string {
  const rows = parts.rows.map(({ line }) => line);
  const sections = parts.sections.flatMap(({ lines }) => lines);
  return textOf([...parts.head, ...tableOf(parts, rows), ...withHeading(parts.heading, sections), ...parts.rest]);
}

/** The rows that have room, the worst first, in the order of the report. */
function keptRows(parts: Parts, room: number): string[] {
  let left = room - bytesOf(tableOf(parts, ['']));
  const kept = new Set<number>();
  const worstFirst = parts.rows.map((row, index) => ({ ...row, index })).toSorted((a, b) => a.weight - b.weight);
  for (const { line, index } of worstFirst) {
    left -= bytesOf([line]);
    if (left < 0) break;
    kept.add(index);
  }
  return parts.rows.flatMap(({ line }, index) => (kept.has(index) ? [line] : []));
}

/** The sections that have room, the worst first: each whole, or with its first finding only; none after one that has none. */
function keptSections({ heading, sections }: Parts, room: number): { lines: string[]; count: number } {
  let left = room - bytesOf(withHeading(heading, ['']));
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
  return { lines: withHeading(heading, kept), count };
}

function tableOf({ tableHead }: Parts, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : ['', ...tableHead, ...rows];
}

function withHeading(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', heading, ...lines];
}

/** Bytes of the lines in UTF-8, each with its line feed. */
function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/** Lines as a text, without a second blank line after another. */
function textOf(lines: readonly string[]): string {
  return lines
    .filter((line, index) => line !== '' || lines[index - 1] !== '')
    .map((line) => `${line}\n`)
    .join('');
}
