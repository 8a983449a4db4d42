import type { Answer } from '../../src/core/answer.ts';
import type { Site } from '../../src/site/types.ts';
import { isOk } from '../../src/expect/reply.ts';
import { withoutComments } from '../../src/parse/html.ts';
import type { RequiredFile } from './load.ts';

/** Where packages are served under their names, and what counts visitors: known to be no engine by their addresses. */
const NAMED =
  /^https?:\/\/(?:(?:cdn|fastly|gcore)\.jsdelivr\.net\/npm\/|unpkg\.com\/|cdnjs\.cloudflare\.com\/ajax\/|www\.googletagmanager\.com\/)/;
const MOST_SCRIPTS = 10;
/** A longer page or script may be the engine: it is not searched. In UTF-16 code units, or bytes. */
const LONGEST_SEARCHED = 1024 * 1024;

/**
 * Whether no script of the page can be its engine, where the page itself shows which engine it is: by the addresses of the
 * scripts and, for those of the site, by what they hold. What is not known may be the engine.
 */
export async function isEngineMissing(site: Site, page: string, scripts: readonly RequiredFile[]): Promise<boolean> {
  const { profile, assumed } = await site.engine();
  const { isOwnScript, isLoadedBy } = profile;
  if (assumed || isOwnScript === undefined || isLoadedBy === undefined) return false;
  const urls = scripts.map(({ urls: [url] }) => url);
  if (urls.some(({ href }) => isOwnScript(href))) return false;
  if (page.length > LONGEST_SEARCHED || isLoadedBy(withoutComments(page))) return false;
  const own = urls.filter(({ origin }) => origin === site.base.origin);
  const isKnown = urls.every((url) => own.includes(url) || NAMED.test(url.href));
  if (!isKnown || own.length > MOST_SCRIPTS) return false;
  // One after the other: each may be as large as a body may be.
  for (const url of own) if (mayBeEngine(await site.pooled({ url, accept: '*/*' }), isLoadedBy)) return false;
  return true;
}

function mayBeEngine(answer: Answer, isLoadedBy: (text: string) => boolean): boolean {
  if (!isOk(answer) || answer.body.length > LONGEST_SEARCHED) return true;
  return isLoadedBy(Buffer.from(answer.body).toString('utf8'));
}
