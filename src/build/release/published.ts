/**
 * `npm run release:check`: no page and no generated text leads with what is not published. `published.json` lists what is
 * published `from` which version (`main`: with each push; `null`: never), and how code uses it. CHANGELOG.md says whether
 * that version is released, for this list as for plan.sh: its heading ends in `(Unreleased)` until then.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import examples from '../../generated/examples.json' with { type: 'json' };
import { initWords } from '../../generated/locales/init.ts';
import type { Answers } from '../../init/answers.ts';
import type { Project } from '../../init/detect.ts';
import { WORKFLOW_KINDS, type WorkflowKind } from '../../init/options.ts';
import { makePlan } from '../../init/plan.ts';
import { LANGUAGES } from '../../locales/language.ts';
import published from './published.json' with { type: 'json' };

/** A text, and its path in the repository or the command that prints it. Code is in the fences of `.md` files, else in each line. */
export interface Page {
  readonly file: string;
  readonly text: string;
}

/** Their first command is one that works. */
const ENTRIES = /^(?:README|docs\/(?:\w\w\/)?(?:index|getting-started))\.md$/;

/** How a page says that something is not published, in the three languages. */
const NOTE = /not published yet|[îÎ]ncă nu (?:este|sunt) publicat|pas encore publié/;

const FENCE = /^ *```.*\n([^]*?)^ *```$/gm;
const LINE = /^(.+)$/gm;

/** @returns what is wrong with the pages, each in one line */
export function releaseProblems(changelog: string, pages: readonly Page[]): string[] {
  const isReleased = (version: string): boolean => changelog.split('\n').includes(`## ${version}`);
  const missing = published.filter(({ from }) => from === null || (from !== 'main' && !isReleased(from)));
  const isWaiting = missing.some(({ from }) => from !== null);
  return pages.flatMap(({ file, text }) => {
    const note = NOTE.exec(text)?.index;
    if (note !== undefined && !isWaiting) return [`${file}: says that something is not published yet, but all is`];
    const blocks = [...text.matchAll(file.endsWith('.md') ? FENCE : LINE)];
    return missing.flatMap(({ name, from, use = '(?!)' }) => {
      const first = blocks.findIndex(([, code = '']) => new RegExp(use).test(code));
      if (first === -1) return [];
      if (from === null) return [`${file}: uses the ${name}, which is not published`];
      if (first === 0 && ENTRIES.test(file)) return [`${file}: begins with the ${name}, which is not published yet`];
      const { index = 0, 0: block = '' } = blocks[first] ?? {};
      const isNoted = note !== undefined && note < (file.endsWith('.md') ? index : index + block.length);
      return isNoted ? [] : [`${file}: uses the ${name} without a note above that it is not published yet`];
    });
  });
}

/** The README, the pages of the documentation, and the templates of those that are made of the code. */
function documentation(root: string): readonly Page[] {
  const below = (folder: string): string[] =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')));
  const files = ['README.md', ...below('docs'), ...below('checks'), ...below('src/build/site/pages')];
  return files.map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
}

/** Each message of its own: a note in one says nothing of the others. */
function messages(root: string): readonly Page[] {
  return LANGUAGES.map((language) => `src/locales/${language}.yaml`).flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .map((text, index) => ({ file: `${file}:${index + 1}`, text })),
  );
}

const EMPTY: Project = {
  folder: '.',
  repository: null,
  prefix: '',
  site: null,
  hosts: [],
  pagesJob: null,
  isPushedByHand: false,
  urls: [],
};

const ANSWERS: Answers = {
  url: 'https://docs.example.com/',
  source: 'public',
  host: null,
  product: null,
  guided: null,
  language: 'en',
  workflows: [],
  hosting: false,
  monitor: false,
};

/** What `docvitals init` and `docvitals example` write and print. */
function generated(): readonly Page[] {
  const choices: readonly (readonly WorkflowKind[])[] = [[], ...WORKFLOW_KINDS.map((kind) => [kind])];
  const init = LANGUAGES.flatMap((language) =>
    choices.flatMap((workflows) => {
      const command = `docvitals init --lang ${language} --workflow ${workflows.join() || 'none'}`;
      const { files, notes } = makePlan({ ...ANSWERS, workflows }, EMPTY, null, initWords(language));
      return [{ file: '', text: notes.join('\n') }, ...files].map(({ file, text }) => ({
        file: `${command}: ${file}`,
        text,
      }));
    }),
  );
  const printed = Object.entries(examples).flatMap(([example, files]) =>
    files.map(({ name, text }) => ({ file: `docvitals example ${example}: ${name}`, text })),
  );
  return [...init, ...printed];
}

export const pagesOf = (root: string): readonly Page[] => [...documentation(root), ...messages(root), ...generated()];

if (import.meta.main) {
  const root = path.join(import.meta.dirname, '../../..');
  const problems = releaseProblems(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), pagesOf(root));
  for (const problem of problems) console.error(`release: ${problem}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
