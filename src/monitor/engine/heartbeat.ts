/** A dead man's switch: another service receives a ping after each run, and raises the alarm when it is missing. */
import { REFUSED } from '../incident/refusal.ts';
import { requestService } from '../../http/service.ts';
import { VERSION } from '../../core/version.ts';
import type { Core } from './core.ts';

export type Heartbeat = ReturnType<typeof startHeartbeat>;

const PING_MS = 10_000;
/** After a failed ping the next one is sooner: after this, doubled each time. */
const RETRY_MS = 1_000;

/**
 * Pings after runs, at most as often as is configured, and not while the monitor has troubles: it must not look healthy.
 * Failures are logged once, until a ping is received again.
 */
export function startHeartbeat(core: Core) {
  const { log, env, ping: request = requestPing } = core.options;
  const stopping = new AbortController();
  let last = -Infinity;
  let failures = 0;
  let pinging: Promise<void> | null = null;
  let isWithheld = false;

  const isHealthy = (): boolean => {
    // The monitor itself works: routes are notified that a site cannot be checked.
    const reasons = core.troubles().filter((trouble) => trouble !== REFUSED);
    if (reasons.length > 0 !== isWithheld) {
      isWithheld = !isWithheld;
      log(isWithheld ? 'warn' : 'info', isWithheld ? 'heartbeat-withheld' : 'heartbeat-resumed', { reasons });
    }
    return !isWithheld;
  };
  const send = async (url: string): Promise<void> => {
    const error = await request(url, stopping.signal, env);
    pinging = null;
    if (stopping.signal.aborted) return;
    if (error === null && failures > 0) log('info', 'heartbeat-works', { failures });
    failures = error === null ? 0 : failures + 1;
    if (failures === 1) log('warn', 'heartbeat-failed', { error });
  };
  return {
    /** A run has ended. Returns at once. */
    ping(): void {
      const wanted = core.settings.heartbeat;
      if (wanted === null || stopping.signal.aborted || pinging !== null) return;
      const at = core.clock.now();
      const apartMs = failures === 0 ? wanted.everyMs : Math.min(wanted.everyMs, RETRY_MS * 2 ** (failures - 1));
      // A clock that was set back must not silence it.
      if ((at >= last && at - last < apartMs) || !isHealthy()) return;
      last = at;
      pinging = send(wanted.url);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await pinging;
    },
    settled: async (): Promise<void> => pinging ?? undefined,
  };
}

/** Resolves with why the ping was not received (no secret); `null`: it was. Never rejects. */
export async function requestPing(url: string, signal: AbortSignal, env: NodeJS.ProcessEnv): Promise<string | null> {
  if (!URL.canParse(url)) return 'bad-address';
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
  if (!response.ok) return response.error;
  return response.status >= 200 && response.status <= 299 ? null : `http ${response.status}`;
}
