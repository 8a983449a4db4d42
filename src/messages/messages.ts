import type { BaseUrlProblem } from '../base-url.ts';
import type { Status, Verdict, Waited } from '../check.ts';
import type { Language } from '../texts.ts';
import { numberIn } from './number.ts';

/** How many checks ended how. */
export type Counts = Readonly<Record<Status, number>>;

/** Mistakes in a command line, with what is needed to name them. All strings are already printable. */
export interface UsageMessages {
  unknownOption(option: string, nearest: string | null): string;
  unknownCommand(command: string, nearest: string | null): string;
  missingArgument(name: string): string;
  missingValue(option: string): string;
  missingOption(option: string): string;
  /** An empty value, as that of a variable which was not set. */
  emptyValue(option: string): string;
  /** An option that says nothing without another one. */
  needsOption(option: string, needed: string): string;
  badVersion(option: string, given: string): string;
  /** `problem`: what of it is wrong. */
  badVersionFrom(option: string, given: string, problem: 'path' | 'path-outside' | 'pointer' | 'regex'): string;
  badSince(option: string, given: string): string;
  /** Neither how long ago nor a date. */
  badMoment(option: string, given: string): string;
  /** The end of a time is not behind its beginning. */
  emptyTime(since: string, until: string): string;
  noValue(option: string): string;
  reservedHeader(name: string): string;
  excessArguments(): string;
  badDuration(option: string, given: string): string;
  /** `most`, `least`: written out, such as `24h`. */
  durationTooLong(option: string, given: string, most: string): string;
  durationTooShort(option: string, given: string, least: string): string;
  badCount(option: string, given: string, least: number, most: number): string;
  badRate(given: string): string;
  unknownHost(given: string, known: string): string;
  unknownHostKind(given: string, known: string): string;
  badBase(given: string): string;
  fileExists(file: string): string;
  /** A folder that holds something of somebody else’s. */
  foreignFile(folder: string, file: string): string;
  notAFolder(given: string): string;
  /** Headers are given, and the address that they go to comes from a configuration that may only be proposed. */
  proposedAddress(): string;
  portTaken(port: string): string;
  /** `detail`: what stood in the way, as the system names it. */
  cannotListen(port: string, detail: string): string;
  /** No `host:port` to listen at. */
  badListen(option: string, given: string): string;
  /** An address of this machine that another program listens at. */
  addressTaken(address: string): string;
  /** `detail`: what stood in the way, as the system names it. */
  cannotListenAt(address: string, detail: string): string;
  /** A monitor without anything to watch. */
  nothingToWatch(): string;
  /** `detail`: what stood in the way, as the system or Git says it. */
  badSource(given: string, detail: string): string;
  /** Neither a folder nor the address of a repository. */
  badRepository(option: string, given: string): string;
  noSource(): string;
  noVersion(): string;
  /** `detail`: what stood in the way, as the system says it. */
  unreadable(file: string, detail: string): string;
  badHeader(): string;
  badResolve(given: string): string;
  badReport(given: string): string;
  reportIsConfiguration(file: string): string;
  sameReport(one: string, other: string): string;
  noReportFolder(file: string, folder: string): string;
  reportIsFolder(file: string): string;
  unwritableReport(file: string, reason: string): string;
  unknownFormat(option: string, given: string, known: string, nearest: string | null): string;
  unknownValue(option: string, given: string, known: string, nearest: string | null): string;
  unknownLanguage(given: string, known: string): string;
  unknownCheck(option: string, given: string, known: string, nearest: string | null): string;
  /** `known`: the ids of the configuration's sites; empty: it lists none. */
  unknownSite(option: string, given: string, known: string, nearest: string | null): string;
  /** `known`: the ids of the configuration's alert routes; empty: it lists none. */
  unknownRoute(given: string, known: string, nearest: string | null): string;
  /** The configuration lists sites, and none was chosen. */
  noSiteChosen(known: string): string;
  /** `known` is reported where no code is near. */
  unknownCode(check: string, given: string, known: string, nearest: string | null): string;
  unknownExample(given: string, known: string, nearest: string | null): string;
  unknownShell(given: string, known: string, nearest: string | null): string;
  noChecksLeft(): string;
  exclusive(one: string, other: string): string;
  badProxy(variable: string): string;
  noUrl(): string;
  /** A URL with a password, for a file that is committed. */
  secretInUrl(option: string): string;
  /** `options`: those that have to be given where there is no terminal. */
  nobodyToAsk(options: string): string;
  noSiteUrl(): string;
  outsideFolder(option: string, given: string): string;
  hostingNeedsHost(): string;
  hostingBase(path: string): string;
  unknownWorkflow(given: string, known: string, nearest: string | null): string;
  unknownAction(command: string, given: string, known: string, nearest: string | null): string;
  unknownConfigAction(given: string, known: string, nearest: string | null): string;
  baseUrl(problem: BaseUrlProblem, given: string): string;
  /** Where to find help: follows every usage error. */
  seeHelp(command: string): string;
}

/** Every message of the interface that is no check's text. */
/** Headings and words of `docvitals explain`. */
export interface ExplainMessages {
  readonly severity: string;
  readonly reportedBy: string;
  readonly happened: string;
  readonly matters: string;
  readonly fix: string;
  readonly verify: string;
  readonly turnOff: string;
  readonly notRated: string;
  readonly rules: string;
}

export interface Messages extends UsageMessages {
  readonly statuses: Readonly<Record<Status, string>>;
  readonly verdicts: Readonly<Record<Verdict, string>>;
  readonly waiting: WaitingMessages;
  readonly fix: string;
  readonly explain: ExplainMessages;
  readonly documentedAction: string;
  /** `2 of 5 checks failed, 1 with a warning (0.31 s)`. */
  summary(verdict: Verdict, counts: Counts, durationMs: number): string;
  /** Ends the report, e.g. `degraded: 2 of 5 checks failed (0.31 s)`; the verdict comes coloured. */
  verdictLine(verdict: string, summary: string): string;
  readonly standardOutput: string;
  sameCause(count: number): string;
  sameFix(finding: string): string;
  /** Findings of one code that are not shown. */
  more(count: number): string;
  /** Ends the last annotation: findings that have none. */
  moreInLog(count: number): string;
  /** Findings that a file for code scanning has no room for. */
  leftOutOfSarif(count: number): string;
  /** Findings beyond those of their code that any report tells one by one. */
  onlyCounted(count: number): string;
  interrupted(): string;
  serving(folder: string, host: string, url: string): string;
  checkPreview(command: string): string;
  /** `index.html` is missing in a folder that is served, and perhaps other files. */
  missingInFolder(folder: string, files: string): string;
  progress(waiting: readonly string[], elapsedMs: number): string;
  /** Beside the bar of a crawl: targets that were requested, of those that are known. */
  crawling(done: number, known: number): string;
  milliseconds(ms: number): string;
  goodConfiguration(file: string): string;
  /** There are sites, and a `url` that is none of them. */
  urlNotWatched(): string;
  noConfiguration(): string;
  cannotWrite(target: string, reason: string): string;
  internalError(detail: string): string;
}

/** `0.31 s` in the language's notation: two digits under a second, one above. */
export function seconds(ms: number, language: Language): string {
  const digits = ms < 1000 ? 2 : 1;
  return `${numberIn(language, ms / 1000, digits)}\u00a0s`;
}

/** Whole milliseconds in the language's notation. */
export function wholeMilliseconds(ms: number, language: Language): string {
  return `${numberIn(language, ms)}\u00a0ms`;
}

/** What shows that an old version is live. All strings are already printable. */
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
  /** Whether the new version is there could not be reported. `why`: checks and what they found, e.g. `source: other-folder`. */
  notKnown(why: readonly string[]): string;
  /** Fresh, but these checks are not well, or could not tell. */
  notWell(ids: readonly string[]): string;
  /** The first sign of what is waited for is there. */
  lookingOn(): string;
  /** Good runs in a row, of those that are wanted. */
  good(count: number, wanted: number): string;
  /** The run that looks at everything. */
  whole(): string;
  /** The time is up, and everything is checked for the report. */
  timeUp(): string;
  /** `what · run 4 · 0:42 of 5:00 · next in 8 s`; `pauseMs` `null`: a run is going on. */
  line(what: string, at: WaitingAt): string;
  /** Instead of the summary of a stale site. */
  stale(old: StaleFacts): string;
  /** Instead of the summary of a site that is old, and of which not all that was wanted was checked. */
  unfinished(old: StaleFacts, why: 'stopped' | 'time-up'): string;
  /** The three clocks, as far as it came to them; the last line of a report. */
  clocks(waited: Waited): string;
}

/** Where the waiting is in time. */
interface WaitingAt {
  readonly round: number;
  readonly elapsedMs: number;
  readonly forMs: number;
  readonly pauseMs: number | null;
}

/** `0:42`, `12:05` */
export function minutes(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** `3.4 s`, `42 s`, `5 min 03 s`: the units are the same in all languages, the decimal sign is not. */
export function waitTime(ms: number, language: Language): string {
  if (ms < 10_000) return `${numberIn(language, ms / 1000, 1)}\u00a0s`;
  const rounded = Math.round(ms / 1000);
  if (rounded < 60) return `${rounded}\u00a0s`;
  return `${Math.floor(rounded / 60)}\u00a0min ${String(rounded % 60).padStart(2, '0')}\u00a0s`;
}

/** Whole seconds to the next run, at least one. */
export function toNext(pauseMs: number): number {
  return Math.max(1, Math.round(pauseMs / 1000));
}
