/** The exit statuses of a process that a signal ended: 128 and the signal's number. */
const STATUSES = { SIGINT: 130, SIGTERM: 143 } as const;

/** A runner sends SIGINT to a job that is cancelled, SIGTERM after 7.5 s, and ends what is still there 2.5 s later. */
const LONGEST_MS = 6_000;

/** The cancelling of a job, as the process sees it. */
export interface Cancel {
  /** Aborted when the job is cancelled. */
  readonly signal: AbortSignal;
  /** The exit status that goes with it; `null`: the job is not cancelled. */
  status(): number | null;
}

/** Listens for a job being cancelled. What is known may still be told; it is over after six seconds, or by a second signal. */
export function listenForCancel(): Cancel {
  const controller = new AbortController();
  let status: number | null = null;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (status !== null) process.exit(STATUSES[name]);
      status = STATUSES[name];
      setTimeout(() => process.exit(STATUSES[name]), LONGEST_MS).unref();
      controller.abort();
    });
  }
  return { signal: controller.signal, status: () => status };
}
