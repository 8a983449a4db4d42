import type { Answer, RawFinding, Evidence, HostKind, Site } from '../../src/check.ts';
import { notEvaluated, notReceivedFindings } from '../../src/expect/not-received.ts';
import { cachedFiles, type CachedFile, type Revalidation } from './files.ts';
import { contradictions, freshness } from './freshness.ts';
import type { CachingRule } from './check.ts';
import { isFromEdgeNetwork } from '../../src/expect/reply.ts';
import { countOf, groupedByFacts, MOST_SHOWN } from '../shared.ts';

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
  const [observed, { kind: host }, bundle] = await Promise.all([cachedFiles(site), site.hosting(), site.bundle()]);
  const { files, requests } = observed;
  return { answer: null, base: site.base, bundle, observed, host, requests, facts: factsOf(files, host) };
}

function factsOf(files: Files, host: HostKind | null): Evidence {
  const ofKind = Map.groupBy(files, ({ kind }) => kind);
  const control = ofKind.get('bundle')?.[0]?.headers.get('cache-control') ?? null;
  const configSeconds = ofKind.get('config')?.[0]?.declared ?? null;
  return {
    ...(host === null ? {} : { host }),
    ...(control === null ? {} : { bundle: control }),
    ...(configSeconds === null ? {} : { configSeconds }),
    pages: ofKind.get('page')?.length ?? 0,
    assets: ofKind.get('asset')?.length ?? 0,
  };
}

/** What a site cannot fix on a host that gives all its files the same few minutes. */
const SET_BY_HOST: ReadonlySet<CachingRule> = new Set<CachingRule>(['bundle-briefly-cached', 'assets-not-cached']);

/** `host` decides which rules apply: `public, no-transform` is the plain server's. */
export function evaluate({ base, bundle, observed, host }: Awaited<ReturnType<typeof gather>>): Findings {
  const { files, unseen, partlyObserved, wanted } = observed;
  const cut = notReceivedFindings(unseen, wanted, partlyObserved);
  if (files.length === 0) return cut.length > 0 ? cut : [notEvaluated(bundle)];
  const ofKind = (...kinds: readonly CachedFile['kind'][]): Files => files.filter(({ kind }) => kinds.includes(kind));
  const isFixed = isFixedHost(base, bundle);
  const contradictory = files.filter(({ control }) => contradictions(control).length > 0);
  const guessed = ofKind('config', 'page').filter(({ source }) => source === 'heuristic');
  const longPages = ofKind('page').filter((file) => isLonger(file, LONGEST_PAGE));
  const all = [
    ...bundleFindings(ofKind('bundle', 'root'), host),
    ...ofKind('config').flatMap((file) => (isLonger(file, BRIEF) ? [alone('config-cached', file)] : [])),
    ...together('pages-cached', longPages),
    ...assetFindings(ofKind('asset'), host),
    ...together('contradictory', contradictory),
    ...named('left-to-caches', guessed),
  ];
  const fixable = isFixed ? all.filter(({ rule }) => !SET_BY_HOST.has(rule)) : all;
  const fixed = fixable.length < all.length ? files.filter(({ kind }) => kind !== 'root') : [];
  return [
    ...fixable,
    ...together('set-by-host', fixed),
    ...named('no-validators', files.filter(lacksValidator)),
    ...revalidationFindings('not-revalidated', files, isIgnored),
    ...revalidationFindings('etag-unstable', files, hasOtherEtag),
    ...cut,
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
  files: Files,
  isFault: (again: Revalidation, file: CachedFile) => boolean,
): Findings {
  const faults = files.flatMap((file) => {
    const again = file.again.find((one) => isFault(one, file));
    if (again === undefined) return [];
    const { sent, status, etag } = again;
    return [{ path: file.path, ...sent, status, ...(etag === null ? {} : { etag }) }];
  });
  return faults.length === 0 ? [] : [{ rule, evidence: { files: faults.slice(0, MOST_SHOWN) } }];
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
  return inWords || host === 'platform' || host === 'worker' ? null : 'bundle-other-words';
}

function assetFindings(files: Files, host: HostKind | null): Findings {
  const isLong = (file: CachedFile): boolean => isLonger(file, LONG);
  const ruled = host !== 'platform' && host !== 'worker' && !files.some(({ headers }) => isFromEdgeNetwork(headers));
  const odd = files.filter((file) => ruled && isLong(file) && lacksWords(file));
  const brief = files.filter((file) => !isLong(file));
  return [...together('assets-not-cached', brief), ...together('assets-other-words', odd)];
}

/** `public, no-transform` belong to the 30 days; a file that is kept for a year has a name that changes. */
function lacksWords(file: CachedFile): boolean {
  const { control } = file;
  if (control.has('immutable') || isLonger(file, FOREVER)) return false;
  return !control.has('public') || !control.has('no-transform');
}

const isLonger = ({ declared }: CachedFile, most: number): boolean => declared !== null && declared > most;

/** One finding for all files that have the same fault; files that are kept for the same time are grouped. */
function together(rule: CachingRule, files: Files): Findings {
  if (files.length === 0) return [];
  return [{ rule, evidence: { files: groupedByFacts(files.slice(0, MOST_SHOWN), lifetimeOf), ...countOf(files) } }];
}

function named(rule: CachingRule, files: Files): Findings {
  if (files.length === 0) return [];
  return [{ rule, evidence: { paths: files.slice(0, MOST_SHOWN).map(({ path }) => path), ...countOf(files) } }];
}

function alone(rule: CachingRule, file: CachedFile): RawFinding<CachingRule> {
  const { path, declared } = file;
  const headers = { ...cacheControlOf(file), ...header(file, 'expires'), ...header(file, 'age') };
  const freshSeconds = declared === null ? {} : { freshSeconds: Math.round(declared) };
  return { rule, evidence: { path, ...headers, ...freshSeconds } };
}

/** No dates, which differ by the second. */
function lifetimeOf(file: CachedFile): Evidence {
  const { source, declared } = file;
  const rounded = source === 'expires' && declared !== null ? MINUTE * Math.round(declared / MINUTE) : declared;
  return { ...cacheControlOf(file), ...(rounded === null ? {} : { freshSeconds: rounded }) };
}

function cacheControlOf({ headers }: CachedFile): Evidence {
  const cacheControl = headers.get('cache-control');
  return cacheControl === null ? {} : { cacheControl };
}

function header({ headers }: CachedFile, name: 'expires' | 'age'): Evidence {
  const value = headers.get(name);
  return value === null ? {} : { [name]: value };
}
