import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { LANGUAGES } from '../../texts.ts';
import { sentenceOf } from './write.ts';

const SOURCES = path.join(import.meta.dirname, '../..');

it('has a sentence in each language for every event that is logged', () => {
  const files = globSync(['monitor/**/*.ts', 'cli/**/*.ts'], { cwd: SOURCES }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const events = new Set(
    files.flatMap((file) =>
      [
        ...readFileSync(path.join(SOURCES, file), 'utf8').matchAll(
          /\blog\(\s*'(?:debug|info|warn|error)',\s*'([a-z-]+)'/g,
        ),
      ].map(([, event = '']) => event),
    ),
  );
  expect(events.size).toBeGreaterThan(20);
  const missing = [...events].flatMap((event) =>
    LANGUAGES.filter((language) => sentenceOf(event, {}, language) === null).map((language) => `${event} ${language}`),
  );
  expect(missing).toEqual([]);
});
