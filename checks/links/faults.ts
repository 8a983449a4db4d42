/** Tells what is wrong with the pages and files that links lead to. Pure. */
import type { Crawl, Draft, Evidence, LinkedFrom, TargetFault } from '../../src/check.ts';
import { firstDrafts } from '../../src/expect/first-of-each.ts';
import { misspellingCode } from '../../src/expect/misspelling.ts';
import { hasExtension } from '../../src/site/link-path.ts';
import { onlyIn } from '../../src/site/linked-from.ts';
import { MOST_FINDINGS, type LinksCode } from './codes.ts';
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

interface Told {
  readonly fault: TargetFault;
  readonly draft: Draft<LinksCode>;
}

/**
 * One draft for each missing or broken target, however many places link to it. `source`: what the site is deployed
 * from, where that is known.
 */
export function faultDrafts(crawl: Crawl, source: SourceFiles | null): readonly Draft<LinksCode>[] {
  const { faults, roots, index } = crawl.links;
  const all = [...faults.values()];
  const renames = renamesOf(crawl, source);
  const ofRoots = all.filter(({ path }) => roots.has(path));
  const elsewhere = new Set(ofRoots.flatMap(({ drafts }) => drafts.filter(isHostWide).map(sameFor)));
  const told = all
    .filter((fault) => !roots.has(fault.path) && !onlyIn(fault, index))
    .flatMap((fault) => draftsOf(fault, { renames, source }).map((draft): Told => ({ fault, draft })))
    .filter(({ draft }) => !(isHostWide(draft) && elsewhere.has(sameFor(draft))));
  const single = told.filter(({ draft }) => !TOGETHER.has(draft.code)).map(({ draft }) => draft);
  return [...capped(single), ...together(told.filter(({ draft }) => TOGETHER.has(draft.code)))];
}

/** Where links to a target stand. */
export function linkedFrom({ places }: LinkedFrom): Pick<Draft, 'location' | 'places'> {
  const [location] = places;
  return location === undefined ? {} : { location, places };
}

/** The first of each code, in order, with how many more there are. */
export function capped(drafts: readonly Draft<LinksCode>[]): readonly Draft<LinksCode>[] {
  return firstDrafts(drafts, MOST_FINDINGS);
}

const isHostWide = ({ code }: Draft): boolean => HOST_WIDE.has(code);
const sameFor = ({ code, evidence }: Draft): string => JSON.stringify([code, evidence?.['mediaType'] ?? null]);

function draftsOf(fault: TargetFault, known: Known): readonly Draft<LinksCode>[] {
  const { diagnosis, missing, drafts } = fault;
  // What is refused or answers oddly is told as what the link means, where that is there.
  if (missing || diagnosis !== null) return [missingDraft(fault, known)];
  return drafts.flatMap((draft) => brokenDraft(fault, draft, known));
}

function missingDraft(fault: TargetFault, { renames, source }: Known): Draft<LinksCode> {
  const { path, status, mediaType, count, diagnosis, drafts } = fault;
  const led = drafts.find(({ code }) => code === 'redirected')?.evidence?.['location'];
  const found = diagnosis === null ? {} : { suggestion: diagnosis.suggestion, diagnosis: diagnosis.code };
  const command = renames.get(path);
  const more = {
    ...(command === undefined ? {} : { command }),
    ...(source?.paths.has(path) === true ? { inSource: true } : {}),
  };
  return {
    code: missingCode(fault),
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
function missingCode({ kind, path, diagnosis }: TargetFault): LinksCode {
  if (kind === 'image') return 'missing-image';
  const meansPage = kind === 'page' || !hasExtension(path) || diagnosis?.suggestion.endsWith('.md') === true;
  if (!meansPage) return 'missing-file';
  return misspellingCode(diagnosis) ?? 'missing';
}

function brokenDraft(
  fault: TargetFault,
  draft: TargetFault['drafts'][number],
  known: Known,
): readonly Draft<LinksCode>[] {
  const { code } = draft;
  if (code === 'not-found' || code === 'spa-fallback') return [missingDraft(fault, known)];
  const { path, count } = fault;
  const evidence: Evidence = { target: path, ...draft.evidence, count };
  const line = IN_TEXT.has(code) ? draft.evidence?.['line'] : undefined;
  if (typeof line === 'number') return [{ code, evidence, location: { path, line, column: 1 } }];
  // A web page in place of a picture or download: there is no such file.
  if (code === 'html' && fault.kind !== 'page') return [missingDraft(fault, known)];
  return [{ code, evidence, ...linkedFrom(fault) }];
}

function together(told: readonly Told[]): readonly Draft<LinksCode>[] {
  const groups = Map.groupBy(told, ({ draft }) => sameFor(draft));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { target: _target, count: _count, ...evidence } = first.draft.evidence ?? {};
    const targets = group.map(({ fault }) => fault.path);
    return [{ code: first.draft.code, evidence: { ...evidence, pages: group.length, targets: targets.slice(0, 20) } }];
  });
}
