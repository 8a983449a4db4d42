/**
 * Distinguishes a probe-side failure from an outage: whether this machine's network is gone, when a site does not respond at all.
 * It connects to addresses, and resolves names, that have nothing to do with the site. Only what responded before says
 * something by being silent now, so that in a network without internet access an outage stays an outage.
 */
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import net, { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { CheckResult, Report } from '../../check.ts';
import { REASONS, type Reason } from '../../http/reasons.ts';
import type { Timers } from '../clock/clock.ts';
import type { Log } from '../log/write.ts';
import type { Store } from '../store/store.ts';

/** Connects to `host:port`, or resolves a name; resolves with whether that worked in time. Never rejects. */
export type Reach = (target: string, timeoutMs: number) => Promise<boolean>;

export interface ConnectivityOptions {
  /** `host:port`; empty: nothing is ever taken for a probe-side failure. */
  readonly targets: readonly string[];
  /** Names to resolve; empty: a name that cannot be resolved is always the site's failure. */
  readonly names: readonly string[];
  readonly connect: Reach;
  readonly resolveName: Reach;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  /** Targets and names that responded before this process. */
  readonly known?: readonly string[];
  /** Targets and names that the configuration says should respond: they count before they did. */
  readonly named?: readonly string[];
  /** Called with what responds whenever that has changed. */
  readonly onKnown?: (known: readonly string[]) => void;
}

export type Connectivity = ReturnType<typeof createConnectivity>;

/** Public name servers of different operators, by address: no name has to be resolved; and names of theirs. */
const DEFAULT_TARGETS: readonly string[] = ['1.1.1.1:443', '9.9.9.9:443'];
const DEFAULT_NAMES: readonly string[] = ['one.one.one.one', 'dns.quad9.net'];

/** Between two times that `learn` asks. */
export const LEARN_MS = 5 * 60_000;

/** The names among the hosts of targets, each once. */
export function namesOf(targets: readonly string[]): readonly string[] {
  const hosts = targets.map((target) => target.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'));
  return [...new Set(hosts.filter((host) => host !== '' && isIP(host) === 0))];
}

/** Sends nothing before it is asked. */
export function createConnectivity(options: ConnectivityOptions) {
  const { clock, named = [], onKnown } = options;
  const network = new Baseline(options.targets, options.connect, options);
  const naming = new Baseline(options.names, options.resolveName, options);
  const responding = (): readonly string[] => [...network.known.keys(), ...naming.known.keys()].toSorted();
  let learntAt = Number.NEGATIVE_INFINITY;
  let reported = named.length > 0 ? null : String(responding());
  return {
    /** Finds out what responds, while the network works: whenever a site has responded, but only every few minutes. */
    async learn(): Promise<void> {
      if (clock() - learntAt < LEARN_MS) return;
      learntAt = clock();
      await Promise.all([network.learn(), naming.learn()]);
      const now = responding();
      if (String(now) === reported) return;
      reported = String(now);
      onKnown?.(now);
    },
    /** Whether no target responds any more of which at least one did before. Takes 2 seconds at most. */
    isGone: () => network.isGone(),
    /** Whether no name resolves any more of which at least one did before. Takes 2 seconds at most. */
    isNameless: () => naming.isGone(),
  };
}

/** Longest wait for a target. */
const REACH_MS = 2_000;
/** How long a result is shared: a thousand sites that fail at once ask once. */
export const SHARED_MS = 3_000;
/** A target that was silent so often while sites responded does not count any more: once may be chance. */
const FORGET_AFTER = 2;

/** What responded while the network worked, so that its silence says something. */
class Baseline {
  /** By target: how often it was silent since it responded last, while sites responded. */
  readonly known: Map<string, number>;
  readonly #targets: readonly string[];
  readonly #try: Reach;
  readonly #clock: () => number;
  #checked: { readonly at: number; readonly gone: Promise<boolean> } | null = null;

  constructor(targets: readonly string[], reach: Reach, { clock, known = [], named = [] }: ConnectivityOptions) {
    const counted = (from: readonly string[], times: number): [string, number][] =>
      from.flatMap((target) => (targets.includes(target) ? [[target, times]] : []));
    this.#targets = targets;
    this.#try = reach;
    this.#clock = clock;
    this.known = new Map([...counted(named, FORGET_AFTER - 1), ...counted(known, 0)]);
  }

  async learn(): Promise<void> {
    await Promise.all(
      this.#targets.map(async (target) => {
        if (await this.#reach(target)) return;
        const times = (this.known.get(target) ?? FORGET_AFTER) + 1;
        if (times < FORGET_AFTER) this.known.set(target, times);
        else this.known.delete(target);
      }),
    );
  }

  async isGone(): Promise<boolean> {
    if (this.known.size === 0) return false;
    const now = this.#clock();
    if (this.#checked === null || now - this.#checked.at >= SHARED_MS) {
      const reached = this.#targets.map(async (target) => (await this.#reach(target)) || Promise.reject(SILENT));
      // The first that responds settles it.
      const gone = Promise.any(reached).then(
        () => false,
        () => true,
      );
      this.#checked = { at: now, gone };
    }
    return this.#checked.gone;
  }

  async #reach(target: string): Promise<boolean> {
    const isReached = await this.#try(target, REACH_MS);
    if (isReached) this.known.set(target, 0);
    return isReached;
  }
}

const SILENT = new Error('silent');

/** Opens a TCP connection to `host:port` (an IPv6 address in brackets) and closes it at once; sends nothing. */
export const connectTcp: Reach = async (address, timeoutMs) => {
  const at = address.lastIndexOf(':');
  const host = address.slice(0, at).replace(/^\[(.*)\]$/, '$1');
  const port = Number(address.slice(at + 1));
  if (host === '' || !(port > 0 && port < 65_536)) return false;
  const socket = net.connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

/**
 * Asks name servers for a name's addresses: by default those of this machine. Not by `getaddrinfo`, whose few threads may
 * all be waiting for names of sites that cannot be resolved.
 */
export function queryNameServers(servers?: readonly string[]): Reach {
  return async (name, timeoutMs) => {
    // A new one each time: it reads the current servers, and caches nothing.
    const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
    const timer = setTimeout(() => resolver.cancel(), timeoutMs);
    try {
      if (servers !== undefined) resolver.setServers(servers);
      return (await resolver.resolve4(name)).length > 0;
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
    }
  };
}

/* Which runs are about this machine instead of the site. */

/**
 * `suspended`: this machine slept meanwhile; `no-network`: its network is gone; `disk-full`: its disk; `machine`: anything
 * else, such as no file descriptors; `no-location`: no runner of any location responded.
 */
export type ProbeSideReason = 'suspended' | 'no-network' | 'disk-full' | 'machine' | 'no-location';

export interface RunConditions {
  /** The machine was suspended, or this process was stopped, during the run. */
  readonly suspended: boolean;
  /** This process was blocked during the run: requests timed out although responses may have been there. */
  readonly blocked: boolean;
  /** Another site responded since the run began: the network works. */
  readonly answeredMeanwhile: boolean;
  /** `null`: not configured. */
  readonly control: Connectivity | null;
}

/**
 * Why a run is about this machine; `null`: it is about the site. Checks the connectivity only where there was no response
 * at all, and whether names resolve, where the site's name did not. That another site responded says nothing about names:
 * its name may be cached, or it may have none.
 */
export async function probeSideReason(
  report: Report,
  { suspended, blocked, answeredMeanwhile, control }: RunConditions,
): Promise<ProbeSideReason | null> {
  const { checks } = report;
  if (suspended) return 'suspended';
  if (isUndetermined(checks)) return hasFullDisk(checks) ? 'disk-full' : 'machine';
  if (blocked && failedWithoutReplies(checks)) return 'machine';
  if (!isSilent(report) || control === null) return null;
  if (!answeredMeanwhile && (await control.isGone())) return 'no-network';
  return errorsOf(checks).every((rule) => UNRESOLVED.has(rule)) && (await control.isNameless()) ? 'no-network' : null;
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
  return (
    checks.some(({ status }) => status === 'fail') && errorsOf(checks).every((rule) => Object.hasOwn(REASONS, rule))
  );
}

/** What comes of a name server that is silent or broken, be it this machine's or the site's. */
const UNRESOLVED: ReadonlySet<string> = new Set(['dns-temporary', 'dns-timeout'] satisfies Reason[]);

/** The rules that failed checks. */
function errorsOf(checks: Results): readonly string[] {
  return checks
    .filter(({ status }) => status === 'fail')
    .flatMap(({ findings }) => findings.flatMap(({ rule, severity }) => (severity === 'error' ? [rule] : [])));
}

/** Whether nothing is known of any check, for reasons of this machine. */
function isUndetermined(checks: Results): boolean {
  return (
    checks.some(({ status }) => status === 'unknown') &&
    checks.every(({ status }) => status === 'unknown' || status === 'skip')
  );
}

function hasFullDisk(checks: Results): boolean {
  return checks.some(({ findings }) =>
    findings.some(({ severity, evidence }) => severity === 'unknown' && JSON.stringify(evidence).includes('ENOSPC')),
  );
}

/* The connectivity check of a running monitor. */

interface ProbeNetworkOptions {
  readonly store: Pick<Store, 'note' | 'setNote'>;
  readonly timers: Pick<Timers, 'monotonic'>;
  readonly log: Log;
  readonly connect?: Reach | undefined;
  readonly resolveName?: Reach | undefined;
}

/** The note of the database that lists what responded. */
const NOTE = 'control-reached';
/** Runs that can be trusted for so long end the trouble: sites are checked in turn. */
const CALM_MS = 5_000;

/** Remembers over restarts what responded, and reports while runs are about this machine. */
export class ProbeNetwork {
  control: Connectivity | null = null;
  readonly #options: ProbeNetworkOptions;
  #targets: readonly string[] | null = [];
  #learning: Promise<unknown> = Promise.resolve();
  #trouble: { readonly reason: ProbeSideReason; readonly since: number } | null = null;

  constructor(options: ProbeNetworkOptions) {
    this.#options = options;
  }

  /** `targets`: those of the configuration, `null`: the default ones. */
  async open(targets: readonly string[] | null): Promise<void> {
    const note = await this.#options.store.note(NOTE).catch(() => null);
    this.#use(targets, note === null ? null : note.split('\n').filter((target) => target !== ''));
  }

  change(targets: readonly string[] | null): void {
    if (!isDeepStrictEqual(targets, this.#targets)) this.#use(targets, null);
  }

  /** A site responded: what can be reached now shows later whether the network is gone. Returns at once. */
  answered(): void {
    this.#learning = Promise.all([this.#learning, this.control?.learn()]);
  }

  /** Resolves when nothing is being learnt. */
  async settled(): Promise<void> {
    await this.#learning;
  }

  /** A run ended; `reason`: why it was about this machine, `null`: it was about its site. */
  report(reason: ProbeSideReason | null): void {
    const now = this.#options.timers.monotonic();
    // The clock reports that the machine slept, which is over.
    if (reason !== null && reason !== 'suspended') {
      if (this.#trouble?.reason !== reason) this.#options.log('warn', 'rounds-ours', { reason });
      this.#trouble = { reason, since: now };
    } else if (this.#trouble !== null && now - this.#trouble.since >= CALM_MS) {
      this.#options.log('info', 'rounds-trusted', { reason: this.#trouble.reason });
      this.#trouble = null;
    }
  }

  troubles(): readonly string[] {
    return this.#trouble === null ? [] : [this.#trouble.reason];
  }

  /** `before`: what responded before this process; `null`: that is not known. */
  #use(targets: readonly string[] | null, before: readonly string[] | null): void {
    const { store, timers, connect = connectTcp, resolveName = queryNameServers() } = this.#options;
    this.#targets = targets;
    const names = targets === null ? DEFAULT_NAMES : namesOf(targets);
    // What the configuration names should respond, so that its silence counts from the beginning.
    const named = targets === null ? [] : [...targets, ...names];
    const isOfOthers = before !== null && before.length > 0 && !before.some((target) => named.includes(target));
    this.control = createConnectivity({
      targets: targets ?? DEFAULT_TARGETS,
      names,
      connect,
      resolveName,
      clock: () => timers.monotonic(),
      known: before ?? [],
      named: before === null || isOfOthers ? named : [],
      // What cannot be noted is learnt again.
      onKnown: (reached) => void store.setNote(NOTE, reached.join('\n')).catch(() => {}),
    });
  }
}
