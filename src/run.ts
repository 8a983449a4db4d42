import type {
  Answer,
  Check,
  CheckResult,
  Draft,
  Finding,
  Gathered,
  Get,
  Grade,
  Report,
  Site,
  Status,
  Timings,
} from './check.ts';
import { hidden, presentable } from './evidence.ts';
import { REASONS } from './http/reasons.ts';
import { sharedSite } from './shared-site.ts';
import { verdictOf } from './verdict.ts';

/** What a user made of a finding: another grade, or none. */
export type RuleGrade = 'off' | 'warning' | 'error';

/** One run over one site. Times are in milliseconds. */
export interface RunOptions {
  readonly checks: readonly Check[];
  /** Ends with a slash, without userinfo. */
  readonly base: URL;
  readonly get: Get;
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
  /** Aborted when judging has to end, soon after the run's deadline or at once when the user stops it. */
  readonly ended?: AbortSignal;
  /** Monotonic. */
  readonly clock: () => number;
  readonly startedAt: Date;
  /** Called as each check ends. */
  readonly onResult?: (result: CheckResult) => void;
}

const NO_TIMINGS: Timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 };

/** Runs the checks, all at once, and tells what they found. Rejects only when `onResult` throws. */
export async function runChecks(options: RunOptions): Promise<Report> {
  const began = options.clock();
  const site = sharedSite(options.base, options.get);
  const stop = aborted(options.interrupt);
  const running = options.checks.map((check) => runCheck(check, site, stop.promise, options));
  const checks = await Promise.all(running).finally(stop.forget);
  return {
    tool: options.tool,
    site: { url: options.base.href },
    startedAt: options.startedAt.toISOString(),
    durationMs: Math.round(options.clock() - began),
    verdict: verdictOf(checks, options.checks, options.strict),
    interrupted: options.interrupt.aborted,
    checks,
  };
}

async function runCheck(check: Check, site: Site, stop: Promise<null>, options: RunOptions): Promise<CheckResult> {
  const began = options.clock();
  // An interrupted run does not wait for what is still being judged.
  const done = await Promise.race([gatherAndJudge(check, site, options), stop]);
  const { answer, drafts } = done ?? { answer: null, drafts: [{ code: 'interrupted' }] };
  const result: CheckResult = {
    ...outcome(check, drafts, options),
    ...about(check, answer, site.base, options.secrets ?? []),
    durationMs: Math.round(options.clock() - began),
  };
  options.onResult?.(result);
  return result;
}

interface Judged {
  readonly answer: Answer | null;
  readonly drafts: readonly Draft[];
}

async function gatherAndJudge(check: Check, site: Site, options: RunOptions): Promise<Judged> {
  let answer: Answer | null = null;
  try {
    const gathered: Gathered = await check.gather(site);
    answer = gathered.answer;
    // What came at once is told before what takes long to judge; a signal of the user gets its turn in between.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    return { answer, drafts: await judged(check, gathered, options) };
  } catch (error) {
    // A defect of ours, or a machine that is at its limits: never the site's fault, nor the other checks'.
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EMFILE' || code === 'ENFILE')
      return { answer, drafts: [{ code: 'out-of-descriptors', evidence: { error: code } }] };
    return { answer, drafts: [{ code: 'internal-error', evidence: { error: message } }] };
  }
}

/** Judges what was gathered; and, where the user's rules put up with a redirect, what lies at its end as well. */
async function judged(check: Check, gathered: Gathered, options: RunOptions): Promise<readonly Draft[]> {
  const limits = { parseMs: options.parseMs, signal: options.ended };
  const drafts = await check.judge(gathered, limits);
  const rule = options.rules.get(`${check.id}/redirected`);
  const accepted = rule === 'off' || rule === 'warning';
  if (!accepted || gathered.answer === null || !drafts.some(({ code }) => code === 'redirected')) return drafts;
  return [...drafts, ...(await check.judge({ ...gathered, answer: { ...gathered.answer, redirects: [] } }, limits))];
}

/** Resolves when the signal is aborted; `forget` takes the listener away again. */
function aborted(signal: AbortSignal): { readonly promise: Promise<null>; readonly forget: () => void } {
  const { promise, resolve } = Promise.withResolvers<null>();
  const onAbort = (): void => resolve(null);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  return { promise, forget: () => signal.removeEventListener('abort', onAbort) };
}

function outcome(
  check: Check,
  drafts: readonly Draft[],
  { rules, secrets = [] }: RunOptions,
): Pick<CheckResult, 'id' | 'status' | 'findings' | 'skipped'> {
  const graded = drafts.flatMap((draft) => gradedFindings(check, presentable(draft, secrets), rules));
  const skipped = graded.find(({ grade }) => grade === 'skip');
  const findings = graded.filter(({ grade }) => grade !== 'skip');
  const status = statusOf(
    findings.map(({ grade }) => grade),
    skipped !== undefined,
  );
  return { id: check.id, status, findings, ...(skipped === undefined ? {} : { skipped }) };
}

/** What lies with this machine is never the site's fault, whatever a check declares. */
const OF_THIS_MACHINE: Readonly<Record<string, Grade>> = Object.fromEntries(
  Object.entries({ ...REASONS, 'internal-error': 'unknown' } as const).filter(([, grade]) => grade === 'unknown'),
);

function gradedFindings(
  check: Check,
  draft: Draft & Pick<Finding, 'evidence'>,
  rules: RunOptions['rules'],
): readonly Finding[] {
  const preset: Grade = OF_THIS_MACHINE[draft.code] ?? check.codes[draft.code] ?? 'error';
  const rule = rules.get(`${check.id}/${draft.code}`);
  const grade = rule === undefined || preset === 'skip' || preset === 'unknown' ? preset : rule;
  return grade === 'off' ? [] : [{ ...draft, grade }];
}

function statusOf(grades: readonly Grade[], skipped: boolean): Status {
  if (grades.includes('error')) return 'fail';
  if (grades.includes('unknown')) return 'unknown';
  if (skipped) return 'skip';
  return grades.includes('warning') ? 'warn' : 'pass';
}

function about(
  check: Check,
  answer: Answer | null,
  base: URL,
  secrets: readonly string[],
): Pick<CheckResult, 'target' | 'url' | 'httpStatus' | 'attempts' | 'timings'> {
  const asked = answer?.requestUrl ?? new URL(check.target, base).href;
  // The base is the user's own word; what follows it may be the server's.
  const own = asked.startsWith(base.href) ? base.href : '';
  const rest = asked.slice(own.length);
  const url = own + (rest === check.target ? rest : hidden(rest, secrets));
  return {
    target: `GET ${url.startsWith(`${base.origin}/`) ? url.slice(base.origin.length) : url}`,
    url,
    httpStatus: answer?.redirects[0]?.status ?? (answer?.kind === 'reply' ? answer.status : null),
    attempts: answer?.attempts ?? 0,
    timings: answer?.timings ?? NO_TIMINGS,
  };
}
