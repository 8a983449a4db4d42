import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';

const FOLDER = path.join(import.meta.dirname, '../.github/workflows');

describe.each(readdirSync(FOLDER))('.github/workflows/%s', (name) => {
  const source = readFileSync(path.join(FOLDER, name), 'utf8');
  const document = parseDocument(source, { strict: true });
  const workflow = document.toJS() as Record<string, unknown>;

  it('is YAML without mistakes', () => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
  });

  it('may only read the repository', () => {
    expect(workflow['permissions']).toEqual({ contents: 'read' });
  });

  it('pins every action by commit, with its version told', () => {
    const uses = source.split('\n').filter((line) => /^\s*(?:- )?uses:/.test(line));
    expect(uses).not.toEqual([]);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('gives each job an end', () => {
    for (const job of Object.values(workflow['jobs'] as Record<string, unknown>)) {
      expect(job).toHaveProperty('timeout-minutes');
    }
  });
});
