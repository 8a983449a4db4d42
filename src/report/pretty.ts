import { bytesIn } from './facts.ts';
import type { CheckResult, Evidence, Finding, Severity, Report, Status } from '../check.ts';
import { printable } from '../printable.ts';
import { cutText } from './cut.ts';
import { timeOf } from './document.ts';
import {
  adviceWord,
  effectsIn,
  failing,
  groupsOf,
  problemOf,
  sharedCause,
  summaryOf,
  titleOf,
  type Group,
} from './groups.ts';
import { Layout } from './terminal.ts';
import type { ReportOptions } from './options.ts';
import { locationsOrFileOf } from './location.ts';
import { SEVERITY_STATUS, VERDICT_STATUS } from '../verdict.ts';
import { textWidth } from '../text-width.ts';
import { reportWords } from '../generated/locales/report.ts';

const MARKS: Readonly<Record<Status, string>> = { pass: '✓', warn: '!', fail: '✗', skip: '-', unknown: '?' };
/** Findings of one rule, and other locations of one finding, unless all are requested. */
const MOST_OF_ONE_RULE = 5;
const MOST_LOCATIONS = 5;
const LONGEST_NAME = 1_000;

export function prettyReport(report: Report, options: ReportOptions): string {
  return new PrettyReport(report, options).lines().join('\n').concat('\n');
}

export class PrettyReport {
  readonly #report: Report;
  readonly #options: ReportOptions;
  readonly #page: Layout;
  readonly #effectsByCause: ReturnType<typeof effectsIn>;
  /** Each fix with the finding that it was printed for. */
  readonly #reportedFixes = new Map<string, string>();

  constructor(report: Report, options: ReportOptions) {
    this.#report = report;
    this.#options = options;
    this.#page = new Layout(options.columns, options.colour);
    this.#effectsByCause = effectsIn(report.checks);
  }

  lines(): string[] {
    const { head, checks, cause, verdict } = this.sections();
    return [...head, ...checks.flat(), ...cause, '', ...verdict].filter(
      (line, index, lines) => line !== '' || lines[index - 1] !== '',
    );
  }

  /** The lines of the report in the pieces that an output may fold. A check begins with its row. */
  sections() {
    const { checks, interrupted, site } = this.#report;
    const { detail, messages, texts } = this.#options;
    const shown = detail === 'quiet' ? failing(checks) : checks;
    const cause = sharedCause(checks, texts);
    const lead = this.#page.prose(messages.sameCause(failing(checks).length), 0);
    return {
      head: [this.#siteLine(site), '', ...(interrupted ? [messages.interrupted(), ''] : [])],
      checks: shown.map((result) => this.#check(result, shown, cause === null)),
      cause: cause === null ? [] : ['', ...lead, '', ...this.#group(cause)],
      verdict: this.#verdict(),
    };
  }

  #siteLine({ url, engine }: Report['site']): string {
    const { strong, quiet } = this.#page.style;
    if (engine === undefined) return strong(printable(url));
    const name = engine.version === null ? engine.name : `${engine.name} ${printable(engine.version)}`;
    return `${strong(printable(url))}  ${quiet(name)}`;
  }

  #check(result: CheckResult, all: readonly CheckResult[], withFindings: boolean): string[] {
    const { detail, texts } = this.#options;
    const { id, skipped, timings, attempts, facts = {} } = result;
    const rows = this.#row(result, all);
    // A check of several requests has no times of its own.
    if (detail === 'verbose' && attempts > 0) rows.push(...this.#facts({ ...timings, attempts }, 4));
    // The cause of several checks is printed once.
    if (!withFindings) return rows;
    const observed = detail === 'quiet' ? [] : this.#facts(facts, 4);
    const reason = skipped === undefined ? [] : this.#page.prose(problemOf(id, skipped.rule, texts), 4);
    const findings = this.findings(result);
    return [
      ...rows,
      ...observed,
      ...reason,
      ...findings,
      ...this.#action(result),
      ...(findings.length > 0 ? [''] : []),
    ];
  }

  /** The findings of one check, for an output that has its own head for it. */
  findings({ id, findings, omitted = {} }: CheckResult): string[] {
    const { detail, messages } = this.#options;
    const reported = detail === 'quiet' ? findings.filter(({ severity }) => severity !== 'info') : findings;
    const groups = groupsOf({ id, findings: reported, omitted });
    const causes = [...new Set(groups.flatMap(({ cause = [] }) => cause))];
    const effects = causes.length === 0 ? [] : this.#page.prose(messages.effectOf(causes), 4);
    const own = groups.filter(({ cause }) => cause === undefined);
    return [...effects, ...own.flatMap((group) => ['', ...this.#group(group)])];
  }

  #effects(cause: Group): string[] {
    const { messages, texts } = this.#options;
    const effects = this.#effectsByCause.get(`${cause.id}/${cause.rule}`) ?? [];
    if (effects.length === 0) return [];
    const lines = effects.flatMap(({ id, rule, severity, findings }) => {
      const name = this.#paintOfSeverity(severity)(`${id}/${rule}`);
      return [
        ...this.#page.prose(`${name} ${texts.finding(id, rule)?.problem ?? ''}`, 4),
        ...findings.slice(0, MOST_OF_ONE_RULE).flatMap(({ evidence }) => this.#facts(evidence, 6)),
      ];
    });
    return [...this.#page.prose(this.#page.style.strong(messages.inBrowser), 2), ...lines];
  }

  #group(group: Group): string[] {
    const { id, rule, severity, findings, count } = group;
    const { detail, locate, messages, texts } = this.#options;
    const name = `${id}/${rule}`;
    const shown = detail === 'verbose' ? findings : findings.slice(0, MOST_OF_ONE_RULE);
    const more = findings.length - shown.length;
    const omitted = count - findings.length;
    const [location = ''] = count === 1 ? findings.flatMap((finding) => locationsOrFileOf(finding, locate)) : [];
    const aside = location === '' ? '' : `  ${cutText(location, LONGEST_NAME)}`;
    const fits = textWidth(`  ${name}${aside}`) <= this.#page.columns;
    const besideName = count === 1 ? aside : ` ×${count}`;
    return [
      `  ${this.#paintOfSeverity(severity)(name)}${this.#page.style.quiet(fits || count > 1 ? besideName : '')}`,
      ...(fits ? [] : this.#page.quietly(aside.trimStart(), 4)),
      ...this.#page.prose(problemOf(id, rule, texts), 2),
      ...shown.flatMap((finding) => this.#member(finding, count > 1)),
      ...(more === 0 ? [] : this.#page.prose(messages.more(more), 4)),
      ...(omitted === 0 ? [] : this.#page.prose(messages.onlyCounted(omitted), 4)),
      ...this.#effects(group),
      ...this.#fix(group),
      ...this.#documentation(group),
    ];
  }

  #member(finding: Finding, withLocation: boolean): string[] {
    const [first, ...others] = locationsOrFileOf(finding, this.#options.locate);
    const located = first === undefined || !withLocation ? [] : this.#page.wrapped(first, 4);
    const indent = located.length === 0 ? 4 : 6;
    return [
      ...located,
      ...this.#page.frame(finding),
      ...this.#facts(finding.evidence, indent),
      ...this.#also(others, indent),
    ];
  }

  #also(others: readonly string[], indent: number): string[] {
    if (others.length === 0) return [];
    const words = reportWords(this.#options.texts.language);
    const shown = this.#options.detail === 'verbose' ? others : others.slice(0, MOST_LOCATIONS);
    const more = others.length - shown.length;
    const locations = [...shown, ...(more === 0 ? [] : [words.more(more)])].join(', ');
    return this.#page.quietly(`${words.also} ${locations}`, indent);
  }

  /** On two lines where they do not fit on one. */
  #row(result: CheckResult, all: readonly CheckResult[]): string[] {
    const { texts, messages } = this.#options;
    const title = (of: CheckResult): string => printable(titleOf(of.id, texts));
    const word = (of: CheckResult): string => messages.statuses[of.status];
    const target = (of: CheckResult): string =>
      `${cutText(printable(of.target), LONGEST_NAME)}${of.requests === undefined || of.requests < 2 ? '' : ` ×${of.requests}`}`;
    const widest = (cell: (of: CheckResult) => string): number => Math.max(...all.map((of) => textWidth(cell(of))));
    const paint = this.#paintOf(result.status);
    const head = paint(`${MARKS[result.status]} ${padded(word(result), widest(word))}`);
    const status = (result.httpStatus === null ? '' : String(result.httpStatus)).padStart(3);
    const time = messages.milliseconds(timeOf(result)).padStart(8);
    const tail = `${status} ${this.#page.style.quiet(time)}`;
    const first = `${head}  ${padded(title(result), widest(title))}`;
    const width = 2 + widest(word) + 2 + widest(title) + 2 + widest(target) + 2 + 12;
    if (width <= this.#page.columns) return [`${first}  ${padded(target(result), widest(target))}  ${tail}`];
    const indent = 2 + widest(word) + 2;
    const rows = [title(result), `${target(result)}  ${tail.trimStart()}`].flatMap((row) =>
      this.#page.wrapped(row, indent),
    );
    return [`${head}  ${(rows[0] ?? '').trimStart()}`, ...rows.slice(1)];
  }

  #facts(evidence: Evidence, indent: number): string[] {
    return this.#page.facts(evidence, indent, this.#options.texts.language);
  }

  #fix({ id, rule, severity }: Group): string[] {
    const { messages, texts } = this.#options;
    const fix = texts.finding(id, rule)?.fix ?? '';
    if (fix === '') return [];
    const reported = this.#reportedFixes.get(fix);
    if (reported === undefined) this.#reportedFixes.set(fix, `${id}/${rule}`);
    const word = this.#page.style.good(adviceWord(severity, this.#options));
    return this.#page.prose(`${word} ${reported === undefined ? fix : messages.sameFix(reported)}`, 2);
  }

  /** An address is not broken, so that terminals recognise it. */
  #documentation({ id, rule }: Group): string[] {
    const { detail, texts, messages } = this.#options;
    const url = texts.docsUrl(id, rule);
    if (detail !== 'verbose' || url === undefined) return [];
    return [`  ${this.#page.style.quiet(messages.documentation)}`, `  ${url}`];
  }

  #action(result: CheckResult): string[] {
    const { detail, texts, messages } = this.#options;
    const action = texts.check(result.id)?.degraded;
    if (detail !== 'verbose' || result.findings.length === 0 || action === undefined) return [];
    return ['', ...this.#page.prose(`${messages.documentedAction} ${action}`, 2)];
  }

  #verdict(): string[] {
    const { verdict, waited, receivedBytes } = this.#report;
    const { detail, messages, texts } = this.#options;
    const word = this.#page.style.strong(this.#paintOf(VERDICT_STATUS[verdict])(messages.verdicts[verdict]));
    const lines = [
      messages.verdictLine(word, summaryOf(this.#report, messages)),
      ...(waited === undefined ? [] : [messages.waiting.clocks(waited)]),
      ...(detail !== 'verbose' || receivedBytes === undefined
        ? []
        : [messages.received(bytesIn(receivedBytes, texts.language))]),
    ];
    return lines.flatMap((line) => this.#page.prose(line, 0));
  }

  #paintOfSeverity(severity: Severity): (text: string) => string {
    return severity === 'info' ? this.#page.style.quiet : this.#paintOf(SEVERITY_STATUS[severity]);
  }

  #paintOf(status: Status): (text: string) => string {
    if (status === 'pass') return this.#page.style.good;
    if (status === 'fail') return this.#page.style.bad;
    return status === 'skip' ? this.#page.style.quiet : this.#page.style.doubtful;
  }
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}
