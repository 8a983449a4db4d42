/** Where a crawl begins: the navigation, the home page and the agent index, and those of each language. */
import type { Answer, Site } from '../check.ts';
import { isMarkdownPath, pathUnder, hrefOfPath } from '../site/link-path.ts';
import { localeFolders } from '../site/locales.ts';
import { DEFAULT_FILES } from '../site/settings.ts';

/** A Markdown file to begin with. */
export interface Root {
  /** Relative to the base, percent-decoded. */
  readonly path: string;
  readonly url: string;
  /** Whether it is a menu: anchors without a path do not mean the menu itself. */
  readonly menu: boolean;
  /** What came for it, where the run has asked already. */
  readonly answer: Answer | null;
}

/** The agent index. */
export interface Index {
  readonly path: string | null;
  readonly answer: Answer;
}

export interface Roots {
  readonly pages: readonly Root[];
  /** `null`: turned off. */
  readonly index: Index | null;
  /** The home page's path: what `#/` shows. */
  readonly home: string;
}

/** The files to begin with. The core checks have asked for most of them. */
export async function findRoots(site: Site): Promise<Roots> {
  const [settings, configuration] = await Promise.all([site.settings(), site.configuration()]);
  const [navigation, home, index] = await Promise.all([
    site.file('navigationFile'),
    site.file('homePage'),
    settings.llmsTxtUrl === null ? null : site.file('llmsTxtUrl'),
  ]);
  const own = [rootOf(navigation.answer, site.base, true), rootOf(home.answer, site.base, false)];
  const names = {
    navigation: own[0]?.path ?? DEFAULT_FILES.navigationFile,
    home: own[1]?.path ?? DEFAULT_FILES.homePage,
  };
  const folders = localeFolders(configuration);
  // The files of a default language that has a folder of its own are named with it.
  const below = (name: string): string =>
    name.slice((folders.find((prefix) => name.startsWith(`${prefix}/`)) ?? '').length).replace(/^\//, '');
  const ofLocales = folders.flatMap((prefix) => [
    localeRoot(`${prefix}/${below(names.navigation)}`, site.base, true),
    localeRoot(`${prefix}/${below(names.home)}`, site.base, false),
  ]);
  const pages = new Map([...own, ...ofLocales].flatMap((root) => (root === null ? [] : [[root.path, root] as const])));
  return {
    pages: [...pages.values()],
    index: index && { path: pathUnder(new URL(index.answer.requestUrl), site.base), answer: index.answer },
    home: names.home,
  };
}

/** `null` for what lies beyond the base, or is no Markdown file: its links would mean nothing. */
function rootOf(answer: Answer, base: URL, menu: boolean): Root | null {
  const path = pathUnder(new URL(answer.requestUrl), base);
  return path === null || !isMarkdownPath(path) ? null : { path, url: answer.requestUrl, menu, answer };
}

function localeRoot(path: string, base: URL, menu: boolean): Root {
  return { path, url: base.href + hrefOfPath(path), menu, answer: null };
}
