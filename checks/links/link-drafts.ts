/** Tells what is wrong with links themselves, and what was not followed. Pure. */
import type { Crawl, Draft } from '../../src/check.ts';
import { isStopped } from '../../src/expect/ended-run.ts';
import { REASONS } from '../../src/http/reasons.ts';
import { misspelledScheme } from '../../src/site/web-scheme.ts';
import type { LinksCode } from './codes.ts';
import type { ExternalLinks } from './external.ts';
import { capped, linkedFrom } from './faults.ts';

/** Links that are not followed because of how they are written. */
export function mistakeDrafts({ links: { mistakes } }: Crawl): readonly Draft<LinksCode>[] {
  return capped(
    mistakes.map((mistake) => {
      const { code, written, count } = mistake;
      const link = withoutUser(written);
      const suggestion = code === 'misspelled-scheme' ? (misspelledScheme(link.trim()) ?? null) : null;
      const evidence = { link, ...(suggestion === null ? {} : { suggestion }), count };
      return { code, evidence, ...linkedFrom(mistake) };
    }),
  );
}

/** An address may hold a name and a password. */
const withoutUser = (link: string): string => link.replace(/^(\s*[a-z][a-z\d+.-]*[:;*\s/\\]+)[^/?#\\]*@/i, '$1');

/** Anchors that their page has no heading for. */
export function anchorDrafts({ links: { missingAnchors } }: Crawl): readonly Draft<LinksCode>[] {
  return capped(
    missingAnchors.map((missing) => {
      const { path, anchor, count } = missing;
      return { code: 'missing-anchor', evidence: { target: path, anchor, count }, ...linkedFrom(missing) };
    }),
  );
}

export function externalDrafts({ missing }: ExternalLinks): readonly Draft<LinksCode>[] {
  return capped(
    missing.map(({ url, evidence, linked }) => ({
      code: 'external-missing',
      evidence: { link: url, ...evidence, count: linked.count },
      ...linkedFrom(linked),
    })),
  );
}

/** Links to the site's own pages that leave https. */
export function insecureDrafts({ links: { insecure } }: Crawl): readonly Draft<LinksCode>[] {
  if (insecure.count === 0) return [];
  return [{ code: 'insecure-link', evidence: { count: insecure.count }, ...linkedFrom(insecure) }];
}

/** What the crawl did not come to, and why. */
export function leftOutDrafts(
  { pages: seen, files: seenFiles, links }: Crawl,
  signal: AbortSignal | undefined,
): readonly Draft<LinksCode>[] {
  const { leftOut, gaveUp } = links;
  const { pages, files, by, late, unread = 0 } = leftOut;
  if (gaveUp !== null) {
    const { reason, failures } = gaveUp;
    const evidence = { reason, ...gaveUp.evidence, failures, pages, files };
    // What lies with this machine is not held against the site.
    return [{ code: REASONS[reason] === 'unknown' ? reason : 'went-away', evidence }];
  }
  if (by.length === 0) return [];
  const looked = seen.size + seenFiles.size;
  // The caps on pages and depth are the user's own.
  if (late === 0) return [{ code: 'left-out', evidence: { pages, files, ...(unread > 0 ? { unread } : {}), by } }];
  // More time would not have helped a run that somebody stopped.
  if (isStopped(signal)) return [{ code: 'interrupted', evidence: { pages, files, looked } }];
  return [{ code: late > looked ? 'mostly-left-out' : 'out-of-time', evidence: { pages, files, by, looked } }];
}
