/**
 * Tells whether it is our own network that is gone, when a site does not answer at all: by opening connections to
 * addresses, and by resolving names, that have nothing to do with it. Only what was there before says something by being
 * silent now, so that in a network without a way to the internet an outage stays an outage.
 */
import net, { isIP } from 'node:net';
import { Resolver } from 'node:dns/promises';
import type { CheckResult, Report } from '../../check.ts';
import { REASONS, type Reason } from '../../http/reasons.ts';

/** Opens a connection to `host:port` and closes it; resolves with whether it came about within the time. Never rejects. */
export type Connect = Reach;

/** Resolves a name; resolves with whether it has an address, if an answer came in time. Never rejects. */
export type ResolveName = Reach;

export interface ConnectivityOptions {
  /** `host:port`; empty: nothing is ever taken for our own fault. */
  readonly targets: readonly string[];
  /** Names to resolve; empty: a name that cannot be resolved is always the site's own fault. */
  readonly names: readonly string[];
  readonly connect: Connect;
  readonly resolveName: ResolveName;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  /** Targets and names that answered when it was known last, before this process. */
  readonly known?: readonly string[];
  /** Targets and names that somebody says should answer; they count before they did. */
  readonly named?: readonly string[];
  /** Hears which targets and names answer whenever that is another set of them. */
  readonly onKnown?: (known: readonly string[]) => void;
}

export interface Connectivity {
  /**
   * Finds out what answers, while the network is there: at the start, and whenever a site has answered. Asks again after
   * some minutes only.
   */
  learn(): Promise<void>;
  /** Whether no target answers any more of which at least one did before. Takes 2 seconds at most. */
  isGone(): Promise<boolean>;
  /** Whether no name resolves any more of which at least one did before. Takes 2 seconds at most. */
  isNameless(): Promise<boolean>;
}

/** Public name servers of different operators, by address: no name has to be resolved. */
export const DEFAULT_TARGETS: readonly string[] = ['1.1.1.1:443', '9.9.9.9:443'];
/** Names of theirs. */
export const DEFAULT_NAMES: readonly string[] = ['one.one.one.one', 'dns.quad9.net'];

/** How long it is not asked again what answers while all is well. */
export const LEARN_MS = 5 * 60_000;

/** The names among the hosts of targets, each once. */
export function namesOf(targets: readonly string[]): readonly string[] {
  const hosts = targets.map((target) => target.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'));
  return [...new Set(hosts.filter((host) => host !== '' && isIP(host) === 0))];
}

/** Makes the control of a monitor. Nothing is sent before it is asked. */
export function createConnectivity(options: ConnectivityOptions): Connectivity {
  const { clock, known = [], named = [], onKnown } = options;
  const network = new Baseline({ targets: options.targets, reach: options.connect, clock, known, named });
  const naming = new Baseline({ targets: options.names, reach: options.resolveName, clock, known, named });
  const answering = (): readonly string[] => [...network.known, ...naming.known].toSorted();
  let learnt = Number.NEGATIVE_INFINITY;
  let reported = named.length > 0 ? null : String(answering());
  return {
    async learn() {
      if (clock() - learnt < LEARN_MS) return;
      learnt = clock();
      await Promise.all([network.learn(), naming.learn()]);
      const now = answering();
      if (String(now) === reported) return;
      reported = String(now);
      onKnown?.(now);
    },
    isGone: () => network.isGone(),
    isNameless: () => naming.isGone(),
  };
}

/**
 * What was there while all was well, so that its silence says something now: what never answered says nothing by being
 * silent.
 */

/** Tries a target within a time; resolves with whether it is there. Never rejects. */
type Reach = (target: string, timeoutMs: number) => Promise<boolean>;

interface BaselineOptions {
  readonly targets: readonly string[];
  readonly reach: Reach;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  /** Targets that were there when it was known last, before this process; others are left out. */
  readonly known: readonly string[];
  /**
   * Targets that somebody says should be there: their silence says something from the beginning, until they are silent
   * while sites answer.
   */
  readonly named?: readonly string[];
}

/** Longest wait for a target. */
const REACH_MS = 2_000;
/** How long what was found is taken for what is: a thousand sites that fail at once ask once. */
export const SHARED_MS = 3_000;
/** So many times a target has to be silent while sites answer until it is not counted on any more: once may be chance. */
const FORGET_AFTER = 2;

class Baseline {
  readonly #options: BaselineOptions;
  /** By target that was there before: how often it was silent since, while sites answered. */
  readonly #known: Map<string, number>;
  #checked: { readonly at: number; readonly gone: Promise<boolean> } | null = null;

  constructor(options: BaselineOptions) {
    const { targets, known, named = [] } = options;
    const counted = (from: readonly string[], times: number): [string, number][] =>
      from.filter((target) => targets.includes(target)).map((target) => [target, times]);
    this.#options = options;
    this.#known = new Map([...counted(named, FORGET_AFTER - 1), ...counted(known, 0)]);
  }

  /** Targets that are counted on. */
  get known(): readonly string[] {
    return [...this.#known.keys()];
  }

  /** Finds out which targets are there, while all is well. */
  async learn(): Promise<void> {
    const { targets } = this.#options;
    const silent = await Promise.all(targets.map(async (target) => ((await this.#reach(target)) ? [] : [target])));
    for (const target of silent.flat()) {
      const times = (this.#known.get(target) ?? FORGET_AFTER) + 1;
      if (times < FORGET_AFTER) this.#known.set(target, times);
      else this.#known.delete(target);
    }
  }

  /** Whether no target is there any more of which at least one was. Takes 2 seconds at most. */
  async isGone(): Promise<boolean> {
    if (this.#known.size === 0) return false;
    const now = this.#options.clock();
    if (this.#checked === null || now - this.#checked.at >= SHARED_MS) this.#checked = { at: now, gone: this.#look() };
    return this.#checked.gone;
  }

  async #look(): Promise<boolean> {
    // The first that answers settles it.
    const found = await Promise.any(
      this.#options.targets.map(async (target) => (await this.#reach(target)) || Promise.reject(SILENT)),
    ).catch(() => false);
    return !found;
  }

  async #reach(target: string): Promise<boolean> {
    const reached = await this.#options.reach(target, REACH_MS);
    if (reached) this.#known.set(target, 0);
    return reached;
  }
}

const SILENT = new Error('silent');

/** Opens a TCP connection to `host:port` (an IPv6 address in brackets) and closes it at once; sends nothing. */
export const connectTcp: Connect = (address, timeoutMs) =>
  new Promise((resolve) => {
    const at = address.lastIndexOf(':');
    const host = address.slice(0, at).replace(/^\[(.*)\]$/, '$1');
    const port = Number(address.slice(at + 1));
    if (host === '' || !(port > 0 && port < 65_536)) return resolve(false);
    const socket = net.connect({ host, port });
    const end = (reached: boolean) => (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reached);
    };
    const timer = setTimeout(end(false), timeoutMs);
    socket.once('connect', end(true)).once('error', end(false));
  });

/**
 * Asks name servers for a name's addresses: those of this machine, unless told others (`address` or `address:port`). Not
 * by `getaddrinfo`, of whose few threads the names of sites that cannot be resolved may hold all.
 */
export function queryNameServers(servers?: readonly string[]): ResolveName {
  return async (name, timeoutMs) => {
    // A new one each time: it knows the servers of now, and remembers no answer.
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

/* Which runs are about us, and not about the site that they checked. */

/**
 * Why a run says nothing of the site: `suspended`: this machine slept meanwhile; `no-network`: our network is gone;
 * `disk-full`: this machine's; `machine`: whatever else lies with it, no file descriptors for instance.
 */
export type ProbeSideReason = 'suspended' | 'no-network' | 'disk-full' | 'machine';

export interface RunConditions {
  /** The machine was suspended, or this process stood still, while the run went on. */
  readonly suspended: boolean;
  /** This process blocked itself while the run went on: requests timed out although responses may have been there. */
  readonly blocked: boolean;
  /** Another site answered since this run began: the network is there. */
  readonly answeredMeanwhile: boolean;
  /** `null`: nothing is to be asked. */
  readonly control: Connectivity | null;
}

/**
 * Why a run is about us; `null`: it is about the site. Asks the control only where no reply came at all: and whether
 * names resolve, where it was the site's name that did not. That another site answered says nothing of that: its name may
 * be remembered still, or it may have none.
 */
export async function probeSideReason(
  report: Report,
  { suspended, blocked, answeredMeanwhile, control }: RunConditions,
): Promise<ProbeSideReason | null> {
  if (suspended) return 'suspended';
  if (isUndetermined(report)) return hasFullDisk(report) ? 'disk-full' : 'machine';
  if (blocked && failedWithoutReplies(report)) return 'machine';
  if (!isSilent(report) || control === null) return null;
  if (!answeredMeanwhile && (await control.isGone())) return 'no-network';
  return isUnresolved(report) && (await control.isNameless()) ? 'no-network' : null;
}

/** Whether the site gave no reply to anything that failed: the run may as well be about our network. */
export function isSilent(report: Pick<Report, 'checks'>): boolean {
  return !report.checks.some(hasReply) && failedWithoutReplies(report);
}

function failedWithoutReplies({ checks }: Pick<Report, 'checks'>): boolean {
  const failed = checks.filter(({ status }) => status === 'fail');
  return failed.length > 0 && failed.every(failedWithoutReply);
}

/** Whether any check had a reply, whatever it was. */
export function hasAnswered({ checks }: Pick<Report, 'checks'>): boolean {
  return checks.some(hasReply);
}

const hasReply = ({ httpStatus }: CheckResult): boolean => httpStatus !== null;

/** What comes of a name server that is silent or out of order, be it ours or the site's. */
const UNRESOLVED: ReadonlySet<string> = new Set(['dns-temporary', 'dns-timeout'] satisfies Reason[]);

/** Whether nothing but a name that could not be resolved failed a run. */
function isUnresolved({ checks }: Report): boolean {
  return checks
    .filter(({ status }) => status === 'fail')
    .every(({ findings }) => findings.every(({ rule, severity }) => severity !== 'error' || UNRESOLVED.has(rule)));
}

const failedWithoutReply = ({ findings }: CheckResult): boolean =>
  findings.every(({ rule, severity }) => severity !== 'error' || Object.hasOwn(REASONS, rule));

/** Whether nothing is known of any check, for reasons that are this machine's. */
function isUndetermined({ checks }: Report): boolean {
  return (
    checks.some(({ status }) => status === 'unknown') &&
    checks.every(({ status }) => status === 'unknown' || status === 'skip')
  );
}

function hasFullDisk({ checks }: Report): boolean {
  return checks.some(({ findings }) =>
    findings.some(({ severity, evidence }) => severity === 'unknown' && JSON.stringify(evidence).includes('ENOSPC')),
  );
}
