/** Chooses the page paths to ask for. Pure. */
import type { Crawl } from '../../src/check.ts';

/** A folder with an `index.md`: the path that a client may ask for instead of the file. */
export interface PagePath {
  /** Of the file, relative to the base, as the crawl names it. */
  readonly path: string;
  /** Ends with a slash. */
  readonly page: URL;
  readonly file: URL;
  /** Of the Markdown as the crawl got it, in hexadecimal; `null`: not crawled. */
  readonly sha256: string | null;
}

export interface Sample {
  /** Looked at closely, the site's own root first. */
  readonly close: readonly PagePath[];
  /** Asked for once each. */
  readonly wide: readonly PagePath[];
}

const MOST_CLOSE = 5;
const MOST_LANGUAGES = 2;
const MOST_WIDE = 40;

/**
 * The root, one page of each of the first languages, the deepest, one whose path has to be percent-encoded, and others
 * up to a bound; more of them to be checked less closely.
 */
export function samplePages(crawl: Crawl, base: URL, prefixes: readonly string[]): Sample {
  const root = crawl.pages.get('index.md');
  const first: PagePath = {
    path: 'index.md',
    page: base,
    file: new URL('index.md', base),
    sha256: root?.ok === true ? root.sha256 : null,
  };
  const folders = pagePaths(crawl, base);
  const deepest = folders.toSorted((a, b) => depthOf(b) - depthOf(a))[0];
  const chosen = [
    ...prefixes
      .flatMap((prefix) => folders.filter(({ path }) => path === `${prefix}/index.md`))
      .slice(0, MOST_LANGUAGES),
    deepest,
    folders.find(({ path }) => /[^!-~]/.test(path)),
    ...folders,
  ].filter((page) => page !== undefined);
  const close = [...new Set(chosen)].slice(0, MOST_CLOSE - 1);
  const rest = folders.filter((page) => !close.includes(page));
  const step = Math.max(1, rest.length / MOST_WIDE);
  const wide = Array.from({ length: Math.min(rest.length, MOST_WIDE) }, (_, index) => rest[Math.floor(index * step)]);
  return { close: [first, ...close], wide: wide.filter((page) => page !== undefined) };
}

/** Every folder below the base whose `index.md` is a page. */
function pagePaths(crawl: Crawl, base: URL): readonly PagePath[] {
  return [...crawl.pages.values()].flatMap(({ path, url, ok, sha256 }) => {
    if (!ok || !path.endsWith('/index.md') || !URL.canParse(url)) return [];
    const file = new URL(url);
    const below = file.href.startsWith(base.href) && file.pathname.endsWith('/index.md');
    return below && file.search === '' ? [{ path, page: new URL('./', file), file, sha256 }] : [];
  });
}

const depthOf = ({ path }: PagePath): number => path.split('/').length;
