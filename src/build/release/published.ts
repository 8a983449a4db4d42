/**
 * `npm run release:check`: no page leads with what is not published. `published.json` lists what is published `from`
 * which version (`main`: with each push; `null`: never), and how code on a page uses it. CHANGELOG.md says whether that
 * version is released, for this list as for plan.sh: its heading ends in `(Unreleased)` until then.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import published from './published.json' with { type: 'json' };

/** A text, and its path in the repository. */
export interface Page {
  readonly file: string;
  readonly text: string;
}

/** Their first command is one that works. */
const ENTRIES = /^(?:README|docs\/(?:\w\w\/)?(?:index|getting-started))\.md$/;

/** How a page says that something is not published, in the three languages. */
const NOTE = /not published yet|[îÎ]ncă nu (?:este|sunt) publicat|pas encore publié/;

const FENCE = /^ *```.*\n([^]*?)^ *```$/gm;

/** @returns what is wrong with the pages, each in one line */
export function releaseProblems(changelog: string, pages: readonly Page[]): string[] {
  const isReleased = (version: string): boolean => changelog.split('\n').includes(`## ${version}`);
  const missing = published.filter(({ from }) => from === null || (from !== 'main' && !isReleased(from)));
  const isWaiting = missing.some(({ from }) => from !== null);
  return pages.flatMap(({ file, text }) => {
    const note = NOTE.exec(text)?.index;
    if (note !== undefined && !isWaiting) return [`${file}: says that something is not published yet, but all is`];
    const fences = [...text.matchAll(FENCE)];
    return missing.flatMap(({ name, from, use = '(?!)' }) => {
      const first = fences.findIndex(([, code = '']) => new RegExp(use).test(code));
      if (first === -1) return [];
      if (from === null) return [`${file}: uses the ${name}, which is not published`];
      if (first === 0 && ENTRIES.test(file)) return [`${file}: begins with the ${name}, which is not published yet`];
      const isNoted = note !== undefined && note < (fences[first]?.index ?? 0);
      return isNoted ? [] : [`${file}: uses the ${name} without a note above that it is not published yet`];
    });
  });
}

/** The README, the pages of the documentation, and the templates of those that are made of the code. */
export function pagesOf(root: string): Page[] {
  const below = (folder: string): string[] =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')));
  const files = ['README.md', ...below('docs'), ...below('src/build/site/pages')];
  return files.map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, '../../..');
  const problems = releaseProblems(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), pagesOf(root));
  for (const problem of problems) console.error(`release: ${problem}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
