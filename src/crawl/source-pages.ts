/** What the source of a site says of its pages. */
import type { Source } from '../source/types.ts';
import { isMarkdownPath } from '../site/link.ts';

/** Files that repositories hold for those who work on them, and engines' parts of pages. */
const NOT_FOR_READERS =
  /(?:^|\/)(?:[._][^/]*|node_modules)(?:\/|$)|(?:^|\/)(?:readme|contributing|changelog|changes|license|licence|code_of_conduct|security|support|governance|maintainers|authors|agents|claude|gemini|404)\.\w+$/i;
const MOST = 1_000;

/** The paths of all files of a source; none where there is no source, or where it cannot be read: another check tells. */
export async function pathsOf(source: Source | null): Promise<readonly string[]> {
  if (source === null) return [];
  try {
    return [...(await source.files()).keys()];
  } catch {
    return [];
  }
}

/** The pages for readers that a crawl has not met. */
export function unlinkedPages(paths: readonly string[], met: (path: string) => boolean): readonly string[] {
  return paths.filter((path) => isMarkdownPath(path) && !NOT_FOR_READERS.test(path) && !met(path)).slice(0, MOST);
}
