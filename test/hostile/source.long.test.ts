/** A source that is large to read, beside those of `source.test.ts`. */
import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { LATER_MS, makeSource } from './source.ts';

it('a source is hashed as it comes: a Git object of 600 MB', async () => {
  const { docs, git, checked } = await makeSource();
  git(['init', '--quiet']);
  writeFileSync(path.join(docs, 'film.zip.md'), '');
  truncateSync(path.join(docs, 'film.zip.md'), 600e6);
  git(['-c', 'core.compression=1', 'add', '.']);
  git(['commit', '--quiet', '--message', 'docs']);
  // It is not live.
  expect(await checked('HEAD:docs', LATER_MS)).toEqual(['fail', ['not-live', undefined]]);
});
