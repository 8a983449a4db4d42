/** Sends open alerts to Alertmanager again, which takes them for resolved otherwise. Apart from the outbox. */
import type { Timers, Cancel } from '../clock/clock.ts';
import type { Incident } from '../incident/incident.ts';
import type { Log } from '../log/write.ts';
import type { AlertRoute } from '../settings.ts';
import type { Store } from '../store/store.ts';
import type { Send } from './send.ts';

/** Well within the time that an alert stands for, several times over. */
export const REFRESH_MS = 60_000;
const MOST_OPEN = 10_000;

export interface RefreshOptions {
  readonly store: Pick<Store, 'incident' | 'incidents' | 'alertsOf'>;
  readonly send: Send;
  readonly around: Pick<Timers, 'after'>;
  readonly log: Log;
  readonly routes: () => readonly AlertRoute[];
  /** Absent: all that were ever watched. */
  readonly sites?: () => readonly { readonly id: string }[];
}

/** Does `work` when nothing else goes on for the pair of an incident and a route. */
type Alone = (pair: string, work: () => Promise<void>) => Promise<void>;

export class Refresher {
  readonly #options: RefreshOptions;
  readonly #signal: AbortSignal;
  readonly #alone: Alone;
  #timer: Cancel = () => {};
  #running: Promise<void> | null = null;

  constructor(options: RefreshOptions, signal: AbortSignal, alone: Alone) {
    this.#options = options;
    this.#signal = signal;
    this.#alone = alone;
  }

  get isBusy(): boolean {
    return this.#running !== null;
  }

  /** Begins at once: after a restart the alerts may be about to end. */
  start(): void {
    this.#timer = this.#options.around.after(REFRESH_MS, () => this.start());
    if (!this.#options.routes().some(isRefreshed)) return;
    this.#running ??= this.#refresh()
      // The next time comes soon.
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

  async #refresh(): Promise<void> {
    const { store, routes } = this.#options;
    for (const incident of await store.incidents({ open: true, limit: MOST_OPEN })) {
      if (this.#signal.aborted) return;
      if (this.#options.sites?.().some(({ id }) => id === incident.site) === false) continue;
      const alerts = await store.alertsOf(incident.id);
      const told = new Set(
        alerts.filter(({ event, sentAt }) => event === 'opened' && sentAt !== null).map(({ route }) => route),
      );
      const wanted = routes().filter((route) => isRefreshed(route) && told.has(route.id));
      await Promise.all(
        wanted.map((route) => this.#alone(`${incident.id} ${route.id}`, () => this.#again(incident, route))),
      );
    }
  }

  async #again({ id }: Incident, route: AlertRoute): Promise<void> {
    const { store, send, log } = this.#options;
    // It may have ended, and have been told as ended, in the meantime.
    const incident = await store.incident(id).catch(() => null);
    if (incident === null || incident.recoveredAt !== null) return;
    const alert = { key: `${id}:refresh:${route.id}`, event: 'reminder' as const, incident, alsoSites: [] };
    const result = await send(route, alert, this.#signal);
    if (!result.ok && !this.#signal.aborted) {
      log('warn', 'alert-refresh-failed', { route: route.id, incident: id, site: incident.site, error: result.error });
    }
  }
}

function isRefreshed({ channel }: AlertRoute): boolean {
  return channel.kind === 'alertmanager';
}
