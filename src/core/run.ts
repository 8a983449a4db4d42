/** One run over one site: all checks at once, from what each gathers to its result and to the report. */
import { once } from 'node:events';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { Answer, Evidence, EvidenceValue, Get, Timings } from './answer.ts';
import type { Check, CheckResult, Report, ReportedEngine, Status } from './check.ts';
import type { EvaluationLimits, RunRequest, Site } from '../site/types.ts';
import type { Finding, Location, Outcome, RawFinding, SeverityOrOutcome } from './finding.ts';
import type { Gathered } from './gathered.ts';
import { ENGINE_NAMES, type Engine } from '../engines/engine.ts';
import { hostByAddress, hostByHeaders } from '../site/host-product.ts';
import type { Control } from '../http/control.ts';
import { REASONS } from '../http/reasons.ts';
import { CRAWL_SHARE, DEFAULT_LIMITS } from './limits.ts';
import { withControl } from './own-network.ts';
import { hidden } from './secrets.ts';
import { sharedSite } from '../site/site.ts';
import { freshnessOf, isOutcome, verdictOf } from './verdict.ts';

/** The severity that a user gives to a rule. */
export type RuleSeverity = 'off' | 'warning' | 'error';

/** The user's severities, by `<check id>/<rule>`. */
export type Rules = ReadonlyMap<string, RuleSeverity>;

/** One run over one site. Times are in milliseconds. */
export interface RunOptions {
  readonly checks: readonly Check[];
  /** Ends with a slash, without userinfo. */
  readonly base: URL;
  readonly get: Get;
  /** The same over connections that are kept alive; defaults to `get`. */
  readonly pooled?: Get;
  readonly requested?: Partial<RunRequest>;
  readonly limits: EvaluationLimits;
  /** Asked whether this machine is cut off, where the site is silent; absent: silence is the site's. */
  readonly control?: Control | undefined;
  readonly tool: Report['tool'];
  /** Hidden in reports. */
  readonly secrets?: readonly string[];
  readonly rules: Rules;
  readonly strict: boolean;
  /** Ends the run early; what is not known by then is reported as unknown. */
  readonly interrupt: AbortSignal;
  /** Bytes that were received so far, headers included. */
  readonly receivedBytes?: () => number;
  readonly clock: () => number;
  readonly startedAt: Date;
  readonly onResult?: (result: CheckResult) => void;
  readonly onAnswer?: (answer: Answer) => void;
  /** Called during a crawl with how many targets were requested and how many are known. */
  readonly onProgress?: (done: number, known: number) => void;
}

/** A run of the core checks and nothing else. */
export const DEFAULT_REQUEST: RunRequest = {
  full: false,
  scripts: true,
  external: false,
  host: null,
  hostByProduct: false,
  negotiation: null,
  engine: null,
  source: null,
  samples: null,
  suspects: [],
  browser: null,
  expected: null,
  authorized: false,
  pages: DEFAULT_LIMITS.maxPages,
  depth: DEFAULT_LIMITS.maxDepth,
  crawlMs: DEFAULT_LIMITS.deadlineMs * CRAWL_SHARE,
};

/** Runs the checks, all at once, and reports their findings. Rejects only when `onResult` throws. */
export async function runChecks(options: RunOptions): Promise<Report> {
  const { base, limits, onProgress } = options;
  const began = options.clock();
  let host = hostByAddress(base)?.product;
  const observed =
    (get: Get): Get =>
    async (request) => {
      const answer = await get(request);
      options.onAnswer?.(answer);
      if (host === undefined && answer.kind === 'reply' && URL.parse(answer.url)?.origin === base.origin)
        host = hostByHeaders(answer)?.product;
      return answer;
    };
  const site = sharedSite({
    base,
    get: observed(options.get),
    pooled: observed(options.pooled ?? options.get),
    requested: { ...DEFAULT_REQUEST, ...options.requested },
    limits,
    onProgress,
  });
  const finished = new AbortController();
  const stop = stopped(options.interrupt, finished.signal).catch(() => null);
  const muted = new Set<string>();
  const running = options.checks.map((check) => runCheck(check, site, stop, options, muted));
  const results = await Promise.all(running).finally(() => finished.abort());
  const known = options.control === undefined ? results : await withControl(results, base, options.control);
  const checks = withEffects(withCause(known), options);
  if (isRefused(checks)) host = (await site.refusal())?.host ?? host;
  const engine = reportedEngine(site.knownEngine());
  return {
    tool: options.tool,
    site: { url: base.href, ...(host && { host }), ...(engine && { engine }) },
    startedAt: options.startedAt.toISOString(),
    durationMs: Math.round(options.clock() - began),
    ...(options.receivedBytes && { receivedBytes: options.receivedBytes() }),
    verdict: verdictOf(checks, options.checks, options.strict),
    strict: options.strict,
    fresh: freshnessOf(checks, options.checks, muted),
    interrupted: options.interrupt.aborted,
    checks,
  };
}

function reportedEngine(engine: Engine | null): ReportedEngine | null {
  if (engine === null || engine.assumed) return null;
  const { profile, version } = engine;
  return { id: profile.id, name: ENGINE_NAMES[profile.id], version };
}

const isRefused = (results: readonly CheckResult[]): boolean =>
  results.some(({ findings }) => findings.some(({ rule }) => rule === 'client-refused'));

/** A check without an answer relies on another check to report the reason. When no other does, the result is unknown. */
function withCause(results: readonly CheckResult[]): readonly CheckResult[] {
  if (results.some(({ status }) => status === 'fail' || status === 'unknown')) return results;
  return results.map((result) => {
    const { skipped, ...others } = result;
    if (skipped?.rule !== 'no-answer') return result;
    return { ...others, status: 'unknown', findings: [...result.findings, skipped] };
  });
}

/** Findings that are effects of another check's finding name it. */
function withEffects(results: readonly CheckResult[], { checks, base }: RunOptions): readonly CheckResult[] {
  return results.map((result, index) => {
    const causeOf = checks[index]?.causeOf;
    if (causeOf === undefined) return result;
    const others = results.filter((other) => other !== result && other.findings.length > 0);
    const findings = result.findings.map((finding) => {
      const cause = causeOf(finding, others, base);
      return cause === null ? finding : { ...finding, cause };
    });
    return { ...result, findings };
  });
}

/** Runs one check. `muted` collects the checks whose findings about an old version the user's rules turn off. */
async function runCheck(check: Check, site: Site, stop: Promise<null>, options: RunOptions, muted: Set<string>) {
  const began = options.clock();
  // An interrupted run does not wait for a slow evaluation.
  const done = await Promise.race([gatherAndEvaluate(check, site, options), stop]);
  const { gathered, findings } = done ?? { gathered: { answer: null }, findings: [{ rule: 'interrupted' }] };
  const durationMs = Math.round(options.clock() - began);
  const isMuted = (rule: string): boolean =>
    check.freshness?.includes(rule) === true && options.rules.get(`${check.id}/${rule}`) === 'off';
  if (findings.some(({ rule }) => isMuted(rule))) muted.add(check.id);
  const result = resultOf(check, { gathered, findings, base: site.base, durationMs }, options);
  options.onResult?.(result);
  return result;
}

async function gatherAndEvaluate(check: Check, site: Site, options: RunOptions): Promise<Evaluated> {
  let gathered: Gathered = { answer: null };
  try {
    gathered = await check.gather(site);
    const isCut = options.interrupt.aborted;
    const findings = await evaluated(check, gathered, site.limits, options.rules);
    // Runs of a few other files do not request the bundle: there each check reports the refusal of its own files.
    if (options.checks.some(({ role }) => role === 'bundle' || role === 'browser')) {
      const refused = await site.refusal();
      if (refused !== null) return refusedCheck(check, gathered, refused.finding, options);
      // Nothing of the site is there, whatever else the host has at its addresses.
      if (check.role !== 'bundle' && (await site.brokenPage()) !== null) return unanswered(gathered);
    }
    const isReported = findings.some(({ rule }) => rule === 'interrupted' || rule === 'no-answer');
    return { gathered, findings: isCut && !isReported ? [...findings, { rule: 'interrupted' }] : findings };
  } catch (error) {
    // A defect of docvitals or a limit of this machine must not fail the site, nor stop other checks.
    const { code, message } = error as NodeJS.ErrnoException;
    const isLimit = code === 'EMFILE' || code === 'ENFILE';
    const rule = isLimit ? 'out-of-descriptors' : 'internal-error';
    return { gathered, findings: [{ rule, evidence: { error: isLimit ? code : message } }] };
  }
}

interface Evaluated {
  readonly gathered: Gathered;
  readonly findings: readonly RawFinding[];
}

/** The host refuses this client: one check reports it, and nothing that others found is about the site. */
function refusedCheck(check: Check, gathered: Gathered, finding: RawFinding, { checks }: RunOptions): Evaluated {
  const reporting = checks.find(({ role }) => role === 'bundle') ?? checks[0];
  return check === reporting ? { gathered: { answer: gathered.answer }, findings: [finding] } : unanswered(gathered);
}

/** Another check reports why. */
function unanswered({ answer }: Gathered): Evaluated {
  return { gathered: { answer }, findings: [{ rule: 'no-answer' }] };
}

/** Evaluates what was gathered; where the user's rules accept a redirect, also the response at its end. */
async function evaluated(check: Check, gathered: Gathered, limits: EvaluationLimits, rules: Rules) {
  // Quick checks are reported before slow ones are evaluated, and signals are handled in between.
  await setImmediate();
  const findings = await check.evaluate(gathered, limits);
  const { answer } = gathered;
  const severity = rules.get(`${check.id}/redirected`);
  const isAccepted = severity === 'off' || severity === 'warning';
  if (!isAccepted || answer === null || findings.every(({ rule }) => rule !== 'redirected')) return findings;
  return [...findings, ...(await check.evaluate({ ...gathered, answer: { ...answer, redirects: [] } }, limits))];
}

/** How long evaluating may continue after an interrupt. */
const GRACE_MS = 250;

/** Resolves soon after the interrupt. Rejects when the run has finished, and leaves no listener or timer. */
async function stopped(interrupt: AbortSignal, finished: AbortSignal): Promise<null> {
  if (!interrupt.aborted) await once(interrupt, 'abort', { signal: finished });
  return delay(GRACE_MS, null, { signal: finished });
}

/* From a check that has ended to its result: severities, secrets hidden, lists bounded. */

type Done = Evaluated & { readonly base: URL; readonly durationMs: number };

const NO_TIMINGS: Timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 };

export function resultOf(
  check: Check,
  { gathered, findings: raw, base, durationMs }: Done,
  { rules, secrets = [] }: Pick<RunOptions, 'rules' | 'secrets'>,
): CheckResult {
  const { answer, requests, facts, rendered } = gathered;
  const hide = hiding(secrets);
  const vital = gathered.vital ?? (check.vital === undefined ? undefined : true);
  const rated = raw.flatMap((finding) => ratedFindings(check, presentable(finding, secrets), rules));
  const skipped = rated.find(({ outcome }) => outcome === 'skip')?.finding;
  const findings = withinBudget(rated.flatMap(({ finding, outcome }) => (outcome === 'skip' ? [] : [finding])));
  return {
    id: check.id,
    ...(check.role && { role: check.role }),
    ...(vital !== undefined && { vital }),
    status: statusOf(findings, skipped !== undefined),
    findings,
    ...omittedOf(raw, findings),
    ...(skipped && { skipped }),
    ...requestFields(check, answer, base, secrets),
    ...(requests !== undefined && { requests }),
    ...(facts && { facts: boundedMembers(facts, hide) }),
    ...(rendered && { rendered: rendered.map((page) => ({ ...page, route: cut(hide(page.route)) })) }),
    ...(answer?.kind === 'reply' && answer.isRevalidated === true && { revalidated: true as const }),
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

/** A failure of this machine, or a refusal of it, is never the site's fault, whatever a check declares. */
const OF_THIS_MACHINE: Readonly<Record<string, Outcome>> = {
  ...Object.fromEntries(
    Object.entries(REASONS).flatMap(([rule, declared]) => (declared === 'unknown' ? [[rule, declared]] : [])),
  ),
  'internal-error': 'unknown',
  'client-refused': 'unknown',
  'no-answer': 'skip',
};

/** A finding with the severity, or the outcome of its check, that its rule has; none where the user turned the rule off. */
interface Rated {
  readonly finding: Finding;
  readonly outcome?: Outcome;
}

function ratedFindings(check: Check, raw: ReturnType<typeof presentable>, rules: Rules): readonly Rated[] {
  const declared: SeverityOrOutcome = OF_THIS_MACHINE[raw.rule] ?? check.rules[raw.rule] ?? 'error';
  const { omitted: _omitted, ...finding } = raw;
  if (isOutcome(declared)) return [{ finding: { ...finding, severity: null }, outcome: declared }];
  const severity = rules.get(`${check.id}/${raw.rule}`) ?? declared;
  return severity === 'off' ? [] : [{ finding: { ...finding, severity } }];
}

function statusOf(findings: readonly Finding[], skipped: boolean): Status {
  const has = (severity: Finding['severity']): boolean => findings.some((finding) => finding.severity === severity);
  if (has('error')) return 'fail';
  if (has(null)) return 'unknown';
  if (skipped) return 'skip';
  return has('warning') ? 'warn' : 'pass';
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

/** The base is the user's own text; what follows it may be the server's. */
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

type Hide = (text: string) => string;

function hiding(secrets: readonly string[]): Hide {
  return (text) => hidden(text.slice(0, LONGEST_SEARCHED), secrets);
}

/** The evidence of a finding, fit for a report: bounded in size, and without the user's secrets. */
export function presentable<D extends RawFinding>(finding: D, secrets: readonly string[]) {
  const hide = hiding(secrets);
  const { evidence = {}, excerpt, location, locations } = finding;
  const located = (target: Location): Location => ({ ...target, path: cut(hide(target.path)) });
  return {
    ...finding,
    evidence: boundedMembers(evidence, hide),
    ...(location && { location: located(location) }),
    ...(locations && { locations: locations.slice(0, MOST_LOCATIONS_OF_ONE).map(located) }),
    ...(excerpt && { excerpt: { ...excerpt, lines: excerpt.lines.map(hide) } }),
  };
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

function boundedMembers(evidence: Evidence, hide: Hide): Evidence {
  // Names are the check's own, except where they are keys of what was received.
  const named = (name: string): string => (/^[A-Za-z]+$/.test(name) ? name : hide(name));
  return Object.fromEntries(Object.entries(evidence).map(([name, value]) => [named(name), bounded(value, hide)]));
}

function bounded(value: EvidenceValue, hide: Hide): EvidenceValue {
  if (typeof value === 'string') return cut(hide(value));
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map((item: EvidenceValue) => bounded(item, hide));
  return typeof value === 'object' && value !== null ? boundedMembers(value as Evidence, hide) : value;
}
