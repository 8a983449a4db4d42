/** Guesses which file a link to a missing one means. Pure. */
import type { Misspelling } from '../check.ts';
import { decoded, hasExtension, isMarkdownPath } from '../site/link-path.ts';

/** A path that a link may mean, and what would be wrong with the link then. */
export interface Guess {
  readonly code: Misspelling;
  readonly path: string;
}

/** Paths of files, found by what people get wrong of them. */
export class KnownPaths {
  readonly #folded = new Map<string, string[]>();
  readonly #names = new Map<string, string[]>();
  readonly #folders = new Map<string, string[]>();
  readonly #paths = new Set<string>();

  add(path: string): void {
    if (this.#paths.has(path)) return;
    this.#paths.add(path);
    push(this.#folded, folded(path), path);
    push(this.#names, folded(nameOf(path)), path);
    push(this.#folders, folderOf(path), path);
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** Those that differ in letter case or Unicode form at most. */
  like(path: string): readonly string[] {
    return this.#folded.get(folded(path)) ?? [];
  }

  /** Those of the same name in whatever folder. */
  named(path: string): readonly string[] {
    return this.#names.get(folded(nameOf(path))) ?? [];
  }

  beside(path: string): readonly string[] {
    return this.#folders.get(folderOf(path)) ?? [];
  }
}

const MOST_SIMILAR = 500;

/**
 * What a link to a missing file may mean, the likeliest first. Known files come first, then names by the usual habits
 * that somebody has to ask for; those are for pages only.
 */
export function guesses(path: string, known: KnownPaths): readonly Guess[] {
  const all = [...spelling(path, known), ...fromKnown(path, known), ...habits(path)];
  const seen = new Set([path, '']);
  const distinct = all.filter((guess) => {
    const isNew = !seen.has(guess.path);
    seen.add(guess.path);
    return isNew;
  });
  return distinct.map((guess) => ({ ...guess, code: sameWord(guess.path, path) ?? guess.code }));
}

/** How two spellings of one word differ, or `null`: they are two words. */
function sameWord(a: string, b: string): Misspelling | null {
  if (a.normalize('NFC') === b.normalize('NFC')) return 'unicode-form';
  return folded(a) === folded(b) ? 'letter-case' : null;
}

/** Letter case, Unicode form and encoding, of known files. */
function spelling(path: string, known: KnownPaths): readonly Guess[] {
  const like = known.like(path).map((other): Guess => ({ code: 'letter-case', path: other }));
  return [...like, ...encodings(path).flatMap((guess) => (known.has(guess.path) ? [guess] : []))];
}

/** Extension, folder and place, of known files. */
function fromKnown(path: string, known: KnownPaths): readonly Guess[] {
  const forms = [...extensions(path), ...folderForms(path)].flatMap(({ code, path: form }) =>
    known.like(form).map((other): Guess => ({ code, path: other })),
  );
  return [...forms, ...moved(path, known), ...similar(path, known)];
}

/** What else people name such a file. */
function habits(path: string): readonly Guess[] {
  const page = isMarkdownPath(path) || !hasExtension(path) || /\.html?$/i.test(path);
  if (!page) return encodings(path);
  return [
    ...encodings(path),
    ...extensions(path).slice(0, 1),
    ...folderForms(path).slice(0, 1),
    ...letterCases(path),
    ...['NFC', 'NFD'].map((form): Guess => ({ code: 'unicode-form', path: path.normalize(form) })),
    // Saved under the name that a browser shows.
    { code: 'encoding', path: encodeURI(path.toWellFormed()) },
    ...folderForms(path).slice(1),
    ...extensions(path).slice(1),
  ];
}

function encodings(path: string): readonly Guess[] {
  const latin1 = path.replaceAll(/%([89a-f][\da-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  const forms = [decoded(path), latin1, path.replaceAll('+', ' ')];
  return forms.filter((form) => form !== path).map((form) => ({ code: 'encoding', path: form }));
}

function extensions(path: string): readonly Guess[] {
  if (!hasExtension(path)) {
    return ['.md', '.markdown'].map((extension) => ({ code: 'missing-extension', path: path + extension }));
  }
  const stem = path.replace(/\.[^./]*$/, '');
  const others = isPicture(path) ? PICTURES : PAGES;
  return others.map((extension) => ({ code: 'wrong-extension', path: stem + extension }));
}

const PAGES = ['.md', '.markdown', '.html', '.txt', '.mdx'];
const PICTURES = ['.svg', '.png', '.jpg', '.jpeg', '.webp', '.gif', '.avif'];

function isPicture(path: string): boolean {
  return PICTURES.some((extension) => path.toLowerCase().endsWith(extension));
}

/** `guide`, `guide.md`, `guide/index.md` and `guide/README.md` are easily taken for each other. */
function folderForms(path: string): readonly Guess[] {
  const folder = /^(.+)\/(?:index|readme)\.\w+$/i.exec(path)?.[1];
  const forms =
    folder === undefined
      ? [`${path.replace(/\.\w+$/, '')}/index.md`, `${path.replace(/\.\w+$/, '')}/README.md`]
      : [`${folder}/README.md`, `${folder}.md`, `${folder}/index.md`];
  return forms.map((form) => ({ code: 'folder-index', path: form }));
}

function letterCases(path: string): readonly Guess[] {
  const forms = [folderOf(path) + otherCase(nameOf(path)), path.toLowerCase(), otherCase(path)];
  return forms.map((form) => ({ code: 'letter-case', path: form }));
}

/** With the first letter in the other case. */
function otherCase(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0x20);
  const turned = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
  return turned + text.slice(first.length);
}

/** A file of the same name elsewhere, the nearest first. Folder pages have the same name everywhere. */
function moved(path: string, known: KnownPaths): readonly Guess[] {
  if (/^(?:index|readme|navigation)\b/i.test(nameOf(path))) return [];
  const others = known.named(path).slice(0, MOST_SIMILAR);
  return others
    .toSorted((a, b) => distance(path, a) - distance(path, b))
    .slice(0, 3)
    .map((other) => ({ code: 'moved', path: other }));
}

/** How many folders have to be left and entered between two files. */
function distance(from: string, to: string): number {
  const [a, b] = [from.split('/'), to.split('/')];
  const same = a.findIndex((part, index) => part !== b[index]);
  return a.length + b.length - 2 * same;
}

/** A file in the same folder whose name differs by a letter or two, or in what stands between the words. */
function similar(path: string, known: KnownPaths): readonly Guess[] {
  const name = nameOf(path).toLowerCase();
  const most = name.length < 8 ? 1 : 2;
  const near = known
    .beside(path)
    .slice(0, MOST_SIMILAR)
    .flatMap((other) => {
      const otherName = nameOf(other).toLowerCase();
      const edits = loose(name) === loose(otherName) ? 0 : editDistance(name, otherName, most);
      return edits <= most ? [{ other, edits }] : [];
    });
  const best = Math.min(...near.map(({ edits }) => edits));
  const nearest = near.filter(({ edits }) => edits === best);
  // Numbered pages (`step-1`, `step-2`) are all alike: a guess among them is none.
  return nearest.length === 1 && !/\d/.test(name)
    ? nearest.map(({ other }) => ({ code: 'similar-name', path: other }))
    : [];
}

const loose = (name: string): string => name.normalize('NFD').replaceAll(/[\s_\-\p{M}]/gu, '');

/** Levenshtein's, or more than `most` as soon as that is certain. */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most || a.length > 100) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row[b.length] ?? most + 1;
}

const folded = (path: string): string => path.normalize('NFC').toLowerCase();
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
