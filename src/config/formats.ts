/** Texts that have a form: addresses, paths, headers, schedules. Each has a reader or a check. Nothing here throws. */
import { isIP, isIPv6 } from 'node:net';
import type { VersionLocation } from '../site/types.ts';
import { essenceOf } from '../expect/reply.ts';
import type { ResolveRule } from '../http/connect.ts';
import { FRAMING_HEADERS } from '../http/headers.ts';
import { withNearest } from '../parse/edit-distance.ts';
import type { Expected } from './problem.ts';
import { parseTime } from './values.ts';

/**
 * Reads `host:port`: a name, an IPv4 address or an IPv6 address in brackets (`127.0.0.1:9464`, `[::1]:9464`,
 * `localhost:0`). The host is required: to listen on all addresses is written out (`0.0.0.0:9464`, `[::]:9464`). The
 * result has no brackets.
 */
export function parseHostPort(text: string, leastPort: 0 | 1 = 0) {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?)):(\d{1,5})$/i.exec(text.trim());
  if (match === null) return undefined;
  const [, literal, name = '', digits] = match;
  const port = Number(digits);
  if (port < leastPort || port > 65_535) return undefined;
  if (literal !== undefined) return isIP(literal) === 6 ? { host: literal, port } : undefined;
  // Digits and dots that are no IPv4 address are a typing mistake, never a name.
  return /^[\d.]+$/.test(name) && isIP(name) !== 4 ? undefined : { host: name, port };
}

/** Where a server listens, or what is connected to. */
export type HostPort = Readonly<NonNullable<ReturnType<typeof parseHostPort>>>;

/** Reads `host:port:address[,address]...` as curl's `--resolve`; IPv6 addresses may have brackets, an IPv6 host must. */
export function parseResolve(text: string): ResolveRule | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^\s:[\]/@,]+):(\d{1,5}):([0-9a-f:.,[\]]+)$/i.exec(text.trim());
  if (match === null) return undefined;
  const [, literal = '', digits = '', addressList = ''] = match;
  const bare = (address: string): string => address.replace(/^\[(.*)\]$/, '$1');
  const [host, port, addresses] = [bare(literal), Number(digits), addressList.split(',').map(bare)];
  if (port < 1 || port > 65_535 || addresses.some((address) => isIP(address) === 0)) return undefined;
  if (literal.startsWith('[') && isIP(host) !== 6) return undefined;
  return { host: host.toLowerCase(), port, addresses };
}

/** Origins that a configuration names: `https://preview.example.com`, `https://*.docs.example.com`. */
export interface OriginPattern {
  /** Of the name without its first label, where that may be any. */
  readonly host: string;
  /** As `URL` has it: empty for 443. */
  readonly port: string;
  readonly isWildcard: boolean;
}

/**
 * Suffixes below which anybody gets a name (from the private section of the Public Suffix List, 2026-11): a wildcard
 * there would stand for sites of strangers.
 */
const SHARED_SUFFIXES = new Set(
  `a.run.app amazonaws.com appspot.com azurestaticapps.net azurewebsites.net bitbucket.io blogspot.com cloudfront.net
  codeberg.page deno.dev firebaseapp.com fly.dev github.io githubpreview.dev githubusercontent.com gitlab.io glitch.me
  herokuapp.com netlify.app ngrok.app ngrok-free.app ngrok.io now.sh onrender.com pages.dev readthedocs.io run.app
  s3.amazonaws.com surge.sh translate.goog trycloudflare.com up.railway.app vercel.app vercel.dev web.app workers.dev`.split(
    /\s+/,
  ),
);

/** `co.uk`, `com.au`: where names are registered below the second label. */
const REGISTRY = /^(?:ac|co|com|edu|gob|gouv|gov|ltd|me|mil|ne|net|nom|or|org|plc|sch)\.[a-z]{2}$/;

/** Reads an origin of `headersFor`: https, with any name as its first label or none; or the mistake in it. */
export function parseOriginPattern(text: string): OriginPattern | 'origin-pattern' | 'origin-shared' {
  const [, wildcard = '', authority] = /^https:\/\/(\*\.)?([^\s/?#@\\*]+)\/?$/i.exec(text.trim()) ?? [];
  const url = authority === undefined ? null : URL.parse(`https://${authority}/`);
  if (url === null) return 'origin-pattern';
  const { hostname: host, port } = url;
  const isWildcard = wildcard !== '';
  if (!isWildcard) return { host, port, isWildcard };
  if (isIP(host) !== 0 || host.startsWith('[')) return 'origin-pattern';
  const name = host.replace(/\.$/, '');
  return !name.includes('.') || SHARED_SUFFIXES.has(name) || REGISTRY.test(name)
    ? 'origin-shared'
    : { host, port, isWildcard };
}

/** A path as a reference that resolves inside the base: `/x` is `x`; a colon in its first segment starts no scheme. */
export function relativePath(path: string): string {
  const bare = path.replace(/^\//, '');
  return /^[^/?#]*:/.test(bare) ? `./${bare}` : bare;
}

/** Why a text that is not empty is not a file of the site: it is not a relative path, or leads outside the base. */
function sitePathProblem(text: string): 'path' | 'path-outside' | undefined {
  // Resolved as a URL, because that covers every way to write a step upwards.
  const base = new URL('http://site.invalid/a/b/');
  const target = URL.parse(relativePath(text), base.href);
  const isRelative = !/^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[/\\]{2}|[#\\\p{Cc}]/u.test(text);
  if (!isRelative || target === null) return 'path';
  return target.origin === base.origin && target.pathname.startsWith(base.pathname) ? undefined : 'path-outside';
}

const LONGEST_VERSION_FROM = 2_000;

/**
 * Reads where a site publishes its version: `<path>`, `<path>#<JSON Pointer>` or `<path>#<regular expression>`. The path
 * is relative to the site's base, with or without a leading slash. The part after `#` is a JSON Pointer (RFC 6901) if it
 * begins with a slash and does not end with one (`build.json#/git/commit`), otherwise a regular expression, with or
 * without slashes around it (`app.txt#/rev: (\w+)/`, `app.txt#rev: (\w+)`). Its `^` and `$` match at line breaks.
 */
export function parseVersionFrom(text: string) {
  const trimmed = text.trim();
  const hash = trimmed.indexOf('#');
  const path = hash === -1 ? trimmed : trimmed.slice(0, hash);
  if (path === '' || path === '/' || text.length > LONGEST_VERSION_FROM) return { ok: false, problem: 'path' } as const;
  const problem = sitePathProblem(path);
  if (problem !== undefined) return { ok: false, problem } as const;
  const pick = hash === -1 ? null : parsePick(trimmed.slice(hash + 1));
  if (typeof pick === 'string') return { ok: false, problem: pick } as const;
  return { ok: true, place: { path: relativePath(path), pick } } as const;
}

function parsePick(text: string): VersionLocation['pick'] | 'pointer' | 'regex' {
  if (text === '') return null;
  if (text.startsWith('/') && !(text.length > 2 && text.endsWith('/'))) {
    // RFC 6901, section 3: a tilde is written `~0`, a slash `~1`.
    return /~(?![01])/.test(text) ? 'pointer' : { pointer: text };
  }
  try {
    return { pattern: new RegExp(text.startsWith('/') ? text.slice(1, -1) : text, 'm') };
  } catch {
    return 'regex';
  }
}

/** A field name is a token of RFC 9110, section 5.6.2. Of a request some are this client's. */
export function headerNameProblem(name: string, isRequest: boolean) {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) return 'header-name' as const;
  return isRequest && FRAMING_HEADERS.has(name.toLowerCase()) ? ('header-reserved' as const) : undefined;
}

/** Whether `value` is a field value of RFC 9110, section 5.5: no CR, LF, NUL or other control, Latin-1 at most. */
function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

export function headerProblem(name: string, value: string) {
  return headerNameProblem(name, true) ?? (isHeaderValue(value) ? undefined : ('header-value' as const));
}

export function mediaTypeOf(text: string): string | undefined {
  const essence = essenceOf(text);
  return essence === null || essence.includes('*') ? undefined : essence;
}

/** An exact value, or the regular expression of `/source/flags`; `null` for an expression that does not compile. */
export function readHeaderExpectation(text: string): string | RegExp | null {
  const match = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text);
  if (match === null) return text;
  const [, source = '', flags = ''] = match;
  // With g and y the expression would keep a position; d has no use here.
  if (/[dgy]/.test(flags)) return null;
  try {
    return new RegExp(source, flags);
  } catch {
    return null;
  }
}

/** Expressions that never match are detected from this day on, so that the result is the same each year. */
const SINCE = new Date('2024-01-01T00:00:00Z');

/** The problem of a cron expression. The library that reads them is loaded only if there is one. */
export async function cronProblem(text: string): Promise<'cron' | 'cron-never' | undefined> {
  const { Cron } = await import('croner');
  const pattern = text.trim();
  // croner also accepts a date, which happens once.
  if (!/^@[a-z]+$/i.test(pattern) && !/^\S+(?:\s+\S+){4,5}$/.test(pattern)) return 'cron';
  try {
    return new Cron(pattern, { timezone: 'UTC', paused: true }).nextRun(SINCE) === null ? 'cron-never' : undefined;
  } catch {
    return 'cron';
  }
}

/** Whether a time zone has this IANA name. Offsets (`+01:00`) are refused: they ignore daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** `ops@example.com`, or `Operations <ops@example.com>`. */
const MAIL =
  /^(?:[^<>@,;:"\p{Cc}]*<[^\s<>@,;:"\p{Cc}]+@[^\s<>@,;:"\p{Cc}]+>|[^\s<>@,;:"\p{Cc}]+@[^\s<>@,;:"\p{Cc}]+)$/u;

function isMailServer(text: string): boolean {
  const url = URL.parse(text.trim());
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
}

function isWebUrl(text: string): boolean {
  // `URL` also accepts `https:x` and line breaks, which are never intended.
  return (URL.parse(text)?.hostname ?? '') !== '' && /^https?:\/\/[^/?#\s][^\t\r\n]*$/i.test(text.trim());
}

/** A base URL; or a host, with all below it (`*.example.com`) or with a port; or a network (`10.0.0.0/8`). */
function isProbeTarget(text: string): boolean {
  if (/^https?:\/\//i.test(text)) return (URL.parse(text)?.hostname ?? '') !== '';
  const [network = '', prefix, ...more] = text.split('/');
  if (prefix !== undefined || isIPv6(network)) {
    const most = isIPv6(network) ? 128 : 32;
    return isIP(network) !== 0 && more.length === 0 && /^\d{1,3}$/.test(prefix ?? '0') && Number(prefix ?? 0) <= most;
  }
  const host = text.replace(/^\*\./, '');
  return parseHostPort(/\]$|^[^:]*$/.test(host) ? `${host}:443` : host, 1) !== undefined;
}

/**
 * What the texts of the schema have to be, by the name in `x-format`, which is also that of the mistake: whether a text
 * has the format, or another mistake.
 */
export const FORMATS: Readonly<Record<string, (text: string) => boolean | Expected>> = {
  url: (text) => (URL.parse(text)?.protocol === 'file:' ? { kind: 'file-url' } : isWebUrl(text)),
  path: (text) => outsideOr(sitePathProblem(text)),
  resolve: (text) => parseResolve(text) !== undefined,
  'origin-pattern': (text) => {
    const parsed = parseOriginPattern(text);
    return typeof parsed === 'string' ? { kind: parsed } : true;
  },
  'version-from': (text) => {
    const parsed = parseVersionFrom(text);
    return parsed.ok || outsideOr(parsed.problem);
  },
  'media-type': (text) => mediaTypeOf(text) !== undefined,
  'header-value': isHeaderValue,
  regex: (text) => readHeaderExpectation(text) !== null,
  time: (text) => parseTime(text) !== undefined,
  'time-zone': (name) =>
    isTimeZone(name) || { kind: 'time-zone', ...withNearest(name, ['UTC', ...Intl.supportedValuesOf('timeZone')]) },
  listen: (text) => parseHostPort(text) !== undefined,
  'host-port': (text) => parseHostPort(text, 1) !== undefined,
  'probe-target': isProbeTarget,
  'mail-server': isMailServer,
  'mail-address': (text) => MAIL.test(text.trim()),
  repository: (text) => /^[\w.-]+\/[\w.-]+$/.test(text),
};

function outsideOr(problem: string | undefined): boolean | Expected {
  return problem === 'path-outside' ? { kind: problem } : problem === undefined;
}
