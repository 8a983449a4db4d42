/** How far a waiting is, in words. Pure, but for the log's memory of what it has said. */
import type { CheckResult } from '../check.ts';
import { REASONS } from '../http/reasons.ts';
import type { Messages } from '../messages/messages.ts';
import { printable } from '../printable.ts';
import { oldOf } from '../report/old.ts';
import type { RoundState } from './wait.ts';

/** What is waited for, and why, e.g. `waiting for the new version: config.json is still old`. */
export function waitingFor(state: RoundState, { waiting }: Pick<Messages, 'waiting'>): string {
  const { report, phase, good, stable } = state;
  if (isLast(state)) return state.elapsedMs >= state.forMs ? waiting.timeUp() : waiting.whole();
  if (report === null) return waiting.starting();
  const bad = report.checks.filter(({ status }) => status === 'fail' || status === 'unknown');
  const nothing = bad.length === report.checks.length ? unanswered(bad, waiting) : null;
  if (nothing !== null) return nothing;
  if (phase === 'new') return waiting.old(oldOf(report));
  if (report.fresh === false) return waiting.partlyOld(oldOf(report));
  if (good > 0) return waiting.good(good, stable);
  return bad.length > 0 ? waiting.notWell(bad.map(({ id }) => printable(id))) : waiting.lookingOn();
}

/** Whether this is a round over everything that can be the last. */
function isLast({ pauseMs, whole, elapsedMs, forMs, good, stable }: RoundState): boolean {
  return pauseMs === null && whole && (elapsedMs >= forMs || good >= stable);
}

/** The whole line: what is waited for, which round it is, and when the next one begins. `sinceMs`: the state's age. */
export function waitingLine(state: RoundState, messages: Pick<Messages, 'waiting'>, sinceMs = 0): string {
  const pauseMs = state.pauseMs === null ? null : Math.max(0, state.pauseMs - sinceMs);
  return messages.waiting.line(waitingFor(state, messages), {
    round: state.round,
    elapsedMs: state.elapsedMs + sinceMs,
    forMs: state.forMs,
    pauseMs,
  });
}

/** The least time between two lines that say the same. */
const REPEAT_MS = 60_000;

/**
 * Makes an `onRound` for a log: a line when there is something else to say, and one a minute otherwise. Nothing is said
 * of a site that is live at once, nor what a round looks at while it goes on, unless it is one over everything that can be the last.
 */
export function roundLog(
  messages: Pick<Messages, 'waiting'>,
  write: (line: string) => void,
): (state: RoundState) => void {
  let said = '';
  let saidAtMs = 0;
  return (state) => {
    if (state.pauseMs === null && !isLast(state)) return;
    if (said === '' && state.good > 0) return;
    const what = waitingFor(state, messages);
    if (what === said && state.elapsedMs - saidAtMs < REPEAT_MS) return;
    said = what;
    saidAtMs = state.elapsedMs;
    write(waitingLine(state, messages));
  };
}

/** Words for a site that does not answer, or says the same to everything; `null`: it answers. */
function unanswered(bad: readonly CheckResult[], waiting: Messages['waiting']): string | null {
  const told = bad.map(toldBy);
  const status = told.find((one) => one.status !== null)?.status ?? null;
  if (status !== null) {
    return REFUSALS.has(status) && told.every((one) => one.status === status) ? waiting.refused(status) : null;
  }
  const reason = told.find((one) => one.reason !== null)?.reason ?? null;
  return reason === null ? null : waiting.noAnswer(reason);
}

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

/** What a check that is not well says of the answer: its status, or why there was none. */
function toldBy({ httpStatus, findings }: CheckResult): {
  readonly status: number | null;
  readonly reason: string | null;
} {
  const { code = '', evidence = {} } = findings[0] ?? {};
  const reason = [code, evidence['reason']].find((one) => typeof one === 'string' && Object.hasOwn(REASONS, one));
  const status = typeof evidence['status'] === 'number' ? evidence['status'] : null;
  return { status: httpStatus ?? status, reason: typeof reason === 'string' ? reason : null };
}
