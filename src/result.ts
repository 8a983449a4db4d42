/** From what a check gathered and what its judge says to its place in the report. Pure. */
import type { Answer, Check, CheckResult, Draft, Finding, Gathered, Grade, Status, Timings } from './check.ts';
import { presentable } from './evidence.ts';
import { hidden } from './hidden.ts';
import { REASONS } from './http/reasons.ts';

/** What a user made of a finding: another grade, or none. */
export type RuleGrade = 'off' | 'warning' | 'error';

/** How findings are told. */
export interface Presenting {
  /** By `<check id>/<code>`. */
  readonly rules: ReadonlyMap<string, RuleGrade>;
  /** What must not be told even where a server sends it back. */
  readonly secrets?: readonly string[];
}

interface Done {
  readonly gathered: Gathered;
  readonly drafts: readonly Draft[];
  readonly base: URL;
  readonly durationMs: number;
}

const NO_TIMINGS: Timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 };

/** The result of a check that has ended. */
export function resultOf(
  check: Check,
  { gathered, drafts, base, durationMs }: Done,
  { rules, secrets = [] }: Presenting,
): CheckResult {
  const { answer, requests, facts } = gathered;
  return {
    ...outcome(check, drafts, { rules, secrets }),
    ...(answer === null && isPattern(check.target) ? asked(check, base) : answered(check, answer, base, secrets)),
    ...(requests === undefined ? {} : { requests }),
    ...(facts === undefined ? {} : { facts: presentable({ code: '', evidence: facts }, secrets).evidence }),
    durationMs,
  };
}

function outcome(
  check: Check,
  drafts: readonly Draft[],
  { rules, secrets = [] }: Presenting,
): Pick<CheckResult, 'id' | 'status' | 'findings' | 'omitted' | 'skipped'> {
  const graded = drafts.flatMap((draft) => gradedFindings(check, presentable(draft, secrets), rules));

  const skipped = graded.find(({ grade }) => grade === 'skip');
  const findings = withinBudget(graded.filter(({ grade }) => grade !== 'skip'));
  const status = statusOf(
    findings.map(({ grade }) => grade),
    skipped !== undefined,
  );
  return {
    id: check.id,
    status,
    findings,
    ...omittedOf(drafts, findings),
    ...(skipped === undefined ? {} : { skipped }),
  };
}

/** How many more findings there are of codes that are told: what the user's rules turn off is not counted either. */
function omittedOf(drafts: readonly Draft[], findings: readonly Finding[]): Pick<CheckResult, 'omitted'> {
  const told = new Set(findings.map(({ code }) => code));
  const omitted: Record<string, number> = {};
  for (const { code, omitted: more = 0 } of drafts) {
    if (more > 0 && told.has(code)) omitted[code] = (omitted[code] ?? 0) + more;
  }
  return Object.keys(omitted).length === 0 ? {} : { omitted };
}

/** Places that one check tells beside the first of each finding: a report has to fit into memory as text. */
const MOST_PLACES = 5_000;

function withinBudget(findings: readonly Finding[]): readonly Finding[] {
  let left = MOST_PLACES;
  return findings.map((finding) => {
    if (finding.places === undefined) return finding;
    const places = finding.places.slice(0, Math.max(1, left));
    left -= places.length;
    return { ...finding, places };
  });
}

/** What lies with this machine is never the site's fault, whatever a check declares. */
const OF_THIS_MACHINE: Readonly<Record<string, Grade>> = Object.fromEntries(
  Object.entries({ ...REASONS, 'internal-error': 'unknown' } as const).filter(([, grade]) => grade === 'unknown'),
);

function gradedFindings(
  check: Check,
  draft: Draft & Pick<Finding, 'evidence'>,
  rules: Presenting['rules'],
): readonly Finding[] {
  const preset: Grade = OF_THIS_MACHINE[draft.code] ?? check.codes[draft.code] ?? 'error';
  const rule = rules.get(`${check.id}/${draft.code}`);
  const grade = rule === undefined || preset === 'skip' || preset === 'unknown' ? preset : rule;
  const { omitted: _omitted, ...told } = draft;
  return grade === 'off' ? [] : [{ ...told, grade }];
}

function statusOf(grades: readonly Grade[], skipped: boolean): Status {
  if (grades.includes('error')) return 'fail';
  if (grades.includes('unknown')) return 'unknown';
  if (skipped) return 'skip';
  return grades.includes('warning') ? 'warn' : 'pass';
}

/** Whether a target stands for more than one file. */
function isPattern(target: string): boolean {
  return /[*<]/.test(target);
}

type Asked = Pick<CheckResult, 'target' | 'url' | 'httpStatus' | 'attempts' | 'timings'>;

/** What is told of a check that asks for more than one file. */
function asked({ target }: Check, base: URL): Asked {
  return {
    target: `GET ${base.pathname}${target}`,
    url: base.href,
    httpStatus: null,
    attempts: 0,
    timings: NO_TIMINGS,
  };
}

function answered(check: Check, answer: Answer | null, base: URL, secrets: readonly string[]): Asked {
  const requestUrl = answer?.requestUrl ?? new URL(check.target, base).href;
  // The base is the user's own word; what follows it may be the server's.
  const own = requestUrl.startsWith(base.href) ? base.href : '';
  const rest = requestUrl.slice(own.length);
  const url = own + (rest === check.target ? rest : hidden(rest, secrets));
  return {
    target: `GET ${url.startsWith(`${base.origin}/`) ? url.slice(base.origin.length) : url}`,
    url,
    httpStatus: answer?.redirects[0]?.status ?? (answer?.kind === 'reply' ? answer.status : null),
    attempts: answer?.attempts ?? 0,
    timings: answer?.timings ?? NO_TIMINGS,
  };
}
