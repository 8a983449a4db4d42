/** Guesses which file a link to a missing one means. */
import type { Site } from '../site/types.ts';
import { isAbsent } from '../expect/fallback.ts';
import type { MISSPELLING_RULES } from '../expect/text.ts';
import { editDistance } from '../parse/edit-distance.ts';
import { firstDifference } from '../parse/position.ts';
import { decoded } from '../parse/urls.ts';
import { hasExtension, isMarkdownPath, targetOf, walk } from '../engines/link.ts';
import type { Source } from '../source/types.ts';
import { Budget, type Target } from './frontier.ts';
import { inOrder } from './in-order.ts';

/** How a path can differ from that of a file which exists. */
export type Misspelling = keyof typeof MISSPELLING_RULES | 'similar-name';

/** What a broken link most likely means. */
export interface Diagnosis {
  readonly rule: Misspelling;
  /** The path of a file that exists. */
  readonly suggestion: string;
}

const guessesOf = (rule: Misspelling, paths: readonly string[]): readonly Diagnosis[] =>
  paths.map((suggestion) => ({ rule, suggestion }));

/** What is known of a link to a missing file beside the path that it leads to. */
interface LinkContext {
  readonly written?: string;
  readonly holders?: ReadonlySet<string>;
}

interface KnownFile {
  readonly path: string;
  readonly name: string;
  /** The name without what separates words, and without accents. */
  readonly loose: string;
}

const MOST_SIMILAR = 200;

/** Paths of files, found by what people get wrong of them. */
export class KnownPaths {
  /** How many pairs of letters may still be compared. */
  readonly comparisons = new Budget(20_000_000);
  readonly #paths = new Set<string>();
  readonly #index = new Map<string, KnownFile[]>();

  add(path: string): void {
    if (this.#paths.has(path)) return;
    this.#paths.add(path);
    const name = nameOf(path).toLowerCase();
    const file = { path, name, loose: loose(name) };
    for (const key of [`path ${folded(path)}`, `name ${folded(name)}`, `folder ${folderOf(path)}`]) {
      const files = this.#index.get(key) ?? [];
      if (files.length < MOST_SIMILAR) files.push(file);
      this.#index.set(key, files);
    }
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** `path`: those that differ in letter case or Unicode form at most. */
  found(by: 'path' | 'name' | 'folder', key: string): readonly KnownFile[] {
    return this.#index.get(`${by} ${by === 'folder' ? key : folded(key)}`) ?? [];
  }
}

/**
 * What a link to a missing file may mean, the likeliest first: spellings of its own name, known ones before those that
 * have to be requested; then other names in its folder; then its name in other folders. Never a file that holds the
 * link, unless only the spelling differs.
 */
export function guesses(path: string, known: KnownPaths, { written = '', holders }: LinkContext = {}) {
  const alike = (form: string): readonly string[] => known.found('path', form).map((file) => file.path);
  const all = [
    ...guessesOf('letter-case', alike(path)),
    ...encodings(path).filter((guess) => known.has(guess.suggestion)),
    ...inEditor(path, written, holders),
    // `Index.md` is `index.md` sooner than `README.md`.
    ...(isFolderPage(path) ? letterCases(path) : []),
    ...[...extensions(path), ...folderForms(path)].flatMap((form) => guessesOf(form.rule, alike(form.suggestion))),
    ...otherStart(path, written),
    ...habits(path),
    ...similar(path, known),
    ...moved(path, written, known),
  ];
  return [...Map.groupBy(all, (guess) => guess.suggestion).values()]
    .flatMap(([first]) => first ?? [])
    .filter((guess) => guess.suggestion !== path && guess.suggestion !== '')
    .map((guess) => ({ ...guess, rule: sameWord(guess.suggestion, path) ?? guess.rule }))
    .filter((guess) => holders?.has(guess.suggestion) !== true || SPELLINGS.has(guess.rule));
}

const SPELLINGS: ReadonlySet<Misspelling> = new Set<Misspelling>(['letter-case', 'unicode-form', 'encoding']);

/** How two spellings of one word differ, or `null`: they are two words. */
function sameWord(a: string, b: string): Misspelling | null {
  if (a.normalize('NFC') === b.normalize('NFC')) return 'unicode-form';
  return folded(a) === folded(b) ? 'letter-case' : null;
}

/** A link that starts in the folder of its page, and was meant to start at the site's root. */
function otherStart(path: string, written: string): readonly Diagnosis[] {
  if (/^\s*[/#]/.test(written)) return [];
  const names = namesIn(written).map(decoded);
  const meant = names.join('/');
  // A single name says little of where it starts.
  return guessesOf('moved', names.length > 1 && path.endsWith(`/${meant}`) ? [meant] : []);
}

/** What editors and Git hosts open: they start in the folder of the file that holds the link. */
function inEditor(path: string, written: string, [holder = '']: Iterable<string> = []): readonly Diagnosis[] {
  if (holder === '' || written === '' || /^\s*(?:[/#?]|[a-z][a-z\d+.-]*:)/i.test(written)) return [];
  const walked = walk(written.trim().replace(/[?#].*$/s, ''), holder.split('/').slice(0, -1));
  if (typeof walked === 'string' || walked.clamped) return [];
  const name = walked.names.join('/');
  if (walked.isFolder) {
    return guessesOf('moved', folderOf(path) === `${name}/` ? [] : [`${name}/README.md`, `${name}/index.md`]);
  }
  return guessesOf('moved', [isMarkdownPath(path) && !hasExtension(name) ? `${name}.md` : name]);
}

const isFolderPage = (path: string): boolean => /^(?:index|readme)\.\w+$/i.test(nameOf(path));

function habits(path: string): readonly Diagnosis[] {
  const page = isMarkdownPath(path) || !hasExtension(path) || /\.html?$/i.test(path);
  if (!page) {
    // Cameras and old systems write extensions large.
    const [stem, extension] = splitName(path);
    const cases = guessesOf('letter-case', [stem + extension.toLowerCase(), stem + extension.toUpperCase()]);
    return [...encodings(path), ...cases, ...letterCases(path).slice(0, 3)];
  }
  return [
    ...encodings(path),
    ...extensions(path).slice(0, 1),
    ...folderForms(path).slice(0, 1),
    ...letterCases(path),
    ...guessesOf('unicode-form', [path.normalize('NFC'), path.normalize('NFD')]),
    // Saved under the name that a browser shows.
    ...guessesOf('encoding', [encodeURI(path.toWellFormed())]),
    ...folderForms(path).slice(1),
    ...extensions(path).slice(1),
  ];
}

/** A name without its extension, and that with its dot. */
function splitName(name: string): readonly [stem: string, extension: string] {
  const [extension = ''] = /\.[^./]*$/.exec(name) ?? [];
  return [name.slice(0, name.length - extension.length), extension];
}

function encodings(path: string): readonly Diagnosis[] {
  const latin1 = path.replaceAll(/%([89a-f][\da-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  return guessesOf('encoding', [decoded(path), latin1, path.replaceAll('+', ' '), path.replaceAll(/\/{2,}/g, '/')]);
}

function extensions(path: string): readonly Diagnosis[] {
  if (!hasExtension(path)) return guessesOf('missing-extension', [`${path}.md`, `${path}.markdown`]);
  const [stem, extension] = splitName(path);
  const others = PICTURES.includes(extension.toLowerCase()) ? PICTURES : PAGES;
  const named = others.map((other) => stem + other);
  return guessesOf('wrong-extension', named);
}

const PAGES = ['.md', '.markdown', '.html', '.txt', '.mdx'];
const PICTURES = ['.svg', '.png', '.jpg', '.jpeg', '.webp', '.gif', '.avif'];

/** `guide`, `guide.md`, `guide/index.md` and `guide/README.md` are easily taken for each other. */
function folderForms(path: string): readonly Diagnosis[] {
  const [isIndex, folder = ''] = /^(?:(.+)\/)?(?:index|readme)\.\w+$/i.exec(path) ?? [];
  const stem = path.replace(/\.\w+$/, '');
  const ofFolder =
    folder === '' ? ['README.md', 'index.md'] : [`${folder}/README.md`, `${folder}.md`, `${folder}/index.md`];
  return guessesOf('folder-index', isIndex === undefined ? [`${stem}/index.md`, `${stem}/README.md`] : ofFolder);
}

function letterCases(path: string): readonly Diagnosis[] {
  const [folder, name] = [folderOf(path), nameOf(path)];
  const [stem, extension] = splitName(name);
  const words = stem.replaceAll(/(?<![\p{L}\p{N}])\p{Ll}/gu, (letter) => letter.toUpperCase());
  const names = [otherCase(name), stem.toUpperCase() + extension, words + extension].map((other) => folder + other);
  const [inverted = '', ...others] = names;
  return guessesOf('letter-case', [inverted, path.toLowerCase(), otherCase(path), ...others]);
}

function otherCase(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0x20);
  const turned = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
  return turned + text.slice(first.length);
}

/**
 * A file of the same name elsewhere: the one that shares the longest end with the path as written first, then the
 * nearest. Folder pages have the same name everywhere.
 */
function moved(path: string, written: string, known: KnownPaths): readonly Diagnosis[] {
  if (/^(?:index|readme|navigation)\b/i.test(nameOf(path))) return [];
  const most = namesIn(written).length;
  // A number names nothing by itself: `02.jpg`.
  const isNumber = !/\p{L}/u.test(splitName(nameOf(path))[0]);
  const others = known
    .found('name', nameOf(path))
    .map((file) => file.path)
    // The same page in another language does not count as its new location.
    .filter((other) => withoutLanguage(other) !== withoutLanguage(path))
    .map((other) => ({ other, alike: commonEnd(path, other, most), far: distance(path, other) }))
    .filter(({ alike }) => !isNumber || alike > 1)
    .toSorted((a, b) => b.alike - a.alike || a.far - b.far)
    .map(({ other }) => other);
  return guessesOf('moved', others.slice(0, 3));
}

const withoutLanguage = (path: string): string => path.replace(/^[a-z]{2}(?:-[a-z]{2,8})?\//i, '');

function namesIn(written: string): readonly string[] {
  const path = written.replace(/^(?:[a-z]+:)?\/\/[^/?#]*/i, '').replace(/^[^#]*#(?=[!/])!?|^#/, '');
  return path
    .replace(/[?#].*$/s, '')
    .split('/')
    .filter((name) => name !== '' && name !== '.' && name !== '..');
}

/** How many names at the end of two paths are equal, of the last `most`. */
function commonEnd(a: string, b: string, most: number): number {
  const [one, other] = [folded(a).split('/').toReversed(), folded(b).split('/').toReversed()];
  return Math.min(firstDifference(one, other) ?? one.length, Math.max(1, most));
}

function distance(from: string, to: string): number {
  const [a, b] = [from.split('/'), to.split('/')];
  return a.length + b.length - 2 * (firstDifference(a, b) ?? a.length);
}

/** A file in the same folder whose name differs by a letter or two, or in the separators of words. */
function similar(path: string, known: KnownPaths): readonly Diagnosis[] {
  const name = nameOf(path).toLowerCase();
  // Numbered pages (`step-1`, `step-2`) are all alike: a guess among them is worthless.
  if (/\d/.test(name) || name.length > LONGEST_NAME) return [];
  // Of short names there is always one that differs by a letter.
  if (name.replace(/\.[^.]*$/, '').length < SHORTEST_STEM) return [];
  const most = name.length < 8 ? 1 : 2;
  const looseName = loose(name);
  const near = known.found('folder', folderOf(path)).flatMap((other) => {
    if (other.loose === looseName) return [{ other, edits: 0 }];
    if (Math.abs(other.name.length - name.length) > most) return [];
    if (!known.comparisons.take(name.length * other.name.length)) return [];
    const edits = editDistance(name, other.name);
    return edits <= most ? [{ other, edits }] : [];
  });
  const best = Math.min(...near.map(({ edits }) => edits));
  const nearest = near.filter(({ edits }) => edits === best);
  return guessesOf('similar-name', nearest.length === 1 ? nearest.map(({ other }) => other.path) : []);
}

const SHORTEST_STEM = 4;
const LONGEST_NAME = 100;

const loose = (name: string): string => name.normalize('NFD').replaceAll(/[\s_\-\p{M}]/gu, '');

const folded = (path: string): string => path.normalize('NFC').toLowerCase();
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** What a diagnosis may use, and what it may cost. */
interface DiagnosisContext {
  readonly isThere: (path: string) => Promise<boolean>;
  readonly known: KnownPaths;
  readonly source: ReadonlySet<string>;
  /** Whether a file was requested: what came of it, or `undefined`. */
  readonly observed: (path: string) => boolean | undefined;
  readonly stop: AbortSignal;
  readonly budget: ReturnType<typeof diagnosisBudget>;
}

/** For all faults of a run: how many are looked into, and how many requests that may take. */
export const diagnosisBudget = () => ({ faults: new Budget(2_000), requests: new Budget(200) });
const MOST_REQUESTS = 8;

/** Finds out what links to missing files most likely mean: only existing files are reported. */
export async function diagnoseFaults(faults: Iterable<Target>, context: DiagnosisContext): Promise<void> {
  await inOrder({
    items: [...faults].filter((fault) => isOpen(fault) && context.budget.faults.take(1)),
    stop: context.stop,
    work: ({ path, written, locations }) =>
      diagnose(path, context, { written, holders: new Set(locations.map((location) => location.path)) }),
    take: (diagnosis, fault) => {
      fault.diagnosis = diagnosis;
    },
  });
}

/** Missing; or refused, or without extension, as folders are. */
function isOpen({ missing, status, path, diagnosis, unreachable, ok, findings }: Target): boolean {
  if (diagnosis !== null || unreachable !== null || ok) return false;
  if (findings.some(({ rule }) => rule === 'bad-redirect')) return false;
  return missing || status === 403 || !hasExtension(path);
}

/** Finds out what one broken link most likely means; `null`: nothing that the host has. */
async function diagnose(path: string, context: DiagnosisContext, link: LinkContext = {}): Promise<Diagnosis | null> {
  const { source, budget } = context;
  const all = guesses(path, context.known, link);
  // A file that the source has under this very name was not deployed.
  let left = source.has(path) ? 0 : MOST_REQUESTS;
  // What the source has is the likeliest to exist: nothing else is requested before it.
  for (const guess of all.toSorted((a, b) => Number(source.has(b.suggestion)) - Number(source.has(a.suggestion)))) {
    if (context.stop.aborted) return null;
    const observed = context.observed(guess.suggestion);
    if (observed === true) return guess;
    if (observed === false || left === 0 || !budget.requests.take(1)) continue;
    left -= 1;
    if (await context.isThere(guess.suggestion)) return guess;
  }
  return null;
}

/** Requests for a file that is not named anywhere: the core checks are quick, and a broken site is not flooded. */
const FEW_REQUESTS = 4;
/** Names that people give such files and that no rule derives from the right one. */
const HABITS = ['LLMS.txt', 'LLMs.txt'];

/**
 * `null`: the file does not exist. `isNamed`: by a setting; `isFree`: files of another name may be meant, not only other
 * letters of the same name.
 */
export async function diagnoseFile(
  { path, isNamed, isFree }: { readonly path: string; readonly isNamed: boolean; readonly isFree: boolean },
  site: Site,
): Promise<Diagnosis | null> {
  const [bundle, source] = await Promise.all([site.bundle(), pathsOf(site.requested.source)]);
  const known = new KnownPaths();
  for (const file of [...source, ...HABITS]) known.add(file);
  const budget = diagnosisBudget();
  if (!site.requested.full && !isNamed) budget.requests = new Budget(FEW_REQUESTS);
  return diagnose(path, {
    known,
    source: new Set(source),
    observed: (other) => (isFree || other.toLowerCase() === path.toLowerCase() ? undefined : false),
    isThere: async (other) => {
      const answer = await site.get({ url: new URL(targetOf(other, site.base).url), accept: '*/*' });
      if (answer.kind === 'no-reply' || answer.status !== 200 || answer.redirects.length > 0) return false;
      // HTML comes instead of other files where those are missing.
      if (!/\.html?$/i.test(path) && isAbsent(answer, bundle)) return false;
      return !site.requested.full || !(await site.notFound()).isMissing(answer);
    },
    stop: site.limits.signal ?? new AbortController().signal,
    budget,
  });
}

/** Files that repositories hold for those who work on them, and engines' parts of pages. */
const NOT_FOR_READERS =
  /(?:^|\/)(?:[._][^/]*|node_modules)(?:\/|$)|(?:^|\/)(?:readme|contributing|changelog|changes|license|licence|code_of_conduct|security|support|governance|maintainers|authors|agents|claude|gemini|404)\.\w+$/i;
const MOST = 1_000;

/** The paths of all files of a source; none without a source, or where it cannot be read, which another check reports. */
export async function pathsOf(source: Source | null): Promise<readonly string[]> {
  const files = await source?.files().catch(() => null);
  return [...(files?.keys() ?? [])];
}

export function unlinkedPages(paths: readonly string[], met: (path: string) => boolean): readonly string[] {
  return paths.filter((path) => isMarkdownPath(path) && !NOT_FOR_READERS.test(path) && !met(path)).slice(0, MOST);
}
