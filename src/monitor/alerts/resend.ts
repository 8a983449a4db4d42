/** Sends open alerts again to receivers that take them for resolved otherwise. Not through the outbox. */
import type { Cancel, Timers } from '../clock/clock.ts';
import type { Incident } from '../incident/incident.ts';
import type { Log } from '../log/write.ts';
import type { AlertRoute } from '../settings.ts';
import type { Store } from '../store/store.ts';
import type { Send } from './alert.ts';
import { CHANNELS } from './channels/index.ts';

/** Well within the time after which an alert resolves by itself. */
export const RESEND_MS = 60_000;
const MOST_OPEN = 10_000;

export interface ResendOptions {
  readonly store: Pick<Store, 'incident' | 'incidents' | 'alertsOf'>;
  readonly send: Send;
  readonly timers: Pick<Timers, 'after'>;
  readonly log: Log;
  readonly routes: () => readonly AlertRoute[];
  /** Absent: all sites. */
  readonly sites?: () => readonly { readonly id: string }[];
}

export class Resender {
  readonly #options: ResendOptions;
  readonly #signal: AbortSignal;
  readonly #alone: (pair: string, task: () => Promise<void>) => Promise<void>;
  #timer: Cancel = () => {};
  #running: Promise<void> | null = null;

  /** `alone` runs a task when nothing else is sent for the pair of an incident and a route. */
  constructor(
    options: ResendOptions,
    signal: AbortSignal,
    alone: (pair: string, task: () => Promise<void>) => Promise<void>,
  ) {
    this.#options = options;
    this.#signal = signal;
    this.#alone = alone;
  }

  get isBusy(): boolean {
    return this.#running !== null;
  }

  /** Starts at once: after a restart the alerts may be about to resolve. */
  start(): void {
    this.#timer = this.#options.timers.after(RESEND_MS, () => this.start());
    if (!this.#options.routes().some(isResent)) return;
    this.#running ??= this.#resendAll()
      // There is a next time soon.
      .catch(() => {})
      .finally(() => {
        this.#running = null;
      });
  }

  stop(): void {
    this.#timer();
  }

  async settled(): Promise<void> {
    await this.#running;
  }

  async #resendAll(): Promise<void> {
    const { store, routes, sites } = this.#options;
    for (const incident of await store.incidents({ open: true, limit: MOST_OPEN })) {
      if (this.#signal.aborted) return;
      if (sites?.().some(({ id }) => id === incident.site) === false) continue;
      const alerts = await store.alertsOf(incident.id);
      const isNotified = ({ id }: AlertRoute): boolean =>
        alerts.some(({ event, sentAt, route }) => event === 'opened' && sentAt !== null && route === id);
      await Promise.all(
        routes()
          .filter((route) => isResent(route) && isNotified(route))
          .map((route) => this.#alone(`${incident.id} ${route.id}`, () => this.#resend(incident, route))),
      );
    }
  }

  async #resend({ id }: Incident, route: AlertRoute): Promise<void> {
    const { store, send, log } = this.#options;
    // Its recovery may have been sent in the meantime.
    const incident = await store.incident(id).catch(() => null);
    if (incident === null || incident.recoveredAt !== null) return;
    const alert = { key: `${id}:refresh:${route.id}`, event: 'reminder' as const, incident, alsoSites: [] };
    const result = await send(route, alert, this.#signal);
    if (!result.ok && !this.#signal.aborted) {
      log('warn', 'alert-refresh-failed', { route: route.id, incident: id, site: incident.site, error: result.error });
    }
  }
}

function isResent({ channel }: AlertRoute): boolean {
  return CHANNELS.some(({ kind, isResent: isIt }) => kind === channel.kind && isIt);
}
