/** What keys want that stand in more than one place of the file: those of limits, of own checks, of how a site is checked. */
import { HOST_KINDS } from '../hosting/kinds.ts';
import { LANGUAGES } from '../texts.ts';
import type { Expected } from './problem.ts';

/** By key; the empty one is what the keys stand in. `*` stands for any key, `[]` for any item. */
export type KeyTable = Readonly<Record<string, Expected>>;

/** What a rule may say. */
const SEVERITIES = ['off', 'warning', 'error'] as const;

/** The same keys below `prefix`. */
export function under(prefix: string, table: KeyTable): KeyTable {
  return Object.fromEntries(
    Object.entries(table).map(([key, expected]) => [
      key === '' || key.startsWith('[') || key.startsWith('.') ? `${prefix}${key}` : `${prefix}.${key}`,
      expected,
    ]),
  );
}

/** A list whose items are texts, or what else is told. */
export function listOf(item: Expected = { kind: 'text' }): KeyTable {
  return { '': { kind: 'list' }, '[]': item };
}

const LIMITS: KeyTable = {
  '': { kind: 'mapping' },
  timeout: { kind: 'duration' },
  deadline: { kind: 'duration' },
  retries: { kind: 'integer', least: 0, most: 10 },
  body: { kind: 'size' },
  parse: { kind: 'duration' },
  rate: { kind: 'rate' },
  pages: { kind: 'integer', least: 1, most: 1_000_000 },
  depth: { kind: 'integer', least: 0, most: 1000 },
};

/** A mapping of names to texts. */
export const TEXTS_BY_NAME: KeyTable = { '': { kind: 'mapping' }, '*': { kind: 'text' } };

/** One of the languages. */
export const LANGUAGE: Expected = { kind: 'one-of', values: LANGUAGES };

/** How a site is checked: for the file, its sites and its probes. */
export const CHECKING: KeyTable = {
  ...under('only', listOf()),
  ...under('skip', listOf()),
  external: { kind: 'boolean' },
  host: { kind: 'one-of', values: HOST_KINDS },
  strict: { kind: 'boolean' },
  ...under('limits', LIMITS),
  ...under('headers', TEXTS_BY_NAME),
  ...under('rules', { '': { kind: 'mapping' }, '*': { kind: 'one-of', values: SEVERITIES } }),
};

/** A check of the user's own. */
const CHECK: KeyTable = {
  '': { kind: 'mapping' },
  id: { kind: 'own-id' },
  title: { kind: 'text' },
  path: { kind: 'path' },
  accept: { kind: 'text' },
  expect: { kind: 'mapping' },
  'expect.status': { kind: 'status' },
  'expect.status[]': { kind: 'status' },
  'expect.mediaType': { kind: 'media-type' },
  'expect.mediaType[]': { kind: 'media-type' },
  'expect.json': { kind: 'json' },
  'expect.json.schema': { kind: 'mapping' },
  'expect.markdown': { kind: 'true' },
  'expect.contains': { kind: 'texts' },
  'expect.contains[]': { kind: 'text' },
  'expect.notContains': { kind: 'texts' },
  'expect.notContains[]': { kind: 'text' },
  ...under('expect.headers', TEXTS_BY_NAME),
  'expect.maxDuration': { kind: 'duration' },
  fix: { kind: 'fix' },
  'fix.en': { kind: 'text' },
  'fix.ro': { kind: 'text' },
  'fix.fr': { kind: 'text' },
};

/** What belongs to one site: the file's `url`, or one of `sites`. */
export const ONE_SITE: KeyTable = {
  source: { kind: 'text' },
  versionFrom: { kind: 'version-from' },
  ...under('resolve', listOf({ kind: 'resolve' })),
  ...under('checks', { '': { kind: 'list' }, ...under('[]', CHECK) }),
};
