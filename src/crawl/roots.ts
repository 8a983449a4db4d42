import { posix } from 'node:path';
import type { Answer, Site } from '../check.ts';
import { isMarkdownPath, pathUnder, targetOf } from '../engines/link.ts';
import { localeFolders } from '../site/settings.ts';

export interface Root {
  readonly path: string;
  readonly url: string;
  /** Whether it is a menu: anchors without a path do not mean the menu itself. */
  readonly menu: boolean;
  /** What came for it, where the run has requested it already. */
  readonly answer: Answer | null;
}

/** The files to begin with. The core checks have requested most of them. */
export async function findRoots(site: Site) {
  const { base } = site;
  const [settings, configuration, { profile }] = await Promise.all([
    site.settings(),
    site.configuration(),
    site.engine(),
  ]);
  const [navigation, home, index] = await Promise.all([
    settings.navigationFile === null ? null : site.file('navigationFile'),
    site.file('homePage'),
    settings.llmsTxtUrl === null ? null : site.file('llmsTxtUrl'),
  ]);
  const own = [navigation && rootOf(navigation.answer, base, true), rootOf(home.answer, base, false)];
  const menuName = own[0]?.path ?? profile.files.navigationFile;
  const homeName = own[1]?.path ?? profile.files.homePage;
  const folders = localeFolders(configuration);
  const holds = (name: string) => (prefix: string) => name.startsWith(`${prefix}/`);
  // The files of a default language that has a folder of its own are named with it.
  const below = (name: string): string => name.slice((folders.find(holds(name)) ?? '').length).replace(/^\//, '');
  const hasDefaultFolder = folders.some(holds(homeName));
  const inLocale = (prefix: string, name: string, menu: boolean): Root => {
    const folder = menu || !hasDefaultFolder ? profile.localeFolder?.(prefix, name) : undefined;
    const path = folder === undefined ? `${prefix}/${below(name)}` : `${folder}/${posix.basename(name)}`;
    return { ...targetOf(path, base), menu, answer: null };
  };
  const ofLocales = folders.flatMap((prefix) => [inLocale(prefix, menuName, true), inLocale(prefix, homeName, false)]);
  const pages = new Map<string, Root>();
  for (const root of [...own, ...ofLocales]) if (root !== null) pages.set(root.path, root);
  return {
    pages: [...pages.values()],
    index: index && { path: pathUnder(new URL(index.answer.requestUrl), base), answer: index.answer },
    home: homeName,
  };
}

/** `null` beyond the base, or if it is not a Markdown file: its links would mean nothing. */
function rootOf(answer: Answer, base: URL, menu: boolean): Root | null {
  const path = pathUnder(new URL(answer.requestUrl), base);
  return path === null || !isMarkdownPath(path) ? null : { path, url: answer.requestUrl, menu, answer };
}
