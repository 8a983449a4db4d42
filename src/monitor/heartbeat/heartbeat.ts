/** A dead man's switch: another service receives a ping after each run, and raises the alarm when it is missing. */
import { requestService } from '../../http/service.ts';
import type { Log } from '../log/write.ts';
import type { Heartbeat } from '../settings.ts';
import { VERSION } from '../../version.ts';

/** Requests a URL; rejects if the ping was not received, with a message that contains no secret. */
export type Ping = (url: string, signal: AbortSignal) => Promise<void>;

export interface HeartbeatOptions {
  /** `null`: none is configured. */
  readonly heartbeat: () => Heartbeat | null;
  /** ms since 1970. */
  readonly now: () => number;
  readonly log: Log;
  /** While the monitor has any, it must not look healthy. */
  readonly troubles: () => readonly string[];
  readonly ping?: Ping;
  /** Proxies. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Pulse = ReturnType<typeof startHeartbeat>;

const PING_MS = 10_000;
/** After a failed ping the next one is sooner: after this, doubled each time. */
const RETRY_MS = 1_000;

/** Pings after runs, at most as often as is configured. Failures are logged once, until a ping is received again. */
export function startHeartbeat({ heartbeat, now, log, troubles, env, ping = pingThrough(env) }: HeartbeatOptions) {
  const stopping = new AbortController();
  let last = -Infinity;
  /** In a row. */
  let failures = 0;
  let flying: Promise<void> | null = null;
  let isWithheld = false;

  const mayBeat = (): boolean => {
    const reasons = troubles();
    const wasWithheld = isWithheld;
    isWithheld = reasons.length > 0;
    if (isWithheld && !wasWithheld) log('warn', 'heartbeat-withheld', { reasons });
    if (!isWithheld && wasWithheld) log('info', 'heartbeat-resumed', { reasons });
    return !isWithheld;
  };
  const beatOnce = async (url: string): Promise<void> => {
    try {
      await ping(url, stopping.signal);
      if (failures > 0) log('info', 'heartbeat-works', { failures });
      failures = 0;
    } catch (error) {
      if (stopping.signal.aborted) return;
      failures += 1;
      const text = error instanceof PingError ? error.message : 'failed';
      if (failures === 1) log('warn', 'heartbeat-failed', { error: text });
    }
  };
  const apartMs = (everyMs: number): number =>
    failures === 0 ? everyMs : Math.min(everyMs, RETRY_MS * 2 ** (failures - 1));
  return {
    /** A run has ended. Returns at once. */
    beat(): void {
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
    /** Aborts a ping. */
    async stop(): Promise<void> {
      stopping.abort();
      await flying;
    },
    settled: async (): Promise<void> => flying ?? undefined,
  };
}

/** Its message contains no secret. */
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
