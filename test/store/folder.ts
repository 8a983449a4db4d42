import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** A folder of each test; its name has a space in it. */
export function eachFolder(): { readonly file: (name?: string) => string } {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'docvitals store '));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return { file: (name = 'docvitals.db') => path.join(folder, name) };
}
