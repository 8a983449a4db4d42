/** From what a check gathered and evaluated to its part of the report. Pure. */
import type {
  Answer,
  Check,
  CheckResult,
  Evidence,
  Finding,
  Gathered,
  Json,
  Location,
  RawFinding,
  Severity,
  Status,
  Timings,
} from './check.ts';
import { hidden } from './hidden.ts';
import { REASONS } from './http/reasons.ts';

/** What a user made of a finding: another severity, or none. */
export type RuleSeverity = 'off' | 'warning' | 'error';

interface Done {
  readonly gathered: Gathered;
  readonly findings: readonly RawFinding[];
  readonly base: URL;
  readonly durationMs: number;
}

const NO_TIMINGS: Timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 };

/** The result of a check that has ended. `rules`: by `<check id>/<rule>`; `secrets` are hidden. */
export function resultOf(
  check: Check,
  { gathered, findings: raw, base, durationMs }: Done,
  { rules, secrets = [] }: { readonly rules: ReadonlyMap<string, RuleSeverity>; readonly secrets?: readonly string[] },
): CheckResult {
  const { answer, requests, facts, rendered } = gathered;
  const vital = gathered.vital ?? (check.vital === undefined ? undefined : true);
  const rated = raw.flatMap((finding) => ratedFindings(check, presentable(finding, secrets), rules));
  const skipped = rated.find(({ severity }) => severity === 'skip');
  const findings = withinBudget(rated.filter(({ severity }) => severity !== 'skip'));
  return {
    id: check.id,
    ...(check.role === undefined ? {} : { role: check.role }),
    ...(vital === undefined ? {} : { vital }),
    status: statusOf(new Set(findings.map(({ severity }) => severity)), skipped !== undefined),
    findings,
    ...omittedOf(raw, findings),
    ...(skipped === undefined ? {} : { skipped }),
    ...requestFields(check, answer, base, secrets),
    ...(requests === undefined ? {} : { requests }),
    ...(facts === undefined ? {} : { facts: presentable({ rule: '', evidence: facts }, secrets).evidence }),
    ...(rendered === undefined
      ? {}
      : { rendered: rendered.map((page) => ({ ...page, route: shownText(page.route, secrets) })) }),
    ...(answer?.kind === 'reply' && answer.isRevalidated === true ? { revalidated: true as const } : {}),
    durationMs,
  };
}

/** How many more findings there are of rules that are reported: what the user's rules turn off is not counted either. */
function omittedOf(raw: readonly RawFinding[], findings: readonly Finding[]): Pick<CheckResult, 'omitted'> {
  const reported = new Set(findings.map(({ rule }) => rule));
  const omitted: Record<string, number> = {};
  for (const { rule, omitted: more = 0 } of raw) {
    if (more > 0 && reported.has(rule)) omitted[rule] = (omitted[rule] ?? 0) + more;
  }
  return Object.keys(omitted).length === 0 ? {} : { omitted };
}

/** Locations that one check reports besides the first of each finding: a report has to fit into memory as text. */
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

/** A failure of this machine is never the site's fault, whatever a check declares. */
const OF_THIS_MACHINE: Readonly<Record<string, Severity>> = Object.fromEntries(
  Object.entries({ ...REASONS, 'internal-error': 'unknown' } as const).filter(([, severity]) => severity === 'unknown'),
);

function ratedFindings(
  check: Check,
  finding: RawFinding & Pick<Finding, 'evidence'>,
  rules: ReadonlyMap<string, RuleSeverity>,
): readonly Finding[] {
  const preset: Severity = OF_THIS_MACHINE[finding.rule] ?? check.rules[finding.rule] ?? 'error';
  const rule = rules.get(`${check.id}/${finding.rule}`);
  const severity = rule === undefined || preset === 'skip' || preset === 'unknown' ? preset : rule;
  const { omitted: _omitted, ...reported } = finding;
  return severity === 'off' ? [] : [{ ...reported, severity }];
}

function statusOf(severities: ReadonlySet<Severity>, skipped: boolean): Status {
  if (severities.has('error')) return 'fail';
  if (severities.has('unknown')) return 'unknown';
  if (skipped) return 'skip';
  return severities.has('warning') ? 'warn' : 'pass';
}

function requestFields(check: Check, answer: Answer | null, base: URL, secrets: readonly string[]) {
  // A pattern covers more than one file.
  if (answer === null && /[*<]/.test(check.target)) {
    const target = `GET ${base.pathname}${check.target}`;
    return { target, url: base.href, httpStatus: null, attempts: 0, timings: NO_TIMINGS };
  }
  const url = shownUrl(answer?.requestUrl ?? new URL(check.target, base).href, check.target, base, secrets);
  return {
    target: `GET ${url.startsWith(`${base.origin}/`) ? url.slice(base.origin.length) : url}`,
    url,
    httpStatus: answer?.redirects[0]?.status ?? (answer?.kind === 'reply' ? answer.status : null),
    attempts: answer?.attempts ?? 0,
    timings: answer?.timings ?? NO_TIMINGS,
  };
}

/** The base is the user's own word; what follows it may be the server's. */
function shownUrl(requestUrl: string, target: string, base: URL, secrets: readonly string[]): string {
  const own = requestUrl.startsWith(base.href) ? base.href : '';
  const rest = requestUrl.slice(own.length);
  return own + (rest === target ? rest : hidden(rest, secrets));
}

const LONGEST_TEXT = 500;
const LONGEST_LIST = 20;
const MOST_LOCATIONS_OF_ONE = 100;
/** More of a text is not even searched for secrets: the report shows its beginning. */
const LONGEST_SEARCHED = 20 * LONGEST_TEXT;

/** The evidence of a finding, fit for a report: bounded in size, and without what the user sent in confidence. */
export function presentable<D extends RawFinding>(
  finding: D,
  secrets: readonly string[],
): D & Pick<Finding, 'evidence'> {
  const hide = (text: string): string => hidden(text.slice(0, LONGEST_SEARCHED), secrets);
  const { evidence = {}, excerpt, location, locations } = finding;
  const located = (target: Location): Location => ({ ...target, path: cut(hide(target.path)) });
  return {
    ...finding,
    evidence: boundedMembers(evidence, hide),
    ...(location === undefined ? {} : { location: located(location) }),
    ...(locations === undefined ? {} : { locations: locations.slice(0, MOST_LOCATIONS_OF_ONE).map(located) }),
    ...(excerpt === undefined ? {} : { excerpt: { ...excerpt, lines: excerpt.lines.map(hide) } }),
  };
}

function shownText(text: string, secrets: readonly string[]): string {
  return cut(hidden(text.slice(0, LONGEST_SEARCHED), secrets));
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

function boundedMembers(evidence: Evidence, hide: (text: string) => string): Evidence {
  // Names are the check's own words, except where they are keys of what was received.
  const named = (name: string): string => (/^[A-Za-z]+$/.test(name) ? name : hide(name));
  return Object.fromEntries(Object.entries(evidence).map(([name, value]) => [named(name), bounded(value, hide)]));
}

function bounded(value: Json, hide: (text: string) => string): Json {
  if (typeof value === 'string') return cut(hide(value));
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map((item: Json) => bounded(item, hide));
  return typeof value === 'object' && value !== null ? boundedMembers(value as Evidence, hide) : value;
}
