/**
 * What the command line and the Action are given: how each value is read, the options as tables (the program, its help and
 * the types of what a command receives are made of them), and what a mistake is reported with. Each reader is given the text
 * and the name of the option for its errors, and throws a `UsageError`; options that may be repeated also get what was read
 * before.
 */
import path from 'node:path';
import { withoutUserinfo } from '../core/base-url.ts';
import { CONFIG_FILES } from '../config/load.ts';
import { headerProblem, parseHostPort, parseResolve, parseVersionFrom, type HostPort } from '../config/formats.ts';
import { ENGINE_IDS } from '../engines/engine.ts';
import type { ResolveRule } from '../http/connect.ts';
import { nearest } from '../parse/edit-distance.ts';
import { MOST_ROUTES, parseDuration, parseTime, renderDuration, UP_TO_A_DAY } from '../config/values.ts';
import type { DurationBounds } from '../config/values.ts';
import type { HostKind } from '../site/host-product.ts';
import type { Since, VersionLocation } from '../site/types.ts';
import { HOST_NAMES, HOST_NAMES_HELP, hostKindOf, parseBase } from '../hosting/rules.ts';
import type { Messages } from '../locales/messages.ts';
import { printable } from '../text/printable.ts';
import { FORMAT_NAMES, type FormatName } from '../report/formats.ts';
import { LANGUAGES, type Language } from '../locales/language.ts';

/** A mistake of the user: reported in one line in their language, exit 2. */
export class UsageError<Words = Messages> extends Error {
  readonly report: (words: Words) => string;

  constructor(report: (words: Words) => string) {
    super('usage');
    this.report = report;
  }
}

/** How a process reports what ends it: in the language of the command line and its configuration, once that is known. */
export const reporting: { language?: Language; hints?: Set<string> } = {};

/** An argument as an error may repeat it: printable, and without the userinfo of an address in the wrong place. */
export function echoed(argument: string): string {
  return printable(withoutUserinfo(argument));
}

/** Reads the value of an option; `before`: what it was given earlier. */
export type Parse<T> = (text: string, option: string, before?: T) => T;

export interface ReportTarget {
  readonly format: FormatName;
  readonly file: string;
}

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
function rateOf(text: string): number {
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

function routesOf(text: string, option: string): number {
  return text === 'all' ? Infinity : countOf(0, MOST_ROUTES)(text, option);
}

export function browserAddressOf(text: string): string {
  if (/^(?:wss?|https?):\/\/[^\s/]/i.test(text) && URL.canParse(text)) return text;
  return fail((messages) => messages.badBrowser(echoed(text)));
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

/** An option: its text in the help, or more than that. Without `parse`, a value is any text but an empty one. */
export interface Option<T = unknown> {
  readonly about: string;
  readonly parse?: Parse<T>;
  readonly initial?: T;
  /** The values that the help lists. */
  readonly choices?: readonly string[];
  /** The option that cannot be given together with this one. */
  readonly conflicts?: string;
  readonly mandatory?: true;
}

/** Options by their flags: `--strict`, `--out <file>`, `--browser [address]`, `--no-compare`. */
// eslint-disable-next-line typescript/no-explicit-any -- each option has a type of its own
export type Options = Readonly<Record<`--${string}`, string | Option<any>>>;

type CamelCase<Name> = Name extends `${infer Word}-${infer Rest}` ? `${Word}${Capitalize<CamelCase<Rest>>}` : Name;

type NameOf<Flag> = Flag extends `--${infer Name} ${string}`
  ? CamelCase<Name>
  : Flag extends `--no-${infer Name}`
    ? CamelCase<Name>
    : Flag extends `--${infer Name}`
      ? CamelCase<Name>
      : never;

type ValueOf<Flag, Declared> = Declared extends { readonly parse: (...given: never[]) => infer T }
  ? T
  : Flag extends `${string} <${string}`
    ? string
    : Flag extends `${string} [${string}`
      ? boolean | string
      : boolean;

type Values<Table> = { readonly [Flag in keyof Table as NameOf<Flag>]: ValueOf<Flag, Table[Flag]> };

type HasValue = [`--no-${string}`, unknown] | [string, { readonly initial: unknown } | { readonly mandatory: true }];

/** The options that always have a value. */
type Always<Table> = {
  [Flag in keyof Table]: [Flag, Table[Flag]] extends HasValue ? NameOf<Flag> : never;
}[keyof Table];

export type FlagsOf<Table> = Partial<Values<Table>> & Pick<Values<Table>, Always<Table>>;

export function read<T>(about: string, parse: Parse<T>) {
  return { about, parse };
}

/** An option with one of a few values, which the help lists. */
export function choice<const V extends string>(about: string, values: readonly V[]) {
  return { about, parse: oneOf(values), choices: values };
}

/** What every command has. */
export const SHARED = {
  '--lang <language>': choice('language of the texts (default: configuration, then locale)', LANGUAGES),
  '--no-color': 'no colours (also: NO_COLOR=1)',
} satisfies Options;

export const CONFIG = {
  '--config <file>': 'configuration file (default: docvitals.yaml, .yml, .json or .config.ts here)',
} satisfies Options;

export const CHECK = {
  '--site <id>': 'check this site of the configuration, as the monitor does',
  '--full': 'run all checks, not only the core checks',
  '--only <ids>': read('run only these checks (comma-separated, repeatable)', idList),
  '--skip <ids>': read('skip these checks', idList),
  '--format <format>': { ...choice('report format', FORMAT_NAMES), initial: 'pretty' },
  '--report <format=file>': read('also write a report to a file (repeatable)', reportTargets),
  '--source <what>': 'compare with the source: a folder, a Git ref (HEAD:docs) or manifest.json',
  '--host <kind>': read(`kind of host: ${HOST_NAMES_HELP} (default: detected)`, hostNameOf),
  '--engine <name>': choice('documentation engine (default: detected)', ENGINE_IDS),
  '--browser [address]': 'open pages in a browser too (a running one: ws:// or CDP address)',
  '--browser-path <file>': 'browser program (default: Chrome, Chromium or Edge)',
  '--routes <count>': read('pages to open besides the home page: a number or all (default: 5)', routesOf),
  '--screenshots <folder>': 'also write a screenshot of each page opened',
  '--external': 'check links to other sites too',
  '--max-pages <count>': read('maximum number of pages (default: 10000)', countOf(1, 1_000_000)),
  '--max-depth <count>': read('maximum number of links from the navigation to a page (default: 50)', countOf(0, 1000)),
  '--rate <count>': read('maximum requests per second to one host (default: as fast as it responds)', rateOf),
  '--wait <duration>': read('wait until the new version is live and healthy, e.g. up to 5m', durationOf()),
  '--stable <count>': read('consecutive healthy runs that --wait needs (default: 2)', countOf(1, 20)),
  '--expect-version <version>': read('version that should be live, such as the deployed commit', versionOf),
  '--version-from <location>': read(
    'where the site publishes it: <path>#<JSON pointer or regular expression> (default: version.json, <meta>, headers)',
    versionFromOf,
  ),
  '--since <what>': read('ETag or date of the bundle before the deployment, or now', sinceOf),
  '--timeout <duration>': read('timeout of one request (default: 10s)', durationOf()),
  '--deadline <duration>': read('timeout of the run (default: 20s; 5m with --full or --source)', durationOf()),
  '--retries <count>': read('retries after network failures, 408, 429 and 5xx (default: 2)', countOf(0, 10)),
  '--header <name: value>': read("request header for the site's own origin, never printed (repeatable)", headersOf),
  '--resolve <host:port:address>': read('connect to this address instead, like curl (repeatable)', resolveRules),
  '--ipv4': { about: 'use IPv4 only', conflicts: 'ipv6' },
  '--ipv6': { about: 'use IPv6 only', conflicts: 'ipv4' },
  ...CONFIG,
  '--strict': 'warnings fail too',
  '--verbose': { about: 'show timings and documented actions', conflicts: 'quiet' },
  '--quiet': { about: 'show only what needs attention', conflicts: 'verbose' },
} satisfies Options;

/** The options of `docvitals check`, read. Times are in milliseconds; what is absent is left to the configuration. */
export interface CheckFlags extends FlagsOf<typeof CHECK & typeof SHARED> {
  /** Other versions that are as good; only set where the version was not named by a person. */
  readonly versionAlternatives?: readonly string[];
  /** The site does not have to publish its version; set where the version was not named by a person. */
  readonly versionOptional?: true;
}
