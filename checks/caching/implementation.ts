import type { Answer, RawFinding, Evidence, Gathered, HostKind, Site } from '../../src/check.ts';
import { notEvaluated } from '../../src/expect/not-evaluated.ts';
import { notReceivedFindings } from '../../src/expect/not-received.ts';
import { freshness } from '../../src/parse/cache-control.ts';
import { cachedFiles, type CachedFile, type CachedFiles } from './files.ts';
import { isFixedHost } from './fixed-hosts.ts';
import type { CachingRule } from './rules.ts';
import { evaluateFreshness } from './freshness.ts';
import { evaluateValidators } from './validators.ts';

export interface CachingGathered extends Gathered {
  readonly answer: null;
  readonly base: URL;
  readonly bundle: Answer;
  readonly observed: CachedFiles;
  readonly host: HostKind | null;
}

/** A few files of each kind, with what their headers say. */
export async function gather(site: Site): Promise<CachingGathered> {
  const [observed, { kind: host }, bundle] = await Promise.all([cachedFiles(site), site.hosting(), site.bundle()]);
  const { files, requests } = observed;
  return { answer: null, base: site.base, bundle, observed, host, requests, facts: factsOf(files, host) };
}

export function evaluate({ base, bundle, observed, host }: CachingGathered): readonly RawFinding<CachingRule>[] {
  const { files, unseen, partlyObserved, wanted } = observed;
  const cut = notReceivedFindings(unseen, wanted, partlyObserved);
  if (files.length === 0) return cut.length > 0 ? cut : [notEvaluated(bundle)];
  const isFixed = isFixedHost(base, bundle);
  return [...evaluateFreshness(files, host, isFixed), ...evaluateValidators(files), ...cut];
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
