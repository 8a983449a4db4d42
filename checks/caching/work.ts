import type { Answer, Draft, Evidence, Gathered, HostKind, Site } from '../../src/check.ts';
import { unjudged } from '../../src/expect/unjudged.ts';
import { unseenDrafts } from '../../src/expect/unseen.ts';
import { freshness } from '../../src/parse/cache-control.ts';
import { cachedFiles, type CachedFile, type CachedFiles } from './files.ts';
import { isFixedHost } from './fixed-hosts.ts';
import type { CachingCode } from './codes.ts';
import { judgeFreshness } from './fresh.ts';
import { judgeValidators } from './validators.ts';

export interface CachingGathered extends Gathered {
  readonly answer: null;
  readonly base: URL;
  readonly bundle: Answer;
  readonly seen: CachedFiles;
  readonly host: HostKind | null;
}

/** A few files of each kind, with what their headers say. */
export async function gather(site: Site): Promise<CachingGathered> {
  const [seen, { kind: host }, bundle] = await Promise.all([cachedFiles(site), site.hosting(), site.bundle()]);
  const { files, requests } = seen;
  return { answer: null, base: site.base, bundle, seen, host, requests, facts: factsOf(files, host) };
}

export function judge({ base, bundle, seen, host }: CachingGathered): readonly Draft<CachingCode>[] {
  const { files, unseen, partlySeen, wanted } = seen;
  const cut = unseenDrafts(unseen, wanted, partlySeen);
  if (files.length === 0) return cut.length > 0 ? cut : [unjudged(bundle)];
  const isFixed = isFixedHost(base, bundle);
  return [...judgeFreshness(files, host, isFixed), ...judgeValidators(files), ...cut];
}

function factsOf(files: readonly CachedFile[], host: HostKind | null): Evidence {
  const [bundle, config] = (['bundle', 'config'] as const).map((kind) => files.find((file) => file.kind === kind));
  const count = (kind: CachedFile['kind']): number => files.filter((file) => file.kind === kind).length;
  const control = bundle?.headers.get('cache-control') ?? null;
  return {
    ...(host === null ? {} : { host }),
    ...(control === null ? {} : { bundle: control }),
    ...(config === undefined ? {} : configSeconds(config)),
    pages: count('page'),
    assets: count('asset'),
  };
}

/** As the host says it: what caches guess is no fact. */
function configSeconds({ headers }: CachedFile): Evidence {
  const { source, seconds } = freshness(headers, 'browser');
  return source === 'heuristic' || source === 'none' ? {} : { configSeconds: seconds };
}
