/** Judges for how long caches may keep the site's files. Pure. */
import type { Draft, Evidence, Grade, HostKind } from '../../src/check.ts';
import { UNJUDGED_CODES } from '../../src/expect/unjudged.ts';
import { contradictions, freshness, readCacheControl, type Freshness } from '../../src/parse/cache-control.ts';
import type { CachedFile } from './files.ts';

export const CACHING_CODES = {
  ...UNJUDGED_CODES,
  'bundle-cached': 'error',
  'bundle-briefly-cached': 'warning',
  'bundle-shared-cached': 'warning',
  'bundle-undeclared': 'warning',
  'bundle-other-words': 'info',
  'config-cached': 'warning',
  'pages-cached': 'warning',
  'assets-not-cached': 'warning',
  'assets-other-words': 'warning',
  contradictory: 'warning',
  'no-validators': 'warning',
  'not-revalidated': 'warning',
  'etag-unstable': 'warning',
  'left-to-caches': 'info',
} as const satisfies Record<string, Grade>;

export type CachingCode = keyof typeof CACHING_CODES;
export type CachingDraft = Draft<CachingCode>;

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

/** The findings about freshness. `host` tells whose rules hold: `public, no-transform` is the plain server's. */
export function judgeFreshness(files: readonly CachedFile[], host: HostKind | null): readonly CachingDraft[] {
  const ofKind = (...kinds: readonly CachedFile['kind'][]): readonly CachedFile[] =>
    files.filter(({ kind }) => kinds.includes(kind));
  return [
    ...bundle(ofKind('bundle', 'root'), host),
    ...ofKind('config')
      .filter((file) => declaredLongerThan(BRIEF, file))
      .map((file): CachingDraft => ({ code: 'config-cached', evidence: evidenceOf(file) })),
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
function bundle(files: readonly CachedFile[], host: HostKind | null): readonly CachingDraft[] {
  const told = new Map<CachingCode, CachedFile>();
  for (const file of files) {
    const code = bundleCode(file, host);
    if (code !== null && !told.has(code)) told.set(code, file);
  }
  return [...told].map(([code, file]) => ({ code, evidence: evidenceOf(file) }));
}

function bundleCode({ headers }: CachedFile, host: HostKind | null): CachingCode | null {
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

function assets(files: readonly CachedFile[], host: HostKind | null): readonly CachingDraft[] {
  const [long, short] = [true, false].map((wanted) =>
    files.filter((file) => declaredLongerThan(LONG, file) === wanted),
  );
  const ruled = host !== 'platform' && host !== 'worker';
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
  const fresh = browserFreshness(file);
  return fresh.source !== 'heuristic' && fresh.seconds > seconds;
}

const browserFreshness = ({ headers }: CachedFile): Freshness => freshness(headers, 'browser');

const contradictionsOf = ({ headers }: CachedFile): readonly string[] =>
  contradictions(readCacheControl(headers.all('cache-control')));

/** One finding for all files that have the same fault, each with its headers. */
function together(code: CachingCode, files: readonly CachedFile[]): readonly CachingDraft[] {
  if (files.length === 0) return [];
  return [{ code, evidence: { files: files.slice(0, MOST_SHOWN).map(evidenceOf), ...countOf(files) } }];
}

/** One finding for all files that lack the same. */
export function named(code: CachingCode, files: readonly CachedFile[]): readonly CachingDraft[] {
  if (files.length === 0) return [];
  return [{ code, evidence: { paths: files.slice(0, MOST_SHOWN).map(({ path }) => path), ...countOf(files) } }];
}

function countOf(files: readonly CachedFile[]): Evidence {
  return files.length > MOST_SHOWN ? { count: files.length } : {};
}

function evidenceOf(file: CachedFile): Evidence {
  const { source, seconds } = browserFreshness(file);
  const header = (name: string, key: string): Evidence => {
    const value = file.headers.get(name);
    return value === null ? {} : { [key]: value };
  };
  return {
    path: file.path,
    ...header('cache-control', 'cacheControl'),
    ...header('expires', 'expires'),
    ...header('age', 'age'),
    ...(source === 'none' ? {} : { freshSeconds: Math.round(seconds) }),
  };
}
