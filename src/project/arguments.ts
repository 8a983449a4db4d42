/** Reads the values of command-line options. Each throws a `UsageError` that names the option. */
import path from 'node:path';
import { parseDuration, renderDuration, UP_TO_A_DAY, type DurationBounds } from '../config/values.ts';
import { CONFIG_FILES } from '../config/load.ts';
import { headerProblem, parseHostPort, parseResolve, type HostPort, type ResolveEntry } from '../config/formats.ts';
import { nearest } from '../config/nearest.ts';
import type { HostKind } from '../check.ts';
import { HOST_NAMES, hostKindOf } from '../hosting/kinds.ts';
import { parseBase } from '../hosting/rules.ts';
import { FORMAT_NAMES, type FormatName } from '../report/format-names.ts';
import { LANGUAGES, type Language } from '../texts.ts';
import { UsageError } from './usage-error.ts';
import { echoed } from './echoed.ts';

/** A file to write a report to. */
export interface ReportTarget {
  readonly format: FormatName;
  readonly file: string;
}

/** Most good runs in a row that `--stable` may want. */
export const MOST_STABLE = 20;

/** Milliseconds, within bounds. */
export function durationOf(option: string, bounds: DurationBounds = UP_TO_A_DAY): (text: string) => number {
  const [least, most] = [renderDuration(bounds.least), renderDuration(bounds.most)];
  return (text) => {
    if (text.trim() === '') throw new UsageError((messages) => messages.missingValue(option));
    const parsed = parseDuration(text, bounds);
    if (parsed.ok) return parsed.ms;
    const { problem } = parsed;
    const given = echoed(text);
    throw new UsageError((messages) => {
      if (problem === 'too-long') return messages.durationTooLong(option, given, most);
      if (problem === 'too-short' || problem === 'zero') return messages.durationTooShort(option, given, least);
      return messages.badDuration(option, given);
    });
  };
}

/** A whole number from `least` to `most`. */
export function countOf(option: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (count >= least && count <= most) return count;
    if (text === '') throw new UsageError((messages) => messages.missingValue(option));
    throw new UsageError((messages) => messages.badCount(option, echoed(text), least, most));
  };
}

/** Requests a second; fractions are fine: `0.5` is one every two seconds. */
export function rateOf(text: string): number {
  const rate = /^\d{1,5}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (rate > 0) return rate;
  throw new UsageError((messages) => messages.badRate(echoed(text)));
}

/** A site's base path; begins and ends with a slash. */
export function baseOf(text: string): string {
  if (text === '') throw new UsageError((messages) => messages.missingValue('--base'));
  const base = parseBase(text);
  if (base !== null) return base;
  throw new UsageError((messages) => messages.badBase(echoed(text)));
}

export function hostOf(text: string): HostKind {
  const kind = hostKindOf(text);
  if (kind !== null) return kind;
  throw new UsageError((messages) => messages.unknownHost(echoed(text), HOST_NAMES.join(', ')));
}

/** The name of a kind of host or of a product, as it is given. */
export function hostNameOf(text: string): string {
  hostOf(text);
  return text;
}

export function languageOf(text: string): Language {
  const language = LANGUAGES.find((known) => known === text);
  if (language !== undefined) return language;
  throw new UsageError((messages) => messages.unknownLanguage(echoed(text), LANGUAGES.join(', ')));
}

export const formatOf = (option: string): ((text: string) => FormatName) => formatAmong(option, FORMAT_NAMES);

/** One of a command's own formats. */
export const formatAmong = <F extends string>(option: string, formats: readonly F[]): ((text: string) => F) =>
  among(option, formats, 'unknownFormat');

/** One of the values that an option can have. */
export const oneAmong = <V extends string>(option: string, values: readonly V[]): ((text: string) => V) =>
  among(option, values, 'unknownValue');

function among<V extends string>(
  option: string,
  values: readonly V[],
  complaint: 'unknownFormat' | 'unknownValue',
): (text: string) => V {
  return (text) => {
    const value = values.find((known) => known === text);
    if (value !== undefined) return value;
    if (text === '') throw new UsageError((messages) => messages.missingValue(option));
    const guess = nearest(text, values) ?? null;
    throw new UsageError((messages) => messages[complaint](option, echoed(text), values.join(', '), guess));
  };
}

export function reportTargets(text: string, before: readonly ReportTarget[] = []): readonly ReportTarget[] {
  const [, format, file] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  if (format === undefined || file === undefined) {
    throw new UsageError((messages) => messages.badReport(echoed(text)));
  }
  // The next run would take the report for its configuration.
  if (CONFIG_FILES.some((location) => path.resolve(location) === path.resolve(file))) {
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

/** `host:port`, port 0 for any that is free. */
export function listenOf(option: string): (text: string) => HostPort {
  return (text) => {
    if (text === '') throw new UsageError((messages) => messages.missingValue(option));
    const address = parseHostPort(text);
    if (address !== undefined) return address;
    throw new UsageError((messages) => messages.badListen(option, echoed(text)));
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
