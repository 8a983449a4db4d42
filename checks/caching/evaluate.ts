import type { Answer, Evidence, Reply } from '../../src/core/answer.ts';
import type { HostKind } from '../../src/site/host-product.ts';
import type { NotFound } from '../../src/site/not-found.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import type { Site } from '../../src/site/types.ts';
import { notEvaluated, notReceivedFindings, notReceived, type NotReceived } from '../../src/expect/not-received.ts';
import type { CachingRule } from './check.ts';
import { isFromEdgeNetwork, isOk } from '../../src/expect/reply.ts';
import { aboutFiles, groupedByFacts, headersIn, countingRequests, pathsOf, someOfEach } from '../full-check.ts';
import { ACCEPT } from '../../src/site/settings.ts';
import { sampledFiles } from '../../src/site/loaded.ts';
import { serviceWorkers } from '../../src/site/service-workers.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Longer than this, a deploy is not seen in time. */
const BRIEF = 10 * MINUTE;
const LONGEST_PAGE = HOUR;
/** 30 days: a minute less, because `Expires` and `Date` are not always made in the same second. */
const LONG = 30 * DAY - MINUTE;
const FOREVER = 364 * DAY;

type Files = readonly CachedFile[];
type Findings = readonly RawFinding<CachingRule>[];

export async function gather(site: Site) {
  const { get, sent } = countingRequests(site);
  const observing = Promise.all([requiredFiles(site), site.notFound()]).then(([required, missing]) =>
    Promise.all(required.map((one) => observe(one, get, missing))),
  );
  // Finding the kind of host takes long where it answers slowly: meanwhile files are observed.
  const [observed, { kind: host }, bundle] = await Promise.all([observing, site.hosting(), site.bundle()]);
  const files = observed.flatMap(({ file }) => file ?? []);
  const facts = { ...factsOf(files, host), ...(isFixedHost(site.base, bundle) && { lifetimesSetByHost: true }) };
  return { answer: null, base: site.base, bundle, host, observed, files, requests: sent(), facts };
}

function factsOf(files: Files, host: HostKind | null): Evidence {
  const ofKind = (wanted: CachedFile['kind']): Files => files.filter(({ kind }) => kind === wanted);
  const [[bundle], [config]] = [ofKind('bundle'), ofKind('config')];
  const configSeconds = config?.declared ?? null;
  return {
    ...(host && { host }),
    ...(bundle && headersIn(bundle.headers, { bundle: 'cache-control' })),
    ...(configSeconds !== null && { configSeconds }),
    pages: ofKind('page').length,
    assets: ofKind('asset').length,
  };
}

/** What a site cannot fix on a host that gives all its files the same few minutes. */
const SET_BY_HOST: ReadonlySet<CachingRule> = new Set<CachingRule>(['bundle-briefly-cached', 'assets-not-cached']);

/** `host` decides which rules apply: `public, no-transform` is the plain server's. */
export function evaluate({ base, bundle, host, observed, files }: Awaited<ReturnType<typeof gather>>): Findings {
  const unseen = observed.flatMap(({ file, cut }) => (file === null ? (cut ?? []) : []));
  const partly = observed.flatMap(({ file, cut }) => (file === null ? [] : (cut ?? [])));
  const notObserved = notReceivedFindings(unseen, observed.length, partly);
  if (files.length === 0) return notObserved.length > 0 ? notObserved : [notEvaluated(bundle)];
  const ofKind = (...kinds: readonly CachedFile['kind'][]): Files => files.filter(({ kind }) => kinds.includes(kind));
  const contradictory = files.filter(({ control }) => contradictions(control).length > 0);
  const guessed = ofKind('config', 'page').filter(({ source }) => source === 'heuristic');
  const longPages = ofKind('page').filter((file) => isLonger(file, LONGEST_PAGE));
  const all = [
    ...bundleFindings(ofKind('bundle', 'root'), host),
    ...ofKind('config').flatMap((file) => (isLonger(file, BRIEF) ? [alone('config-cached', file)] : [])),
    ...workerFindings(ofKind('worker')),
    ...aboutFiles('pages-cached', longPages, byLifetime),
    ...assetFindings(ofKind('asset'), host),
    ...aboutFiles('contradictory', contradictory, byLifetime),
    ...aboutFiles('heuristic-lifetime', guessed, pathsOf),
  ];
  const fixable = isFixedHost(base, bundle) ? all.filter(({ rule }) => !SET_BY_HOST.has(rule)) : all;
  return [
    ...fixable,
    ...aboutFiles('no-validators', files.filter(lacksValidator), pathsOf),
    ...revalidationFindings('not-revalidated', files),
    ...revalidationFindings('etag-unstable', files),
    ...notObserved,
  ];
}

/** Whether the host sends headers of its own and takes none from the site. */
function isFixedHost({ hostname }: URL, bundle: Answer): boolean {
  const server = bundle.kind === 'reply' ? bundle.headers.get('server') : null;
  return /^github\.com$/i.test(server?.trim() ?? '') || /\.(?:github|gitlab)\.io$/.test(hostname);
}

function lacksValidator({ headers, source, seconds }: CachedFile): boolean {
  if (source === 'no-store' || seconds >= FOREVER) return false;
  return headers.get('etag') === null && headers.get('last-modified') === null;
}

/** What is wrong with the response for a file that has not changed. */
function revalidationRule({ status, etag, sameBytes }: Revalidation, { headers }: CachedFile): CachingRule | null {
  if (status !== 304 && !(status === 200 && sameBytes)) return null;
  // Weak or strong makes no difference here (section 8.8.3.2).
  const [known, now] = [headers.get('etag'), etag].map((tag) => tag?.replace(/^W\//, ''));
  if (known !== undefined && now !== undefined && now !== known) return 'etag-unstable';
  return status === 200 ? 'not-revalidated' : null;
}

function revalidationFindings(rule: CachingRule, files: Files): Findings {
  const faults = files.flatMap((file) => {
    const again = file.again.find((one) => revalidationRule(one, file) === rule);
    if (again === undefined) return [];
    const { sent, status, etag } = again;
    return [{ path: file.path, ...sent, status, ...(etag === null ? {} : { etag }) }];
  });
  return aboutFiles(rule, faults, (some) => ({ files: some }));
}

function bundleFindings(files: Files, host: HostKind | null): Findings {
  const byRule = Map.groupBy(files, (file) => bundleRule(file, host));
  return [...byRule].flatMap(([rule, [first]]) => (rule === null || first === undefined ? [] : [alone(rule, first)]));
}

function bundleRule({ headers, control, declared }: CachedFile, host: HostKind | null): CachingRule | null {
  if (declared === null) return 'bundle-undeclared';
  if (declared > BRIEF) return 'bundle-cached';
  if (declared > 0) return 'bundle-briefly-cached';
  if (freshness(headers, 'shared').seconds > BRIEF) return 'bundle-shared-cached';
  // Platforms and workers set `max-age=0, must-revalidate` by themselves, which comes to the same.
  const inWords = control.plain('no-cache') && control.has('must-revalidate');
  return inWords || host === 'platform' || host === 'worker' ? null : 'bundle-directives';
}

/** Browsers request a worker past their own cache unless its registration says otherwise; caches on the way do not. */
function workerFindings(files: Files): Findings {
  return files.flatMap((file) => {
    const used = file.viaCache ? (['shared', 'browser'] as const) : (['shared'] as const);
    const declared = used.map((cache) => freshness(file.headers, cache)).filter(({ source }) => source !== 'heuristic');
    const seconds = Math.max(0, ...declared.map((one) => one.seconds));
    return seconds > BRIEF ? [alone('worker-cached', { ...file, declared: seconds })] : [];
  });
}

function assetFindings(files: Files, host: HostKind | null): Findings {
  const isLong = (file: CachedFile): boolean => isLonger(file, LONG);
  const ruled = host !== 'platform' && host !== 'worker' && !files.some(({ headers }) => isFromEdgeNetwork(headers));
  const odd = files.filter((file) => ruled && isLong(file) && lacksWords(file));
  const brief = files.filter((file) => !isLong(file));
  return [...aboutFiles('assets-not-cached', brief, byLifetime), ...aboutFiles('assets-directives', odd, byLifetime)];
}

/** `public, no-transform` belong to the 30 days; a file that is kept for a year has a name that changes. */
function lacksWords(file: CachedFile): boolean {
  const { control } = file;
  if (control.has('immutable') || isLonger(file, FOREVER)) return false;
  return !control.has('public') || !control.has('no-transform');
}

const isLonger = ({ declared }: CachedFile, most: number): boolean => declared !== null && declared > most;

const byLifetime = (files: Files): Evidence => ({ files: groupedByFacts(files, lifetimeOf) });

function alone(rule: CachingRule, file: CachedFile): RawFinding<CachingRule> {
  const { path, declared } = file;
  const headers = headersIn(file.headers, { cacheControl: 'cache-control', expires: 'expires', age: 'age' });
  const freshSeconds = declared === null ? {} : { freshSeconds: Math.round(declared) };
  return { rule, evidence: { path, ...headers, ...freshSeconds } };
}

/** No dates, which differ by the second. */
function lifetimeOf({ source, declared, headers }: CachedFile): Evidence {
  const rounded = source === 'expires' && declared !== null ? MINUTE * Math.round(declared / MINUTE) : declared;
  const cacheControl = headersIn(headers, { cacheControl: 'cache-control' });
  return { ...cacheControl, ...(rounded === null ? {} : { freshSeconds: rounded }) };
}

type CachedFile = ReturnType<typeof cachedFile>;
type Revalidation = ReturnType<typeof revalidation>;

const ASSET = /\.(?:svg|png|jpg|woff2|json)$/i;
const ASSETS_EACH = 3;
const MORE_PAGES = 3;
/** Servers behind one name often disagree about the ETag of the same file: the bundle is requested more than once. */
const BUNDLE_TIMES = 3;

interface Wanted {
  /**
   * `bundle`: `index.html`; `root`: the base itself, which visitors ask for; `page`: Markdown and the agent index; `worker`: a
   * service worker.
   */
  readonly kind: 'bundle' | 'root' | 'config' | 'page' | 'asset' | 'worker';
  readonly url: URL;
  /** What came when the file was requested before. */
  readonly answer?: Answer;
  /** How often it is validated. */
  readonly times: number;
  /** Of a service worker: browsers may take it from their own cache. */
  readonly viaCache?: boolean;
}

async function requiredFiles(site: Site): Promise<readonly Wanted[]> {
  const [{ bundle, config, starts, loaded, ...found }, workers] = await Promise.all([
    sampledFiles(site),
    serviceWorkers(site),
  ]);
  const known = new Set([bundle, config, ...starts].map(({ requestUrl }) => requestUrl));
  const pages = found.pages.filter(({ url }) => !known.has(url)).slice(0, MORE_PAGES);
  const more = loaded.filter(({ href }) => !known.has(href));
  // `.PNG` counts apart from `.png`, because rules often forget one of the two.
  const assets = someOfEach(more, ASSET, () => ASSETS_EACH);
  const have = (kind: Wanted['kind'], answer: Answer, times: number): Wanted => {
    return { kind, url: new URL(answer.requestUrl), answer, times };
  };
  return [
    have('bundle', bundle, BUNDLE_TIMES),
    { kind: 'root', url: site.base, times: 0 },
    have('config', config, 1),
    ...starts.map((answer) => have('page', answer, 1)),
    ...pages.map(({ url }): Wanted => ({ kind: 'page', url: new URL(url), times: 0 })),
    ...workers.map(({ url, viaCache }): Wanted => ({ kind: 'worker', url, times: 0, viaCache })),
    ...assets.flatMap((group) => group.map((url, at): Wanted => ({ kind: 'asset', url, times: at === 0 ? 1 : 0 }))),
  ];
}

async function observe(required: Wanted, get: Site['pooled'], missing: NotFound) {
  const { kind, url, times } = required;
  const isHtml = kind === 'bundle' || kind === 'root';
  const accept = isHtml ? ACCEPT.navigate : ACCEPT.fetch;
  const answer = required.answer ?? (await get({ url, accept }));
  if (!isOk(answer)) return { file: null, cut: notReceived(answer) };
  // The target of a redirect has rules of its own; the bundle may be moved to the base by clean URLs.
  const isMoved = kind !== 'bundle' && answer.redirects.length > 0;
  if (isMoved || (!isHtml && missing.isMissing(answer))) return { file: null, cut: null };
  const again: Revalidation[] = [];
  let cut: NotReceived | null = null;
  const sent = validatorOf(answer);
  for (let time = 0; time < times; time++) {
    if (sent === null) break;
    const second = await get({ url: new URL(answer.url), accept, headers: { [sent.header]: sent.value } });
    if (second.kind === 'reply') again.push(revalidation(answer, sent.evidence, second));
    cut ??= notReceived(second);
  }
  return { file: cachedFile(required, answer, again), cut };
}

/** How a cache asks that has the reply: by its ETag, or by its date where it has none (RFC 9110, section 13.1). */
function validatorOf({ headers }: Reply) {
  const [etag, modified] = [headers.get('etag'), headers.get('last-modified')];
  const value = etag ?? modified;
  // A value that is not printable text cannot be sent back.
  if (value === null || !/^[\u0020-\u007e]+$/.test(value)) return null;
  return etag === null
    ? { header: 'if-modified-since', evidence: { ifModifiedSince: value }, value }
    : { header: 'if-none-match', evidence: { ifNoneMatch: value }, value };
}

function revalidation(reply: Reply, sent: Evidence, second: Reply) {
  const { status, headers, body } = second;
  return { sent, status, etag: headers.get('etag'), sameBytes: Buffer.compare(body, reply.body) === 0 };
}

function cachedFile({ kind, url, viaCache = false }: Wanted, { headers }: Reply, again: readonly Revalidation[]) {
  const { source, seconds } = freshness(headers, 'browser');
  return {
    kind,
    viaCache,
    path: url.pathname + url.search,
    headers,
    control: readCacheControl(headers.all('cache-control')),
    source,
    seconds,
    /** As the host sends it; `null`: nothing, or what caches guess. */
    declared: source === 'none' || source === 'heuristic' ? null : seconds,
    again,
  };
}

/* What `Cache-Control`, `Expires` and `Last-Modified` say to caches (RFC 9111). Pure. */

type CacheControl = ReturnType<typeof readCacheControl>;

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
export function freshness(headers: Reply['headers'], cache: 'browser' | 'shared') {
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

function lifetime(headers: Reply['headers'], control: CacheControl, isShared: boolean) {
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
