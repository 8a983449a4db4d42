import { setImmediate } from 'node:timers/promises';
import type {
  Check,
  CheckResult,
  RawFinding,
  Gathered,
  Get,
  EvaluationLimits,
  ParseMarkdown,
  Report,
  ReportedEngine,
  Site,
  RunRequest,
} from './check.ts';
import { ENGINE_NAMES, type Engine } from './engines/engine.ts';
import { CRAWL_SHARE, DEFAULT_LIMITS } from './limits.ts';
import { resultOf, type RuleSeverity } from './result.ts';
import { hostByAddress, hostByHeaders } from './host-product.ts';
import { sharedSite } from './site/shared.ts';
import { freshnessOf, verdictOf } from './verdict.ts';

/** One run over one site. Times are in milliseconds. */
export interface RunOptions {
  readonly checks: readonly Check[];
  /** Ends with a slash, without userinfo. */
  readonly base: URL;
  readonly get: Get;
  /** The same over connections that are kept alive; `get` where it is absent. */
  readonly pooled?: Get;
  readonly requested?: Partial<RunRequest>;
  /** Parses pages in a thread beside this one. */
  readonly parse?: ParseMarkdown;
  readonly tool: Report['tool'];
  /** Secrets to hide in reports. */
  readonly secrets?: readonly string[];
  /** By `<check id>/<code>`. */
  readonly rules: ReadonlyMap<string, RuleSeverity>;
  readonly strict: boolean;
  readonly parseMs: number;
  /** Aborted when the user stops the run; what is not known by then is reported as unknown. */
  readonly interrupt: AbortSignal;
  /** Aborted with an `Ended` when evaluating has to end, soon after the run's deadline or at once when the user stops it. */
  readonly ended?: AbortSignal;
  /** Bytes that were received so far, headers included. */
  readonly receivedBytes?: () => number;
  readonly clock: () => number;
  readonly startedAt: Date;
  readonly onResult?: (result: CheckResult) => void;
  /** Called during a crawl with how many targets were requested and how many are known. */
  readonly onProgress?: (done: number, known: number) => void;
}

/** A run of the core checks and nothing else. */
export const DEFAULT_REQUEST: RunRequest = {
  full: false,
  external: false,
  host: null,
  engine: null,
  source: null,
  samples: null,
  suspects: [],
  browser: null,
  expected: null,
  authorized: false,
  pages: DEFAULT_LIMITS.pages,
  depth: DEFAULT_LIMITS.depth,
  crawlMs: DEFAULT_LIMITS.deadlineMs * CRAWL_SHARE,
};

/** Runs the checks, all at once, and shows what they found. Rejects only when `onResult` throws. */
export async function runChecks(options: RunOptions): Promise<Report> {
  const { parseMs, ended, parse } = options;
  const began = options.clock();
  let host = hostByAddress(options.base)?.product;
  const observed =
    (get: Get): Get =>
    async (request) => {
      const answer = await get(request);
      if (host === undefined && answer.kind === 'reply' && URL.parse(answer.url)?.origin === options.base.origin)
        host = hostByHeaders(answer)?.product;
      return answer;
    };
  const site = sharedSite({
    base: options.base,
    get: observed(options.get),
    pooled: observed(options.pooled ?? options.get),
    requested: { ...DEFAULT_REQUEST, ...options.requested },
    limits: { parseMs, signal: ended, ...(parse === undefined ? {} : { parse }) },
    onProgress: options.onProgress,
  });
  const stop = aborted(options.interrupt);
  const muted = new Set<string>();
  const running = options.checks.map((check) => runCheck(check, site, stop.promise, options, muted));
  const checks = withEffects(withCause(await Promise.all(running).finally(stop.forget)), options);
  const engine = reportedEngine(site.knownEngine());
  return {
    tool: options.tool,
    site: { url: options.base.href, ...(host === undefined ? {} : { host }), ...(engine === null ? {} : { engine }) },
    startedAt: options.startedAt.toISOString(),
    durationMs: Math.round(options.clock() - began),
    ...(options.receivedBytes === undefined ? {} : { receivedBytes: options.receivedBytes() }),
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

/** A check without an answer relies on another check to report the reason. When no other does, the result is unknown. */
function withCause(results: readonly CheckResult[]): readonly CheckResult[] {
  if (results.some(({ status }) => status === 'fail' || status === 'unknown')) return results;
  return results.map((result) => {
    const { skipped, ...others } = result;
    if (skipped?.rule !== 'no-answer') return result;
    return { ...others, status: 'unknown', findings: [...result.findings, { ...skipped, severity: 'unknown' }] };
  });
}

/** Findings that are effects of another check's finding name it. */
function withEffects(
  results: readonly CheckResult[],
  { checks, base }: Pick<RunOptions, 'checks' | 'base'>,
): readonly CheckResult[] {
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
async function runCheck(
  check: Check,
  site: Site,
  stop: Promise<null>,
  options: RunOptions,
  muted: Set<string>,
): Promise<CheckResult> {
  const began = options.clock();
  // An interrupted run does not wait for what takes long to evaluate.
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

async function gatherAndEvaluate(
  check: Check,
  site: Site,
  options: RunOptions,
): Promise<{ readonly gathered: Gathered; readonly findings: readonly RawFinding[] }> {
  let gathered: Gathered = { answer: null };
  try {
    gathered = await check.gather(site);
    const isCut = options.interrupt.aborted;
    const findings = await evaluated(check, gathered, site.limits, options.rules);
    const isReported = findings.some(({ rule }) => rule === 'interrupted' || rule === 'no-answer');
    return { gathered, findings: isCut && !isReported ? [...findings, { rule: 'interrupted' }] : findings };
  } catch (error) {
    // A defect of docvitals or a limit of this machine must not fail the site, nor stop other checks.
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EMFILE' || code === 'ENFILE')
      return { gathered, findings: [{ rule: 'out-of-descriptors', evidence: { error: code } }] };
    return { gathered, findings: [{ rule: 'internal-error', evidence: { error: message } }] };
  }
}

/** Evaluates what was gathered; where the user's rules accept a redirect, also the response at its end. */
async function evaluated(
  check: Check,
  gathered: Gathered,
  limits: EvaluationLimits,
  rules: RunOptions['rules'],
): Promise<readonly RawFinding[]> {
  // Quick checks are reported before slow ones are evaluated, and signals are handled in between.
  await setImmediate();
  const findings = await check.evaluate(gathered, limits);
  const { answer } = gathered;
  const severity = rules.get(`${check.id}/redirected`);
  const isAccepted = severity === 'off' || severity === 'warning';
  if (!isAccepted || answer === null || findings.every(({ rule }) => rule !== 'redirected')) return findings;
  return [...findings, ...(await check.evaluate({ ...gathered, answer: { ...answer, redirects: [] } }, limits))];
}

/** How long after an interrupt what is known by then may still be evaluated. */
const GRACE_MS = 250;

/** Resolves soon after the signal is aborted; `forget` takes listener and timer away again. */
function aborted(signal: AbortSignal): { readonly promise: Promise<null>; readonly forget: () => void } {
  const { promise, resolve } = Promise.withResolvers<null>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    timer = setTimeout(() => resolve(null), GRACE_MS);
  };
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  const forget = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  };
  return { promise, forget };
}
