import type { Crawl, CrawledFile, NotFound, Site, RawFinding } from '../../src/check.ts';
import { mapConcurrently } from '../../src/concurrency.ts';
import { isOk } from '../../src/expect/reply.ts';
import type { Source, SourceFile } from '../../src/source/types.ts';
import type { SourceRule } from './check.ts';
import { believable, compareClosely, compareFirst, gatheredFrom, isReported, stopped, urlOf } from './compare.ts';
import type { Comparison } from './compare.ts';
import { countingRequests, locatedAtAll } from '../shared.ts';
import { gatherSample } from './gather-sample.ts';

const CONCURRENCY = 8;

export async function gather(site: Site) {
  const { source, samples } = site.requested;
  if (source === null) return stopped('no-source');
  const [files, known] = await Promise.all([
    source.files().catch((error: Error) => error),
    // The crawl requests most files; hashing happens in parallel.
    samples === null ? Promise.all([site.crawl(), site.notFound()]) : null,
  ]);
  const { name } = source;
  if (files instanceof Error) return stopped('unreadable', { source: name, error: files.message });
  if (files.size === 0) return stopped('empty-source', { source: name });
  const folder = known === null ? null : folderOfSite(files, known[0]);
  if (folder !== null) return stopped('other-folder', { source: name, folder });
  return known === null ? gatherSample(site, source, files, samples ?? 0) : compareAll(site, source, files, ...known);
}

async function compareAll(
  site: Site,
  source: Source,
  files: ReadonlyMap<string, SourceFile>,
  crawl: Crawl,
  notFound: NotFound,
) {
  const { get, sent } = countingRequests(site);
  const comparison = async ([path, wanted]: readonly [string, SourceFile]): Promise<Comparison> => {
    const read = crawl.pages.get(path) ?? crawl.files.get(path);
    if (read !== undefined && read.ok && read.sha256 !== null) {
      return { path, difference: read.sha256 === wanted.sha256 ? 'same' : 'differs', evidence: {} };
    }
    const url = urlOf(path, site.base);
    const answer = await (path === 'config.json' ? site.config() : get({ url, accept: '*/*' }));
    if (answer.kind === 'no-reply' && answer.reason === 'too-large') return bySize(path, wanted, site);
    return compareFirst(path, wanted, answer, (reply) => notFound.isMissing(reply));
  };
  const first = await mapConcurrently([...files].slice(0, site.requested.pages), CONCURRENCY, comparison);
  const different = first.filter(({ difference, evidence }) => difference === 'differs' && !('bytes' in evidence));
  const history = different.length === 0 ? null : await source.history();
  const closer = await mapConcurrently(different, CONCURRENCY, ({ path }) =>
    compareClosely(path, site, { source, files, history }),
  );
  const byPath = new Map(believable(closer).map((one) => [one.path, one]));
  const all = first.map((one) => byPath.get(one.path) ?? one);
  const reported = all.map((one) => withName(one, crawl)).filter(isReported);
  const leftOut = files.size - all.length;
  return gatheredFrom(all, reported, history, {
    requests: sent() + different.length,
    gone: await goneFrom(source, files, reported, crawl),
    facts: leftOut > 0 ? { leftOut } : {},
  });
}

async function bySize(path: string, expected: SourceFile, site: Site): Promise<Comparison> {
  const headers = { 'accept-encoding': 'identity' };
  const answer = await site.pooled({ url: urlOf(path, site.base), method: 'HEAD', accept: '*/*', headers });
  const length = isOk(answer) ? answer.headers.get('content-length') : null;
  if (length === null) return { path, difference: 'not-compared', evidence: { reason: 'too-large' } };
  if (Number(length) === expected.bytes) return { path, difference: 'same', evidence: {} };
  return { path, difference: 'differs', evidence: { bytes: Number(length), sourceBytes: expected.bytes } };
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

export function evaluate(gathered: Awaited<ReturnType<typeof gather>>): readonly RawFinding<SourceRule>[] {
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

function findingOf({ path, difference, evidence, location, version }: Comparison, isShallow: boolean) {
  if (difference === 'same') return [];
  const facts = {
    path,
    ...evidence,
    ...(version === undefined ? {} : { commit: version.commit, newerVersions: version.newerVersions }),
    ...(difference === 'differs' && isShallow ? { shallow: true } : {}),
  };
  return [{ rule: difference, evidence: facts, ...(location === undefined ? {} : { location }) }];
}
