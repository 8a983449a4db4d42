import { defineCheck, type Answer, type Draft, type Evidence, type Gathered, type HostKind } from '../../src/check.ts';
import { unjudged } from '../../src/expect/unjudged.ts';
import { freshness } from '../../src/parse/cache-control.ts';
import { cachedFiles, type CachedFile } from './files.ts';
import { CACHING_CODES, judgeFreshness, type CachingCode } from './fresh.ts';
import { judgeValidators } from './validators.ts';

interface CachingGathered extends Gathered {
  readonly answer: null;
  readonly bundle: Answer;
  readonly files: readonly CachedFile[];
  readonly host: HostKind | null;
}

/** What caches are told of the site's files (RFC 9111), and whether they can ask if a file has changed (RFC 9110). */
export const caching = defineCheck<CachingGathered, CachingCode>({
  id: 'caching',
  target: '**',
  full: true,
  codes: CACHING_CODES,
  async gather(site) {
    const [{ files, requests }, { kind: host }, bundle] = await Promise.all([
      cachedFiles(site),
      site.hosting(),
      site.bundle(),
    ]);
    return { answer: null, bundle, files, host, requests, facts: factsOf(files, host) };
  },
  judge: ({ files, host, bundle }) => {
    const drafts: readonly Draft<CachingCode>[] =
      files.length === 0 ? [unjudged(bundle)] : [...judgeFreshness(files, host), ...judgeValidators(files)];
    return Promise.resolve(drafts);
  },
});

function factsOf(files: readonly CachedFile[], host: HostKind | null): Evidence {
  const [bundle, config] = (['bundle', 'config'] as const).map((kind) => files.find((file) => file.kind === kind));
  const count = (kind: CachedFile['kind']): number => files.filter((file) => file.kind === kind).length;
  return {
    host,
    bundle: bundle?.headers.get('cache-control') ?? null,
    configSeconds: config === undefined ? null : freshness(config.headers, 'browser').seconds,
    pages: count('page'),
    assets: count('asset'),
  };
}
