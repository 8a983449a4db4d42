/** The messages that most of the program needs: the catalogue's, and sentences made from them. */
import type { Status, Verdict, Waited } from '../check.ts';
import { messagesWords, type MessagesWords } from '../generated/locales/messages.ts';
import type { Language } from '../texts.ts';
import { numberIn, seconds } from './format.ts';

type Counts = Readonly<Record<Status, number>>;

/** What shows that an old version is live. All strings are printable. */
export interface StaleFacts {
  /** Names of files that differ: all of them, or one of many. */
  readonly files: readonly string[];
  /** Further pages that differ. */
  readonly pages: number;
  /** Further files that differ. */
  readonly others: number;
  /** None of them exists on the site. */
  readonly isMissing: boolean;
  /** They differ from a commit. */
  readonly isCommit: boolean;
  /** `null`: none was named. */
  readonly expected: string | null;
  /** `null`: not known. */
  readonly found: string | null;
  /** The bundle is the one from before the deployment. */
  readonly unchanged: boolean;
  /** Whether both versions are live, and how. */
  readonly both: 'in-turn' | 'at-once' | null;
}

export type Messages = ReturnType<typeof messagesIn>;

export function messagesIn(language: Language) {
  const words = messagesWords(language);
  return {
    ...words,
    summary: (verdict: Verdict, counts: Counts, durationMs: number): string =>
      `${summaryOf(verdict, counts, words.outcome)} (${seconds(language, durationMs)})`,
    waiting: waitingMessages(words.waiting, language),
  };
}

function summaryOf(verdict: Verdict, counts: Counts, words: MessagesWords['outcome']): string {
  const { pass, warn, fail, skip, unknown } = counts;
  const total = pass + warn + fail + skip + unknown;
  const isStrict = verdict === 'degraded' && fail === 0;
  const parts = [
    ...(fail > 0 && unknown > 0 ? [words.alsoUnknown(unknown)] : []),
    ...(warn > 0 && !isStrict ? [words.alsoWarned(warn)] : []),
    ...(skip > 0 ? [words.alsoSkipped(skip)] : []),
  ];
  let outcome = words.passed(pass + warn);
  if (fail > 0) outcome = words.failed(fail, total);
  else if (isStrict) outcome = words.warned(warn, total);
  else if (verdict === 'unknown') outcome = words.unknown(unknown, total);
  return [outcome, ...parts].join(', ');
}

function waitingMessages(words: MessagesWords['waiting'], language: Language) {
  const details = (old: StaleFacts, form: 'now' | 'still'): string => {
    const { isMissing, isCommit, expected, found, unchanged, pages, others } = old;
    const count = old.files.length + pages + others;
    const files = [
      ...old.files,
      ...(pages === 0 ? [] : [words.pages(pages)]),
      ...(others === 0 ? [] : [words.others(others)]),
    ];
    const say = words[form];
    const differ = isMissing ? say.missing(files, count) : say.differ(files, count, isCommit);
    const version = found === null ? say.notLive(expected ?? '') : say.otherLive(found, expected ?? '');
    return [
      ...(count === 0 ? [] : [differ]),
      ...(expected === null ? [] : [version]),
      ...(unchanged ? [say.unchanged] : []),
    ].join(words.separator);
  };
  return {
    ...words,
    old: (old: StaleFacts): string => words.old(details(old, 'still')),
    partlyOld: (old: StaleFacts): string => words.partlyOld(details(old, 'still')),
    notKnown: (why: readonly string[]): string => words.notKnown(why.join(words.separator)),
    /** `what · run 4 · 0:42 of 5:00 · next in 8 s`; `pauseMs` is `null` during a run. */
    line: (what: string, { run, elapsedMs, forMs, pauseMs }: WaitingAt): string =>
      words.line(
        what,
        run,
        minutes(elapsedMs),
        minutes(forMs),
        pauseMs === null ? null : Math.max(1, Math.round(pauseMs / 1000)),
      ),
    stale: (old: StaleFacts): string => words.stale(old.both, details(old, 'now')),
    /** Instead of the summary of an old site that was not checked completely. */
    unfinished: (old: StaleFacts, why: 'stopped' | 'time-up'): string =>
      words.unfinished(why === 'stopped', details(old, 'still')),
    /** When the new version was first live, and when completely. */
    clocks(waited: Waited): string {
      const { rounds, firstNewMs, allNewMs, allGreenMs } = waited;
      const { clocks } = words;
      const isHealth = waited.by === 'health';
      const elapsed = waitTime(waited.elapsedMs, language);
      if (waited.alreadyLive) return clocks.alreadyLive(isHealth, rounds, elapsed);
      const head =
        allGreenMs === null
          ? clocks.notLive(isHealth, rounds, elapsed)
          : clocks.live(isHealth, waitTime(allGreenMs, language));
      const times = [
        ...(firstNewMs === null ? [] : [clocks.firstNew(isHealth, waitTime(firstNewMs, language))]),
        ...(allNewMs === null ? [] : [clocks.allNew(isHealth, waitTime(allNewMs, language))]),
        ...(allGreenMs === null ? [] : [clocks.allGreen(isHealth, waitTime(allGreenMs, language))]),
      ];
      return times.length === 0 ? head : `${head}${clocks.separator}${times.join(', ')}`;
    },
  };
}

interface WaitingAt {
  readonly run: number;
  readonly elapsedMs: number;
  readonly forMs: number;
  readonly pauseMs: number | null;
}

function minutes(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

function waitTime(ms: number, language: Language): string {
  if (ms < 10_000) return `${numberIn(language, ms / 1000, 1)}\u00A0s`;
  const rounded = Math.round(ms / 1000);
  if (rounded < 60) return `${rounded}\u00A0s`;
  return `${Math.floor(rounded / 60)}\u00A0min ${String(rounded % 60).padStart(2, '0')}\u00A0s`;
}
