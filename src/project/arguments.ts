/** Reads the values of command-line options. Each throws a `UsageError` that names the option. */
import { ENGINE_IDS, type EngineId } from '../engines/engine.ts';
import path from 'node:path';
import { parseDuration, renderDuration, UP_TO_A_DAY, type DurationBounds } from '../config/values.ts';
import { CONFIG_FILES } from '../config/load.ts';
import { headerProblem, parseHostPort, parseResolve, type HostPort, parseVersionFrom } from '../config/formats.ts';
import type { ResolveRule } from '../http/connect.ts';
import { nearest } from '../config/nearest.ts';
import type { HostKind, Since, VersionLocation } from '../check.ts';
import { HOST_NAMES, hostKindOf } from '../hosting/kinds.ts';
import { parseBase } from '../hosting/rules.ts';
import { FORMAT_NAMES, type FormatName } from '../report/format-names.ts';
import { LANGUAGES, type Language } from '../texts.ts';
import { UsageError, echoed } from './usage-error.ts';
import type { Messages } from '../locales/messages.ts';

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

export function engineOf(text: string): EngineId {
  const engine = ENGINE_IDS.find((known) => known === text);
  if (engine !== undefined) return engine;
  throw new UsageError((messages) => messages.unknownEngine(echoed(text), ENGINE_IDS.join(', ')));
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

export const formatAmong = <F extends string>(option: string, formats: readonly F[]): ((text: string) => F) =>
  among(option, formats, 'unknownFormat');

export const oneAmong = <V extends string>(option: string, values: readonly V[]): ((text: string) => V) =>
  among(option, values, 'unknownValue');

function among<V extends string>(
  option: string,
  values: readonly V[],
  complaint: 'unknownFormat' | 'unknownValue',
): (text: string) => V {
  return (text) => {
    if (text === '') throw new UsageError((messages) => messages.missingValue(option));
    return knownWord(text, values, (messages, ...facts) => messages[complaint](option, ...facts));
  };
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
  const index = ids.indexOf(knownWord(id, ids, complain));
  return all[index] as T;
}

/** Names that a line has room for. */
const MOST_NAMED = 20;

/** `a, b, c`, and no more than a line of them. */
export function someOf(names: readonly string[]): string {
  return names.length > MOST_NAMED ? `${names.slice(0, MOST_NAMED).join(', ')}, …` : names.join(', ');
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

/** The value is secret, so a mistake in it is reported without it. */
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

export function resolveRules(text: string, before: readonly ResolveRule[] = []): readonly ResolveRule[] {
  const rule = parseResolve(text);
  if (rule === undefined) throw new UsageError((messages) => messages.badResolve(echoed(text)));
  return [...before, rule];
}

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

/* Reads the options that say which version is to be live. Each function takes the option's name for its errors. */

const LONGEST = 200;

/** The name of a version: one word, as commits and releases have. */
export function versionOf(option: string): (text: string) => string {
  return (text) => {
    const version = filled(option, text);
    if (/^[^\s\p{C}]+$/u.test(version) && version.length <= LONGEST) return version;
    throw new UsageError((messages) => messages.badVersion(option, echoed(version)));
  };
}

/** `<path>`, `<path>#<JSON Pointer>` or `<path>#<regular expression>`. */
export function versionFromOf(option: string): (text: string) => VersionLocation {
  return (text) => {
    const parsed = parseVersionFrom(filled(option, text));
    if (parsed.ok) return parsed.place;
    throw new UsageError((messages) => messages.badVersionFrom(option, echoed(text.trim()), parsed.problem));
  };
}

/** An ETag, with or without its quotes; a date; or the word `now`. */
export function sinceOf(option: string): (text: string) => Since | 'now' {
  return (text) => {
    const word = filled(option, text);
    if (/^now$/i.test(word)) return 'now';
    const modifiedMs = dateOf(word);
    if (modifiedMs !== null) return { modifiedMs };
    const etag = etagOf(word);
    if (etag !== null) return { etag };
    throw new UsageError((messages) => messages.badSince(option, echoed(word)));
  };
}

/** The value without the spaces that a shell may leave around it. */
function filled(option: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new UsageError((messages) => messages.emptyValue(option));
  return trimmed;
}

/** ISO 8601, with a time or without; as Git writes it, too (`2026-03-01 12:00:00 +0100`). */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i;
/** ISO 8601 in its basic form, as in the names of builds: `20260301T120000Z`. */
const BASIC = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
/** `date +%s` in seconds, or the milliseconds of `Date.now()`. */
const EPOCH = /^(?:\d{10}|\d{13})$/;
/** RFC 9110, section 5.6.7: all three forms begin with the name of a day. */
const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;

/** Milliseconds since 1970; a time without a zone is UTC. `null`: no date. */
function dateOf(word: string): number | null {
  if (EPOCH.test(word)) return Number(word.padEnd(13, '0'));
  const text = extended(word);
  const [, day, time, zone = 'Z'] = ISO.exec(text) ?? [];
  const iso = time === undefined ? day : `${day}T${time}${zone.toUpperCase().replace(/^(...)(\d\d)$/, '$1:$2')}`;
  // The oldest form of HTTP has no zone; it means GMT.
  const http = HTTP_DATE.test(text) ? `${text}${/(?:gmt|utc|[+-]\d{4})$/i.test(text) ? '' : ' GMT'}` : undefined;
  const parsed = Date.parse(iso ?? http ?? '');
  return Number.isNaN(parsed) ? null : parsed;
}

/** The basic form of ISO 8601 in its extended form; other texts as they are. */
function extended(text: string): string {
  const [, year, month, day, hour, minute, second = '00', zone = 'Z'] = BASIC.exec(text) ?? [];
  if (year === undefined) return text;
  const date = `${year}-${month}-${day}`;
  return hour === undefined ? date : `${date}T${hour}:${minute}:${second}${zone.length === 3 ? `${zone}00` : zone}`;
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

/** A time that may be given relative to now: ms since 1970, of now. */
type Moment = (now: number) => number;

const TEN_YEARS_MS = 3_650 * 86_400_000;

/** How long ago (`24h`, `7d`), a date (`2026-11-20`, `2026-11-20T18:00Z`; UTC where it has no zone), or `now`. */
export function momentOf(option: string): (text: string) => Moment {
  return (text) => {
    const word = text.trim();
    if (word === '') throw new UsageError((messages) => messages.emptyValue(option));
    if (/^now$/i.test(word)) return (now) => now;
    const ago = parseDuration(word, { least: 1, most: TEN_YEARS_MS });
    if (ago.ok) return (now) => now - ago.ms;
    const date = dateOf(word);
    if (date !== null) return () => date;
    throw new UsageError((messages) => messages.badMoment(option, echoed(word)));
  };
}
