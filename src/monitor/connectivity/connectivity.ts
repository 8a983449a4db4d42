/**
 * Distinguishes a probe-side failure from an outage: whether this machine's network is gone, when a site does not respond at
 * all. It connects to addresses, and resolves names, that have nothing to do with the site. Only what responded before is
 * evidence by being silent now, so that in a network without internet access an outage stays an outage.
 */
import { isIP } from 'node:net';
import type { CheckResult, Report } from '../../core/check.ts';
import { parseHostPort } from '../../config/formats.ts';
import { connects, PUBLIC_NAMES, PUBLIC_SERVERS, resolves } from '../../http/control.ts';
import { REASONS, type Reason } from '../../http/reasons.ts';

/** Connects to `host:port`, or resolves a name; resolves with whether that worked in time. Never rejects. */
export type Reach = (target: string, timeoutMs: number) => Promise<boolean>;

export interface ConnectivityOptions {
  /** `host:port` as configured; empty: the network is never taken for gone; `null`: public name servers. */
  readonly targets: readonly string[] | null;
  /** Targets and names that responded before this process; `null`: not known. */
  readonly known: readonly string[] | null;
  /** Called with what responds whenever that has changed. */
  readonly onKnown: (known: readonly string[]) => void;
  readonly clock: () => number;
  readonly connect?: Reach | undefined;
  readonly resolveName?: Reach | undefined;
}

export type Connectivity = ReturnType<typeof createConnectivity>;

const DEFAULT_TARGETS: readonly string[] = PUBLIC_SERVERS.map(({ host, port }) => `${host}:${port}`);
/** Between two times that `learn` sends requests. */
export const LEARN_MS = 5 * 60_000;

export function createConnectivity({ targets: given, known: before, onKnown, clock, ...reach }: ConnectivityOptions) {
  const { connect = connectTcp, resolveName = resolves } = reach;
  const targets = given ?? DEFAULT_TARGETS;
  const names = given === null ? PUBLIC_NAMES : namesOf(given);
  const all = [...targets, ...names];
  const configured = given === null ? [] : all;
  // What is known may be of an earlier configuration. What is configured counts before it responded.
  const isOfOthers = before !== null && before.length > 0 && !before.some((target) => configured.includes(target));
  const expected = before === null || isOfOthers ? configured : [];
  /** What responded while the network worked: how often each was silent since then, while sites responded. */
  const known = new Map([
    ...expected.map((target) => [target, FORGET_AFTER - 1] as const),
    ...(before ?? []).filter((target) => all.includes(target)).map((target) => [target, 0] as const),
  ]);
  const responding = (): readonly string[] => [...known.keys()].toSorted();
  let learntAt = Number.NEGATIVE_INFINITY;
  let reported = expected.length > 0 ? null : String(responding());

  const isReached = async (target: string): Promise<boolean> => {
    const responds = await (names.includes(target) ? resolveName : connect)(target, REACH_MS);
    if (responds) known.set(target, 0);
    return responds;
  };
  const learn = async (target: string): Promise<void> => {
    if (await isReached(target)) return;
    const times = (known.get(target) ?? FORGET_AFTER) + 1;
    if (times < FORGET_AFTER) known.set(target, times);
    else known.delete(target);
  };
  const areSilent = async (some: readonly string[]): Promise<boolean> => {
    // The first that responds settles it.
    const reached = some.map(async (target) => (await isReached(target)) || Promise.reject(SILENT));
    return !(await Promise.any(reached).catch(() => false));
  };
  /** Makes the test of whether some targets, one of which responded before, are all silent; its result is kept for a moment. */
  const silenceOf = (some: readonly string[]) => {
    let checked: { readonly at: number; readonly result: Promise<boolean> } | null = null;
    return async (): Promise<boolean> => {
      if (!some.some((target) => known.has(target))) return false;
      const now = clock();
      if (checked === null || now - checked.at >= SHARED_MS) checked = { at: now, result: areSilent(some) };
      return checked.result;
    };
  };
  return {
    /** Finds out what responds, while the network works: whenever a site has responded, but only every few minutes. */
    async learn(): Promise<void> {
      if (clock() - learntAt < LEARN_MS) return;
      learntAt = clock();
      await Promise.all(all.map(learn));
      const now = responding();
      if (String(now) === reported) return;
      reported = String(now);
      onKnown(now);
    },
    /** Whether no target responds any more of which at least one did before. Takes 2 seconds at most. */
    isGone: silenceOf(targets),
    /** The same of names. */
    isNameless: silenceOf(names),
  };
}

/** The names among the hosts of targets, each once. */
export function namesOf(targets: readonly string[]): readonly string[] {
  const hosts = targets.flatMap((target) => parseHostPort(target)?.host ?? []);
  return [...new Set(hosts.filter((host) => isIP(host) === 0))];
}

const REACH_MS = 2_000;
/** How long a result is shared: a thousand sites that fail at once cause one request. */
export const SHARED_MS = 3_000;
/** A target that was silent so often while sites responded does not count any more: once may be chance. */
const FORGET_AFTER = 2;

const SILENT = new Error('silent');

/** As {@link connects}, to `host:port` (an IPv6 address in brackets). */
export const connectTcp: Reach = async (address, timeoutMs) => {
  const target = parseHostPort(address, 1);
  return target !== undefined && connects(target, timeoutMs);
};

/**
 * Why a run is about this machine instead of the site. `suspended`: it slept meanwhile; `no-network`: its network is gone;
 * `refused`: the host refuses it; `machine`: anything else, such as no file descriptors; `no-location`: no runner of any
 * location responded.
 */
export type ProbeSideReason = 'suspended' | 'no-network' | 'refused' | 'disk-full' | 'machine' | 'no-location';

export interface RunConditions {
  /** The machine was suspended, or this process was stopped, during the run. */
  readonly suspended: boolean;
  /** This process was blocked during the run: requests timed out although responses may have been there. */
  readonly blocked: boolean;
  /** Another site responded since the run began: the network works. */
  readonly answeredMeanwhile: boolean;
  readonly connectivity: Connectivity;
}

/**
 * Why a run is about this machine; `null`: it is about the site. Checks the connectivity only where there was no response
 * at all, and whether names resolve, where the site's name did not. That another site responded says nothing about names:
 * its name may be cached, or it may have none.
 */
export async function probeSideReason(
  report: Report,
  { suspended, blocked, answeredMeanwhile, connectivity }: RunConditions,
): Promise<ProbeSideReason | null> {
  const { checks } = report;
  if (suspended) return 'suspended';
  if (isUndetermined(checks)) {
    if (hasRule(checks, 'client-refused')) return 'refused';
    if (hasRule(checks, 'no-network')) return 'no-network';
    return hasFullDisk(checks) ? 'disk-full' : 'machine';
  }
  if (blocked && failedWithoutReplies(checks)) return 'machine';
  if (!isSilent(report)) return null;
  if (!answeredMeanwhile && (await connectivity.isGone())) return 'no-network';
  return errorsOf(checks).every((rule) => UNRESOLVED.has(rule)) && (await connectivity.isNameless())
    ? 'no-network'
    : null;
}

type Results = readonly CheckResult[];

/** Whether the site gave no response to anything that failed: the run may as well be about this machine's network. */
export function isSilent({ checks }: Pick<Report, 'checks'>): boolean {
  return !hasAnswered({ checks }) && failedWithoutReplies(checks);
}

/** Whether any check received a response, whatever it was. */
export function hasAnswered({ checks }: Pick<Report, 'checks'>): boolean {
  return checks.some(({ httpStatus }) => httpStatus !== null);
}

function failedWithoutReplies(checks: Results): boolean {
  const isFailed = checks.some(({ status }) => status === 'fail');
  return isFailed && errorsOf(checks).every((rule) => Object.hasOwn(REASONS, rule));
}

/** What comes of a name server that is silent or broken, be it this machine's or the site's. */
const UNRESOLVED: ReadonlySet<string> = new Set(['dns-temporary', 'dns-timeout'] satisfies Reason[]);

function errorsOf(checks: Results): readonly string[] {
  return checks
    .filter(({ status }) => status === 'fail')
    .flatMap(({ findings }) => findings.flatMap(({ rule, severity }) => (severity === 'error' ? [rule] : [])));
}

/** Whether nothing is known of any check, for reasons of this machine. */
function isUndetermined(checks: Results): boolean {
  const left = checks.filter(({ status }) => status !== 'skip');
  return left.length > 0 && left.every(({ status }) => status === 'unknown');
}

function hasRule(checks: Results, wanted: string): boolean {
  return checks.some(({ findings }) => findings.some(({ rule }) => rule === wanted));
}

function hasFullDisk(checks: Results): boolean {
  return checks.some(({ findings }) =>
    findings.some(({ severity, evidence }) => severity === null && JSON.stringify(evidence).includes('ENOSPC')),
  );
}
