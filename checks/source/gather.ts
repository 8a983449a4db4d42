import type { Answer, Site } from '../../src/check.ts';
import { atOnce } from '../../src/at-once.ts';
import { isDemanded } from '../../src/source/deployable.ts';
import type { Source, SourceFile } from '../../src/source/types.ts';
import type { GatheredSource } from './check.ts';
import { difference, liveOf, urlOf, type Comparison, type Difference, type Live } from './compare.ts';

/** Files that are looked at closer: each costs a request and a look into the history. */
const MOST_DIFFERENCES = 500;
const AT_ONCE = 8;

/** Compares every file of the source with what is live. */
export async function gather(site: Site): Promise<GatheredSource> {
  const { source: from } = site.wants;
  if (from === null) return { answer: null, draft: { code: 'no-source' } };
  // The crawl asks for most files; hashing goes on beside it.
  const [crawl, notFound, files] = await Promise.all([site.crawl(), site.notFound(), filesOf(from)]);
  if (files instanceof Error) {
    return { answer: null, draft: { code: 'unreadable', evidence: { source: from.name, error: files.message } } };
  }
  const isMissing = (answer: Answer): boolean => answer.kind === 'reply' && notFound.isMissing(answer);
  let requests = 0;
  const ask = async (path: string, wanted: SourceFile): Promise<Live> => {
    const page = crawl.pages.get(path);
    if (page !== undefined && page.ok && page.sha256 !== null) return { sha256: page.sha256 };
    if (path === 'config.json') return liveOf(await site.config(), wanted, isMissing);
    requests += 1;
    return liveOf(await site.pooled({ url: urlOf(path, site.base), accept: '*/*' }), wanted, isMissing);
  };
  const looked = await atOnce([...files].slice(0, site.wants.pages), AT_ONCE, async ([path, wanted]) =>
    compared(path, wanted, await ask(path, wanted)),
  );
  if (looked.length > 0 && looked.every(({ difference: told }) => told === 'unknown')) {
    return { answer: null, requests, draft: { code: 'no-answer' } };
  }
  const different = looked.filter(({ difference: told }) => told === 'differs');
  const closer = await atOnce(different.slice(0, MOST_DIFFERENCES), AT_ONCE, ({ path }) =>
    difference(path, files.get(path) as SourceFile, { site, source: from }),
  );
  const byPath = new Map(closer.map((one) => [one.path, one]));
  const comparisons = looked.map((one) => byPath.get(one.path) ?? one);
  const renewed = await renewedWith(comparisons, from);
  const names = new Set([...files.keys()].map((path) => path.normalize('NFC')));
  const gone = [...crawl.pages.values()].filter(({ ok, path }) => ok && !names.has(path.normalize('NFC')));
  const differing = comparisons.filter(({ difference: told }) => WRONG.has(told)).length;
  return {
    answer: null,
    requests: requests + closer.length,
    facts: {
      source: wordFor(comparisons, renewed),
      files: comparisons.length,
      differing,
      ...(files.size > comparisons.length ? { leftOut: files.size - comparisons.length } : {}),
    },
    comparisons,
    gone,
    renewed,
  };
}

async function filesOf(from: Source): Promise<ReadonlyMap<string, SourceFile> | Error> {
  try {
    return await from.files();
  } catch (error) {
    return error as Error;
  }
}

/** A first look: hashes only. */
function compared(path: string, wanted: SourceFile, live: Live): Comparison {
  if (live === 'unknown') return { path, difference: 'unknown', evidence: {} };
  // What tools leave beside the pages need not be deployed; where it is, it has to be the same.
  if (live === 'missing') return { path, difference: isDemanded(path) ? 'not-live' : 'same', evidence: {} };
  return { path, difference: live.sha256 === wanted.sha256 ? 'same' : 'differs', evidence: {} };
}

/** What says that the deploy is not the source. */
const WRONG: ReadonlySet<Difference> = new Set<Difference>(['stale', 'differs', 'alternates', 'not-live']);

/** The files that changed together with a stale one and are live as they should be: two versions are mixed. */
async function renewedWith(comparisons: readonly Comparison[], from: Source): Promise<readonly string[]> {
  const commits = new Set(comparisons.flatMap(({ replacedBy }) => replacedBy ?? []));
  const same = new Set(comparisons.flatMap(({ path, difference: told }) => (told === 'same' ? [path] : [])));
  for (const commit of [...commits].slice(0, AT_ONCE)) {
    const renewed = [...(await from.changedSince(commit))].filter((path) => same.has(path));
    if (renewed.length > 0) return renewed.toSorted();
  }
  return [];
}

function wordFor(comparisons: readonly Comparison[], renewed: readonly string[]): 'fresh' | 'stale' | 'mixed' {
  if (renewed.length > 0 || comparisons.some(({ difference: told }) => told === 'alternates')) return 'mixed';
  return comparisons.some(({ difference: told }) => WRONG.has(told)) ? 'stale' : 'fresh';
}
