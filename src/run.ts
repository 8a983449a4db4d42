import type {
  Check,
  CheckResult,
  Draft,
  Gathered,
  Get,
  JudgeLimits,
  ParseMarkdown,
  Report,
  Site,
  Wants,
} from './check.ts';
import type { JudgeMemory } from './judge-memory.ts';
import { CRAWL_SHARE, DEFAULT_LIMITS } from './limits.ts';
import { resultOf, type RuleGrade } from './result.ts';
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
  readonly wants?: Partial<Wants>;
  /** Parses pages in a thread beside this one. */
  readonly parse?: ParseMarkdown;
  /** What judges said before, of checks that look at a file; a crawl is judged anew. */
  readonly memory?: JudgeMemory;
  readonly tool: Report['tool'];
  /** What must not be told even where a server sends it back. */
  readonly secrets?: readonly string[];
  /** By `<check id>/<code>`. */
  readonly rules: ReadonlyMap<string, RuleGrade>;
  readonly strict: boolean;
  /** Longest time to parse one body. */
  readonly parseMs: number;
  /** Aborted when the user stops the run; what is not known by then is told as unknown. */
  readonly interrupt: AbortSignal;
  /** Aborted with an `Ended` when judging has to end, soon after the run's deadline or at once when the user stops it. */
  readonly ended?: AbortSignal;
  /** Monotonic. */
  readonly clock: () => number;
  readonly startedAt: Date;
  /** Called as each check ends. */
  readonly onResult?: (result: CheckResult) => void;
  /** Called as a crawl goes on, with how many targets were asked for and how many are known. */
  readonly onProgress?: (done: number, known: number) => void;
}

/** A run of the five and nothing else. */
export const NO_WANTS: Wants = {
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

/** Runs the checks, all at once, and tells what they found. Rejects only when `onResult` throws. */
export async function runChecks(options: RunOptions): Promise<Report> {
  const began = options.clock();
  const site = sharedSite({
    base: options.base,
    get: options.get,
    pooled: options.pooled ?? options.get,
    wants: { ...NO_WANTS, ...options.wants },
    limits: judgeLimits(options),
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
    if (skipped?.code !== 'no-answer') return result;
    return { ...others, status: 'unknown', findings: [...result.findings, { ...skipped, grade: 'unknown' }] };
  });
}

/** A run that keeps the checks of which the user's rules left out that an old version is live. */
interface Running extends RunOptions {
  readonly muted: Set<string>;
}

async function runCheck(check: Check, site: Site, stop: Promise<null>, options: Running): Promise<CheckResult> {
  const began = options.clock();
  // An interrupted run does not wait for what takes long to judge.
  const done = await Promise.race([gatherAndJudge(check, site, options), stop]);
  const { gathered, drafts } = done ?? { gathered: { answer: null }, drafts: [{ code: 'interrupted' }] };
  const durationMs = Math.round(options.clock() - began);
  if (drafts.some(({ code }) => isMuted(check, code, options))) options.muted.add(check.id);
  const result = resultOf(check, { gathered, drafts, base: site.base, durationMs }, options);
  options.onResult?.(result);
  return result;
}

const isMuted = ({ id, freshness = [] }: Check, code: string, { rules }: RunOptions): boolean =>
  freshness.includes(code) && rules.get(`${id}/${code}`) === 'off';

interface Judged {
  readonly gathered: Gathered;
  readonly drafts: readonly Draft[];
}

async function gatherAndJudge(check: Check, site: Site, options: RunOptions): Promise<Judged> {
  let gathered: Gathered = { answer: null };
  try {
    gathered = await check.gather(site);
    const isCut = options.interrupt.aborted;
    const drafts = await judged(check, gathered, options);
    const isTold = drafts.some(({ code }) => code === 'interrupted' || code === 'no-answer');
    return { gathered, drafts: isCut && !isTold ? [...drafts, { code: 'interrupted' }] : drafts };
  } catch (error) {
    // A defect of ours, or a machine that is at its limits: never the site's fault, nor the other checks'.
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EMFILE' || code === 'ENFILE')
      return { gathered, drafts: [{ code: 'out-of-descriptors', evidence: { error: code } }] };
    return { gathered, drafts: [{ code: 'internal-error', evidence: { error: message } }] };
  }
}

/** Judges what was gathered; and, where the user's rules put up with a redirect, what lies at its end as well. */
async function judged(check: Check, gathered: Gathered, options: RunOptions): Promise<readonly Draft[]> {
  const limits = judgeLimits(options);
  const drafts = await judgedOnce(check, gathered, limits, options);
  const rule = options.rules.get(`${check.id}/redirected`);
  const accepted = rule === 'off' || rule === 'warning';
  if (!accepted || gathered.answer === null || !drafts.some(({ code }) => code === 'redirected')) return drafts;
  return [...drafts, ...(await check.judge({ ...gathered, answer: { ...gathered.answer, redirects: [] } }, limits))];
}

function judgedOnce(
  check: Check,
  gathered: Gathered,
  limits: JudgeLimits,
  { memory }: RunOptions,
): ReturnType<Check['judge']> {
  // What came at once is told before what takes long to judge; a signal of the user gets its turn in between.
  const judge = async (shown: Gathered): ReturnType<Check['judge']> => {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    return check.judge(shown, limits);
  };
  return memory === undefined || check.full ? judge(gathered) : memory.judged(check, gathered, judge);
}

function judgeLimits({ parseMs, ended, parse }: RunOptions): JudgeLimits {
  return { parseMs, signal: ended, ...(parse === undefined ? {} : { parse }) };
}

/** How long after an interrupt what is known by then may still be judged. */
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
