/** Reads the values of command-line options. Each throws a `UsageError` that names the option. */
import path from 'node:path';
import { parseDuration } from '../config/duration.ts';
import { SEARCH_PLACES } from '../config/places.ts';
import { headerProblem } from '../config/header.ts';
import { nearest } from '../config/nearest.ts';
import { parseResolve, type ResolveEntry } from '../config/resolve.ts';
import { FORMAT_NAMES, type FormatName } from '../report/formats.ts';
import { LANGUAGES, type Language } from '../texts.ts';
import { UsageError } from './usage-error.ts';
import { echoed } from './echoed.ts';

/** A file to write a report to. */
export interface ReportTarget {
  readonly format: FormatName;
  readonly file: string;
}

const MOST_RETRIES = 10;

/** Milliseconds. */
export function durationOf(option: string): (text: string) => number {
  return (text) => {
    if (text.trim() === '') throw new UsageError((messages) => messages.missingValue(option));
    const parsed = parseDuration(text);
    if (parsed.ok) return parsed.ms;
    if (parsed.problem === 'too-long') {
      throw new UsageError((messages) => messages.durationTooLong(option, echoed(text)));
    }
    throw new UsageError((messages) => messages.badDuration(option, echoed(text)));
  };
}

export function retriesOf(text: string): number {
  const count = /^\d{1,2}$/.test(text) ? Number(text) : Infinity;
  if (count <= MOST_RETRIES) return count;
  throw new UsageError((messages) => messages.badRetries(echoed(text)));
}

export function languageOf(text: string): Language {
  const language = LANGUAGES.find((known) => known === text);
  if (language !== undefined) return language;
  throw new UsageError((messages) => messages.unknownLanguage(echoed(text), LANGUAGES.join(', ')));
}

export function formatOf(option: string): (text: string) => FormatName {
  return (text) => {
    const format = FORMAT_NAMES.find((known) => known === text);
    if (format !== undefined) return format;
    if (text === '') throw new UsageError((messages) => messages.missingValue(option));
    const guess = nearest(text, FORMAT_NAMES) ?? null;
    throw new UsageError((messages) => messages.unknownFormat(option, echoed(text), FORMAT_NAMES.join(', '), guess));
  };
}

export function reportTargets(text: string, before: readonly ReportTarget[] = []): readonly ReportTarget[] {
  const [, format, file] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  if (format === undefined || file === undefined) {
    throw new UsageError((messages) => messages.badReport(echoed(text)));
  }
  // The next run would take the report for its configuration.
  if (SEARCH_PLACES.some((place) => path.resolve(place) === path.resolve(file))) {
    throw new UsageError((messages) => messages.reportIsConfiguration(echoed(file)));
  }
  return [...before, { format: formatOf('--report')(format), file }];
}

/** The value is secret, so a mistake in it is told without it. */
export function headersOf(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value] = /^([^:]+):\s*(.*)$/s.exec(text) ?? [];
  const problem = headerProblem(name ?? '', value?.trimEnd() ?? '');
  if (problem === 'header-reserved') throw new UsageError((messages) => messages.reservedHeader(name ?? ''));
  if (name === undefined || value === undefined || problem !== undefined) {
    throw new UsageError((messages) => messages.badHeader());
  }
  return { ...before, [name]: value.trimEnd() };
}

export function resolveRules(text: string, before: readonly ResolveEntry[] = []): readonly ResolveEntry[] {
  const rule = parseResolve(text);
  if (rule === undefined) throw new UsageError((messages) => messages.badResolve(echoed(text)));
  return [...before, rule];
}

/** A path; an empty one is a variable of a script that was not set. */
export function fileOf(option: string): (text: string) => string {
  return (text) => {
    if (text === '') throw new UsageError((messages) => messages.missingValue(option));
    return text;
  };
}

/** `--only a,b --only c` → `a b c`. */
export function idList(option: string): (text: string, before?: readonly string[]) => readonly string[] {
  return (text, before = []) => {
    const ids = text.split(/[\s,]+/).filter((id) => id !== '');
    if (ids.length === 0) throw new UsageError((messages) => messages.missingValue(option));
    return [...before, ...ids];
  };
}
