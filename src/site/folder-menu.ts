/** Finds the menu of a site that has none at its root: docsify looks for menus from the folder of each page upwards. */
import type { Answer, Reply } from '../core/answer.ts';
import type { Site } from './types.ts';
import { linksOf } from '../engines/engine.ts';
import { pathUnder } from '../engines/link.ts';
import { hasOwnContent } from '../expect/fallback.ts';
import { readMarkdown } from '../expect/page.ts';
import { textOf } from '../expect/text.ts';
import { ACCEPT, candidates } from './settings.ts';

/** Folders whose menus are requested; one with its menu is enough. */
const MOST_FOLDERS = 5;

/** The menu of a folder that the home page, the cover or the navbar links to; `null`: none has one. */
export async function menuOfFolder(site: Site): Promise<Reply | null> {
  const { base } = site;
  const [{ menus }, bundle, { answer: home }] = await Promise.all([
    site.engineSettings(),
    site.bundle(),
    site.file('homePage'),
  ]);
  if (menus === undefined) return null;
  const request = async (name: string): Promise<Reply | null> => {
    const [url] = candidates(name, base);
    const answer = url === undefined ? null : await site.get({ url, accept: ACCEPT.fetch });
    return answer !== null && hasOwnContent(answer, bundle) ? answer : null;
  };
  const beside = await Promise.all(menus({ path: '', base, home: '' }).slice(1).flat().map(request));
  const pages = await Promise.all([home, ...beside].map((answer) => pagesOf(answer, site)));
  const firsts = new Map(pages.flat().map((path) => [path.slice(0, path.lastIndexOf('/')), path]));
  firsts.delete('');
  for (const path of [...firsts.values()].slice(0, MOST_FOLDERS)) {
    const [names = []] = menus({ path, base, home: '' });
    for (const name of names.slice(0, -1)) {
      const menu = await request(name);
      if (menu !== null) return menu;
    }
  }
  return null;
}

/** The paths of pages that a file links to. */
async function pagesOf(answer: Answer | null, site: Site): Promise<readonly string[]> {
  const text = answer === null ? null : textOf(answer);
  if (answer === null || text === null) return [];
  const [parsed, { links }] = await Promise.all([readMarkdown(text, site.limits), site.engineSettings()]);
  const path = pathUnder(new URL(answer.requestUrl), site.base) ?? '';
  const from = { path, base: site.base, home: path, menu: true };
  const found = parsed.ok ? linksOf(parsed, links, true).map((link) => links.resolve(link, from)) : [];
  return found.flatMap((link) => (link.kind === 'page' ? [link.path] : []));
}
