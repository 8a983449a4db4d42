/** Tells what is wrong with links themselves, and what was not followed. Pure. */
import type { Crawl, RawFinding } from '../../src/check.ts';
import { isStopped } from '../../src/expect/ended-run.ts';
import { REASONS } from '../../src/http/reasons.ts';
import { misspelledScheme } from '../../src/site/web-scheme.ts';
import type { LinksRule } from './rules.ts';
import type { ExternalLinks } from './external.ts';
import { capped, linkedFrom } from './faults.ts';

/** Links that are not followed because of how they are written. */
export function mistakeFindings({ links: { mistakes } }: Crawl): readonly RawFinding<LinksRule>[] {
  return capped(
    mistakes.map((mistake) => {
      const { rule, written, count } = mistake;
      const link = withoutUser(written);
      const suggestion = rule === 'misspelled-scheme' ? (misspelledScheme(link.trim()) ?? null) : null;
      const evidence = { link, ...(suggestion === null ? {} : { suggestion }), count };
      return { rule, evidence, ...linkedFrom(mistake) };
    }),
  );
}

/** An address may hold a name and a password. */
const withoutUser = (link: string): string => link.replace(/^(\s*[a-z][a-z\d+.-]*[:;*\s/\\]+)[^/?#\\]*@/i, '$1');

/** Anchors that their page has no heading for. */
export function anchorFindings({ links: { missingAnchors } }: Crawl): readonly RawFinding<LinksRule>[] {
  return capped(
    missingAnchors.map((missing) => {
      const { path, anchor, count } = missing;
      return { rule: 'missing-anchor', evidence: { target: path, anchor, count }, ...linkedFrom(missing) };
    }),
  );
}

export function externalFindings({ missing }: ExternalLinks): readonly RawFinding<LinksRule>[] {
  return capped(
    missing.map(({ url, evidence, linked }) => ({
      rule: 'external-missing',
      evidence: { link: url, ...evidence, count: linked.count },
      ...linkedFrom(linked),
    })),
  );
}

/** Links to the site's own pages that leave https. */
export function insecureFindings({ links: { insecure } }: Crawl): readonly RawFinding<LinksRule>[] {
  if (insecure.count === 0) return [];
  return [{ rule: 'insecure-link', evidence: { count: insecure.count }, ...linkedFrom(insecure) }];
}

/** What the crawl did not come to, and why. */
export function leftOutFindings(
  { pages: observed, files: seenFiles, links }: Crawl,
  signal: AbortSignal | undefined,
): readonly RawFinding<LinksRule>[] {
  const { leftOut, gaveUp } = links;
  const { pages, files, by, late, unread = 0 } = leftOut;
  if (gaveUp !== null) {
    const { reason, failures } = gaveUp;
    const evidence = { reason, ...gaveUp.evidence, failures, pages, files };
    // What lies with this machine is not held against the site.
    return [{ rule: REASONS[reason] === 'unknown' ? reason : 'went-away', evidence }];
  }
  if (by.length === 0) return [];
  const checked = observed.size + seenFiles.size;
  // The caps on pages and depth are the user's own.
  if (late === 0) return [{ rule: 'left-out', evidence: { pages, files, ...(unread > 0 ? { unread } : {}), by } }];
  // More time would not have helped a run that somebody stopped.
  if (isStopped(signal)) return [{ rule: 'interrupted', evidence: { pages, files, looked: checked } }];
  return [
    { rule: late > checked ? 'mostly-left-out' : 'out-of-time', evidence: { pages, files, by, looked: checked } },
  ];
}
