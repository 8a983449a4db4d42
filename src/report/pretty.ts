import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { CheckResult, Evidence, Finding, Grade, Json, Report, Status, Verdict } from '../check.ts';
import { REASONS } from '../http/reasons.ts';
import type { Messages } from '../messages/messages.ts';
import type { Texts } from '../texts.ts';
import { codeFrame } from './code-frame.ts';
import { countStatuses } from './document.ts';
import { printable } from '../printable.ts';
import { inlineCode, makeStyle, type Style } from './style.ts';

/** How the terminal output is made. */
export interface PrettyOptions {
  readonly texts: Texts;
  readonly messages: Messages;
  /** Width of the terminal in columns. */
  readonly columns: number;
  readonly colour: boolean;
  /** `quiet`: only what is not well. `verbose`: timings and the documented action as well. */
  readonly detail: 'quiet' | 'normal' | 'verbose';
}

const MARKS: Readonly<Record<Status, string>> = { pass: '✓', warn: '!', fail: '✗', skip: '-', unknown: '?' };
/** Prose is easier to read in lines that are not longer than this, however wide the terminal is. */
const WIDEST_PROSE = 100;
const NARROWEST = 30;
const LONGEST_SHORT_FACT = 40;

/** The report for a person at a terminal; ends with a newline. */
export function prettyReport(report: Report, options: PrettyOptions): string {
  return new PrettyReport(report, options).lines().join('\n').concat('\n');
}

class PrettyReport {
  readonly #report: Report;
  readonly #options: PrettyOptions;
  readonly #style: Style;
  readonly #columns: number;
  /** Each fix with the finding that it was told for. */
  readonly #toldFixes = new Map<string, string>();

  constructor(report: Report, options: PrettyOptions) {
    this.#report = report;
    this.#options = options;
    this.#style = makeStyle(options.colour);
    this.#columns = Math.max(NARROWEST, options.columns);
  }

  lines(): string[] {
    const { checks, interrupted, site } = this.#report;
    const { detail, messages } = this.#options;
    const shown = detail === 'quiet' ? checks.filter(({ status }) => status !== 'pass' && status !== 'skip') : checks;
    const cause = sharedCause(checks, this.#options.texts);
    return [
      this.#style.strong(printable(site.url)),
      '',
      ...(interrupted ? [messages.interrupted(), ''] : []),
      ...shown.flatMap((result) => this.#check(result, shown, cause === null)),
      ...(cause === null
        ? []
        : ['', ...this.#prose(messages.sameCause(checks.length), 0), '', ...this.#finding(cause)]),
      '',
      ...this.#verdict(),
    ].filter((line, index, lines) => line !== '' || lines[index - 1] !== '');
  }

  #check(result: CheckResult, all: readonly CheckResult[], withFindings: boolean): string[] {
    const rows = this.#row(result, all);
    const reason = result.skipped === undefined ? [] : this.#skipped(result, result.skipped);
    const timings = this.#options.detail === 'verbose' ? this.#timings(result) : [];
    const findings = withFindings
      ? result.findings.flatMap((one) => ['', ...this.#finding({ id: result.id, finding: one })])
      : [];
    const action = withFindings ? this.#action(result) : [];
    return [...rows, ...timings, ...reason, ...findings, ...action, ...(findings.length > 0 ? [''] : [])];
  }

  /** Mark, word, title, target, HTTP status, time; on two lines where they do not fit on one. */
  #row(result: CheckResult, all: readonly CheckResult[]): string[] {
    const { texts, messages } = this.#options;
    const title = (of: CheckResult): string => printable(texts.check(of.id)?.title ?? of.id);
    const word = (of: CheckResult): string => messages.statuses[of.status];
    const target = (of: CheckResult): string => printable(of.target);
    const widest = (cell: (of: CheckResult) => string): number => Math.max(...all.map((of) => stringWidth(cell(of))));
    const paint = this.#paintOf(result.status);
    const head = paint(`${MARKS[result.status]} ${padded(word(result), widest(word))}`);
    const status = (result.httpStatus === null ? '' : String(result.httpStatus)).padStart(3);
    // How long the site took to answer; what the judge took is not the site's.
    const ms = result.attempts === 0 ? result.durationMs : result.timings.totalMs;
    const time = messages.milliseconds(ms).padStart(8);
    const tail = `${status} ${this.#style.quiet(time)}`;
    const first = `${head}  ${padded(title(result), widest(title))}`;
    const width = 2 + widest(word) + 2 + widest(title) + 2 + widest(target) + 2 + 12;
    if (width <= this.#columns) return [`${first}  ${padded(target(result), widest(target))}  ${tail}`];
    const indent = 2 + widest(word) + 2;
    const rows = [title(result), `${target(result)}  ${tail.trimStart()}`].flatMap((row) => this.#wrapped(row, indent));
    return [`${head}  ${(rows[0] ?? '').trimStart()}`, ...rows.slice(1)];
  }

  #skipped(result: CheckResult, finding: Finding): string[] {
    const text = this.#options.texts.finding(result.id, finding.code);
    return this.#prose(text?.problem ?? finding.code, 4);
  }

  #timings({ timings, attempts }: CheckResult): string[] {
    const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = timings;
    return this.#facts({ dnsMs, connectMs, tlsMs, firstByteMs, totalMs, attempts }, 4);
  }

  #finding({ id, finding }: Caused): string[] {
    const text = this.#options.texts.finding(id, finding.code);
    const { path, line, column } = finding.location ?? {};
    const at = path === undefined ? '' : `  ${printable(path)}:${line}:${column}`;
    const paint = this.#paintOf(GRADE_STATUS[finding.grade]);
    return [
      `  ${paint(`${id}/${finding.code}`)}${this.#style.quiet(at)}`,
      ...this.#prose(text?.problem ?? finding.code, 2),
      ...this.#frame(finding),
      ...this.#facts(finding.evidence, 4),
      ...this.#fix(text?.fix, `${id}/${finding.code}`),
    ];
  }

  #frame({ excerpt, location }: Finding): string[] {
    if (excerpt === undefined || location === undefined) return [];
    const lines = codeFrame(excerpt, location, this.#columns - 4, this.#style);
    return ['', ...lines.map((line) => `    ${line}`), ''];
  }

  /** A fix that several findings share is told once. */
  #fix(fix: string | undefined, finding: string): string[] {
    if (fix === undefined || fix === '') return [];
    const { messages } = this.#options;
    const told = this.#toldFixes.get(fix);
    if (told === undefined) this.#toldFixes.set(fix, finding);
    return this.#prose(`${this.#style.good(messages.fix)} ${told === undefined ? fix : messages.sameFix(told)}`, 2);
  }

  #action(result: CheckResult): string[] {
    const { detail, texts, messages } = this.#options;
    const action = texts.check(result.id)?.degraded;
    if (detail !== 'verbose' || result.findings.length === 0 || action === undefined) return [];
    return ['', ...this.#prose(`${messages.documentedAction} ${action}`, 2)];
  }

  /** Evidence as `name value`, the names as in the JSON report: the short facts on one line, each long one on its own. */
  #facts(evidence: Evidence, indent: number): string[] {
    const facts = Object.entries(evidence).flatMap(([name, value]) => factsOf(name, value));
    const short = facts.filter((fact) => fact.length <= LONGEST_SHORT_FACT).join(' · ');
    const long = facts.filter((fact) => fact.length > LONGEST_SHORT_FACT);
    const rows = short === '' ? long : [short, ...long];
    return rows.flatMap((row) => this.#wrapped(row, indent)).map((line) => this.#style.quiet(line));
  }

  #verdict(): string[] {
    const { verdict, checks, durationMs } = this.#report;
    const { messages } = this.#options;
    const word = this.#style.strong(this.#paintOf(VERDICT_STATUS[verdict])(messages.verdicts[verdict]));
    return this.#prose(messages.verdictLine(word, messages.summary(verdict, countStatuses(checks), durationMs)), 0);
  }

  #prose(text: string, indent: number): string[] {
    return this.#wrapped(inlineCode(text, this.#style, this.#options.colour), indent, WIDEST_PROSE);
  }

  #wrapped(text: string, indent: number, widest = Infinity): string[] {
    const width = Math.max(NARROWEST / 2, Math.min(this.#columns, widest) - indent);
    const lines = wrapAnsi(text, width, { hard: true }).split('\n');
    return lines.map((line) => `${' '.repeat(indent)}${line}`);
  }

  #paintOf(status: Status): (text: string) => string {
    if (status === 'pass') return this.#style.good;
    if (status === 'fail') return this.#style.bad;
    return status === 'skip' ? this.#style.quiet : this.#style.doubtful;
  }
}

const GRADE_STATUS: Readonly<Record<Grade, Status>> = {
  error: 'fail',
  warning: 'warn',
  skip: 'skip',
  unknown: 'unknown',
};

const VERDICT_STATUS: Readonly<Record<Verdict, Status>> = {
  healthy: 'pass',
  degraded: 'fail',
  down: 'fail',
  unknown: 'unknown',
};

interface Caused {
  readonly id: string;
  readonly finding: Finding;
}

/** The codes that say something of the host as a whole when every check has them; others have facts of their own. */
const ABOUT_HOST: ReadonlySet<string> = new Set([
  ...Object.keys(REASONS),
  'redirected',
  'not-found',
  'forbidden',
  'rate-limited',
  'server-error',
  'status',
]);

/** The one cause behind it all: the only finding of every check, told in the same words for each. `null` where there is none. */
function sharedCause(checks: readonly CheckResult[], texts: Texts): Caused | null {
  const [first] = checks;
  const finding = first?.findings[0];
  if (first === undefined || finding === undefined || checks.length < 2 || !ABOUT_HOST.has(finding.code)) return null;
  const problem = texts.finding(first.id, finding.code)?.problem;
  const same = checks.every(
    ({ id, findings: [only, ...others] }) =>
      only?.code === finding.code && others.length === 0 && texts.finding(id, only.code)?.problem === problem,
  );
  return same ? { id: first.id, finding } : null;
}

/** A value as `name text`; a list of objects as one fact for each, its members behind one another. Nothing for `null`. */
function factsOf(name: string, value: Json): string[] {
  if (value === null) return [];
  if (typeof value === 'string') return [`${name} ${printable(value)}`];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'object' && item !== null)) {
    return [`${name} ${printable(JSON.stringify(value))}`];
  }
  return value.map((item: Json, index) => {
    const members = Object.entries(item as Evidence).flatMap(([key, member]) => factsOf(key, member));
    return `${name}[${index}]: ${members.join(', ')}`;
  });
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}
