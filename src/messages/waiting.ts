import type { Waited } from '../check.ts';
import type { Language } from '../texts.ts';
import { numberIn } from './number.ts';

/** What tells that an old version is live. All strings are already printable. */
export interface StaleFacts {
  /** Files that differ, by name: all of them, or one of many. */
  readonly files: readonly string[];
  /** Pages that differ beside those. */
  readonly pages: number;
  /** Other files that differ beside those. */
  readonly others: number;
  /** None of them is there at all. */
  readonly isMissing: boolean;
  /** They differ from a commit, and not from a folder or manifest without history. */
  readonly isCommit: boolean;
  /** The version that was expected; `null`: none was named. */
  readonly expected: string | null;
  /** The version that is live in its place; `null`: not known. */
  readonly found: string | null;
  /** The bundle is the one from before the deploy. */
  readonly unchanged: boolean;
  /** New is there as well: now the one and now the other comes, or some of each; `null`: that was not seen. */
  readonly both: 'in-turn' | 'at-once' | null;
}

/** How far the waiting is, in words. */
export interface WaitingMessages {
  /** No run has ended yet. */
  starting(): string;
  /** `reason`: a code of the report, or a status of the host. */
  noAnswer(reason: string): string;
  /** 429, 403: the host wants to be asked less, or lets nobody in. */
  refused(status: number): string;
  /** No sign of the new version. */
  old(old: StaleFacts): string;
  /** The new version is there in part. */
  partlyOld(old: StaleFacts): string;
  /** Whether the new version is there could not be told. `why`: checks and what they found, e.g. `source: other-folder`. */
  notKnown(why: readonly string[]): string;
  /** Fresh, but these checks are not well, or could not tell. */
  notWell(ids: readonly string[]): string;
  /** The first sign of what is waited for is there. */
  lookingOn(): string;
  /** Good runs in a row, of those that are wanted. */
  good(count: number, wanted: number): string;
  /** The run that looks at everything. */
  whole(): string;
  /** The time is up, and everything is looked at for the report. */
  timeUp(): string;
  /** `what · run 4 · 0:42 of 5:00 · next in 8 s`; `pauseMs` `null`: a run is going on. */
  line(what: string, at: WaitingAt): string;
  /** In place of the summary of a stale site. */
  stale(old: StaleFacts): string;
  /** In place of the summary of a site that is old, and of which not all that was wanted was looked at. */
  unfinished(old: StaleFacts, why: 'stopped' | 'time-up'): string;
  /** The three clocks, as far as it came to them; the last line of a report. */
  clocks(waited: Waited): string;
}

/** Where the waiting is in time. */
export interface WaitingAt {
  readonly round: number;
  readonly elapsedMs: number;
  readonly forMs: number;
  readonly pauseMs: number | null;
}

/** `0:42`, `12:05` */
export function minutes(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** `3.4 s`, `42 s`, `5 min 03 s`: the units are the same in all languages, the decimal sign is not. */
export function waitTime(ms: number, language: Language): string {
  if (ms < 10_000) return `${numberIn(language, ms / 1000, 1)}\u00a0s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}\u00a0s`;
  return `${Math.floor(seconds / 60)}\u00a0min ${String(seconds % 60).padStart(2, '0')}\u00a0s`;
}

/** Whole seconds to the next run, at least one. */
export function toNext(pauseMs: number): number {
  return Math.max(1, Math.round(pauseMs / 1000));
}
