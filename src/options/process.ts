/** This process: its terminal, if there is one, and the signals that end it. */
import { once } from 'node:events';
import type { Environment } from '../config/values.ts';

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const WITHOUT_TERMINAL = 80;

/** Whether to colour: `--no-color`, then `NO_COLOR` (no-color.org), then `FORCE_COLOR`, then whether it is a terminal. */
export function wantsColour(stream: Stream, env: Environment, flag: boolean): boolean {
  if (!flag || (env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return !['0', 'false'].includes(forced);
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

/** The width to write for: the terminal's, else `COLUMNS`, else 80. */
export function columnsOf(stream: Stream, env: Environment): number {
  // A terminal whose size is not known says 0.
  const known = [stream.columns, Number(env['COLUMNS'])].find((columns) => Number.isInteger(columns) && columns !== 0);
  return known !== undefined && known > 0 ? known : WITHOUT_TERMINAL;
}

/** Whether a line that is rewritten in place makes sense: on a terminal, not in the log of a CI service. */
export function wantsProgress(stream: Stream, env: Environment): boolean {
  return stream.isTTY === true && (env['CI'] ?? '') === '' && env['TERM'] !== 'dumb';
}

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

export async function endedBy(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
