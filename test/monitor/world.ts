/** A monitor over real sockets and a real database, in a world whose time goes on only when nothing real is under way. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { MonitorOptions } from '../../src/monitor/engine/core.ts';
import { startMonitor, type Monitor } from '../../src/monitor/engine/start.ts';
import type { LogFields, LogLevel } from '../../src/monitor/log/write.ts';
import type { MonitorSettings } from '../../src/monitor/settings.ts';
import { openStore } from '../../src/monitor/store/open.ts';
import type { Store } from '../../src/monitor/store/store.ts';
import { FakeAround } from './fake-around.ts';

export interface Line extends LogFields {
  readonly level: LogLevel;
  readonly event: string;
}

export interface World {
  readonly around: FakeAround;
  readonly lines: Line[];
  readonly folder: string;
  readonly monitor: () => Monitor;
  readonly store: () => Store;
  /** Lets time pass, moment by moment; what happens at a moment has happened before the next one comes. */
  readonly live: (ms: number) => Promise<void>;
  /** Waits until nothing is under way. */
  readonly settled: () => Promise<void>;
  /** Lets the monitor stop, and starts another one on the same database `afterMs` later; with these settings now. */
  readonly restart: (afterMs?: number, settings?: MonitorSettings) => Promise<void>;
  /** Stops the monitor and removes the database. */
  readonly end: () => Promise<void>;
  /** The lines of an event. */
  readonly told: (event: string) => Line[];
}

/** What a world's monitor is made of beside the world itself; `wrap` stands between it and its database. */
export type WorldOptions = Partial<Omit<MonitorOptions, 'settings' | 'store' | 'log'>> & {
  readonly wrap?: (store: Store) => Store;
  readonly epoch?: number;
  /** Hears each line of the log when it is written. */
  readonly onLine?: (line: Line) => void;
};

/** Starts a monitor in a world of its own. */
export async function startWorld(settings: MonitorSettings, options: WorldOptions = {}): Promise<World> {
  const { wrap = (store: Store) => store, epoch, onLine, ...rest } = options;
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-world-'));
  const timers = new FakeAround(epoch);
  const lines: Line[] = [];
  let current = settings;
  const open = async (): Promise<{ store: Store; monitor: Monitor }> => {
    const store = wrap(await openStore(path.join(folder, 'docvitals.db'), { mode: 'own', now: () => timers.wall() }));
    const monitor = await startMonitor({
      settings: current,
      store,
      env: {},
      timers,
      log(level, event, fields = {}) {
        const line: Line = { level, event, ...fields };
        lines.push(line);
        onLine?.(line);
      },
      ...rest,
    });
    return { store, monitor };
  };
  let running = await open();

  const settled = async (): Promise<void> => {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      await turn();
      if (running.monitor.busy() === 0) continue;
      quiet = -1;
      await sleep(1);
    }
  };
  const close = async (): Promise<void> => {
    await settled();
    await running.monitor.stop();
    await running.store.close();
  };
  const live = async (ms: number): Promise<void> => {
    const end = timers.monotonic() + ms;
    await settled();
    for (let next = timers.untilNext(); next !== null && timers.monotonic() + next <= end; next = timers.untilNext()) {
      timers.advance(next);
      await settled();
    }
    timers.advance(end - timers.monotonic());
  };
  return {
    around: timers,
    lines,
    folder,
    monitor: () => running.monitor,
    store: () => running.store,
    live,
    settled,
    async restart(afterMs = 0, next = current) {
      await close();
      current = next;
      timers.advance(afterMs);
      running = await open();
    },
    async end() {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
    told: (event) => lines.filter((line) => line.event === event),
  };
}

/** Turns of the event loop in which nothing is under way, so that what one thing starts as it ends is seen, too. */
const QUIET_TURNS = 4;
