/** Whether it is us: the control check of a running monitor, what it learnt kept over restarts, and what is told of it. */
import type { Around } from '../clock/around.ts';
import { connectTcp } from '../control/connect.ts';
import { createControl, DEFAULT_TARGETS, type Connect, type Control } from '../control/control.ts';
import type { OursReason } from '../control/ours.ts';
import type { Log } from '../log/log.ts';
import type { Store } from '../store/store.ts';

export interface OwnNetworkOptions {
  readonly store: Pick<Store, 'note' | 'setNote'>;
  readonly around: Pick<Around, 'monotonic'>;
  readonly log: Log;
  /** The network's where it is absent. */
  readonly connect?: Connect | undefined;
}

/** Under this name the database has which targets could be reached. */
const NOTE = 'control-reached';
/** Rounds that can be trusted again for so long end the trouble: sites are looked at in turn. */
const CALM_MS = 5_000;

export class OwnNetwork {
  readonly #options: OwnNetworkOptions;
  #targets: readonly string[] = [];
  #control: Control | null = null;
  #learning: Promise<void> = Promise.resolve();
  #trouble: { readonly reason: OursReason; readonly since: number } | null = null;

  constructor(options: OwnNetworkOptions) {
    this.#options = options;
  }

  /** Begins with what was known before; `targets`: those of the configuration, `null`: docvitals' own. */
  async open(targets: readonly string[] | null): Promise<void> {
    const note = await this.#options.store.note(NOTE).catch(() => null);
    this.#make(targets ?? DEFAULT_TARGETS, note === null ? [] : note.split('\n'));
  }

  /** Takes up another configuration. */
  change(targets: readonly string[] | null): void {
    const wanted = targets ?? DEFAULT_TARGETS;
    if (String(wanted) !== String(this.#targets)) this.#make(wanted, []);
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

  #make(targets: readonly string[], known: readonly string[]): void {
    const { store, around, connect = connectTcp } = this.#options;
    this.#targets = targets;
    this.#control = createControl({
      targets,
      connect,
      clock: () => around.monotonic(),
      known,
      // What cannot be noted is learnt again.
      onKnown: (reached) => void store.setNote(NOTE, reached.join('\n')).catch(() => {}),
    });
  }
}
