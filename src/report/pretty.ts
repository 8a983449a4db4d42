import { bytesIn, factLines } from './facts.ts';
import type { CheckResult, ReportedSite, Report, Status } from '../core/check.ts';
import type { Evidence } from '../core/answer.ts';
import type { Finding } from '../core/finding.ts';
import { printable } from '../text/printable.ts';
import { cutText, singleSpaced } from './cut.ts';
import { timeOf } from './document.ts';
import { adviceWord, causesOf, effectsIn, failing, groupsOf, sharedCause, timesText, type Group } from './groups.ts';
import { summaryOf, waitedLine } from './summary.ts';
import { codeFrame, layoutOf, STYLE_OF, type Style } from './terminal.ts';
import type { ReportOptions } from './formats.ts';
import { locationsOrFileOf } from './location.ts';
import { statusBy, VERDICT_STATUS } from '../core/verdict.ts';
import { padded, textWidth } from '../text/width.ts';
import { reportWords } from '../generated/locales/report.ts';

const styleBySeverity = (group: Group): (typeof STYLE_OF)[Status] =>
  group.severity === 'info' ? 'quiet' : STYLE_OF[statusBy(group)];

const MARKS: Readonly<Record<Status, string>> = { pass: '✓', warn: '!', fail: '✗', skip: '-', unknown: '?' };
/** Findings of one rule, and other locations of one finding, unless all are requested. */
const MOST_OF_ONE_RULE = 5;
const MOST_LOCATIONS = 5;
const LONGEST_NAME = 1_000;
const LONGEST_SHORT_FACT = 40;

export function prettyReport(report: Report, options: ReportOptions): string {
  const { head, checks, cause, verdict } = prettySections(report, options);
  const lines = singleSpaced([...head, ...checks.flat(), ...cause, '', ...verdict]);
  return `${lines.join('\n')}\n`;
}

/** The lines of the report in the pieces that an output may fold. A check begins with its row. */
export function prettySections(report: Report, options: ReportOptions) {
  const page = pageOf(report, options);
  const { detail, messages, texts, style, prose } = page;
  const { checks, interrupted, site } = report;
  const shown = detail === 'quiet' ? failing(checks) : checks;
  const cause = sharedCause(checks, texts);
  const lead = prose(messages.sameCause(failing(checks).length), 0);
  const rows = rowsOf(shown, page);
  return {
    head: [siteLine(site, style), '', ...(interrupted ? [messages.interrupted(), ''] : [])],
    checks: shown.map((result, index) => [...(rows[index] ?? []), ...detailsOf(result, cause === null, page)]),
    cause: cause === null ? [] : ['', ...lead, '', ...groupLines(cause, page)],
    verdict: verdictLines(report, page),
  };
}

/** The findings of one check, for an output that has its own head for it. */
export function prettyFindings(result: CheckResult, report: Report, options: ReportOptions): string[] {
  return findingsOf(result, pageOf(report, options));
}

type Page = ReturnType<typeof pageOf>;

function pageOf(report: Report, options: ReportOptions) {
  return {
    ...options,
    ...layoutOf(options),
    words: reportWords(options.texts.language),
    effects: effectsIn(report.checks),
    /** Each fix with the finding that it was printed for. */
    printedFixes: new Map<string, string>(),
    /** Why checks were skipped: what a host that refuses has in common is printed once. */
    printedSkips: new Set<string>(),
  };
}

function siteLine({ url, engine }: ReportedSite, { strong, quiet }: Style): string {
  if (engine === undefined) return strong(printable(url));
  const name = engine.version === null ? engine.name : `${engine.name} ${printable(engine.version)}`;
  return `${strong(printable(url))}  ${quiet(name)}`;
}

/** The row of each check; on two lines where one has no room. */
function rowsOf(checks: readonly CheckResult[], { texts, messages, style, columns, wrapped }: Page) {
  const cells = checks.map(({ id, status, target, requests }) => ({
    word: messages.statuses[status],
    title: printable(texts.title(id)),
    target: `${cutText(printable(target), LONGEST_NAME)}${timesText(requests)}`,
  }));
  const widest = (name: 'word' | 'title' | 'target'): number => Math.max(...cells.map((cell) => textWidth(cell[name])));
  const widths = { word: widest('word'), title: widest('title'), target: widest('target') };
  const indent = 2 + widths.word + 2;
  const isWide = indent + widths.title + 2 + widths.target + 2 + 12 <= columns;
  return checks.map((result, index): string[] => {
    const { word = '', title = '', target = '' } = cells[index] ?? {};
    const head = style[STYLE_OF[result.status]](`${MARKS[result.status]} ${padded(word, widths.word)}`);
    const status = String(result.httpStatus ?? '').padStart(3);
    const tail = `${status} ${style.quiet(messages.milliseconds(timeOf(result)).padStart(8))}`;
    if (isWide) return [`${head}  ${padded(title, widths.title)}  ${padded(target, widths.target)}  ${tail}`];
    const [first = '', ...rest] = [title, `${target}  ${tail.trimStart()}`].flatMap((row) => wrapped(row, indent));
    return [`${head}  ${first.trimStart()}`, ...rest];
  });
}

function detailsOf(result: CheckResult, withFindings: boolean, page: Page): string[] {
  const { detail, texts, messages, prose } = page;
  const { id, skipped, timings, attempts, facts = {} } = result;
  // A check of several requests has no times of its own.
  const measured = detail === 'verbose' && attempts > 0 ? factRows({ ...timings, attempts }, 4, page) : [];
  // The cause of several checks is printed once.
  if (!withFindings) return measured;
  const findings = findingsOf(result, page);
  const action = texts.check(id)?.degraded;
  return [
    ...measured,
    ...(detail === 'quiet' ? [] : factRows(facts, 4, page)),
    ...(skipped === undefined ? [] : skipLines(texts.problem(id, skipped.rule), page)),
    ...findings,
    ...(detail === 'verbose' && result.findings.length > 0 && action !== undefined
      ? ['', ...prose(`${messages.documentedAction} ${action}`, 2)]
      : []),
    ...(findings.length > 0 ? [''] : []),
  ];
}

function skipLines(why: string, { prose, printedSkips }: Page): string[] {
  if (printedSkips.has(why)) return [];
  printedSkips.add(why);
  return prose(why, 4);
}

function findingsOf({ id, findings, omitted = {} }: CheckResult, page: Page): string[] {
  const { detail, messages, prose } = page;
  const reported = detail === 'quiet' ? findings.filter(({ severity }) => severity !== 'info') : findings;
  const groups = groupsOf({ id, findings: reported, omitted });
  const causes = causesOf(groups);
  const effects = causes.length === 0 ? [] : prose(messages.effectOf(causes), 4);
  const own = groups.filter(({ cause }) => cause === undefined);
  return [...effects, ...own.flatMap((group) => ['', ...groupLines(group, page)])];
}

function groupLines(group: Group, page: Page): string[] {
  const { id, rule, findings, count } = group;
  const { detail, locate, messages, texts, style, columns, prose, quietly } = page;
  const name = `${id}/${rule}`;
  const shown = detail === 'verbose' ? findings : findings.slice(0, MOST_OF_ONE_RULE);
  const more = findings.length - shown.length;
  const omitted = count - findings.length;
  const [location = ''] = count === 1 ? findings.flatMap((finding) => locationsOrFileOf(finding, locate)) : [];
  const aside = location === '' ? '' : `  ${cutText(location, LONGEST_NAME)}`;
  const fits = textWidth(`  ${name}${aside}`) <= columns;
  const besideName = count === 1 && fits ? aside : timesText(count);
  return [
    `  ${style[styleBySeverity(group)](name)}${style.quiet(besideName)}`,
    ...(fits ? [] : quietly(aside.trimStart(), 4)),
    ...prose(texts.problem(id, rule), 2),
    ...shown.flatMap((finding) => memberLines(finding, count > 1, page)),
    ...(more === 0 ? [] : prose(messages.more(more), 4)),
    ...(omitted === 0 ? [] : prose(messages.onlyCounted(omitted), 4)),
    ...effectLines(group, page),
    ...fixLines(group, page),
    ...documentationLines(group, page),
  ];
}

function memberLines(finding: Finding, withLocation: boolean, page: Page): string[] {
  const { detail, locate, columns, style, words, wrapped, quietly } = page;
  const { excerpt, location, evidence } = finding;
  const [first, ...others] = locationsOrFileOf(finding, locate);
  const located = first === undefined || !withLocation ? [] : wrapped(first, 4);
  const indent = located.length === 0 ? 4 : 6;
  const frame = excerpt && location ? codeFrame(excerpt, location, columns - 4, style) : [];
  const also = detail === 'verbose' ? others : others.slice(0, MOST_LOCATIONS);
  const more = others.length - also.length;
  const locations = [...also, ...(more === 0 ? [] : [words.more(more)])].join(', ');
  return [
    ...located,
    ...(frame.length === 0 ? [] : ['', ...frame.map((line) => `    ${line}`), '']),
    ...factRows(evidence, indent, page),
    ...(others.length === 0 ? [] : quietly(`${words.also} ${locations}`, indent)),
  ];
}

/** Evidence with its labels: the short facts on one line, each long one on its own. */
function factRows(evidence: Evidence, indent: number, { texts, quietly }: Page): string[] {
  const { short = [], long = [] } = Object.groupBy(factLines(evidence, texts.language), ({ length }) =>
    length <= LONGEST_SHORT_FACT ? 'short' : 'long',
  );
  return [...(short.length === 0 ? [] : [short.join(' · ')]), ...long].flatMap((row) => quietly(row, indent));
}

function effectLines(cause: Group, page: Page): string[] {
  const { effects, messages, texts, style, prose } = page;
  const lines = (effects.get(`${cause.id}/${cause.rule}`) ?? []).flatMap((effect) => {
    const { id, rule, findings } = effect;
    const name = style[styleBySeverity(effect)](`${id}/${rule}`);
    const facts = findings.slice(0, MOST_OF_ONE_RULE).flatMap(({ evidence }) => factRows(evidence, 6, page));
    return [...prose(`${name} ${texts.problem(id, rule)}`, 4), ...facts];
  });
  return lines.length === 0 ? [] : [...prose(style.strong(messages.inBrowser), 2), ...lines];
}

function fixLines({ id, rule, severity }: Group, page: Page): string[] {
  const { messages, texts, printedFixes, style, prose } = page;
  const fix = texts.finding(id, rule)?.fix ?? '';
  if (fix === '') return [];
  const printed = printedFixes.get(fix);
  if (printed === undefined) printedFixes.set(fix, `${id}/${rule}`);
  const word = style.good(adviceWord(severity, page));
  return prose(`${word} ${printed === undefined ? fix : messages.sameFix(printed)}`, 2);
}

/** An address is not broken, so that terminals recognise it. */
function documentationLines({ id, rule }: Group, { detail, texts, messages, style }: Page): string[] {
  const url = texts.docsUrl(id, rule);
  if (detail !== 'verbose' || url === undefined) return [];
  return [`  ${style.quiet(messages.documentation)}`, `  ${url}`];
}

function verdictLines(report: Report, page: Page): string[] {
  const { detail, messages, texts, style, prose } = page;
  const { verdict, waited, receivedBytes } = report;
  const word = style.strong(style[STYLE_OF[VERDICT_STATUS[verdict]]](messages.verdicts[verdict]));
  const isCounted = detail === 'verbose' && receivedBytes !== undefined;
  const lines = [
    messages.verdictLine(word, summaryOf(report, page)),
    ...(waited === undefined ? [] : [waitedLine(waited, page)]),
    ...(isCounted ? [messages.received(bytesIn(receivedBytes, texts.language))] : []),
  ];
  return lines.flatMap((line) => prose(line, 0));
}
