import type { Answer, RawFinding, Evidence, HostKind, Site } from '../../src/check.ts';
import { notEvaluated, notReceivedFindings } from '../../src/expect/not-received.ts';
import { cachedFiles, type CachedFile, type Revalidation } from './files.ts';
import type { CachingRule } from './check.ts';
import { isFromEdgeNetwork } from '../../src/expect/reply.ts';
import type { ReadonlyHeaders } from '../../src/answer.ts';

export type CachingGathered = Awaited<ReturnType<typeof gather>>;

export async function gather(site: Site) {
  const [observed, { kind: host }, bundle] = await Promise.all([cachedFiles(site), site.hosting(), site.bundle()]);
  const { files, requests } = observed;
  return { answer: null, base: site.base, bundle, observed, host, requests, facts: factsOf(files, host) };
}

export function evaluate({ base, bundle, observed, host }: CachingGathered): readonly RawFinding<CachingRule>[] {
  const { files, unseen, partlyObserved, wanted } = observed;
  const cut = notReceivedFindings(unseen, wanted, partlyObserved);
  if (files.length === 0) return cut.length > 0 ? cut : [notEvaluated(bundle)];
  const isFixed = isFixedHost(base, bundle);
  return [...evaluateFreshness(files, host, isFixed), ...evaluateValidators(files), ...cut];
}

function factsOf(files: readonly CachedFile[], host: HostKind | null): Evidence {
  const [bundle, config] = (['bundle', 'config'] as const).map((kind) => files.find((file) => file.kind === kind));
  const count = (kind: CachedFile['kind']): number => files.filter((file) => file.kind === kind).length;
  const control = bundle?.headers.get('cache-control') ?? null;
  return {
    ...(host === null ? {} : { host }),
    ...(control === null ? {} : { bundle: control }),
    ...(config === undefined ? {} : configSeconds(config)),
    pages: count('page'),
    assets: count('asset'),
  };
}

/** As the host sends it; heuristics of caches do not count. */
function configSeconds({ headers }: CachedFile): Evidence {
  const { source, seconds } = freshness(headers, 'browser');
  return source === 'heuristic' || source === 'none' ? {} : { configSeconds: seconds };
}

/** Domains of hosts that send headers of their own and take none from the site. */
const DOMAINS = ['github.io', 'gitlab.io'] as const;

/** Whether the site cannot say for how long its files may be kept: its host gives all of them the same few minutes. */
function isFixedHost({ hostname }: URL, bundle: Answer): boolean {
  const server = bundle.kind === 'reply' ? bundle.headers.get('server') : null;
  return /^github\.com$/i.test(server?.trim() ?? '') || DOMAINS.some((domain) => hostname.endsWith(`.${domain}`));
}

function evaluateValidators(files: readonly CachedFile[]): readonly CachingFinding[] {
  return [
    ...named('no-validators', files.filter(lacksValidator)),
    ...revalidationFindings('not-revalidated', files, isIgnored),
    ...revalidationFindings('etag-unstable', files, hasOtherEtag),
  ];
}

function lacksValidator({ headers }: CachedFile): boolean {
  const { source, seconds } = freshness(headers, 'browser');
  if (source === 'no-store' || seconds >= FOREVER) return false;
  return headers.get('etag') === null && headers.get('last-modified') === null;
}

/** The same bytes were received whole, with the same validator: the host ignores conditional headers. */
function isIgnored(again: Revalidation, file: CachedFile): boolean {
  return again.status === 200 && again.sameBytes && !hasOtherEtag(again, file);
}

/** The same bytes under another ETag; weak or strong makes no difference here (section 8.8.3.2). */
function hasOtherEtag({ status, etag, sameBytes }: Revalidation, { headers }: CachedFile): boolean {
  const known = headers.get('etag');
  const unchanged = status === 304 || (status === 200 && sameBytes);
  return unchanged && known !== null && etag !== null && opaque(etag) !== opaque(known);
}

const opaque = (etag: string): string => etag.replace(/^W\//, '');

function revalidationFindings(
  rule: 'not-revalidated' | 'etag-unstable',
  files: readonly CachedFile[],
  isFault: (again: Revalidation, file: CachedFile) => boolean,
): readonly CachingFinding[] {
  const faults = files.flatMap((file) => {
    const again = file.again.find((one) => isFault(one, file));
    if (again === undefined) return [];
    const { sent, status, etag } = again;
    const known = file.headers.get(sent === 'if-none-match' ? 'etag' : 'last-modified');
    const asked = { [sent === 'if-none-match' ? 'ifNoneMatch' : 'ifModifiedSince']: known };
    return [{ path: file.path, ...asked, status, ...(etag === null ? {} : { etag }) }];
  });
  return faults.length === 0 ? [] : [{ rule, evidence: { files: faults.slice(0, MOST_SHOWN) } }];
}

type CachingFinding = RawFinding<CachingRule>;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Longer than this, a deploy is not seen in time. */
const BRIEF = 10 * MINUTE;
const LONGEST_PAGE = HOUR;
/** 30 days: a minute less, because `Expires` and `Date` are not always made in the same second. */
const LONG = 30 * DAY - MINUTE;
/** For files whose name changes with their content. */
const FOREVER = 364 * DAY;

export const MOST_SHOWN = 20;

/**
 * The findings about freshness. `host` decides which rules apply: `public, no-transform` is the plain server's. What the
 * site cannot change on a fixed host is only reported as information.
 */
function evaluateFreshness(
  files: readonly CachedFile[],
  host: HostKind | null,
  isFixed: boolean,
): readonly CachingFinding[] {
  const findings = evaluateAll(files, host);
  const mendable = isFixed ? findings.filter(({ rule }) => !UNMENDABLE.has(rule)) : findings;
  if (mendable.length === findings.length) return findings;
  return [
    ...mendable,
    ...together(
      'set-by-host',
      files.filter(({ kind }) => kind !== 'root'),
    ),
  ];
}

/** What a site cannot fix on a fixed host, as long as it is short. */
const UNMENDABLE: ReadonlySet<CachingRule> = new Set<CachingRule>(['bundle-briefly-cached', 'assets-not-cached']);

function evaluateAll(files: readonly CachedFile[], host: HostKind | null): readonly CachingFinding[] {
  const ofKind = (...kinds: readonly CachedFile['kind'][]): readonly CachedFile[] =>
    files.filter(({ kind }) => kinds.includes(kind));
  return [
    ...bundleFindings(ofKind('bundle', 'root'), host),
    ...ofKind('config')
      .filter((file) => declaredLongerThan(BRIEF, file))
      .map((file): CachingFinding => ({ rule: 'config-cached', evidence: evidenceOf(file) })),
    ...together(
      'pages-cached',
      ofKind('page').filter((file) => declaredLongerThan(LONGEST_PAGE, file)),
    ),
    ...assetFindings(ofKind('asset'), host),
    ...together(
      'contradictory',
      files.filter((file) => contradictionsOf(file).length > 0),
    ),
    ...named(
      'left-to-caches',
      ofKind('config', 'page').filter((file) => browserFreshness(file).source === 'heuristic'),
    ),
  ];
}

function bundleFindings(files: readonly CachedFile[], host: HostKind | null): readonly CachingFinding[] {
  const reported = new Map<CachingRule, CachedFile>();
  for (const file of files) {
    const rule = bundleRule(file, host);
    if (rule !== null && !reported.has(rule)) reported.set(rule, file);
  }
  return [...reported].map(([rule, file]) => ({ rule, evidence: evidenceOf(file) }));
}

function bundleRule({ headers }: CachedFile, host: HostKind | null): CachingRule | null {
  const fresh = freshness(headers, 'browser');
  if (fresh.source === 'heuristic' || fresh.source === 'none') return 'bundle-undeclared';
  if (fresh.seconds > BRIEF) return 'bundle-cached';
  if (fresh.seconds > 0) return 'bundle-briefly-cached';
  if (freshness(headers, 'shared').seconds > BRIEF) return 'bundle-shared-cached';
  const control = readCacheControl(headers.all('cache-control'));
  const inWords = control.plain('no-cache') && control.has('must-revalidate');
  // Platforms and workers set `max-age=0, must-revalidate` by themselves, which comes to the same.
  return inWords || host === 'platform' || host === 'worker' ? null : 'bundle-other-words';
}

function assetFindings(files: readonly CachedFile[], host: HostKind | null): readonly CachingFinding[] {
  const [long, short] = [true, false].map((wanted) =>
    files.filter((file) => declaredLongerThan(LONG, file) === wanted),
  );
  const ruled = host !== 'platform' && host !== 'worker' && !files.some(({ headers }) => isFromEdgeNetwork(headers));
  return [
    ...together('assets-not-cached', short ?? []),
    ...together('assets-other-words', ruled ? (long ?? []).filter(lacksWords) : []),
  ];
}

/** `public, no-transform` belong to the 30 days; a file that is kept for a year has a name that changes. */
function lacksWords(file: CachedFile): boolean {
  const control = readCacheControl(file.headers.all('cache-control'));
  if (control.has('immutable') || declaredLongerThan(FOREVER, file)) return false;
  return !control.has('public') || !control.has('no-transform');
}

function declaredLongerThan(seconds: number, file: CachedFile): boolean {
  const declared = declaredSeconds(file);
  return declared !== null && declared > seconds;
}

const browserFreshness = ({ headers }: CachedFile): Freshness => freshness(headers, 'browser');

const contradictionsOf = ({ headers }: CachedFile): readonly string[] =>
  contradictions(readCacheControl(headers.all('cache-control')));

/** One finding for all files that have the same fault; files with the same headers are grouped. */
function together(rule: CachingRule, files: readonly CachedFile[]): readonly CachingFinding[] {
  if (files.length === 0) return [];
  const groups = Map.groupBy(files.slice(0, MOST_SHOWN), (file) => JSON.stringify(lifetimeOf(file)));
  const shown = [...groups.values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : [{ ...lifetimeOf(first), paths: [first, ...rest].map(({ path }) => path) }],
  );
  return [{ rule, evidence: { files: shown, ...countOf(files) } }];
}

export function named(rule: CachingRule, files: readonly CachedFile[]): readonly CachingFinding[] {
  if (files.length === 0) return [];
  return [{ rule, evidence: { paths: files.slice(0, MOST_SHOWN).map(({ path }) => path), ...countOf(files) } }];
}

function countOf(files: readonly CachedFile[]): Evidence {
  return files.length > MOST_SHOWN ? { count: files.length } : {};
}

function evidenceOf(file: CachedFile): Evidence {
  const seconds = declaredSeconds(file);
  return {
    path: file.path,
    ...header(file, 'cache-control', 'cacheControl'),
    ...header(file, 'expires', 'expires'),
    ...header(file, 'age', 'age'),
    ...(seconds === null ? {} : { freshSeconds: Math.round(seconds) }),
  };
}

/** What files have in common that are kept for the same time: no dates, which differ by the second. */
function lifetimeOf(file: CachedFile): Evidence {
  const seconds = declaredSeconds(file);
  const { source } = browserFreshness(file);
  return {
    ...header(file, 'cache-control', 'cacheControl'),
    ...(seconds === null ? {} : { freshSeconds: source === 'expires' ? toMinute(seconds) : seconds }),
  };
}

function header({ headers }: CachedFile, name: string, key: string): Evidence {
  const value = headers.get(name);
  return value === null ? {} : { [key]: value };
}

function declaredSeconds(file: CachedFile): number | null {
  const { source, seconds } = browserFreshness(file);
  return source === 'none' || source === 'heuristic' ? null : seconds;
}

const toMinute = (seconds: number): number => MINUTE * Math.round(seconds / MINUTE);

type CacheControl = ReturnType<typeof readCacheControl>;

/** Where a freshness lifetime comes from. `none`: nothing says how long, and there is no `Last-Modified` to guess from. */
type FreshnessSource = 'no-store' | 'no-cache' | 'max-age' | 's-maxage' | 'expires' | 'heuristic' | 'none';

interface Freshness {
  readonly source: FreshnessSource;
  /** 0: every use asks first. For `heuristic` what caches usually guess, for `none` 0. */
  readonly seconds: number;
  /** Of these, how long it may be used while it is being revalidated (RFC 5861), included in `seconds`. */
  readonly staleSeconds: number;
}

/** One directive: a token, and an argument as a token or a quoted string (section 5.2). */
const DIRECTIVE = /([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/y;
/** Larger values mean this one (section 1.2.2). */
const LARGEST = 2 ** 31;
/** The share of a file's age that caches usually take for its freshness (section 4.2.2). */
const HEURISTIC_SHARE = 0.1;

export function readCacheControl(lines: readonly string[]) {
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
    has: (name: string) => directives.has(name),
    plain: (name: string) => directives.get(name)?.includes(null) === true,
    seconds: (name: string) => {
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
    // An `Expires` that is not a date, `0` above all, is in the past (section 5.3).
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

export function httpDate(value: string | undefined): number | null {
  const text = value?.trim() ?? '';
  const form = HTTP_DATES.findIndex((one) => one.test(text));
  if (form === -1) return null;
  const time = Date.parse(form === 2 ? `${text} GMT` : text);
  return Number.isNaN(time) ? null : time;
}
