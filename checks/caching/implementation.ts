import type { Answer, RawFinding, Evidence, Gathered, HostKind, Site } from '../../src/check.ts';
import { notEvaluated, notReceivedFindings } from '../../src/expect/not-received.ts';
import { freshness } from './cache-control.ts';
import { cachedFiles, type CachedFile, type CachedFiles, type Revalidation } from './files.ts';
import type { CachingRule } from './check.ts';
import { evaluateFreshness, MOST_SHOWN, named, type CachingFinding } from './freshness.ts';

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

/** Domains of hosts that send headers of their own and take none from the site. */
const DOMAINS = ['github.io', 'gitlab.io'] as const;

/** Whether the site cannot say for how long its files may be kept: its host gives all of them the same few minutes. */
function isFixedHost({ hostname }: URL, bundle: Answer): boolean {
  const server = bundle.kind === 'reply' ? bundle.headers.get('server') : null;
  return /^github\.com$/i.test(server?.trim() ?? '') || DOMAINS.some((domain) => hostname.endsWith(`.${domain}`));
}

/* Judges whether caches can ask if a file has changed, and get a 304 where it has not (RFC 9110, sections 8.8 and 13). Pure. */

/** A year less a day, in seconds: such files are never asked for again. */
const FOREVER = 364 * 86_400;

/** The findings about validators. */
function evaluateValidators(files: readonly CachedFile[]): readonly CachingFinding[] {
  return [
    ...named('no-validators', files.filter(lacksValidator)),
    ...found('not-revalidated', files, isIgnored),
    ...found('etag-unstable', files, hasOtherEtag),
  ];
}

function lacksValidator({ headers }: CachedFile): boolean {
  const { source, seconds } = freshness(headers, 'browser');
  if (source === 'no-store' || seconds >= FOREVER) return false;
  return headers.get('etag') === null && headers.get('last-modified') === null;
}

/** The same bytes came whole, under the same validator: the host does not look at what it was asked with. */
function isIgnored(again: Revalidation, file: CachedFile): boolean {
  return again.status === 200 && again.sameBytes && !hasOtherEtag(again, file);
}

/** The same bytes under another ETag; weak or strong makes no difference here (section 8.8.3.2). */
function hasOtherEtag({ status, etag, sameBytes }: Revalidation, { headers }: CachedFile): boolean {
  const known = headers.get('etag');
  const unchanged = status === 304 || (status === 200 && sameBytes);
  return unchanged && known !== null && etag !== null && opaque(etag) !== opaque(known);
}

const opaque = (etag: string): string => etag.replace(/^W\//, '');

function found(
  rule: 'not-revalidated' | 'etag-unstable',
  files: readonly CachedFile[],
  isFault: (again: Revalidation, file: CachedFile) => boolean,
): readonly CachingFinding[] {
  const faults = files.flatMap((file) => {
    const again = file.again.find((one) => isFault(one, file));
    if (again === undefined) return [];
    const { sent, status, etag } = again;
    const known = file.headers.get(sent === 'if-none-match' ? 'etag' : 'last-modified');
    const asked = { [sent === 'if-none-match' ? 'ifNoneMatch' : 'ifModifiedSince']: known };
    return [{ path: file.path, ...asked, status, ...(etag === null ? {} : { etag }) }];
  });
  return faults.length === 0 ? [] : [{ rule, evidence: { files: faults.slice(0, MOST_SHOWN) } }];
}
