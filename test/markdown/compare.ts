/**
 * Compares our reader of Markdown with remark-parse and marked over the Markdown files of folders:
 *
 *     node test/markdown/compare.ts ../some-docs ../others
 *
 * Prints each file that is read differently, and how many are.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { differencesOf } from './differences.ts';

/** Longer ones are generated; remark-parse takes seconds for them. */
const LONGEST = 256 * 1024;

const folders = process.argv.slice(2);
const files = folders.flatMap((folder) =>
  globSync('**/*.{md,markdown}', { cwd: folder }).map((name) => path.join(folder, name)),
);
const counts: Record<string, number> = {};
let read = 0;
for (const file of files) {
  const content = readFileSync(file, 'utf8');
  if (content.length > LONGEST) continue;
  read++;
  for (const { reader, part, ours, theirs } of differencesOf(file, content)) {
    counts[`${reader}: ${part}`] = (counts[`${reader}: ${part}`] ?? 0) + 1;
    console.log(`${file} (${reader}: ${part})`);
    for (const one of ours.slice(0, 3)) console.log(`  only ours    ${one}`);
    for (const one of theirs.slice(0, 3)) console.log(`  only theirs  ${one}`);
  }
}
console.log(`${read} files read. Files with differences:`, counts);
