import type {
  Check,
  CheckResult,
  RawFinding,
  Gathered,
  Get,
  EvaluationLimits,
  ParseMarkdown,
  Report,
  Site,
  RunRequest,
} from './check.ts';
import type { EvaluationCache } from './evaluation-cache.ts';
import { CRAWL_SHARE, DEFAULT_LIMITS } from './limits.ts';
import { resultOf, type RuleSeverity } from './result.ts';
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
  /** What judges said before, of checks that look at a file; a crawl is evaluated again. */
  readonly memory?: EvaluationCache;
  readonly tool: Report['tool'];
  /** What must not be reported even where a server sends it back. */
  readonly secrets?: readonly string[];
  /** By `<check id>/<code>`. */
  readonly rules: ReadonlyMap<string, RuleSeverity>;
  readonly strict: boolean;
  /** Longest time to parse one body. */
  readonly parseMs: number;
  /** Aborted when the user stops the run; what is not known by then is reported as unknown. */
  readonly interrupt: AbortSignal;
  /** Aborted with an `Ended` when evaluating has to end, soon after the run's deadline or at once when the user stops it. */
  readonly ended?: AbortSignal;
  /** Monotonic. */
  readonly clock: () => number;
  readonly startedAt: Date;
  /** Called as each check ends. */
  readonly onResult?: (result: CheckResult) => void;
  /** Called as a crawl goes on, with how many targets were requested and how many are known. */
  readonly onProgress?: (done: number, known: number) => void;
}

/** A run of the core checks and nothing else. */
export const DEFAULT_REQUEST: RunRequest = {
  full: false,
  external: false,
  host: null,
  source: null,
  samples: null,
  suspects: [],
  expected: null,
  authorized: false,
  pages: DEFAULT_LIMITS.pages,
  depth: DEFAULT_LIMITS.depth,
  crawlMs: DEFAULT_LIMITS.deadlineMs * CRAWL_SHARE,
};

/** Runs the checks, all at once, and shows what they found. Rejects only when `onResult` throws. */
export async function runChecks(options: RunOptions): Promise<Report> {
  const began = options.clock();
  const site = sharedSite({
    base: options.base,
    get: options.get,
    pooled: options.pooled ?? options.get,
    requested: { ...DEFAULT_REQUEST, ...options.requested },
    limits: evaluationLimits(options),
    onProgress: options.onProgress,
  });
  const stop = aborted(options.interrupt);
  const muted = new Set<string>();
  const running = options.checks.map((check) => runCheck(check, site, stop.promise, { ...options, muted }));
  const checks = withCause(await Promise.all(running).finally(stop.forget));
  return {
    tool: options.tool,
    site: { url: options.base.href },
    startedAt: options.startedAt.toISOString(),
    durationMs: Math.round(options.clock() - began),
    verdict: verdictOf(checks, options.checks, options.strict),
    strict: options.strict,
    fresh: freshnessOf(checks, options.checks, muted),
    interrupted: options.interrupt.aborted,
    checks,
  };
}

/**
 * A check that had nothing to look at leaves it to another to say why. Where no other does, because it was not asked
 * for, nothing is known of the site, and that is not healthy.
 */
function withCause(results: readonly CheckResult[]): readonly CheckResult[] {
  if (results.some(({ status }) => status === 'fail' || status === 'unknown')) return results;
  return results.map((result) => {
    const { skipped, ...others } = result;
    if (skipped?.rule !== 'no-answer') return result;
    return { ...others, status: 'unknown', findings: [...result.findings, { ...skipped, severity: 'unknown' }] };
  });
}

/** A run that keeps the checks of which the user's rules left out that an old version is live. */
interface Running extends RunOptions {
  readonly muted: Set<string>;
}

async function runCheck(check: Check, site: Site, stop: Promise<null>, options: Running): Promise<CheckResult> {
  const began = options.clock();
  // An interrupted run does not wait for what takes long to evaluate.
  const done = await Promise.race([gatherAndEvaluate(check, site, options), stop]);
  const { gathered, findings } = done ?? { gathered: { answer: null }, findings: [{ rule: 'interrupted' }] };
  const durationMs = Math.round(options.clock() - began);
  if (findings.some(({ rule }) => isMuted(check, rule, options))) options.muted.add(check.id);
  const result = resultOf(check, { gathered, findings, base: site.base, durationMs }, options);
  options.onResult?.(result);
  return result;
}

const isMuted = ({ id, freshness = [] }: Check, rule: string, { rules }: RunOptions): boolean =>
  freshness.includes(rule) && rules.get(`${id}/${rule}`) === 'off';

interface Evaluated {
  readonly gathered: Gathered;
  readonly findings: readonly RawFinding[];
}

async function gatherAndEvaluate(check: Check, site: Site, options: RunOptions): Promise<Evaluated> {
  let gathered: Gathered = { answer: null };
  try {
    gathered = await check.gather(site);
    const isCut = options.interrupt.aborted;
    const findings = await evaluated(check, gathered, options);
    const isReported = findings.some(({ rule }) => rule === 'interrupted' || rule === 'no-answer');
    return { gathered, findings: isCut && !isReported ? [...findings, { rule: 'interrupted' }] : findings };
  } catch (error) {
    // A defect of ours, or a machine that is at its limits: never the site's fault, nor the other checks'.
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EMFILE' || code === 'ENFILE')
      return { gathered, findings: [{ rule: 'out-of-descriptors', evidence: { error: code } }] };
    return { gathered, findings: [{ rule: 'internal-error', evidence: { error: message } }] };
  }
}

/** Judges what was gathered; and, where the user's rules put up with a redirect, what lies at its end as well. */
async function evaluated(check: Check, gathered: Gathered, options: RunOptions): Promise<readonly RawFinding[]> {
  const limits = evaluationLimits(options);
  const findings = await evaluatedOnce(check, gathered, limits, options);
  const rule = options.rules.get(`${check.id}/redirected`);
  const accepted = rule === 'off' || rule === 'warning';
  if (!accepted || gathered.answer === null || !findings.some(({ rule: ruleName }) => ruleName === 'redirected'))
    return findings;
  return [
    ...findings,
    ...(await check.evaluate({ ...gathered, answer: { ...gathered.answer, redirects: [] } }, limits)),
  ];
}

function evaluatedOnce(
  check: Check,
  gathered: Gathered,
  limits: EvaluationLimits,
  { memory }: RunOptions,
): ReturnType<Check['evaluate']> {
  // What came at once is reported before what takes long to evaluate; a signal of the user gets its turn in between.
  const evaluate = async (shown: Gathered): ReturnType<Check['evaluate']> => {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    return check.evaluate(shown, limits);
  };
  return memory === undefined || check.full ? evaluate(gathered) : memory.evaluate(check, gathered, evaluate);
}

function evaluationLimits({ parseMs, ended, parse }: RunOptions): EvaluationLimits {
  return { parseMs, signal: ended, ...(parse === undefined ? {} : { parse }) };
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
