import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { filesWithin } from './publish.ts';

it('files that an artifact has no room for are left out, and later smaller ones are not', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-artifact-'));
  const names = ['report.json', 'large.jpg', 'small.jpg'];
  for (const [index, bytes] of [40, 70, 60].entries()) {
    writeFileSync(path.join(folder, names[index] ?? ''), Buffer.alloc(bytes));
  }
  expect(await filesWithin(folder, [...names, 'missing.jpg'], 100)).toEqual({
    taken: ['report.json', 'small.jpg'],
    left: ['large.jpg', 'missing.jpg'],
  });
  rmSync(folder, { recursive: true });
});
