/** Plans which pages a site has, the same in every language. */
import { random, type Random } from './random.ts';
import { FILE_NAMES } from './words.ts';

/** One page, in every language. */
export interface PagePlan {
  /** Path below the language's folder: `setup/first steps.md`, `index.md`. */
  readonly path: string;
  /** Index of its title in the language's words. */
  readonly title: number;
}

export interface SitePlan {
  /** The home page first; every folder's index before its pages. */
  readonly pages: readonly PagePlan[];
  /** Folders with an `index.md`: `''`, `setup/`, `setup/v1.2/`. */
  readonly folders: readonly string[];
}

const FOLDER_NAMES = FILE_NAMES.filter((name) => !name.includes('.'));

/** Plans `pages` pages over folders that lie at most `depth` deep. */
export function plan(seed: number | string, pages: number, depth: number): SitePlan {
  const drawn = random(`plan ${seed}`);
  const taken = new Set<string>();
  const folders = planFolders(drawn, taken, Math.floor(pages / 4), depth);
  const indexes = folders.map((folder) => `${folder}index.md`);
  const others = Array.from({ length: Math.max(0, pages - indexes.length) }, (_, at) => {
    // Every folder has a page before some folder has two.
    const folder = folders[at % folders.length] ?? '';
    return `${newName(drawn, folder, taken)}.md`;
  });
  return {
    folders,
    pages: [...indexes, ...others].map((path) => ({ path, title: drawn.int(8) })),
  };
}

function planFolders(drawn: Random, taken: Set<string>, count: number, depth: number): string[] {
  const folders = [''];
  if (depth === 0) return folders;
  for (let at = 0; at < count; at++) {
    const deepest = folders.at(-1) ?? '';
    // The first ones reach as deep as the site may go.
    const parent = at < depth ? deepest : drawn.pick(folders.filter((folder) => depthOf(folder) < depth));
    // Platforms take a name with a dot for a file's.
    folders.push(`${newName(drawn, parent, taken, FOLDER_NAMES)}/`);
  }
  return folders;
}

const depthOf = (path: string): number => path.split('/').length - 1;

/** A name that no other page has, even if letter case and folder are left out: so that a wrong one has one right answer. */
function newName(drawn: Random, folder: string, taken: Set<string>, names = FILE_NAMES): string {
  const name = drawn.pick(names);
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name} ${number}`;
    if (taken.has(numbered.toLowerCase())) continue;
    taken.add(numbered.toLowerCase());
    return folder + numbered;
  }
}
