/** The running monitor, as those see it who start it. Types only. */
import type { Report } from '../../check.ts';
import type { CheckSiteOptions } from '../../check-site.ts';
import type { DatabaseNotice, Send } from '../alerts/alert.ts';
import type { Timers } from '../clock/clock.ts';
import type { Connect, ResolveName } from '../connectivity/connectivity.ts';
import type { Log } from '../log/write.ts';
import type { MonitorSettings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import type { MonitorView, SiteView } from '../view.ts';

/** What a monitor is made of. */
export interface MonitorOptions {
  readonly settings: MonitorSettings;
  readonly store: Store;
  readonly log: Log;
  /** Proxies, and what the configuration's checks read of it. */
  readonly env: NodeJS.ProcessEnv;
  /** What sources are relative to; the process's folder where it is absent. */
  readonly cwd?: string;
  /** Clocks, timers, chance; the real ones where it is absent. */
  readonly timers?: Timers;
  /** Looks at a site once; `checkSite` where it is absent. */
  readonly check?: (options: CheckSiteOptions) => Promise<Report>;
  /** Opens a connection for the control check; the network's where it is absent. Resolves with whether it came about. */
  readonly connect?: Connect;
  /** Resolves a name for the control check; this machine's name servers where it is absent. */
  readonly resolveName?: ResolveName;
  /** Sends an alert; by the routes' channels where it is absent. */
  readonly send?: Send;
  /** Pings the heartbeat; over the network where it is absent. */
  readonly ping?: (url: string, signal: AbortSignal) => Promise<void>;
  /** How many runs go on at once at most; as many as this process has descriptors for where it is absent. */
  readonly atOnce?: number;
}

/** The running monitor. */
export interface Monitor extends MonitorView {
  /** The database was damaged, or deleted or replaced, and a new file begun: reports it, and writes what is open again. */
  databaseReplaced(reason: DatabaseNotice): void;
  /** Takes another configuration: sites that stay keep what is known of them. */
  reload(settings: MonitorSettings): Promise<void>;
  /** How much goes on right now: runs, writing, sending. 0: nothing happens before the next timer. */
  busy(): number;
  /**
   * Begins no more runs, lets those that go on end within `graceMs` (default: 2 s), keeps what they found; resolves with
   * whether all of it is kept. Idempotent.
   */
  stop(graceMs?: number): Promise<boolean>;
}

/** What a single look at all sites came to. */
export interface SingleRunOutcome {
  /** 0: all sites are healthy, 1: one is not, 3: one could not be told of, or what was found could not be kept. */
  readonly status: 0 | 1 | 3;
  /** As they are now, in the order of the configuration. */
  readonly sites: readonly SiteView[];
  /** Whether what was found is in the database. */
  readonly kept: boolean;
  /** Alerts that could not be sent, and are tried again by the next run. */
  readonly pendingAlerts: number;
}
