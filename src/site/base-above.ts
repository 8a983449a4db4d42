/** Finds the site that an address below it belongs to, as when somebody gives the address of a page or of a folder. */
import type { Answer, Site } from '../check.ts';
import { isFallback } from '../expect/fallback.ts';
import { hasHtmlMarkup } from '../parse/html.ts';
import { ACCEPT } from './accept.ts';
import { beginningOf, isAbsent, isGone } from './missing-status.ts';

const MOST_LEVELS = 3;

/**
 * The base URL of the site that holds `site.base`, at most three folders above it. `null`: there is none, or the address
 * has a bundle, a configuration or a navigation of its own. Sends requests only where all three are missing, so that
 * no site that is there is taken for another one.
 */
export async function findBaseAbove(site: Site): Promise<URL | null> {
  const { base } = site;
  if (base.pathname === '/') return null;
  const [bundle, config, navigation] = await Promise.all([site.bundle(), site.config(), site.file('navigationFile')]);
  if (!isAbsent(config, bundle) || !isAbsent(navigation.answer, bundle)) return null;
  let folder = base;
  for (let level = 0; level < MOST_LEVELS && folder.pathname !== '/'; level++) {
    folder = new URL('../', folder);
    const above = await bundleOfSite(folder, site);
    // On a host with a fallback the bundle of the site above comes for every missing file.
    if (above !== null) return isGone(bundle) || isSame(bundle, above) ? folder : null;
  }
  return null;
}

const isSame = (answer: Answer, bundle: Answer): boolean => answer.kind === 'reply' && isFallback(answer, bundle);

/** The bundle of the site whose base a folder is; `null`: no site is there. */
async function bundleOfSite(folder: URL, { get }: Site): Promise<Answer | null> {
  const ask = (name: string, accept: string): Promise<Answer> => get({ url: new URL(name, folder), accept });
  const [bundle, ...files] = await Promise.all([
    ask('index.html', ACCEPT.navigate),
    ask('config.json', ACCEPT.fetch),
    ask('navigation.md', ACCEPT.fetch),
  ]);
  if (!isThere(bundle) || !hasHtmlMarkup(beginningOf(bundle.body))) return null;
  return files.some((file) => isThere(file) && file.body.length > 0 && !isAbsent(file, bundle)) ? bundle : null;
}

function isThere(answer: Answer): answer is Extract<Answer, { kind: 'reply' }> {
  return answer.kind === 'reply' && answer.status === 200 && answer.redirects.length === 0;
}
