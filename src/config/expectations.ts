import { HOST_KINDS } from '../hosting/kinds.ts';
import { LANGUAGES } from '../texts.ts';
import { MAX_DURATION_MS, parseDuration } from './duration.ts';
import type { Expected, Path } from './problem.ts';
import { parseSize } from './size.ts';

const MAX_DURATION = `${MAX_DURATION_MS / 3_600_000}h`;
const MAX_SIZE = '256MiB';

/** What a rule may say. */
const SEVERITIES = ['off', 'warning', 'error'] as const;

/**
 * What every key of the file wants. It names in one word what the schema says in several branches, so that a mistake
 * gives one sentence. `*` stands for any key, `[]` for any item. A test holds it against the schema.
 */
export const EXPECTATIONS: Readonly<Record<string, Expected>> = {
  '': { kind: 'mapping' },
  $schema: { kind: 'text' },
  url: { kind: 'url' },
  language: { kind: 'one-of', values: LANGUAGES },
  only: { kind: 'list' },
  'only[]': { kind: 'text' },
  skip: { kind: 'list' },
  'skip[]': { kind: 'text' },
  full: { kind: 'boolean' },
  external: { kind: 'boolean' },
  host: { kind: 'one-of', values: HOST_KINDS },
  source: { kind: 'text' },
  versionFrom: { kind: 'version-from' },
  strict: { kind: 'boolean' },
  limits: { kind: 'mapping' },
  'limits.timeout': { kind: 'duration' },
  'limits.deadline': { kind: 'duration' },
  'limits.retries': { kind: 'integer', least: 0, most: 10 },
  'limits.body': { kind: 'size' },
  'limits.parse': { kind: 'duration' },
  'limits.rate': { kind: 'rate' },
  'limits.pages': { kind: 'integer', least: 1, most: 1_000_000 },
  'limits.depth': { kind: 'integer', least: 0, most: 1000 },
  headers: { kind: 'mapping' },
  'headers.*': { kind: 'text' },
  rules: { kind: 'mapping' },
  'rules.*': { kind: 'one-of', values: SEVERITIES },
  resolve: { kind: 'list' },
  'resolve[]': { kind: 'resolve' },
  checks: { kind: 'list' },
  'checks[]': { kind: 'mapping' },
  'checks[].id': { kind: 'own-id' },
  'checks[].title': { kind: 'text' },
  'checks[].path': { kind: 'path' },
  'checks[].accept': { kind: 'text' },
  'checks[].expect': { kind: 'mapping' },
  'checks[].expect.status': { kind: 'status' },
  'checks[].expect.status[]': { kind: 'status' },
  'checks[].expect.mediaType': { kind: 'media-type' },
  'checks[].expect.mediaType[]': { kind: 'media-type' },
  'checks[].expect.json': { kind: 'json' },
  'checks[].expect.json.schema': { kind: 'mapping' },
  'checks[].expect.markdown': { kind: 'true' },
  'checks[].expect.contains': { kind: 'texts' },
  'checks[].expect.contains[]': { kind: 'text' },
  'checks[].expect.notContains': { kind: 'texts' },
  'checks[].expect.notContains[]': { kind: 'text' },
  'checks[].expect.headers': { kind: 'mapping' },
  'checks[].expect.headers.*': { kind: 'text' },
  'checks[].expect.maxDuration': { kind: 'duration' },
  'checks[].fix': { kind: 'fix' },
  'checks[].fix.en': { kind: 'text' },
  'checks[].fix.ro': { kind: 'text' },
  'checks[].fix.fr': { kind: 'text' },
};

/** The values that no message shows: addresses may hold credentials, request headers are secrets. */
export function isSecret(path: Path): boolean {
  return path[0] === 'url' || path[0] === 'headers';
}

/** What `value` at `path` should have been. */
export function expectedAt(path: Path, value: unknown): Expected {
  const pattern = patternOf(path);
  // A path below what the table knows belongs to the nearest key above it.
  const known = [pattern, ...ancestorsOf(pattern)].find(isKnown) ?? '';
  const expected = EXPECTATIONS[known] ?? { kind: 'mapping' };
  if (expected.kind === 'duration') return durationProblem(value) ?? expected;
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

/** What is wrong with a duration, `undefined` when nothing is. */
export function durationProblem(value: unknown): Expected | undefined {
  if (typeof value === 'number') return { kind: 'duration-unit' };
  const parsed = parseDuration(typeof value === 'string' ? value : '');
  if (parsed.ok) return undefined;
  if (parsed.problem === 'no-unit') return { kind: 'duration-unit' };
  return parsed.problem === 'syntax' ? { kind: 'duration' } : { kind: 'duration-range', most: MAX_DURATION };
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
