/** From what a check gathered and what its judge says to its place in the report. Pure. */
import type { Answer, Check, CheckResult, RawFinding, Finding, Gathered, Severity, Status, Timings } from './check.ts';
import { presentable } from './evidence.ts';
import { hidden } from './hidden.ts';
import { REASONS } from './http/reasons.ts';

/** What a user made of a finding: another severity, or none. */
export type RuleSeverity = 'off' | 'warning' | 'error';

/** How findings are reported. */
export interface Presenting {
  /** By `<check id>/<code>`. */
  readonly rules: ReadonlyMap<string, RuleSeverity>;
  /** What must not be reported even where a server sends it back. */
  readonly secrets?: readonly string[];
}

interface Done {
  readonly gathered: Gathered;
  readonly findings: readonly RawFinding[];
  readonly base: URL;
  readonly durationMs: number;
}

const NO_TIMINGS: Timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 };

/** The result of a check that has ended. */
export function resultOf(
  check: Check,
  { gathered, findings: raw, base, durationMs }: Done,
  { rules, secrets = [] }: Presenting,
): CheckResult {
  const { answer, requests, facts } = gathered;
  return {
    ...outcome(check, raw, { rules, secrets }),
    ...(answer === null && isPattern(check.target)
      ? requestOfPattern(check, base)
      : requestOfAnswer(check, answer, base, secrets)),
    ...(requests === undefined ? {} : { requests }),
    ...(facts === undefined ? {} : { facts: presentable({ rule: '', evidence: facts }, secrets).evidence }),
    durationMs,
  };
}

function outcome(
  check: Check,
  raw: readonly RawFinding[],
  { rules, secrets = [] }: Presenting,
): Pick<CheckResult, 'id' | 'role' | 'vital' | 'status' | 'findings' | 'omitted' | 'skipped'> {
  const rated = raw.flatMap((finding) => ratedFindings(check, presentable(finding, secrets), rules));

  const skipped = rated.find(({ severity }) => severity === 'skip');
  const findings = withinBudget(rated.filter(({ severity }) => severity !== 'skip'));
  const status = statusOf(
    findings.map(({ severity }) => severity),
    skipped !== undefined,
  );
  return {
    id: check.id,
    ...(check.role === undefined ? {} : { role: check.role }),
    ...(check.vital === undefined ? {} : { vital: true }),
    status,
    findings,
    ...omittedOf(raw, findings),
    ...(skipped === undefined ? {} : { skipped }),
  };
}

/** How many more findings there are of codes that are reported: what the user's rules turn off is not counted either. */
function omittedOf(raw: readonly RawFinding[], findings: readonly Finding[]): Pick<CheckResult, 'omitted'> {
  const reported = new Set(findings.map(({ rule }) => rule));
  const omitted: Record<string, number> = {};
  for (const { rule, omitted: more = 0 } of raw) {
    if (more > 0 && reported.has(rule)) omitted[rule] = (omitted[rule] ?? 0) + more;
  }
  return Object.keys(omitted).length === 0 ? {} : { omitted };
}

/** Places that one check tells beside the first of each finding: a report has to fit into memory as text. */
const MOST_LOCATIONS = 5_000;

function withinBudget(findings: readonly Finding[]): readonly Finding[] {
  let left = MOST_LOCATIONS;
  return findings.map((finding) => {
    if (finding.locations === undefined) return finding;
    const locations = finding.locations.slice(0, Math.max(1, left));
    left -= locations.length;
    return { ...finding, locations };
  });
}

/** What lies with this machine is never the site's fault, whatever a check declares. */
const OF_THIS_MACHINE: Readonly<Record<string, Severity>> = Object.fromEntries(
  Object.entries({ ...REASONS, 'internal-error': 'unknown' } as const).filter(([, severity]) => severity === 'unknown'),
);

function ratedFindings(
  check: Check,
  finding: RawFinding & Pick<Finding, 'evidence'>,
  rules: Presenting['rules'],
): readonly Finding[] {
  const preset: Severity = OF_THIS_MACHINE[finding.rule] ?? check.rules[finding.rule] ?? 'error';
  const rule = rules.get(`${check.id}/${finding.rule}`);
  const severity = rule === undefined || preset === 'skip' || preset === 'unknown' ? preset : rule;
  const { omitted: _omitted, ...reported } = finding;
  return severity === 'off' ? [] : [{ ...reported, severity }];
}

function statusOf(severities: readonly Severity[], skipped: boolean): Status {
  if (severities.includes('error')) return 'fail';
  if (severities.includes('unknown')) return 'unknown';
  if (skipped) return 'skip';
  return severities.includes('warning') ? 'warn' : 'pass';
}

/** Whether a target stands for more than one file. */
function isPattern(target: string): boolean {
  return /[*<]/.test(target);
}

type RequestFields = Pick<CheckResult, 'target' | 'url' | 'httpStatus' | 'attempts' | 'timings'>;

/** What is told of a check that asks for more than one file. */
function requestOfPattern({ target }: Check, base: URL): RequestFields {
  return {
    target: `GET ${base.pathname}${target}`,
    url: base.href,
    httpStatus: null,
    attempts: 0,
    timings: NO_TIMINGS,
  };
}

function requestOfAnswer(check: Check, answer: Answer | null, base: URL, secrets: readonly string[]): RequestFields {
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
