/** Finds out whether a navigation leads to this very site under another host name than the one that is checked. */
import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Answer, Reply } from '../core/answer.ts';
import type { NamedFile, Site } from './types.ts';
import { readMarkdown } from '../expect/page.ts';
import { textOf } from '../expect/text.ts';
import type { MarkdownLink } from '../parse/markdown.ts';
import { isAbsent, isThere } from '../expect/fallback.ts';
import { pathUnder, resolveLink, targetOf } from '../engines/link.ts';

export type OtherHost = NonNullable<Awaited<ReturnType<typeof findOtherHost>>>;

/** Fewer links say little. */
const LEAST_LINKS = 2;
const SAMPLES = 3;
/** A host name has at most 253 characters. */
const LONGEST_CNAME = 300;
/** The home page and the navigation have the same names on every site. */
const COMMON = /^(?:index|readme|navigation)\.\w+$/i;

/**
 * `null`: the navigation leads to the host that is checked, or to others that are not this site. Sends requests only
 * where more than half of the links lead to one other host: for the file `CNAME` and for a few of the linked pages.
 */
export async function findOtherHost({ answer, bundle }: NamedFile, site: Site) {
  if (!isThere(answer) || isAbsent(answer, bundle)) return null;
  const text = textOf(answer);
  const facts = text === null ? null : await readMarkdown(text, site.limits);
  if (facts?.ok !== true) return null;
  const links = facts.links.filter(({ kind }) => kind === 'link' || kind === 'html');
  const path = pathUnder(new URL(answer.requestUrl), site.base) ?? 'navigation.md';
  const byHost = Map.groupBy(links, (link) => {
    const to = resolveLink(link, { path, base: site.base });
    return to.kind === 'external' && !to.elsewhere ? new URL(to.url).host : '';
  });
  byHost.delete('');
  const [host, most = []] = [...byHost].toSorted(([, one], [, other]) => other.length - one.length)[0] ?? [];
  const [first] = most;
  if (host === undefined || !first || 2 * most.length <= links.length || most.length < LEAST_LINKS) return null;
  const base = await baseOn(host, most, path, site);
  if (base === null) return null;
  const command = commandFor(base, answer, site.base);
  const counts = { foreignHosts: host, foreign: most.length, links: links.length };
  return {
    evidence: { ...counts, suggestion: base.href, ...(command !== null && { command }) },
    location: { path, line: first.line, column: first.column },
  };
}

/** The base of this site on another host: below the same path, or at the root. `null`: that is another site. */
async function baseOn(host: string, links: readonly MarkdownLink[], path: string, site: Site): Promise<URL | null> {
  const bases = [...new Set([site.base.pathname, '/'])].map((pathname) => new URL(`https://${host}${pathname}`));
  const [isNamed, ...found] = await Promise.all([
    isCname(host, site),
    ...bases.map((base) => {
      const targets = links.map((link) => resolveLink(link, { path, base }));
      const pages = targets.flatMap((to) => (to.kind === 'page' && !COMMON.test(to.path) ? [to.path] : []));
      return hasPages([...new Set(pages)], site);
    }),
  ]);
  const base = bases.find((_, index) => found[index] === true);
  return base ?? (isNamed ? (bases[0] ?? null) : null);
}

/** GitHub Pages and others publish the file that names the site's own domain. */
async function isCname(host: string, { get, base }: Site): Promise<boolean> {
  const answer = await get({ url: new URL('CNAME', base), accept: '*/*' });
  if (!isThere(answer) || answer.body.length > LONGEST_CNAME) return false;
  const names = Buffer.from(answer.body).toString('utf8').trim().toLowerCase().split(/\s+/);
  return names.includes(host.replace(/:\d+$/, ''));
}

/** Whether this host has at least two of the first pages, with texts of their own. */
async function hasPages(paths: readonly string[], site: Site): Promise<boolean> {
  const shell = await site.bundle();
  const ask = (path: string): Promise<Answer> =>
    site.get({ url: new URL(targetOf(path, site.base).url), accept: '*/*' });
  const answers = await Promise.all(paths.slice(0, SAMPLES).map(ask));
  const texts = answers.flatMap((answer) =>
    isThere(answer) && answer.body.length > 0 && !isAbsent(answer, shell) ? [hash('sha256', answer.body)] : [],
  );
  return new Set(texts).size >= LEAST_LINKS;
}

/** Requests the site of another name from the server that responded; `null`: its port is not one that links lead to. */
function commandFor({ hostname, pathname }: URL, { address }: Reply, checked: URL): string | null {
  if (address === null || isIP(address) === 0 || checked.port !== '') return null;
  const port = checked.protocol === 'https:' ? 443 : 80;
  const to = isIP(address) === 6 ? `[${address}]` : address;
  return `docvitals check ${checked.protocol}//${hostname}${pathname} --resolve ${hostname}:${port}:${to}`;
}
