/** What follows a verdict: how many checks ended how, or what shows that an old version is live. Pure. */
import type { CheckResult, Report, Role, Waited } from '../core/check.ts';
import type { Finding } from '../core/finding.ts';
import type { Json } from '../core/answer.ts';
import { printable } from '../text/printable.ts';
import { numberIn, seconds } from '../locales/format.ts';
import type { Messages } from '../locales/messages.ts';
import type { Language } from '../locales/language.ts';
import { reportWords } from '../generated/locales/report.ts';
import { withEllipsis } from './cut.ts';
import { countStatuses } from './document.ts';
import type { ReportOptions } from './formats.ts';

/** How many checks ended how; of an old site what is old. `shown`: as an output shows what the site names. */
export function summaryOf(
  report: Report,
  { messages, texts }: ReportOptions,
  shown = (old: StaleFacts): StaleFacts => old,
): string {
  const { verdict, fresh, waited, interrupted, durationMs } = report;
  const { waiting } = messages;
  // It was waited for and not checked completely.
  const isUnfinished = verdict === 'unknown' && fresh === false && waited !== undefined;
  if (verdict !== 'stale' && !isUnfinished)
    return `${outcomeOf(report, messages.outcome)} (${seconds(texts.language, durationMs)})`;
  const old = shown(staleFactsOf(report));
  if (isUnfinished) return waiting.unfinished(interrupted, staleDetails(old, 'still', waiting));
  return waiting.stale(old.both, staleDetails(old, 'now', waiting));
}

function outcomeOf({ verdict, checks }: Report, words: Messages['outcome']): string {
  const { pass, warn, fail, skip, unknown } = countStatuses(checks);
  const isStrict = verdict === 'degraded' && fail === 0;
  let outcome = words.passed(pass + warn);
  if (fail > 0) outcome = words.failed(fail, checks.length);
  else if (isStrict) outcome = words.warned(warn, checks.length);
  else if (verdict === 'unknown') outcome = words.unknown(unknown, checks.length);
  return [
    outcome,
    ...(fail > 0 && unknown > 0 ? [words.alsoUnknown(unknown)] : []),
    ...(warn > 0 && !isStrict ? [words.alsoWarned(warn)] : []),
    ...(skip > 0 ? [words.alsoSkipped(skip)] : []),
  ].join(', ');
}

/** Whether the expected version is live, and how it was waited for: a sentence each. */
export function freshnessLines({ fresh, waited }: Report, options: ReportOptions): readonly string[] {
  return [
    ...(fresh === null ? [] : [reportWords(options.texts.language).fresh(fresh)]),
    ...(waited === undefined ? [] : [waitedLine(waited, options)]),
  ];
}

/** When the new version was first live, and when completely. */
export function waitedLine(waited: Waited, { messages, texts }: ReportOptions): string {
  const { runs, elapsedMs, allPassedMs } = waited;
  const { clocks } = messages.waiting;
  const isHealth = waited.by === 'health';
  const time = (ms: number): string => waitTime(ms, texts.language);
  if (waited.alreadyLive) return clocks.alreadyLive(isHealth, runs, time(elapsedMs));
  const head =
    allPassedMs === null ? clocks.notLive(isHealth, runs, time(elapsedMs)) : clocks.live(isHealth, time(allPassedMs));
  const times = (['firstNew', 'allNew', 'allPassed'] as const).flatMap((name) => {
    const ms = waited[`${name}Ms`];
    return ms === null ? [] : [clocks[name](isHealth, time(ms))];
  });
  return times.length === 0 ? head : `${head}${clocks.separator}${times.join(', ')}`;
}

function waitTime(ms: number, language: Language): string {
  if (ms < 10_000) return `${numberIn(language, ms / 1000, 1)}\u00A0s`;
  const rounded = Math.round(ms / 1000);
  if (rounded < 60) return `${rounded}\u00A0s`;
  return `${Math.floor(rounded / 60)}\u00A0min ${String(rounded % 60).padStart(2, '0')}\u00A0s`;
}

/* What is old. */

export type StaleFacts = ReturnType<typeof staleFactsOf>;

/** What differs, and which version is live instead; empty: neither is known. */
export function staleDetails(old: StaleFacts, form: 'now' | 'still', waiting: Messages['waiting']): string {
  const { isMissing, isCommit, expected, found, unchanged, pages, others } = old;
  const count = old.files.length + pages + others;
  const files = [
    ...old.files,
    ...(pages === 0 ? [] : [waiting.pages(pages)]),
    ...(others === 0 ? [] : [waiting.others(others)]),
  ];
  const words = waiting[form];
  const differ = isMissing ? words.missing(files, count) : words.differ(files, count, isCommit);
  const version = found === null ? words.notLive(expected ?? '') : words.otherLive(found, expected ?? '');
  return [
    ...(count === 0 ? [] : [differ]),
    ...(expected === null ? [] : [version]),
    ...(unchanged ? [words.unchanged] : []),
  ].join(waiting.separator);
}

/** Of more files one is named, and the others are counted. */
const MOST_NAMED = 2;
const LONGEST_NAME = 60;

/** The facts behind a verdict `stale`. All strings are printable. */
export function staleFactsOf({ checks, waited }: Pick<Report, 'checks' | 'waited'>) {
  const errors = errorsOf(checks, 'source');
  const paths = [...new Set(errors.flatMap(({ evidence: { path, old } }) => textsIn([path, old])))];
  const worstFirst = paths.toSorted((one, other) => weightOf(one) - weightOf(other));
  const named = paths.length > MOST_NAMED ? worstFirst.slice(0, 1) : paths;
  const counted = paths.filter((path) => !named.includes(path));
  const pages = counted.filter(isPage).length;
  const versions = errorsOf(checks, 'version');
  const differing = versions.find(({ evidence }) => typeof evidence['expected'] === 'string');
  return {
    /** Names of files that differ: all of them, or one of many. */
    files: named.map(shortName),
    /** Further pages that differ, and further files. */
    pages,
    others: counted.length - pages,
    /** None of the files exists on the site. */
    isMissing: paths.length > 0 && errors.every(({ rule }) => rule === 'not-live'),
    /** They differ from a commit. */
    isCommit: errors.some(({ rule, evidence }) => rule === 'mixed' || typeof evidence['commit'] === 'string'),
    /** `null`: none was named. */
    expected: shortVersion(differing?.evidence['expected']),
    /** `null`: not known. */
    found: shortVersion(differing?.evidence['found']),
    /** The bundle is the one from before the deployment. */
    unchanged: versions.some(({ rule }) => rule === 'not-changed'),
    /** Whether both versions are live, and how. */
    both: bothOf(errors, waited),
  };
}

function bothOf(errors: readonly Finding[], waited: Report['waited']): 'in-turn' | 'at-once' | null {
  if (waited?.alternating === true || errors.some(({ rule }) => rule === 'alternates')) return 'in-turn';
  return errors.some(({ rule }) => rule === 'mixed') ? 'at-once' : null;
}

function errorsOf(checks: readonly CheckResult[], role: Role): readonly Finding[] {
  const findings = checks.find((check) => check.role === role)?.findings ?? [];
  return findings.filter(({ severity }) => severity === 'error');
}

function textsIn(values: readonly (Json | undefined)[]): readonly string[] {
  return values.flat().filter((value) => typeof value === 'string');
}

const isPage = (path: string): boolean => path.toLowerCase().endsWith('.md');

/** Configuration and bundle are named first, then everything but pages. */
function weightOf(path: string): number {
  const known = ['config.json', 'index.html'].indexOf(path);
  return known === -1 ? 3 + Number(isPage(path)) : known;
}

function shortName(text: string): string {
  return withEllipsis(printable(text), LONGEST_NAME);
}

/** Of a commit its first digits. */
function shortVersion(value: Json | undefined): string | null {
  const [first = ''] = textsIn([value]);
  if (first === '') return null;
  return /^[\da-f]{40,64}$/i.test(first) ? first.slice(0, 12) : shortName(first);
}

export const NOTHING_STALE = staleFactsOf({ checks: [] });
