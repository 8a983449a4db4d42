/** Small texts that keep a parser busy, or fill its memory. */
import { fail, file, row, unknown, warn } from './fault.ts';
import type { Fault } from './fault.ts';

const LINK = '[stations](stations/index.md)';

// Parsing in a worker that has 48 MiB of heap, one at a time: the ceiling is that, and what the command itself takes.
const heavy = { config: { limits: { parse: '1s' } }, mostMiB: 200 } as const;

export const hostile: readonly Fault[] = [
  file('navigation', '80,000 nested quotes', { body: `${'>'.repeat(80_000)} ${LINK}` }, fail('parse-limit'), heavy),
  file('home', '80,000 nested quotes', { body: `${'>'.repeat(80_000)} ${LINK}` }, fail('parse-limit'), heavy),
  row(
    'three pages of 80,000 nested quotes, longer than the run may take',
    {
      files: Object.fromEntries(
        ['navigation.md', 'index.md', 'llms.txt'].map((path) => [path, { body: '>'.repeat(80_000) }]),
      ),
    },
    // Within the time that a page has: it is the run that was too short.
    { navigation: unknown('interrupted'), home: unknown('interrupted'), 'llms-txt': unknown('interrupted') },
    {
      config: { limits: { parse: '20s' } },
      mostMs: 12_000,
      args: ['--deadline', '4s', '--retries', '0'],
    },
  ),
  row(
    'index.md: a media type that takes quadratic time to read',
    { files: { 'index.md': { type: `text/html;a=${' '.repeat(60_000)}x` } } },
    {},
    { mostMs: 10_000 },
  ),
  file('home', 'emphasis that never closes', { body: '*a_'.repeat(40_000) }, fail('parse-limit'), heavy),
  file(
    'config',
    'a megabyte on one line, with a trailing comma',
    { body: `{"title": "${'x'.repeat(2 ** 20)}",}` },
    fail('trailing-comma'),
  ),
  file(
    'config',
    'a key that is there 100,000 times',
    { body: `{${'"a": 1, '.repeat(100_000)}"a": 2}` },
    warn('duplicate-key'),
  ),
  file('config', 'cut short 100,000 levels deep', { body: `{"deep": ${'['.repeat(100_000)}` }, fail('incomplete')),
  file(
    'config',
    '100,000 levels deep',
    { body: `{"deep": ${'['.repeat(100_000)}${']'.repeat(100_000)}}` },
    warn('deep-nesting'),
  ),
  file(
    'config',
    'more values than any configuration has',
    { body: `{"a": [${'0,'.repeat(1_000_000)}0]}` },
    fail('parse-limit'),
  ),
];
