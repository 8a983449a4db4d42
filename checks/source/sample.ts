/** Picks the files of a source that tell soonest whether its last version is live. */
import type { Json } from '../../src/check.ts';
import { candidates, DEFAULT_FILES, type Setting } from '../../src/site/settings.ts';
import { pathUnder } from '../../src/site/link-path.ts';
import { isDemanded } from '../../src/source/deployable.ts';
import type { History, Source, SourceFile } from '../../src/source/types.ts';
import { decodeUtf8 } from '../../src/parse/text.ts';

/** Commits that are looked through; what changed before them is taken for old. */
const MOST_COMMITS = 50;
/** Larger files are asked for last: nobody wants to load them every few seconds. */
const LARGE = 256 * 1024;
const BUNDLE = 'index.html';
const CONFIG = 'config.json';

/** A source, read. */
export interface ReadSource {
  readonly source: Source;
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly history: History | null;
}

/**
 * The files to compare, the most telling first: those that were old before, those that the last commits changed, the
 * files that every site has (configuration, navigation, home page, agent index, bundle), then others from all over the
 * tree, the same each time.
 */
export async function sampleOf(
  { source, files, history }: ReadSource,
  base: URL,
  most: number,
  suspects: readonly string[] = [],
): Promise<readonly string[]> {
  const first = await fixedFiles(source, base);
  const ranked = [...files]
    .filter(([path]) => isDemanded(path) || path === BUNDLE || suspects.includes(path))
    .map(([path, { bytes, sha256 }]) => {
      const place = first.indexOf(path);
      const commit = Math.min(history?.lastChange(path) ?? MOST_COMMITS, MOST_COMMITS);
      // The last: spread over the tree, and the same in every round.
      const suspect = suspects.includes(path) ? 0 : 1;
      return {
        path,
        rank: [suspect, bytes > LARGE ? 1 : 0, commit, place === -1 ? first.length : place],
        order: sha256,
      };
    });
  return ranked
    .toSorted((a, b) => compareRanks(a.rank, b.rank) || compareTexts(a.order + a.path, b.order + b.path))
    .slice(0, most)
    .map(({ path }) => path);
}

function compareRanks(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((rank, index) => rank !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The files that every site has, as its own configuration names them. */
async function fixedFiles(source: Source, base: URL): Promise<readonly string[]> {
  const settings = await configurationOf(source);
  const named = (['navigationFile', 'homePage', 'llmsTxtUrl'] satisfies Setting[]).flatMap((setting) => {
    const value = settings[setting];
    const urls = typeof value === 'string' ? candidates(value, base) : [];
    const paths = urls.flatMap((url) => pathUnder(url, base) ?? []);
    return [...paths, DEFAULT_FILES[setting]];
  });
  return [...new Set([CONFIG, ...named, BUNDLE])];
}

async function configurationOf(source: Source): Promise<Readonly<Record<string, Json>>> {
  const bytes = await source.read(CONFIG).catch(() => null);
  const decoded = bytes === null ? null : decodeUtf8(bytes);
  if (decoded?.ok !== true) return {};
  try {
    const value: unknown = JSON.parse(decoded.text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, Json>>) : {};
  } catch {
    return {};
  }
}
