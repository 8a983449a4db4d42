import type { Crawl, CrawledFile, NotFound, Site, RawFinding } from '../../src/check.ts';
import { mapConcurrently } from '../../src/map-concurrently.ts';
import type { Source, SourceFile } from '../../src/source/types.ts';
import type { GatheredSource, SourceRule } from './check.ts';
import {
  bySize,
  compareClosely,
  compareFirst,
  urlOf,
  type Comparison,
  mixture,
  believable,
  isReported,
  wordFor,
  WRONG,
  stopped,
} from './compare.ts';
import { locatedAtAll } from '../shared.ts';
import { gatherSample } from './gather-sample.ts';

const CONCURRENCY = 8;

export async function gather(site: Site): Promise<GatheredSource> {
  const { source, samples } = site.requested;
  if (source === null) return { answer: null, finding: { rule: 'no-source' } };
  const [files, known] = await Promise.all([
    source.files().catch((error: Error) => error),
    // The crawl requests most files; hashing happens in parallel.
    samples === null ? Promise.all([site.crawl(), site.notFound()]) : null,
  ]);
  if (files instanceof Error) return stopped('unreadable', { source: source.name, error: files.message });
  if (files.size === 0) return stopped('empty-source', { source: source.name });
  if (known === null) return gatherSample(site, source, files, samples ?? 0);
  const [crawl, notFound] = known;
  const folder = folderOfSite(files, crawl);
  if (folder !== null) return stopped('other-folder', { source: source.name, folder });
  return compareAll(site, source, { crawl, notFound, files });
}

interface Known {
  readonly crawl: Crawl;
  readonly notFound: NotFound;
  readonly files: ReadonlyMap<string, SourceFile>;
}

async function compareAll(site: Site, source: Source, known: Known): Promise<GatheredSource> {
  const { crawl, notFound, files } = known;
  let requests = 0;
  const comparison = async ([path, wanted]: readonly [string, SourceFile]): Promise<Comparison> => {
    const read = crawl.pages.get(path) ?? crawl.files.get(path);
    if (read !== undefined && read.ok && read.sha256 !== null) {
      return { path, difference: read.sha256 === wanted.sha256 ? 'same' : 'differs', evidence: {} };
    }
    if (path !== 'config.json') requests += 1;
    const answer = await (path === 'config.json'
      ? site.config()
      : site.pooled({ url: urlOf(path, site.base), accept: '*/*' }));
    if (answer.kind === 'no-reply' && answer.reason === 'too-large') return bySize(path, wanted, site);
    return compareFirst(path, wanted, answer, (reply) => notFound.isMissing(reply));
  };
  const checked = await mapConcurrently([...files].slice(0, site.requested.pages), CONCURRENCY, comparison);
  if (checked.every(({ difference }) => difference === 'not-compared')) {
    return { answer: null, requests, finding: { rule: 'no-answer', evidence: checked[0]?.evidence ?? {} } };
  }
  const different = checked.filter(({ difference, evidence }) => difference === 'differs' && !('bytes' in evidence));
  const history = different.length === 0 ? null : await source.history();
  const closer = await mapConcurrently(different, CONCURRENCY, ({ path }) =>
    compareClosely(path, files.get(path) as SourceFile, { site, source, history }),
  );
  const byPath = new Map(believable(closer).map((one) => [one.path, one]));
  const comparisons = checked.map((one) => withName(byPath.get(one.path) ?? one, crawl)).filter(isReported);
  const mixed =
    history === null
      ? null
      : mixture([...byPath.values(), ...checked.filter(({ difference }) => difference === 'same')], history);
  const requested = requests + different.length;
  return {
    answer: null,
    requests: requested,
    facts: {
      ...wordFor(comparisons, mixed !== null),
      files: checked.length,
      differing: comparisons.filter(({ difference }) => WRONG.has(difference)).length,
      ...(files.size > checked.length ? { leftOut: files.size - checked.length } : {}),
    },
    comparisons,
    gone: await goneFrom(source, files, comparisons, crawl),
    mixed,
    isShallow: history?.isShallow === true,
  };
}

/** Names the live page that differs from a missing file in letter case only. */
function withName(one: Comparison, crawl: Crawl): Comparison {
  if (one.difference !== 'not-live') return one;
  const lower = one.path.toLowerCase();
  const live = [...crawl.pages.values()].find(({ ok, path }) => ok && path.toLowerCase() === lower);
  return live === undefined ? one : { ...one, evidence: { ...one.evidence, liveAs: live.path } };
}

async function goneFrom(
  source: Source,
  files: ReadonlyMap<string, SourceFile>,
  comparisons: readonly Comparison[],
  { pages }: Crawl,
): Promise<readonly CrawledFile[]> {
  const names = new Set([...files.keys()].map((path) => path.normalize('NFC')));
  for (const { evidence } of comparisons) if (typeof evidence['liveAs'] === 'string') names.add(evidence['liveAs']);
  const skipped = await source.skipped();
  const isSkipped = (path: string): boolean => skipped.some((one) => path === one || path.startsWith(`${one}/`));
  return [...pages.values()].filter(
    ({ ok, path, count }) => ok && count > 0 && !names.has(path.normalize('NFC')) && !isSkipped(path),
  );
}

function folderOfSite(files: ReadonlyMap<string, SourceFile>, { pages }: Crawl): string | null {
  const live = [...pages.values()].filter(({ ok }) => ok).map(({ path }) => path);
  const found = (folder: string): number => live.filter((path) => files.has(folder + path)).length;
  if (live.length < 2 || found('') > live.length / 2) return null;
  const start = live.find((path) => !path.includes('/')) ?? '';
  const folders = [...files.keys()]
    .filter((path) => path.endsWith(`/${start}`))
    .map((path) => path.slice(0, -start.length));
  const best = folders.find((folder) => found(folder) > live.length / 2);
  return best === undefined ? null : best.slice(0, -1);
}

export function evaluate(gathered: GatheredSource): readonly RawFinding<SourceRule>[] {
  if ('finding' in gathered) return [gathered.finding];
  const { comparisons, gone, mixed, isShallow } = gathered;
  return [
    ...(mixed === null ? [] : [{ rule: 'mixed' as const, evidence: { old: mixed.old, new: mixed.new } }]),
    // What is mixed is reported once, with its files.
    ...comparisons
      .filter(({ difference }) => mixed === null || difference !== 'stale')
      .flatMap((one) => findingOf(one, isShallow)),
    ...gone.map(({ path, locations, count }) => {
      return { rule: 'gone' as const, evidence: { path, count }, ...locatedAtAll(locations) };
    }),
  ];
}

function findingOf(
  { path, difference, evidence, location, version }: Comparison,
  isShallow: boolean,
): readonly RawFinding<SourceRule>[] {
  if (difference === 'same') return [];
  const facts = {
    path,
    ...evidence,
    ...(version === undefined ? {} : { commit: version.commit, newerVersions: version.newerVersions }),
    ...(difference === 'differs' && isShallow ? { shallow: true } : {}),
  };
  return [{ rule: difference, evidence: facts, ...(location === undefined ? {} : { location }) }];
}
