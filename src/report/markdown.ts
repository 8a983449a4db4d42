/** The report in GitHub-flavoured Markdown: for job summaries, comments and files. */
import type { CheckResult, Evidence, Finding, Severity, Report, Status } from '../check.ts';
import type { Language } from '../texts.ts';
import { countStatuses, timeOf } from './document.ts';
import { factsOf, factText } from './facts.ts';
import { allGroupsOf, type Group, failing, sharedCause, fixTextOf } from './groups.ts';
import { cellCode, codeBlock, codeSpan, plain, prose, siteLink } from './markdown-text.ts';
import { staleSentence } from './stale.ts';
import type { ReportOptions } from './options.ts';
import { frameLines } from './plain-findings.ts';
import { locationsOrFileOf } from './location.ts';
import type { Messages, StaleFacts } from '../locales/messages.ts';
import { adviceWord } from './advice.ts';
import { reportWords } from '../generated/locales/report.ts';

const SIGNS: Readonly<Record<Status, string>> = { pass: '✅', warn: '⚠️', fail: '❌', skip: '➖', unknown: '❔' };
const SEVERITY_ICONS: Readonly<Record<Severity, string>> = {
  error: '❌',
  unknown: '❔',
  warning: '⚠️',
  info: 'ℹ️',
  skip: '➖',
};

/** Findings of one code, and places of one finding, that are shown unless all are requested. */
const MOST_OF_ONE_RULE = 10;
const MOST_LOCATIONS = 5;

/** The whole report; ends with a newline. */
export function markdownReport(report: Report, options: ReportOptions): string {
  return fitted(partsOf(report, options), Infinity, () => '');
}

/**
 * The report in at most so many bytes of UTF-8; ends with a newline. What has no room is left out by whole findings, the
 * worst are kept, and a line shows what is missing. `whole`: where the whole report is, e.g. a file's name.
 */
export function markdownWithin(
  report: Report,
  options: ReportOptions,
  maxBytes: number,
  whole: string | null = null,
): string {
  const words = reportWords(options.texts.language);
  const location = whole === null ? null : codeSpan(whole);
  const leftOut = ({ findings, checks }: Left): string => {
    const what = [
      ...(findings === 0 ? [] : [words.leftOutFindings(findings)]),
      ...(checks === 0 ? [] : [words.leftOutRows(checks)]),
    ];
    return `> ${words.leftOut(what.length === 0 ? [words.leftOutEvidence] : what, location)}`;
  };
  return fitted(partsOf(report, options), maxBytes, leftOut);
}

function partsOf(report: Report, options: ReportOptions): Parts {
  const words = reportWords(options.texts.language);
  const isQuiet = options.detail === 'quiet';
  const checks = isQuiet ? report.checks.filter(({ status }) => status !== 'pass' && status !== 'skip') : report.checks;
  return {
    head: headOf(report, options),
    tableHead: [
      `| ${words.status} | ${words.check} | ${words.target} | HTTP | ${words.time} |`,
      '| :--- | :--- | :--- | ---: | ---: |',
    ],
    rows: checks.map((result) => ({ line: rowOf(result, options), weight: ROW_WEIGHT[result.status] })),
    heading: `## ${words.findings}`,
    sections: sectionsOf(report, options),
    rest: isQuiet ? [] : [...skippedLines(checks, options), ...observedLines(checks, options)],
  };
}

/** Which rows are kept without room for all. */
const ROW_WEIGHT: Readonly<Record<Status, number>> = { fail: 0, unknown: 1, warn: 2, skip: 3, pass: 4 };

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
  const title = plain(texts.check(id)?.title ?? id);
  const cells = [
    `${SIGNS[status]} ${messages.statuses[status]}`,
    title,
    `${cellCode(target)}${requests === undefined || requests < 2 ? '' : ` ×${requests}`}`,
    httpStatus === null ? '' : String(httpStatus),
    messages.milliseconds(timeOf(result)),
  ];
  return `| ${cells.join(' | ')} |`;
}

function sectionsOf({ checks }: Report, options: ReportOptions): readonly Section[] {
  const cause = sharedCause(checks, options.texts);
  if (cause !== null) {
    const counted = failing(checks).length;
    const { id, finding } = cause;
    const group = { id, rule: finding.rule, severity: finding.severity, findings: [finding], count: 1 };
    const lines = [
      '',
      plain(options.messages.sameCause(counted)),
      ...groupLines(group, 1, fixOf(group, options), options),
    ];
    return [{ count: 1, lines, short: lines }];
  }
  const isQuiet = options.detail === 'quiet';
  const most = options.detail === 'verbose' ? Infinity : MOST_OF_ONE_RULE;
  /** Each fix with the finding it was printed for; sections are only ever left out from the end. */
  const reported = new Map<string, string>();
  return allGroupsOf(checks)
    .filter(({ severity }) => !isQuiet || severity !== 'info')
    .map((group) => {
      const fix = fixOf(group, options, reported);
      return {
        count: group.findings.length,
        lines: groupLines(group, most, fix, options),
        short: groupLines(group, 1, fix, options),
      };
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

function groupLines(
  { id, rule, severity, findings, count }: Group,
  most: number,
  fix: string,
  options: ReportOptions,
): string[] {
  const { texts, messages } = options;
  const name = messages.verdictLine(plain(texts.check(id)?.title ?? id), codeSpan(`${id}/${rule}`));
  const shown = findings.slice(0, most);
  const more = count - shown.length;
  return [
    '',
    `### ${SEVERITY_ICONS[severity]} ${name}${count === 1 ? '' : ` ×${count}`}`,
    '',
    prose(texts.finding(id, rule)?.problem ?? rule),
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
  return factsOf(evidence, language).map((fact) =>
    factText(
      {
        label: fact.label === null ? null : plain(fact.label),
        value: fact.isWords ? plain(fact.value) : codeSpan(fact.value),
      },
      language,
    ),
  );
}

function skippedLines(checks: readonly CheckResult[], { texts }: ReportOptions): string[] {
  const lines = checks.flatMap(({ id, skipped }) => {
    if (skipped === undefined) return [];
    const reason = texts.finding(id, skipped.rule)?.problem ?? skipped.rule;
    return [`- **${plain(texts.check(id)?.title ?? id)}** ${prose(reason)}`];
  });
  return lines.length === 0 ? [] : ['', `## ${reportWords(texts.language).skipped}`, '', ...lines];
}

function observedLines(checks: readonly CheckResult[], { texts }: ReportOptions): string[] {
  const lines = checks.flatMap(({ id, facts = {} }) => {
    const reported = factItems(facts, texts.language);
    if (reported.length === 0) return [];
    return [`- **${plain(texts.check(id)?.title ?? id)}** ${reported.join(' · ')}`];
  });
  return lines.length === 0 ? [] : ['', `## ${reportWords(texts.language).seen}`, '', ...lines];
}

/* Puts the parts of a Markdown report together, as many as have room. Pure. */

/** A section of the report about findings of one code, whole and with the first of them only. */
interface Section {
  /** The number of findings in it. */
  readonly count: number;
  readonly lines: readonly string[];
  readonly short: readonly string[];
}

/** What a report is put together from, in this order. */
interface Parts {
  readonly head: readonly string[];
  readonly tableHead: readonly string[];
  /** `weight`: the smallest are kept first. */
  readonly rows: readonly { readonly line: string; readonly weight: number }[];
  /** The heading of the sections, if there are any. */
  readonly heading: string;
  /** The worst first. */
  readonly sections: readonly Section[];
  /** What is omitted first without room. */
  readonly rest: readonly string[];
}

/** How many findings, and rows of the table of checks, have no room. */
interface Left {
  readonly findings: number;
  readonly checks: number;
}

/**
 * The report in at most `maxBytes` of UTF-8, ending with a newline. `reported` makes the line about what is left out. Room that
 * is too small even for the first lines and that one leaves nothing.
 */
function fitted(parts: Parts, maxBytes: number, reported: (left: Left) => string): string {
  const whole = textOf([
    ...parts.head,
    ...tableOf(
      parts,
      parts.rows.map(({ line }) => line),
    ),
    ...withHeading(
      parts.heading,
      parts.sections.flatMap(({ lines }) => lines),
    ),
    ...parts.rest,
  ]);
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  return cutParts(parts, maxBytes, reported);
}

function cutParts(parts: Parts, maxBytes: number, reported: (left: Left) => string): string {
  const all = parts.sections.reduce((sum, { count }) => sum + count, 0);
  // The line at the end never gets longer than these: numbers only get smaller, or nothing is left to count.
  const everything = reported({ findings: all, checks: parts.rows.length });
  const atMost = Math.max(bytesOf(['', everything]), bytesOf(['', reported({ findings: 0, checks: 0 })]));
  let room = maxBytes - bytesOf(parts.head) - atMost;
  if (room < 0) return bytesOf([everything]) <= maxBytes ? textOf([everything]) : '';
  // Half of the room at most is for the table, so that it leaves some for what is wrong.
  const rows = keptRows(parts, room / 2);
  const table = tableOf(parts, rows);
  room -= bytesOf(table);
  const { lines, count } = keptSections(parts, room);
  const left = { findings: all - count, checks: parts.rows.length - rows.length };
  return textOf([...parts.head, ...table, ...lines, '', reported(left)]);
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
