/** What shows that an old version is live. Pure. */
import type { CheckResult, Finding, Json, Report, Role } from '../check.ts';
import { printable } from '../printable.ts';
import type { Messages, StaleFacts } from '../locales/messages.ts';
import { withEllipsis } from './cut.ts';

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

/** The sentence for a stale site, or for an old one that was waited for and not checked completely; else `null`. */
export function staleSentence(
  report: Report,
  { waiting }: Pick<Messages, 'waiting'>,
  shown: (old: StaleFacts) => StaleFacts = (old) => old,
): string | null {
  const { verdict, fresh, waited, interrupted } = report;
  if (verdict === 'stale') return waiting.stale(shown(staleFactsOf(report)));
  if (verdict !== 'unknown' || fresh !== false || waited === undefined) return null;
  return waiting.unfinished(shown(staleFactsOf(report)), interrupted ? 'stopped' : 'time-up');
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
