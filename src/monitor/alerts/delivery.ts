/** What delivers alerts, and what it needs. Types only. */
import type { Timers } from '../clock/clock.ts';
import type { Log } from '../log/write.ts';
import type { AlertRoute } from '../settings.ts';
import type { Store } from '../store/store.ts';
import type { AlertBook } from './book.ts';
import type { PendingAlert } from './outbox.ts';
import type { Send } from './send.ts';

export interface DelivererOptions {
  readonly store: Pick<
    Store,
    | 'dueAlerts'
    | 'outboxState'
    | 'alertSent'
    | 'alertFailed'
    | 'bringForward'
    | 'incident'
    | 'incidents'
    | 'alertsOf'
    | 'note'
    | 'setNote'
  >;
  readonly send: Send;
  readonly around: Pick<Timers, 'after' | 'random'>;
  /** ms since 1970. */
  readonly now: () => number;
  readonly log: Log;
  /** Asked each time. */
  readonly routes: () => readonly AlertRoute[];
  /** Asked each time: what is open at a site that was removed is not kept up. Absent: at all sites. */
  readonly sites?: () => readonly { readonly id: string }[];
  /** What failed before is tried once at once, unless the receiver wants to be left alone: for who runs but shortly. */
  readonly isEager?: boolean;
  /** Told of each alert that arrived. */
  readonly onSent?: (alert: PendingAlert, at: number) => void;
  /** Told what came of each alert. */
  readonly book?: Pick<AlertBook, 'tried' | 'sent' | 'givenUp'>;
}

export interface Deliverer {
  /** Something was written to the outbox. */
  wake(): void;
  /** The clock was set back by so much: what waits does not wait longer for it. */
  clockSetBack(ms: number): void;
  /**
   * Tries what is due until nothing is, or so many milliseconds have passed. What failed is tried again where it is due
   * again within `patienceMs`. Resolves with how many alerts still wait.
   */
  flush(ms: number, patienceMs?: number): Promise<number>;
  /** Begins nothing more, breaks off what goes on (it stays in the outbox). Idempotent. */
  stop(): Promise<void>;
  /** How much goes on right now; 0: nothing happens before the next timer. */
  busy(): number;
  /** Since the start. `failed`: attempts in vain. */
  counters(): { readonly sent: number; readonly failed: number };
}
