/** Whether it is us: the control check of a running monitor, what it learnt kept over restarts, and what is told of it. */
import type { Timers } from '../clock/timers.ts';
import { connectTcp } from '../connectivity/connect.ts';
import {
  createConnectivity,
  DEFAULT_NAMES,
  DEFAULT_TARGETS,
  namesOf,
  type Connect,
  type Connectivity,
  type ResolveName,
} from '../connectivity/connectivity.ts';
import type { ProbeSideReason } from '../connectivity/probe-side.ts';
import { queryNameServers } from '../connectivity/resolve-name.ts';
import type { Log } from '../log/log.ts';
import type { Store } from '../store/store.ts';

export interface ProbeNetworkOptions {
  readonly store: Pick<Store, 'note' | 'setNote'>;
  readonly timers: Pick<Timers, 'monotonic'>;
  readonly log: Log;
  /** The network's where they are absent. */
  readonly connect?: Connect | undefined;
  readonly resolveName?: ResolveName | undefined;
}

/** Under this name the database has what answered. */
const NOTE = 'control-reached';
/** Runs that can be trusted again for so long end the trouble: sites are looked at in turn. */
const CALM_MS = 5_000;

export class ProbeNetwork {
  readonly #options: ProbeNetworkOptions;
  #targets: readonly string[] | null = [];
  #control: Connectivity | null = null;
  #learning: Promise<void> = Promise.resolve();
  #trouble: { readonly reason: ProbeSideReason; readonly since: number } | null = null;

  constructor(options: ProbeNetworkOptions) {
    this.#options = options;
  }

  /** Begins with what was known before; `targets`: those of the configuration, `null`: docvitals' own. */
  async open(targets: readonly string[] | null): Promise<void> {
    const note = await this.#options.store.note(NOTE).catch(() => null);
    this.#make(targets, note === null ? null : note.split('\n').filter((target) => target !== ''));
  }

  /** Takes up another configuration. */
  change(targets: readonly string[] | null): void {
    if (JSON.stringify(targets) !== JSON.stringify(this.#targets)) this.#make(targets, null);
  }

  get control(): Connectivity | null {
    return this.#control;
  }

  /** A site answered: what can be reached now tells later whether it is us. Returns at once. */
  answered(): void {
    const before = this.#learning;
    const learning = this.#control?.learn();
    this.#learning = (async () => {
      await before;
      await learning;
    })();
  }

  /** Resolves when nothing is being learnt. */
  async settled(): Promise<void> {
    await this.#learning;
  }

  /** A run ended; `reason`: why it was about us, `null`: it was about its site. */
  report(reason: ProbeSideReason | null): void {
    const now = this.#options.timers.monotonic();
    // That the machine slept is told by the clock; it is over.
    if (reason !== null && reason !== 'suspended') {
      if (this.#trouble?.reason !== reason) this.#options.log('warn', 'rounds-ours', { reason });
      this.#trouble = { reason, since: now };
    } else if (this.#trouble !== null && now - this.#trouble.since >= CALM_MS) {
      this.#options.log('info', 'rounds-trusted', { reason: this.#trouble.reason });
      this.#trouble = null;
    }
  }

  /** Codes of what stands in the way of looking at sites. */
  troubles(): readonly string[] {
    return this.#trouble === null ? [] : [this.#trouble.reason];
  }

  /** `before`: what answered when it was known last; `null`: that is not known. */
  #make(targets: readonly string[] | null, before: readonly string[] | null): void {
    const { store, timers, connect = connectTcp, resolveName = queryNameServers() } = this.#options;
    this.#targets = targets;
    const names = targets === null ? DEFAULT_NAMES : namesOf(targets);
    // What somebody has named should be there, so that it says something by its silence from the beginning.
    const named = targets === null ? [] : [...targets, ...names];
    const isOfOthers = before !== null && before.length > 0 && !before.some((target) => named.includes(target));
    this.#control = createConnectivity({
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
