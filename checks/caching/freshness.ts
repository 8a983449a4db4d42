/** Judges for how long caches may keep the site's files. Pure. */
import type { RawFinding, Evidence, HostKind } from '../../src/check.ts';
import { isFromEdgeNetwork } from '../../src/expect/edge-network.ts';
import { contradictions, freshness, readCacheControl, type Freshness } from './cache-control.ts';
import type { CachingRule } from './check.ts';
import type { CachedFile } from './files.ts';

export type CachingFinding = RawFinding<CachingRule>;

/** In seconds. */
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

/** Findings of one code name at most this many files. */
export const MOST_SHOWN = 20;

/**
 * The findings about freshness. `host` tells whose rules hold: `public, no-transform` is the plain server's. What the
 * site cannot change on a fixed host is only told.
 */
export function evaluateFreshness(
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
    ...bundle(ofKind('bundle', 'root'), host),
    ...ofKind('config')
      .filter((file) => declaredLongerThan(BRIEF, file))
      .map((file): CachingFinding => ({ rule: 'config-cached', evidence: evidenceOf(file) })),
    ...together(
      'pages-cached',
      ofKind('page').filter((file) => declaredLongerThan(LONGEST_PAGE, file)),
    ),
    ...assets(ofKind('asset'), host),
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

/** `index.html`, and the base itself where it says something else. */
function bundle(files: readonly CachedFile[], host: HostKind | null): readonly CachingFinding[] {
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

function assets(files: readonly CachedFile[], host: HostKind | null): readonly CachingFinding[] {
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

/** One finding for all files that have the same fault; those that came with the same headers stand together. */
function together(rule: CachingRule, files: readonly CachedFile[]): readonly CachingFinding[] {
  if (files.length === 0) return [];
  const groups = Map.groupBy(files.slice(0, MOST_SHOWN), (file) => JSON.stringify(lifetimeOf(file)));
  const shown = [...groups.values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : [{ ...lifetimeOf(first), paths: [first, ...rest].map(({ path }) => path) }],
  );
  return [{ rule, evidence: { files: shown, ...countOf(files) } }];
}

/** One finding for all files that lack the same. */
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

/** For how long the host says that a file may be kept; `null` where caches have to guess. */
function declaredSeconds(file: CachedFile): number | null {
  const { source, seconds } = browserFreshness(file);
  return source === 'none' || source === 'heuristic' ? null : seconds;
}

const toMinute = (seconds: number): number => MINUTE * Math.round(seconds / MINUTE);
