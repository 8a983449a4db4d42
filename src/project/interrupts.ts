/** The exit statuses of a process that a signal ended: 128 and the signal's number. */
const SIGNAL_STATUSES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Listens for Ctrl-C and SIGTERM. The first asks to end; the second ends at once, as does the end of `longestMs` after it. */
export function listenForInterrupts(longestMs?: number) {
  const controller = new AbortController();
  let status: number | null = null;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (status !== null) process.exit(SIGNAL_STATUSES[name]);
      status = SIGNAL_STATUSES[name];
      if (longestMs !== undefined) setTimeout(() => process.exit(SIGNAL_STATUSES[name]), longestMs).unref();
      controller.abort();
    });
  }
  return {
    signal: controller.signal,
    /** The exit status of the signal, or `null` when none came. */
    status: (): number | null => status,
  };
}
