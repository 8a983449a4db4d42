/** Tells what is wrong with the pages and files that links lead to. Pure. */
import type { Crawl, RawFinding, Evidence, LinkedFrom, TargetFault } from '../../src/check.ts';
import { firstFindings } from '../../src/expect/first-of-each.ts';
import { misspellingRule } from '../../src/expect/misspelling.ts';
import { hasExtension } from '../../src/site/link-path.ts';
import { onlyIn } from '../../src/site/linked-from.ts';
import { MOST_FINDINGS, type LinksRule } from './rules.ts';
import { renamesOf, type Renames, type SourceFiles } from './renames.ts';

/** What a host does with all files alike: where the navigation or the home page has it, their checks tell it. */
const HOST_WIDE: ReadonlySet<string> = new Set(['media-type', 'redirected']);
/** Told once for all pages that have it. */
const TOGETHER: ReadonlySet<string> = new Set(['media-type', 'rate-limited']);
/** Faults at a place in a page's own text. */
const IN_TEXT: ReadonlySet<string> = new Set(['git-lfs-pointer', 'merge-conflict']);

/** What findings about missing files take from elsewhere. */
interface Known {
  readonly renames: Renames;
  readonly source: SourceFiles | null;
}

interface Reported {
  readonly fault: TargetFault;
  readonly finding: RawFinding<LinksRule>;
}

/**
 * One finding for each missing or broken target, however many places link to it. `source`: what the site is deployed
 * from, where that is known.
 */
export function faultFindings(crawl: Crawl, source: SourceFiles | null): readonly RawFinding<LinksRule>[] {
  const { faults, roots, index } = crawl.links;
  const all = [...faults.values()];
  const renames = renamesOf(crawl, source);
  const ofRoots = all.filter(({ path }) => roots.has(path));
  const elsewhere = new Set(ofRoots.flatMap(({ findings }) => findings.filter(isHostWide).map(sameFor)));
  const reported = all
    .filter((fault) => !roots.has(fault.path) && !onlyIn(fault, index))
    .flatMap((fault) => findingsOf(fault, { renames, source }).map((finding): Reported => ({ fault, finding })))
    .filter(({ finding }) => !(isHostWide(finding) && elsewhere.has(sameFor(finding))));
  const single = reported.filter(({ finding }) => !TOGETHER.has(finding.rule)).map(({ finding }) => finding);
  return [...capped(single), ...together(reported.filter(({ finding }) => TOGETHER.has(finding.rule)))];
}

/** Where links to a target stand. */
export function linkedFrom({ locations }: LinkedFrom): Pick<RawFinding, 'location' | 'locations'> {
  const [location] = locations;
  return location === undefined ? {} : { location, locations };
}

/** The first of each code, in order, with how many more there are. */
export function capped(findings: readonly RawFinding<LinksRule>[]): readonly RawFinding<LinksRule>[] {
  return firstFindings(findings, MOST_FINDINGS);
}

const isHostWide = ({ rule }: RawFinding): boolean => HOST_WIDE.has(rule);
const sameFor = ({ rule, evidence }: RawFinding): string => JSON.stringify([rule, evidence?.['mediaType'] ?? null]);

function findingsOf(fault: TargetFault, known: Known): readonly RawFinding<LinksRule>[] {
  const { diagnosis, missing, findings } = fault;
  // What is refused or answers oddly is told as what the link means, where that is there.
  if (missing || diagnosis !== null) return [missingFinding(fault, known)];
  return findings.flatMap((finding) => brokenFinding(fault, finding, known));
}

function missingFinding(fault: TargetFault, { renames, source }: Known): RawFinding<LinksRule> {
  const { path, status, mediaType, count, diagnosis, findings } = fault;
  const led = findings.find(({ rule }) => rule === 'redirected')?.evidence?.['location'];
  const found = diagnosis === null ? {} : { suggestion: diagnosis.suggestion, diagnosis: diagnosis.rule };
  const command = renames.get(path);
  const more = {
    ...(command === undefined ? {} : { command }),
    ...(source?.paths.has(path) === true ? { inSource: true } : {}),
  };
  return {
    rule: missingRule(fault),
    evidence: {
      target: path,
      ...found,
      ...more,
      status,
      ...(led === undefined ? {} : { location: led }),
      mediaType,
      count,
    },
    ...linkedFrom(fault),
  };
}

/** A name without extension, or with that of the page's HTML form, means a page. */
function missingRule({ kind, path, diagnosis }: TargetFault): LinksRule {
  if (kind === 'image') return 'missing-image';
  const meansPage = kind === 'page' || !hasExtension(path) || diagnosis?.suggestion.endsWith('.md') === true;
  if (!meansPage) return 'missing-file';
  return misspellingRule(diagnosis) ?? 'missing';
}

function brokenFinding(
  fault: TargetFault,
  finding: TargetFault['findings'][number],
  known: Known,
): readonly RawFinding<LinksRule>[] {
  const { rule } = finding;
  if (rule === 'not-found' || rule === 'spa-fallback') return [missingFinding(fault, known)];
  const { path, count } = fault;
  const evidence: Evidence = { target: path, ...finding.evidence, count };
  const line = IN_TEXT.has(rule) ? finding.evidence?.['line'] : undefined;
  if (typeof line === 'number') return [{ rule, evidence, location: { path, line, column: 1 } }];
  // A web page in place of a picture or download: there is no such file.
  if (rule === 'html' && fault.kind !== 'page') return [missingFinding(fault, known)];
  return [{ rule, evidence, ...linkedFrom(fault) }];
}

function together(reported: readonly Reported[]): readonly RawFinding<LinksRule>[] {
  const groups = Map.groupBy(reported, ({ finding }) => sameFor(finding));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { target: _target, count: _count, ...evidence } = first.finding.evidence ?? {};
    const targets = group.map(({ fault }) => fault.path);
    return [
      { rule: first.finding.rule, evidence: { ...evidence, pages: group.length, targets: targets.slice(0, 20) } },
    ];
  });
}
