import type { Site } from '../../src/site/types.ts';
import { isOk } from '../../src/expect/reply.ts';
import type { RequiredFile } from './load.ts';

/** Where packages are served under their names, and what counts visitors: known to be no engine by their addresses. */
const NAMED =
  /^https?:\/\/(?:(?:cdn|fastly|gcore)\.jsdelivr\.net\/npm\/|unpkg\.com\/|cdnjs\.cloudflare\.com\/ajax\/|www\.googletagmanager\.com\/)/;
const MOST_SCRIPTS = 10;
/** Plugins are shorter (bytes). */
const SHORTEST_ENGINE = 30_000;

/**
 * Whether no script of the page can be its engine, where the page itself shows which engine it is: by the addresses of the
 * scripts and, for those of the site, by what they hold. What is not known may be the engine.
 */
export async function isEngineMissing(site: Site, page: string, scripts: readonly RequiredFile[]): Promise<boolean> {
  const { profile, assumed } = await site.engine();
  const { isOwnScript, isLoadedBy } = profile;
  if (assumed || isOwnScript === undefined || isLoadedBy === undefined) return false;
  const urls = scripts.map(({ urls: [url] }) => url);
  const mayHold = (text: string): boolean => isLoadedBy(text.replaceAll(/<!--[^]*?-->/g, ''));
  if (urls.length > MOST_SCRIPTS + 10 || urls.some(({ href }) => isOwnScript(href)) || mayHold(page)) return false;
  const [own, foreign] = [true, false].map((isOwn) =>
    urls.filter(({ origin }) => (origin === site.base.origin) === isOwn),
  );
  const isKnown = ({ href }: URL): boolean => NAMED.test(href);
  if (foreign?.every(isKnown) !== true || (own?.length ?? 0) > MOST_SCRIPTS) return false;
  const held = await Promise.all((own ?? []).map(async (url) => site.pooled({ url, accept: '*/*' })));
  return held.every((answer) => {
    if (!isOk(answer)) return false;
    const text = Buffer.from(answer.body).toString('utf8');
    return !mayHold(text) && !(answer.body.length >= SHORTEST_ENGINE && /docsify/i.test(text));
  });
}
