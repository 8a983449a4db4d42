/** Whether it is us: the control check of a running monitor, what it learnt kept over restarts, and what is told of it. */
import type { Around } from '../clock/around.ts';
import { connectTcp } from '../control/connect.ts';
import {
  createControl,
  DEFAULT_NAMES,
  DEFAULT_TARGETS,
  namesOf,
  type Connect,
  type Control,
  type ResolveName,
} from '../control/control.ts';
import type { OursReason } from '../control/ours.ts';
import { askNameServers } from '../control/resolve-name.ts';
import type { Log } from '../log/log.ts';
import type { Store } from '../store/store.ts';

export interface OwnNetworkOptions {
  readonly store: Pick<Store, 'note' | 'setNote'>;
  readonly around: Pick<Around, 'monotonic'>;
  readonly log: Log;
  /** The network's where they are absent. */
  readonly connect?: Connect | undefined;
  readonly resolveName?: ResolveName | undefined;
}

/** Under this name the database has what answered. */
const NOTE = 'control-reached';
/** Rounds that can be trusted again for so long end the trouble: sites are looked at in turn. */
const CALM_MS = 5_000;

export class OwnNetwork {
  readonly #options: OwnNetworkOptions;
  #targets: readonly string[] | null = [];
  #control: Control | null = null;
  #learning: Promise<void> = Promise.resolve();
  #trouble: { readonly reason: OursReason; readonly since: number } | null = null;

  constructor(options: OwnNetworkOptions) {
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

  get control(): Control | null {
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

  /** A round ended; `reason`: why it was about us, `null`: it was about its site. */
  tell(reason: OursReason | null): void {
    const now = this.#options.around.monotonic();
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
    const { store, around, connect = connectTcp, resolveName = askNameServers() } = this.#options;
    this.#targets = targets;
    const names = targets === null ? DEFAULT_NAMES : namesOf(targets);
    // What somebody has named should be there, so that it says something by its silence from the beginning.
    const named = targets === null ? [] : [...targets, ...names];
    const isOfOthers = before !== null && before.length > 0 && !before.some((target) => named.includes(target));
    this.#control = createControl({
      targets: targets ?? DEFAULT_TARGETS,
      names,
      connect,
      resolveName,
      clock: () => around.monotonic(),
      known: before ?? [],
      named: before === null || isOfOthers ? named : [],
      // What cannot be noted is learnt again.
      onKnown: (reached) => void store.setNote(NOTE, reached.join('\n')).catch(() => {}),
    });
  }
}
