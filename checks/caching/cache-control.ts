/** How long caches may keep a response, from its headers (RFC 9111). Pure. */
import type { ReadonlyHeaders } from '../../src/answer.ts';

/** The directives of all `Cache-Control` lines, added up. Names are lower case. */
export interface CacheControl {
  /** Each directive's arguments in order, `null` for none. */
  readonly directives: ReadonlyMap<string, readonly (string | null)[]>;
  /** Whether a directive stands there, with or without an argument. */
  has(name: string): boolean;
  /** Whether a directive stands there without an argument: `no-cache="set-cookie"` is about one field only (section 5.2.2.4). */
  plain(name: string): boolean;
  /** The first argument as delta-seconds (section 1.2.2); 0 for what is none, so that it counts as stale (section 4.2.1); `null` without the directive. */
  seconds(name: string): number | null;
}

/** Where a freshness lifetime comes from. `none`: nothing says how long, and there is no `Last-Modified` to guess from. */
export type FreshnessSource = 'no-store' | 'no-cache' | 'max-age' | 's-maxage' | 'expires' | 'heuristic' | 'none';

/** How long a cache may use a response without asking. */
export interface Freshness {
  readonly source: FreshnessSource;
  /** 0: every use asks first. For `heuristic` what caches usually guess, for `none` 0. */
  readonly seconds: number;
  /** Of these, how long it may be used while it is being asked for again (RFC 5861), included in `seconds`. */
  readonly staleSeconds: number;
}

/** One directive: a token, and an argument as a token or a quoted string (section 5.2). */
const DIRECTIVE = /([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/y;
/** Larger values mean this one (section 1.2.2). */
const LARGEST = 2 ** 31;
/** The share of a file's age that caches usually take for its freshness (section 4.2.2). */
const HEURISTIC_SHARE = 0.1;

/** Reads the `Cache-Control` lines of a response; what is no directive is passed over. Linear. */
export function readCacheControl(lines: readonly string[]): CacheControl {
  const directives = new Map<string, (string | null)[]>();
  for (const line of lines) {
    for (const [name, argument] of directivesOf(line)) {
      const known = directives.get(name);
      if (known) known.push(argument);
      else directives.set(name, [argument]);
    }
  }
  return {
    directives,
    has: (name) => directives.has(name),
    plain: (name) => directives.get(name)?.includes(null) === true,
    seconds: (name) => {
      const [first] = directives.get(name) ?? [];
      return first === undefined ? null : deltaSeconds(first);
    },
  };
}

function* directivesOf(line: string): Generator<readonly [string, string | null]> {
  let at = 0;
  while (at < line.length) {
    DIRECTIVE.lastIndex = at;
    const found = DIRECTIVE.exec(line);
    if (found === null) {
      at++;
      continue;
    }
    const [whole, name = '', quoted, token] = found;
    yield [name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? null];
    const comma = line.indexOf(',', at + whole.length);
    at = comma === -1 ? line.length : comma + 1;
  }
}

function deltaSeconds(argument: string | null): number {
  if (argument === null || !/^\d+$/.test(argument)) return 0;
  return Math.min(Number(argument), LARGEST);
}

/**
 * How long caches may use a response without asking: `browser` (private caches) or `shared` (proxies and CDNs).
 * The most restrictive directive counts, and of one that came several times the first (section 4.2.1).
 */
export function freshness(headers: ReadonlyHeaders, cache: 'browser' | 'shared'): Freshness {
  const control = readCacheControl(headers.all('cache-control'));
  if (control.has('no-store')) return { source: 'no-store', seconds: 0, staleSeconds: 0 };
  if (cache === 'shared' && control.plain('private')) return { source: 'no-store', seconds: 0, staleSeconds: 0 };
  if (control.plain('no-cache')) return { source: 'no-cache', seconds: 0, staleSeconds: 0 };
  const shared = cache === 'shared' ? control.seconds('s-maxage') : null;
  if (shared !== null) return withStale('s-maxage', shared, control, cache);
  const maxAge = control.seconds('max-age');
  if (maxAge !== null) return withStale('max-age', maxAge, control, cache);
  const [expires] = headers.all('expires');
  const date = httpDate(headers.all('date')[0]);
  if (expires !== undefined) {
    const until = httpDate(expires);
    // An `Expires` that is no date, `0` above all, is in the past (section 5.3).
    const seconds = until === null || date === null ? 0 : Math.max(0, (until - date) / 1000);
    return withStale('expires', seconds, control, cache);
  }
  const modified = httpDate(headers.all('last-modified')[0]);
  if (modified === null || date === null) return { source: 'none', seconds: 0, staleSeconds: 0 };
  return withStale('heuristic', Math.max(0, Math.round(((date - modified) / 1000) * HEURISTIC_SHARE)), control, cache);
}

function withStale(
  source: FreshnessSource,
  fresh: number,
  control: CacheControl,
  cache: 'browser' | 'shared',
): Freshness {
  // `s-maxage` means `proxy-revalidate`, too, for shared caches (section 5.2.2.10).
  const strict =
    control.has('must-revalidate') ||
    (cache === 'shared' && (control.has('proxy-revalidate') || source === 's-maxage'));
  const staleSeconds = strict ? 0 : (control.seconds('stale-while-revalidate') ?? 0);
  return { source, seconds: fresh + staleSeconds, staleSeconds };
}

/** The directives whose values contradict each other or are no numbers, e.g. two different `max-age`. */
export function contradictions(control: CacheControl): readonly string[] {
  return ['max-age', 's-maxage'].filter((name) => {
    const values = control.directives.get(name) ?? [];
    return new Set(values).size > 1 || values.some((value) => value === null || !/^\d+$/.test(value));
  });
}

/** The three forms of HTTP dates (RFC 9110, section 5.6.7). `Date.parse` alone would take `0` for the year 2000. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** An HTTP date in milliseconds since 1970, or `null` where it is none. */
export function httpDate(value: string | undefined): number | null {
  const text = value?.trim() ?? '';
  const form = HTTP_DATES.findIndex((one) => one.test(text));
  if (form === -1) return null;
  const time = Date.parse(form === 2 ? `${text} GMT` : text);
  return Number.isNaN(time) ? null : time;
}
