/** What follows a verdict: how many checks ended how, or what shows that an old version is live. Pure. */
import type { CheckResult, Finding, Json, Report, Role } from '../check.ts';
import { printable } from '../printable.ts';
import type { Messages, StaleFacts } from '../locales/messages.ts';
import { reportWords } from '../generated/locales/report.ts';
import { withEllipsis } from './cut.ts';
import { countStatuses } from './document.ts';
import type { ReportOptions } from './formats.ts';

/** How many checks ended how; of an old site what is old. `shown`: as an output shows what the site names. */
export function summaryOf(
  report: Report,
  { waiting, summary }: Messages,
  shown = (old: StaleFacts): StaleFacts => old,
): string {
  const { verdict, fresh, waited, interrupted, checks, durationMs } = report;
  if (verdict === 'stale') return waiting.stale(shown(staleFactsOf(report)));
  // It was waited for and not checked completely.
  if (verdict === 'unknown' && fresh === false && waited !== undefined)
    return waiting.unfinished(shown(staleFactsOf(report)), interrupted ? 'stopped' : 'time-up');
  return summary(verdict, countStatuses(checks), durationMs);
}

/** Whether the expected version is live, and how it was waited for: a sentence each. */
export function freshnessLines({ fresh, waited }: Report, { messages, texts }: ReportOptions): readonly string[] {
  return [
    ...(fresh === null ? [] : [reportWords(texts.language).fresh(fresh)]),
    ...(waited === undefined ? [] : [messages.waiting.clocks(waited)]),
  ];
}

/** Of more files one is named, and the others are counted. */
const MOST_NAMED = 2;
const LONGEST_NAME = 60;

/** The facts behind a verdict `stale`. */
export function staleFactsOf({ checks, waited }: Pick<Report, 'checks' | 'waited'>): StaleFacts {
  const errors = errorsOf(checks, 'source');
  const paths = [...new Set(errors.flatMap(({ evidence: { path, old } }) => textsIn([path, old])))];
  const worstFirst = paths.toSorted((one, other) => weightOf(one) - weightOf(other));
  const named = paths.length > MOST_NAMED ? worstFirst.slice(0, 1) : paths;
  const counted = paths.filter((path) => !named.includes(path));
  const pages = counted.filter(isPage).length;
  const versions = errorsOf(checks, 'version');
  const differing = versions.find(({ evidence }) => typeof evidence['expected'] === 'string');
  return {
    files: named.map(name),
    pages,
    others: counted.length - pages,
    isMissing: paths.length > 0 && errors.every(({ rule }) => rule === 'not-live'),
    isCommit: errors.some(({ rule, evidence }) => rule === 'mixed' || typeof evidence['commit'] === 'string'),
    expected: version(differing?.evidence['expected']),
    found: version(differing?.evidence['found']),
    unchanged: versions.some(({ rule }) => rule === 'not-changed'),
    both: bothOf(errors, waited),
  };
}

function bothOf(errors: readonly Finding[], waited: Report['waited']): StaleFacts['both'] {
  if (waited?.inTurn === true || errors.some(({ rule }) => rule === 'alternates')) return 'in-turn';
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

function name(text: string): string {
  return withEllipsis(printable(text), LONGEST_NAME);
}

/** Of a commit its first digits. */
function version(value: Json | undefined): string | null {
  const [first = ''] = textsIn([value]);
  if (first === '') return null;
  return /^[\da-f]{40,64}$/i.test(first) ? first.slice(0, 12) : name(first);
}

export const NOTHING_STALE = staleFactsOf({ checks: [] });
