/** Picks the files of a source that tell soonest whether its last version is live. */
import type { Json } from '../../src/check.ts';
import { parseJson } from '../../src/parse/json.ts';
import { candidates, DEFAULT_FILES, type Setting } from '../../src/site/settings.ts';
import { pathUnder } from '../../src/site/link-path.ts';
import { isDemanded } from '../../src/source/deployable.ts';
import type { History, Source, SourceFile } from '../../src/source/types.ts';
import { decodeUtf8 } from '../../src/parse/text.ts';

/** Commits that are looked through; what changed before them is taken for old. */
const MOST_COMMITS = 50;
/** Larger files are asked for last: nobody wants to load them every few seconds. */
const LARGE = 256 * 1024;
/** Files that are new altogether, of those that are asked for early: caches keep that they are not there yet. */
const MOST_ADDED = 2;
const BUNDLE = 'index.html';
const CONFIG = 'config.json';

/** A source, read. */
export interface ReadSource {
  readonly source: Source;
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly history: History | null;
}

/** What files of a source to compare. */
export interface Sample {
  /** The most telling first. */
  readonly paths: readonly string[];
  /** Whether such a file, of those that are live as the source has it, tells that its last version is live. */
  reports(compared: readonly string[]): boolean;
}

/** A file that may be compared, and what makes it worth it. */
interface Ranked {
  readonly path: string;
  readonly isLarge: boolean;
  /** Of the newest commit that changed it. */
  readonly commit: number;
  /** There was no such file before. */
  readonly isAdded: boolean;
  /** Among the files that every site has. */
  readonly rank: number;
  /** Spread over the tree, and the same in every run. */
  readonly order: string;
}

/**
 * The files to compare: those that were old before, in their order; then those that the last commits changed, the files
 * that every site has (configuration, navigation, home page, agent index, bundle), then others from all over the tree,
 * the same each time. The first that was not old before is one that was there before the last commits, if there is any.
 */
export async function sampleOf(
  read: ReadSource,
  base: URL,
  most: number,
  suspects: readonly string[] = [],
): Promise<Sample> {
  const ranked = await rankedFiles(read, base);
  const old = suspects.filter((path) => read.files.has(path));
  const others = ranked.filter(({ path }) => !old.includes(path));
  const byAge = others.toSorted((a, b) => compareRanks(rankOf(a), rankOf(b)) || compareTexts(a.order, b.order));
  const first = byAge.find(({ isAdded, isLarge }) => !isAdded && !isLarge) ?? byAge.find(({ isAdded }) => !isAdded);
  const rest = byAge.filter((file) => file !== first);
  const early = new Set(rest.filter(({ isAdded }) => isAdded).slice(0, MOST_ADDED));
  const isLate = (file: Ranked): boolean => file.isAdded && !early.has(file);
  const paths = [
    ...(first === undefined ? [] : [first]),
    ...rest.filter((file) => !isLate(file)),
    ...rest.filter(isLate),
  ].map(({ path }) => path);
  const newest = Math.min(...ranked.map(({ commit }) => commit));
  return {
    paths: [...old, ...paths].slice(0, most),
    reports: (compared) =>
      ranked.every(({ path }) => compared.includes(path)) ||
      ranked.some(({ path, commit }) => commit === newest && commit < MOST_COMMITS && compared.includes(path)),
  };
}

async function rankedFiles({ source, files, history }: ReadSource, base: URL): Promise<readonly Ranked[]> {
  const fixed = [...(await settingFiles(source, base)).keys()];
  const ranked = [...files]
    .filter(([path]) => isDemanded(path) || path === BUNDLE)
    .map(([path, { bytes, sha256 }]) => {
      const rank = fixed.indexOf(path);
      return {
        path,
        isLarge: bytes > LARGE,
        commit: Math.min(history?.lastChange(path) ?? MOST_COMMITS, MOST_COMMITS),
        rank: rank === -1 ? fixed.length : rank,
        order: sha256 + path,
      };
    });
  // What the first commit of all made was there before every other.
  const oldest = Math.max(...ranked.map(({ commit }) => commit));
  return ranked.map((file) => ({
    ...file,
    isAdded: file.commit < oldest && (history?.objectAt(file.path, file.commit + 1) ?? null) === null,
  }));
}

const rankOf = ({ isLarge, commit, isAdded, rank }: Ranked): readonly number[] => [
  isLarge ? 1 : 0,
  commit,
  isAdded ? 1 : 0,
  rank,
];

function compareRanks(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((rank, index) => rank !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/**
 * The files that every site has, as its own configuration names them, in the order in which they count; with the setting
 * that names a file, `null` for the configuration and the bundle.
 */
export async function settingFiles(source: Source, base: URL): Promise<ReadonlyMap<string, Setting | null>> {
  const settings = await configurationOf(source);
  const named = (['navigationFile', 'homePage', 'llmsTxtUrl'] satisfies Setting[]).flatMap((setting) => {
    const value = settings[setting];
    const urls = typeof value === 'string' ? candidates(value, base) : [];
    const paths = urls.flatMap((url) => pathUnder(url, base) ?? []);
    return [...paths, DEFAULT_FILES[setting]].map((path) => [path, setting] as const);
  });
  // A file that two settings name has its place by the first.
  const files = new Map<string, Setting | null>([[CONFIG, null]]);
  for (const [path, setting] of [...named, [BUNDLE, null] as const]) if (!files.has(path)) files.set(path, setting);
  return files;
}

async function configurationOf(source: Source): Promise<Readonly<Record<string, Json>>> {
  const bytes = await source.read(CONFIG).catch(() => null);
  const decoded = bytes === null ? null : decodeUtf8(bytes);
  if (decoded?.ok !== true) return {};
  const parsed = parseJson(decoded.text);
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) return {};
  return parsed.value as Readonly<Record<string, Json>>;
}
