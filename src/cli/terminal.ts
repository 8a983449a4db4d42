/** What is known of the terminal, if there is one. */
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

export async function endedBy(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
