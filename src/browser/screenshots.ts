import path from 'node:path';
import type { CheckResult } from '../core/check.ts';
import { makeFolder, writeFileWhole, writing } from '../text/output.ts';

const LONGEST = 80;

/** Writes the screenshots of a run, and resolves with the files' names (`guide-setup.jpg`). Rejects with an `OutputError`. */
export async function writeScreenshots(checks: readonly Pick<CheckResult, 'rendered'>[], folder: string) {
  await writing(folder, makeFolder(folder));
  const counts = new Map<string, number>();
  const names: string[] = [];
  for (const { route, screenshot } of checks.flatMap(({ rendered = [] }) => rendered)) {
    if (screenshot === null) continue;
    const plain = route.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '');
    const stem = plain.toLowerCase().slice(0, LONGEST) || 'home';
    const count = (counts.get(stem) ?? 0) + 1;
    counts.set(stem, count);
    const name = `${stem}${count === 1 ? '' : `-${count}`}.jpg`;
    await writeFileWhole(path.join(folder, name), screenshot, { links: 'replace' });
    names.push(name);
  }
  return names;
}
