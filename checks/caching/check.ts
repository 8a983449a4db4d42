import { defineCheck, type Answer, type Draft, type Evidence, type Gathered, type HostKind } from '../../src/check.ts';
import { unjudged } from '../../src/expect/unjudged.ts';
import { unseenDrafts } from '../../src/expect/unseen.ts';
import { freshness } from '../../src/parse/cache-control.ts';
import { cachedFiles, type CachedFile, type CachedFiles } from './files.ts';
import { isFixedHost } from './fixed-hosts.ts';
import { CACHING_CODES, judgeFreshness, type CachingCode } from './fresh.ts';
import { judgeValidators } from './validators.ts';

interface CachingGathered extends Gathered {
  readonly answer: null;
  readonly base: URL;
  readonly bundle: Answer;
  readonly seen: CachedFiles;
  readonly host: HostKind | null;
}

/** What caches are told of the site's files (RFC 9111), and whether they can ask if a file has changed (RFC 9110). */
export const caching = defineCheck<CachingGathered, CachingCode>({
  id: 'caching',
  target: '**',
  full: true,
  codes: CACHING_CODES,
  async gather(site) {
    const [seen, { kind: host }, bundle] = await Promise.all([cachedFiles(site), site.hosting(), site.bundle()]);
    const { files, requests } = seen;
    return { answer: null, base: site.base, bundle, seen, host, requests, facts: factsOf(files, host) };
  },
  judge: (gathered) => Promise.resolve(judged(gathered)),
});

function judged({ base, bundle, seen, host }: CachingGathered): readonly Draft<CachingCode>[] {
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
