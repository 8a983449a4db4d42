/**
 * Reads the values of options and of the Action's inputs. Each function is given the text and the name of the option for its
 * errors, and throws a `UsageError`; options that may be repeated also get what was read before.
 */
import path from 'node:path';
import { CONFIG_FILES } from '../config/load.ts';
import { headerProblem, parseHostPort, parseResolve, parseVersionFrom, type HostPort } from '../config/formats.ts';
import type { ResolveRule } from '../http/connect.ts';
import { nearest } from '../config/nearest.ts';
import { parseDuration, parseTime, renderDuration, UP_TO_A_DAY, type DurationBounds } from '../config/values.ts';
import type { HostKind, Since, VersionLocation } from '../check.ts';
import { HOST_NAMES, hostKindOf, parseBase } from '../hosting/rules.ts';
import type { Messages } from '../locales/messages.ts';
import { FORMAT_NAMES, type FormatName } from '../report/formats.ts';
import { echoed, UsageError } from './usage-error.ts';

/** Reads the value of an option; `before`: what it was given earlier. */
export type Parse<T> = (text: string, option: string, before?: T) => T;

export interface ReportTarget {
  readonly format: FormatName;
  readonly file: string;
}

/** Most good runs in a row that `--stable` may want. */
export const MOST_STABLE = 20;

const fail = (report: (messages: Messages) => string): never => {
  throw new UsageError(report);
};

/** The value without the spaces that a shell may leave around it. */
function filled(text: string, option: string): string {
  return text.trim() || fail((messages) => messages.emptyValue(option));
}

export function textOf(text: string, option: string): string {
  filled(text, option);
  return text;
}

export function durationOf(bounds: DurationBounds = UP_TO_A_DAY): Parse<number> {
  const [least, most] = [renderDuration(bounds.least), renderDuration(bounds.most)];
  return (text, option) => {
    const parsed = parseDuration(filled(text, option), bounds);
    if (parsed.ok) return parsed.ms;
    const given = echoed(text);
    return fail((messages) => {
      if (parsed.problem === 'too-long') return messages.durationTooLong(option, given, most);
      if (parsed.problem === 'too-short') return messages.durationTooShort(option, given, least);
      return messages.badDuration(option, given);
    });
  };
}

export function countOf(least: number, most: number): Parse<number> {
  return (text, option) => {
    const count = /^\d{1,9}$/.test(textOf(text, option)) ? Number(text) : NaN;
    if (count >= least && count <= most) return count;
    return fail((messages) => messages.badCount(option, echoed(text), least, most));
  };
}

/** Requests a second; fractions are fine: `0.5` is one every two seconds. */
export function rateOf(text: string): number {
  const rate = /^\d{1,5}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  return rate > 0 ? rate : fail((messages) => messages.badRate(echoed(text)));
}

/** A site's base path; begins and ends with a slash. */
export function baseOf(text: string, option: string): string {
  return parseBase(filled(text, option)) ?? fail((messages) => messages.badBase(echoed(text)));
}

export function oneOf<V extends string>(values: readonly V[]): Parse<V> {
  return (text, option) =>
    knownWord(filled(text, option), values, (messages, ...facts) => messages.unknownValue(option, ...facts));
}

/** The name of a kind of host or of a product, as it is given. */
export const hostNameOf = oneOf(HOST_NAMES);

export function hostOf(text: string, option: string): HostKind {
  return hostKindOf(hostNameOf(text, option)) as HostKind;
}

/** Makes the text of an error of the word that was given, those that are known and the nearest of them. */
type Complain = (messages: Messages, given: string, known: string, guess: string | null) => string;

/** One of these words. Throws a `UsageError` that suggests the nearest one. */
export function knownWord<W extends string>(given: string, words: readonly W[], complain: Complain): W {
  const found = words.find((word) => word === given);
  if (found !== undefined) return found;
  const guess = nearest(given, words) ?? null;
  throw new UsageError((messages) => complain(messages, echoed(given), someOf(words), guess));
}

/** What has this id. Throws a `UsageError` that suggests the nearest one. */
export function known<T extends { readonly id: string }>(id: string, all: readonly T[], complain: Complain): T {
  const ids = all.map((one) => one.id);
  return all[ids.indexOf(knownWord(id, ids, complain))] as T;
}

const MOST_NAMED = 20;

/** `a, b, c`, and no more than a line of them. */
export function someOf(names: readonly string[]): string {
  return names.length > MOST_NAMED ? `${names.slice(0, MOST_NAMED).join(', ')}, …` : names.join(', ');
}

export const reportTargets: Parse<readonly ReportTarget[]> = (text, option, before = []) => {
  const [, format, file] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  if (format === undefined || file === undefined) return fail((messages) => messages.badReport(echoed(text)));
  // The next run would take the report for its configuration.
  if (CONFIG_FILES.some((location) => path.resolve(location) === path.resolve(file))) {
    return fail((messages) => messages.reportIsConfiguration(echoed(file)));
  }
  return [...before, { format: oneOf(FORMAT_NAMES)(format, option), file }];
};

/** The value is secret, so a mistake in it is reported without it. */
export const headersOf: Parse<Readonly<Record<string, string>>> = (text, _option, before = {}) => {
  const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/s.exec(text) ?? [];
  const problem = headerProblem(name, value.trimEnd());
  if (problem === 'header-reserved') return fail((messages) => messages.reservedHeader(name));
  if (problem !== undefined) return fail((messages) => messages.badHeader());
  return { ...before, [name]: value.trimEnd() };
};

export const resolveRules: Parse<readonly ResolveRule[]> = (text, _option, before = []) => [
  ...before,
  parseResolve(text) ?? fail((messages) => messages.badResolve(echoed(text))),
];

/** `host:port`, port 0 for any that is free. */
export function listenOf(text: string, option: string): HostPort {
  return parseHostPort(filled(text, option)) ?? fail((messages) => messages.badListen(option, echoed(text)));
}

/** `--only a,b --only c` → `a b c`. */
export const idList: Parse<readonly string[]> = (text, option, before = []) => {
  const ids = text.split(/[\s,]+/).filter((id) => id !== '');
  return ids.length > 0 ? [...before, ...ids] : fail((messages) => messages.emptyValue(option));
};

const LONGEST_VERSION = 200;

/** The name of a version: one word, as commits and releases have. */
export function versionOf(text: string, option: string): string {
  const version = filled(text, option);
  const isName = /^[^\s\p{C}]+$/u.test(version) && version.length <= LONGEST_VERSION;
  return isName ? version : fail((messages) => messages.badVersion(option, echoed(version)));
}

export function versionFromOf(text: string, option: string): VersionLocation {
  const parsed = parseVersionFrom(filled(text, option));
  if (parsed.ok) return parsed.place;
  return fail((messages) => messages.badVersionFrom(option, echoed(text.trim()), parsed.problem));
}

/** An ETag, with or without its quotes; a date; or the word `now`. */
export function sinceOf(text: string, option: string): Since | 'now' {
  const word = filled(text, option);
  if (/^now$/i.test(word)) return 'now';
  const modifiedMs = dateOf(word);
  if (modifiedMs !== null) return { modifiedMs };
  const etag = etagOf(word);
  return etag === null ? fail((messages) => messages.badSince(option, echoed(word))) : { etag };
}

const TEN_YEARS_MS = 3_650 * 86_400_000;

/**
 * How long before `now` (`24h`, `7d`), a date (`2026-11-20`, `2026-11-20T18:00Z`; UTC where it has no zone), or `now`.
 * Milliseconds since 1970.
 */
export function momentOf(text: string, option: string, now: number): number {
  const word = filled(text, option);
  if (/^now$/i.test(word)) return now;
  const ago = parseDuration(word, { least: 1, most: TEN_YEARS_MS });
  if (ago.ok) return now - ago.ms;
  return dateOf(word) ?? fail((messages) => messages.badMoment(option, echoed(word)));
}

/** `date +%s` in seconds, or the milliseconds of `Date.now()`. */
const EPOCH = /^(?:\d{10}|\d{13})$/;
/** RFC 9110, section 5.6.7: all three forms begin with the name of a day. */
const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;

/** Milliseconds since 1970; a time without a zone is UTC. `null`: no date. */
function dateOf(word: string): number | null {
  if (EPOCH.test(word)) return Number(word.padEnd(13, '0'));
  if (!HTTP_DATE.test(word)) return parseTime(word, 'Z') ?? null;
  // The oldest form of HTTP has no zone; it means GMT.
  const parsed = Date.parse(/(?:gmt|utc|[+-]\d{4})$/i.test(word) ? word : `${word} GMT`);
  return Number.isNaN(parsed) ? null : parsed;
}

/** RFC 9110, section 8.8.3: any visible characters but quotes. */
const ETAG = /^(W\/)?("?)([\x21\x23-\x7E\x80-\u{FF}]+)\2$/u;
/**
 * A text that is meant as a time, and would always differ from an ETag: `5m`, `yesterday`, `12/03/2026`, `2026-13-01`,
 * digits alone.
 */
const TIME_LIKE =
  /^(?:\d+|\d{8}T\d{4}.*|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:T.*)?|\d{1,2}:\d\d(?::\d\d)?|\d+(?:\.\d+)?\s*[a-z]{1,7}|[a-z]+|W\/)$/i;

/** The ETag as a header has it; `null`: none. Quotes are what shells take away. */
function etagOf(text: string): string | null {
  const [, weak = '', quote, opaque] = ETAG.exec(text) ?? [];
  if (opaque === undefined || (quote === '' && weak === '' && TIME_LIKE.test(opaque))) return null;
  return `${weak}"${opaque}"`;
}
