/** What of a site robots.txt is held against. */
import type { Answer, Crawl, NotFound, Site } from '../../src/check.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import { engineParts } from '../../src/site/loaded.ts';

/** `engine`: what a browser has to load before it shows any page; `part`: the scripts and styles of the bundle among that. */
export type Role = 'engine' | 'part' | 'llms-txt' | 'page';

/** One address of the site, as it stands in a URL: the path with its query, from the origin. */
export interface Target {
  readonly role: Role;
  readonly path: string;
}

/** Enough of an HTML document to know it by. In bytes. */
const BEGINNING = 1024;

/** The addresses of the site's own origin that have something behind them. */
export async function targetsOf(site: Site): Promise<readonly Target[]> {
  const [bundle, config, navigation, home, missing, crawl, index, parts] = await Promise.all([
    site.bundle(),
    site.config(),
    site.file('navigationFile'),
    site.file('homePage'),
    site.notFound(),
    site.crawl(),
    agentIndex(site),
    engineParts(site),
  ]);
  const engine = [bundle, config, navigation.answer, home.answer].filter((one) =>
    isThere(one, one === bundle, missing),
  );
  const found = [
    ...(engine.includes(bundle) ? [{ role: 'engine', path: site.base.pathname } as const] : []),
    // Clean URLs lead from the bundle's own name to the base: what counts is where it is read.
    ...engine.map((answer) => ({ role: 'engine' as const, url: answer.url })).flatMap(ownPath(site.base)),
    ...parts.map(({ href }) => ({ role: 'part' as const, url: href })).flatMap(ownPath(site.base)),
    ...(index !== null && isThere(index, false, missing)
      ? [{ role: 'llms-txt' as const, url: index.requestUrl }].flatMap(ownPath(site.base))
      : []),
    ...pagesOf(crawl).flatMap(ownPath(site.base)),
  ];
  // A page that is part of the engine's start counts as that.
  const distinct = new Map<string, Target>();
  for (const target of found) if (!distinct.has(target.path)) distinct.set(target.path, target);
  return [...distinct.values()];
}

/** The agent index; `null` where the site has none. */
export async function agentIndex(site: Site): Promise<Answer | null> {
  const { llmsTxtUrl } = await site.settings();
  return llmsTxtUrl === null ? null : (await site.file('llmsTxtUrl')).answer;
}

/** Whether a reply is the file itself, and nothing that came in its place. */
export function isThere(answer: Answer, isBundle: boolean, missing: NotFound): boolean {
  if (answer.kind !== 'reply' || answer.status !== 200) return false;
  if (isBundle) return true;
  return (
    answer.redirects.length === 0 &&
    !missing.isMissing(answer) &&
    !isHtmlDocument(Buffer.from(answer.body.subarray(0, BEGINNING)).toString('utf8'))
  );
}

function pagesOf(crawl: Crawl): readonly { readonly role: Role; readonly url: string }[] {
  return [...crawl.pages.values()].filter(({ ok }) => ok).map(({ url }) => ({ role: 'page', url }));
}

/** The path of a URL of the same origin, and nothing for another one: its robots.txt is not ours to evaluate. */
function ownPath(base: URL) {
  return ({ role, url }: { readonly role: Role; readonly url: string }): readonly Target[] => {
    const { origin, pathname, search } = new URL(url);
    return origin === base.origin ? [{ role, path: `${pathname}${search}` }] : [];
  };
}
