/** Reads the options that say which version is to be live. Each function takes the option's name for its errors. */
import type { Since, VersionLocation } from '../check.ts';
import { parseVersionFrom } from '../config/formats.ts';
import { echoed } from './echoed.ts';
import { UsageError } from './usage-error.ts';

const LONGEST = 200;

/** The name of a version: one word, as commits and releases have. */
export function versionOf(option: string): (text: string) => string {
  return (text) => {
    const version = given(option, text);
    if (/^[^\s\p{C}]+$/u.test(version) && version.length <= LONGEST) return version;
    throw new UsageError((messages) => messages.badVersion(option, echoed(version)));
  };
}

/** `<path>`, `<path>#<JSON Pointer>` or `<path>#<regular expression>`. */
export function versionFromOf(option: string): (text: string) => VersionLocation {
  return (text) => {
    const parsed = parseVersionFrom(given(option, text));
    if (parsed.ok) return parsed.place;
    throw new UsageError((messages) => messages.badVersionFrom(option, echoed(text.trim()), parsed.problem));
  };
}

/** An ETag, with or without its quotes; a date; or the word `now`. */
export function sinceOf(option: string): (text: string) => Since | 'now' {
  return (text) => {
    const word = given(option, text);
    if (/^now$/i.test(word)) return 'now';
    const modifiedMs = dateOf(word);
    if (modifiedMs !== null) return { modifiedMs };
    const etag = etagOf(word);
    if (etag !== null) return { etag };
    throw new UsageError((messages) => messages.badSince(option, echoed(word)));
  };
}

/** The value without the spaces that a shell may leave around it. */
function given(option: string, text: string): string {
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
export function dateOf(word: string): number | null {
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
 * What somebody means as a time, and would always differ from an ETag: `5m`, `yesterday`, `12/03/2026`, `2026-13-01`,
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
