/** Tells what is wrong with the links of an agent index, and what the proposal advises. Pure. */
import type { Draft, Evidence, Location, TargetFault } from '../../src/check.ts';
import { firstDrafts } from '../../src/expect/first-of-each.ts';
import { misspellingCode } from '../../src/expect/misspelling.ts';
import { PAGE_CODES } from '../../src/expect/page.ts';
import { REASONS } from '../../src/http/reasons.ts';
import { readLayout, type IndexPlace } from '../../src/parse/llms-txt.ts';
import { MOST_PLACES } from '../../src/site/linked-from.ts';
import type { FollowedCode } from './codes.ts';
import type { Followed } from './follow.ts';

/** More findings of one code are counted only. */
const MOST_TARGETS = 500;
const MOST_NAMED = 20;
/** What the host does with all files alike, or with whoever asks for many: other checks tell it. */
const NOT_OF_THE_PAGE: ReadonlySet<string> = new Set(['media-type', 'redirected', 'rate-limited', 'internal-error']);

export function followedDrafts({ path, faults, routes, html, source }: Followed): readonly Draft<FollowedCode>[] {
  const pages = [...new Set(html.map((found) => found.path))];
  return [
    ...firstDrafts(
      faults.flatMap((fault) => faultDrafts(fault, source)),
      MOST_TARGETS,
    ),
    ...(routes.length === 0
      ? []
      : [
          {
            code: 'hash-route' as const,
            evidence: { count: routes.length, links: routes.slice(0, MOST_NAMED).map(({ url }) => url) },
            ...placed(routes, path),
          },
        ]),
    ...(html.length === 0
      ? []
      : [
          {
            code: 'html-link' as const,
            evidence: { count: html.length, files: pages.slice(0, MOST_NAMED) },
            ...placed(
              html.map(({ link }) => link),
              path,
            ),
          },
        ]),
  ];
}

/** What stands otherwise than the proposal has it, each kind once. `text`: of the whole index. */
export function layoutDrafts(text: string, { path, facts }: Followed): readonly Draft<FollowedCode>[] {
  const { titles, beginsWithTitle, hasSummary, inSections, unlisted } = readLayout(text, facts);
  const [title, second] = titles;
  // Where there is no title, that comes first; the rest follows from it.
  if (title === undefined || !facts.whole) return [];
  const links = facts.links.some(({ kind }) => kind !== 'image');
  const findings: (Draft<FollowedCode> | null)[] = [
    beginsWithTitle ? null : { code: 'heading-not-first', ...placed([title], path) },
    hasSummary ? null : { code: 'no-summary', ...placed([title], path) },
    second === undefined
      ? null
      : { code: 'several-headings', evidence: { count: titles.length }, ...placed(titles.slice(1), path) },
    second !== undefined || !links || inSections.length > 0 ? null : { code: 'no-sections', ...placed([title], path) },
    unlisted.length === 0
      ? null
      : { code: 'unlisted-links', evidence: { count: unlisted.length }, ...placed(unlisted, path) },
  ];
  return findings.filter((draft) => draft !== null);
}

function placed(places: readonly IndexPlace[], path: string): Pick<Draft, 'location' | 'places'> {
  const all = places.slice(0, MOST_PLACES).map(({ line, column }): Location => ({ path, line, column }));
  const [location] = all;
  if (location === undefined) return {};
  return all.length === 1 ? { location } : { location, places: all };
}

function faultDrafts(fault: TargetFault, source: ReadonlySet<string>): readonly Draft<FollowedCode>[] {
  const { path, status, mediaType, count, diagnosis, missing, drafts, places } = fault;
  const [location] = places;
  const at = location === undefined ? {} : { location, places };
  const inSource: Evidence = source.has(path) ? { inSource: true } : {};
  const found: Evidence = diagnosis === null ? {} : { suggestion: diagnosis.suggestion, diagnosis: diagnosis.code };
  if (missing || diagnosis !== null) {
    const evidence = { target: path, ...found, ...inSource, status, mediaType, count };
    return [{ code: misspellingCode(diagnosis) ?? 'missing', evidence, ...at }];
  }
  return drafts.flatMap(({ code, evidence = {} }): readonly Draft<FollowedCode>[] => {
    if (NOT_OF_THE_PAGE.has(code) || isOfThisMachine(code)) return [];
    if (code === 'git-lfs-pointer' || code === 'merge-conflict') {
      const line = evidence['line'];
      const own = typeof line === 'number' ? { location: { path, line, column: 1 } } : at;
      return [{ code, evidence: { target: path, ...evidence, count }, ...own }];
    }
    return PAGE_CODES[code] === 'warning'
      ? []
      : [{ code: 'broken-page', evidence: { target: path, problem: code, ...evidence, count }, ...at }];
  });
}

function isOfThisMachine(code: string): boolean {
  return Object.hasOwn(REASONS, code) && REASONS[code as keyof typeof REASONS] === 'unknown';
}
