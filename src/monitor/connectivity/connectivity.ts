/**
 * Tells whether it is our own network that is gone, when a site does not answer at all: by opening connections to
 * addresses, and by resolving names, that have nothing to do with it. Only what was there before says something by being
 * silent now, so that in a network without a way to the internet an outage stays an outage.
 */
import { isIP } from 'node:net';
import { Baseline, type Reach } from './baseline.ts';

/** Opens a connection to `host:port` and closes it; resolves with whether it came about within the time. Never rejects. */
export type Connect = Reach;

/** Resolves a name; resolves with whether it has an address, as was told within the time. Never rejects. */
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
