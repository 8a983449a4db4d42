/** What `Cache-Control`, `Expires` and `Last-Modified` say to caches (RFC 9111). Pure. */
import type { ReadonlyHeaders } from '../../src/answer.ts';

export type CacheControl = ReturnType<typeof readCacheControl>;

/** One directive: a token, and an argument as a token or a quoted string (section 5.2); then whatever precedes the next. */
const DIRECTIVE = /([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?[^,]*/g;
/** Larger values mean this one (section 1.2.2). */
const LARGEST = 2 ** 31;
/** The share of a file's age that caches usually take for its freshness (section 4.2.2). */
const HEURISTIC_SHARE = 0.1;

export function readCacheControl(lines: readonly string[]) {
  const found = lines.flatMap((line) => [...line.matchAll(DIRECTIVE)]);
  const byName = Map.groupBy(found, ([, name = '']) => name.toLowerCase());
  const directives = new Map(
    [...byName].map(([name, all]) => [
      name,
      all.map(([, , quoted, token]) => quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? null),
    ]),
  );
  return {
    directives,
    has: (name: string) => directives.has(name),
    plain: (name: string) => directives.get(name)?.includes(null) === true,
    seconds: (name: string) => {
      const [first] = directives.get(name) ?? [];
      if (first === undefined) return null;
      return first !== null && /^\d+$/.test(first) ? Math.min(Number(first), LARGEST) : 0;
    },
  };
}

/**
 * How long caches may use a response without asking: `browser` (private caches) or `shared` (proxies and CDNs), in
 * seconds, with the time in which it may be used while it is being revalidated (RFC 5861). The most restrictive directive
 * counts, and of one that came several times the first (section 4.2.1). `heuristic`: what caches usually guess; `none`:
 * nothing says how long, and there is no `Last-Modified` to guess from.
 */
export function freshness(headers: ReadonlyHeaders, cache: 'browser' | 'shared') {
  const control = readCacheControl(headers.all('cache-control'));
  const isShared = cache === 'shared';
  if (control.has('no-store') || (isShared && control.plain('private'))) {
    return { source: 'no-store', seconds: 0 } as const;
  }
  if (control.plain('no-cache')) return { source: 'no-cache', seconds: 0 } as const;
  const { source, seconds } = lifetime(headers, control, isShared);
  // `s-maxage` means `proxy-revalidate`, too, for shared caches (section 5.2.2.10).
  const isStrict =
    source === 'none' ||
    control.has('must-revalidate') ||
    (isShared && (control.has('proxy-revalidate') || source === 's-maxage'));
  return { source, seconds: seconds + (isStrict ? 0 : (control.seconds('stale-while-revalidate') ?? 0)) };
}

function lifetime(headers: ReadonlyHeaders, control: CacheControl, isShared: boolean) {
  const shared = isShared ? control.seconds('s-maxage') : null;
  if (shared !== null) return { source: 's-maxage', seconds: shared } as const;
  const maxAge = control.seconds('max-age');
  if (maxAge !== null) return { source: 'max-age', seconds: maxAge } as const;
  const [expires] = headers.all('expires');
  const date = httpDate(headers.all('date')[0]);
  if (expires !== undefined) {
    // An `Expires` that is not a date, `0` above all, is in the past (section 5.3).
    const until = httpDate(expires);
    const seconds = until === null || date === null ? 0 : Math.max(0, (until - date) / 1000);
    return { source: 'expires', seconds } as const;
  }
  const modified = httpDate(headers.all('last-modified')[0]);
  if (modified === null || date === null) return { source: 'none', seconds: 0 } as const;
  const seconds = Math.max(0, Math.round(((date - modified) / 1000) * HEURISTIC_SHARE));
  return { source: 'heuristic', seconds } as const;
}

/** The directives whose values contradict each other or are no numbers, e.g. two different `max-age`. */
export function contradictions({ directives }: CacheControl): readonly string[] {
  return ['max-age', 's-maxage'].filter((name) => {
    const values = directives.get(name) ?? [];
    return new Set(values).size > 1 || values.some((value) => value === null || !/^\d+$/.test(value));
  });
}

/** The three forms of HTTP dates (RFC 9110, section 5.6.7). `Date.parse` alone would take `0` for the year 2000. */
const ZONED =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4}|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2}) \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

export function httpDate(value: string | undefined): number | null {
  const text = value?.trim() ?? '';
  const time = Date.parse(ASCTIME.test(text) ? `${text} GMT` : (ZONED.exec(text)?.[0] ?? ''));
  return Number.isNaN(time) ? null : time;
}
