/** A dead man's switch: somebody else hears a ping after each run, and raises the alarm when it stays away. */
import { requestService } from '../../http/service.ts';
import type { Log } from '../log/write.ts';
import type { Heartbeat } from '../settings.ts';
import { VERSION } from '../../version.ts';

/** Pings by URL; rejects where the ping did not arrive, with a message that holds no secret. */
export type Ping = (url: string, signal: AbortSignal) => Promise<void>;

export interface HeartbeatOptions {
  /** Asked each time; `null`: none is wanted. */
  readonly heartbeat: () => Heartbeat | null;
  /** ms since 1970. */
  readonly now: () => number;
  readonly log: Log;
  /** What stands in the way of the monitor's work; while there is anything, nobody may think that it is well. */
  readonly troubles: () => readonly string[];
  /** Over the network where it is absent. */
  readonly ping?: Ping;
  /** Proxies. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Pulse {
  /** A run has ended. Returns at once. */
  beat(): void;
  /** Breaks off what goes on. */
  stop(): Promise<void>;
  /** Resolves when no ping is under way. */
  settled(): Promise<void>;
}

const PING_MS = 10_000;
/** After a ping that did not arrive the next one comes sooner than usual: after this, and after twice as long each time. */
const RETRY_MS = 1_000;

/**
 * Pings after runs, at most as often as is configured. That pings do not arrive any more is logged, and that they do
 * again; nothing else comes of it.
 */
export function startHeartbeat({ heartbeat, now, log, troubles, ping, env }: HeartbeatOptions): Pulse {
  const stopping = new AbortController();
  const send = ping ?? pingThrough(env);
  let last = -Infinity;
  /** In a row. */
  let failures = 0;
  let flying: Promise<void> | null = null;
  let isWithheld = false;

  /** Told when it begins and when it ends. */
  const mayBeat = (): boolean => {
    const reasons = troubles();
    const isNow = reasons.length > 0;
    if (isNow !== isWithheld)
      log(isNow ? 'warn' : 'info', isNow ? 'heartbeat-withheld' : 'heartbeat-resumed', { reasons });
    isWithheld = isNow;
    return !isNow;
  };
  const beatOnce = async (url: string): Promise<void> => {
    try {
      await send(url, stopping.signal);
      if (failures > 0) log('info', 'heartbeat-works', { failures });
      failures = 0;
    } catch (error) {
      if (stopping.signal.aborted) return;
      failures += 1;
      if (failures > 1) return;
      log('warn', 'heartbeat-failed', { error: error instanceof PingError ? error.message : 'failed' });
    }
  };
  const apartMs = (everyMs: number): number =>
    failures === 0 ? everyMs : Math.min(everyMs, RETRY_MS * 2 ** (failures - 1));
  return {
    beat() {
      const wanted = heartbeat();
      if (wanted === null || stopping.signal.aborted || flying !== null) return;
      const at = now();
      // A clock that was set back must not silence it.
      if ((at >= last && at - last < apartMs(wanted.everyMs)) || !mayBeat()) return;
      last = at;
      flying = beatOnce(wanted.url).finally(() => {
        flying = null;
      });
    },
    async stop() {
      stopping.abort();
      await flying;
    },
    async settled() {
      await flying;
    },
  };
}

/** Why a ping did not arrive; its message holds no secret. */
class PingError extends Error {}

function pingThrough(env: HeartbeatOptions['env']): Ping {
  return async (url, signal) => {
    if (!URL.canParse(url)) throw new PingError('bad-address');
    const response = await requestService({
      method: 'GET',
      url: new URL(url),
      headers: { 'user-agent': `docvitals/${VERSION}`, accept: '*/*' },
      timeoutMs: PING_MS,
      mostBytes: 2_048,
      mayCut: true,
      env,
      signal,
    });
    if (!response.ok) throw new PingError(response.error);
    if (response.status < 200 || response.status > 299) throw new PingError(`http ${response.status}`);
  };
}
