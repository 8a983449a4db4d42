import { DURATION_BOUNDS } from './monitor/durations.ts';
import { isSecretKey, MONITOR_EXPECTATIONS } from './monitor/expectations.ts';
import { MAX_DURATION_MS, parseDuration, renderDuration, takesDays, type DurationBounds } from './duration.ts';
import { CHECKING, LANGUAGE, ONE_SITE, type KeyTable } from './key-tables.ts';
import type { Expected, Path } from './problem.ts';
import { parseSize } from './size.ts';

const MAX_SIZE = '256MiB';

/**
 * What every key of the file wants. It names in one word what the schema says in several branches, so that a mistake
 * gives one sentence. `*` stands for any key, `[]` for any item. A test holds it against the schema.
 */
export const EXPECTATIONS: KeyTable = {
  '': { kind: 'mapping' },
  $schema: { kind: 'text' },
  url: { kind: 'url' },
  language: LANGUAGE,
  full: { kind: 'boolean' },
  ...CHECKING,
  ...ONE_SITE,
  ...MONITOR_EXPECTATIONS,
};

/** The values that no message shows: addresses may hold credentials, request headers are secrets. */
export function isSecret(path: Path): boolean {
  return path[0] === 'url' || path[0] === 'headers' || isSecretKey(patternOf(path));
}

/** What `value` at `path` should have been. */
export function expectedAt(path: Path, value: unknown): Expected {
  const pattern = patternOf(path);
  // A path below what the table knows belongs to the nearest key above it.
  const known = [pattern, ...ancestorsOf(pattern)].find(isKnown) ?? '';
  const expected = EXPECTATIONS[known] ?? { kind: 'mapping' };
  if (expected.kind === 'duration') return durationProblem(value, DURATION_BOUNDS[known]) ?? expected;
  if (expected.kind === 'size') return sizeProblem(value) ?? expected;
  return expected;
}

/** The keys that may stand in the mapping at `path`. */
export function keysAt(path: Path): readonly string[] {
  const prefix = path.length === 0 ? '' : `${patternOf(path)}.`;
  return Object.keys(EXPECTATIONS)
    .filter((pattern) => pattern.startsWith(prefix))
    .map((pattern) => pattern.slice(prefix.length))
    .filter((key) => /^[$\w]+$/.test(key));
}

/** The durations that the key at `path` takes. */
export function boundsAt(path: Path): DurationBounds | undefined {
  return DURATION_BOUNDS[patternOf(path)];
}

/** What is wrong with a duration, `undefined` when nothing is. Without bounds: up to a day. */
export function durationProblem(
  value: unknown,
  bounds: DurationBounds = { least: 1, most: MAX_DURATION_MS },
): Expected | undefined {
  const days = takesDays(bounds);
  if (typeof value === 'number') return { kind: 'duration-unit', days };
  const parsed = parseDuration(typeof value === 'string' ? value : '', bounds);
  if (parsed.ok) return undefined;
  if (parsed.problem === 'no-unit') return { kind: 'duration-unit', days };
  if (parsed.problem === 'syntax') return { kind: 'duration' };
  // Whatever ends within a day is told in hours, as it may be written.
  const most = days ? renderDuration(bounds.most) : renderDuration(bounds.most).replace('1d', '24h');
  return { kind: 'duration-range', least: bounds.least === 0 ? '0s' : renderDuration(bounds.least), most };
}

/** What is wrong with a size, `undefined` when nothing is. */
export function sizeProblem(value: unknown): Expected | undefined {
  // A number of bytes is judged as its digits; a fraction or a negative one is out of range as well.
  if (typeof value === 'number') {
    const parsed = parseSize(String(value));
    return parsed.ok ? undefined : { kind: 'size-range', most: MAX_SIZE };
  }
  const parsed = parseSize(typeof value === 'string' ? value : '');
  if (parsed.ok) return undefined;
  return parsed.problem === 'syntax' ? { kind: 'size' } : { kind: 'size-range', most: MAX_SIZE };
}

/** `['checks', 0, 'fix', 'en']` → `checks[].fix.en`; the keys of open mappings become `*`. */
function patternOf(path: Path): string {
  let pattern = '';
  for (const step of path) {
    const key = pattern === '' ? String(step) : `${pattern}.${step}`;
    if (typeof step === 'number') pattern += '[]';
    else pattern = !isKnown(key) && isKnown(`${pattern}.*`) ? `${pattern}.*` : key;
  }
  return pattern;
}

function isKnown(pattern: string): boolean {
  return Object.hasOwn(EXPECTATIONS, pattern);
}

function ancestorsOf(pattern: string): string[] {
  const ends = [...pattern.matchAll(/\.|\[/g)].map(({ index }) => pattern.slice(0, index));
  return ends.toReversed();
}
