/** Tells what is wrong with the links of an agent index, and what the proposal advises. Pure. */
import type { RawFinding, Evidence, Location, TargetFault } from '../../src/check.ts';
import { firstFindings } from '../../src/expect/first-of-each.ts';
import { misspellingRule } from '../../src/expect/text.ts';
import { PAGE_RULES } from '../../src/expect/page.ts';
import { REASONS } from '../../src/http/reasons.ts';
import { readLayout, type IndexPlace } from '../../src/parse/llms-txt.ts';
import { MOST_LOCATIONS } from '../../src/site/link.ts';
import type { FollowedRule } from './check.ts';
import type { Followed } from './follow.ts';

/** More findings of one code are counted only. */
const MOST_TARGETS = 500;
const MOST_NAMED = 20;
/** What the host does with all files alike, or with whoever asks for many: other checks tell it. */
const NOT_OF_THE_PAGE: ReadonlySet<string> = new Set(['media-type', 'redirected', 'rate-limited', 'internal-error']);

export function followedFindings({
  path,
  faults,
  routes,
  html,
  source,
}: Followed): readonly RawFinding<FollowedRule>[] {
  const pages = [...new Set(html.map((found) => found.path))];
  return [
    ...firstFindings(
      faults.flatMap((fault) => faultFindings(fault, source)),
      MOST_TARGETS,
    ),
    ...(routes.length === 0
      ? []
      : [
          {
            rule: 'hash-route' as const,
            evidence: { count: routes.length, links: routes.slice(0, MOST_NAMED).map(({ url }) => url) },
            ...located(routes, path),
          },
        ]),
    ...(html.length === 0
      ? []
      : [
          {
            rule: 'html-link' as const,
            evidence: { count: html.length, files: pages.slice(0, MOST_NAMED) },
            ...located(
              html.map(({ link }) => link),
              path,
            ),
          },
        ]),
  ];
}

/** What stands otherwise than the proposal has it, each kind once. `text`: of the whole index. */
export function layoutFindings(text: string, { path, facts }: Followed): readonly RawFinding<FollowedRule>[] {
  const { titles, beginsWithTitle, hasSummary, inSections, unlisted } = readLayout(text, facts);
  const [title, second] = titles;
  // Where there is no title, that comes first; the rest follows from it.
  if (title === undefined || !facts.whole) return [];
  const links = facts.links.some(({ kind }) => kind !== 'image');
  const findings: (RawFinding<FollowedRule> | null)[] = [
    beginsWithTitle ? null : { rule: 'heading-not-first', ...located([title], path) },
    hasSummary ? null : { rule: 'no-summary', ...located([title], path) },
    second === undefined
      ? null
      : { rule: 'several-headings', evidence: { count: titles.length }, ...located(titles.slice(1), path) },
    second !== undefined || !links || inSections.length > 0 ? null : { rule: 'no-sections', ...located([title], path) },
    unlisted.length === 0
      ? null
      : { rule: 'unlisted-links', evidence: { count: unlisted.length }, ...located(unlisted, path) },
  ];
  return findings.filter((finding) => finding !== null);
}

function located(locations: readonly IndexPlace[], path: string): Pick<RawFinding, 'location' | 'locations'> {
  const all = locations.slice(0, MOST_LOCATIONS).map(({ line, column }): Location => ({ path, line, column }));
  const [location] = all;
  if (location === undefined) return {};
  return all.length === 1 ? { location } : { location, locations: all };
}

function faultFindings(fault: TargetFault, source: ReadonlySet<string>): readonly RawFinding<FollowedRule>[] {
  const { path, status, mediaType, count, diagnosis, missing, findings, locations } = fault;
  const [location] = locations;
  const at = location === undefined ? {} : { location, locations };
  const inSource: Evidence = source.has(path) ? { inSource: true } : {};
  const found: Evidence = diagnosis === null ? {} : { suggestion: diagnosis.suggestion, diagnosis: diagnosis.rule };
  if (missing || diagnosis !== null) {
    const evidence = { target: path, ...found, ...inSource, status, mediaType, count };
    return [{ rule: misspellingRule(diagnosis) ?? 'missing', evidence, ...at }];
  }
  return findings.flatMap(({ rule, evidence = {} }): readonly RawFinding<FollowedRule>[] => {
    if (NOT_OF_THE_PAGE.has(rule) || isOfThisMachine(rule)) return [];
    if (rule === 'git-lfs-pointer' || rule === 'merge-conflict') {
      const line = evidence['line'];
      const own = typeof line === 'number' ? { location: { path, line, column: 1 } } : at;
      return [{ rule, evidence: { target: path, ...evidence, count }, ...own }];
    }
    return PAGE_RULES[rule] === 'warning'
      ? []
      : [{ rule: 'broken-page', evidence: { target: path, problem: rule, ...evidence, count }, ...at }];
  });
}

function isOfThisMachine(rule: string): boolean {
  return Object.hasOwn(REASONS, rule) && REASONS[rule as keyof typeof REASONS] === 'unknown';
}
