import type { Answer, Evidence, NotFound, Reply, Site } from '../../src/check.ts';
import { notReceived, type NotReceived } from '../../src/expect/not-received.ts';
import { isOk } from '../../src/expect/reply.ts';
import { ACCEPT } from '../../src/site/settings.ts';
import { loadedFiles, startFiles } from '../../src/site/loaded.ts';
import { countingRequests, someOfEach } from '../shared.ts';
import { freshness, readCacheControl } from './freshness.ts';

export type CachedFile = ReturnType<typeof cachedFile>;
export type Revalidation = ReturnType<typeof revalidation>;

const ASSET = /\.(?:svg|png|jpg|woff2|json)$/i;
const ASSETS_EACH = 3;
const MORE_PAGES = 3;
/** Servers behind one name often disagree about the ETag of the same file: the bundle is requested more than once. */
const BUNDLE_TIMES = 3;

interface Wanted {
  /** `bundle`: `index.html`; `root`: the base itself, which visitors ask for; `page`: Markdown and the agent index. */
  readonly kind: 'bundle' | 'root' | 'config' | 'page' | 'asset';
  readonly url: URL;
  readonly answer: Answer | null;
  readonly times: number;
}

export async function cachedFiles(site: Site) {
  const [required, missing] = await Promise.all([requiredFiles(site), site.notFound()]);
  const { get, sent } = countingRequests(site);
  const observed = await Promise.all(required.map((one) => observe(one, get, missing)));
  return {
    files: observed.flatMap(({ file }) => file ?? []),
    unseen: observed.flatMap(({ file, cut }) => (file === null ? (cut ?? []) : [])),
    partlyObserved: observed.flatMap(({ file, cut }) => (file === null ? [] : (cut ?? []))),
    wanted: required.length,
    requests: sent(),
  };
}

async function requiredFiles(site: Site): Promise<readonly Wanted[]> {
  const [bundle, config, starts, crawl, loaded] = await Promise.all([
    site.bundle(),
    site.config(),
    startFiles(site),
    site.crawl(),
    loadedFiles(site),
  ]);
  const known = new Set([bundle, config, ...starts].map(({ requestUrl }) => requestUrl));
  const pages = [...crawl.pages.values()].filter(({ ok, url }) => ok && !known.has(url)).slice(0, MORE_PAGES);
  const have = (kind: Wanted['kind'], answer: Answer, times: number): Wanted => {
    return { kind, url: new URL(answer.requestUrl), answer, times };
  };
  return [
    have('bundle', bundle, BUNDLE_TIMES),
    { kind: 'root', url: site.base, answer: null, times: 0 },
    have('config', config, 1),
    ...starts.map((answer) => have('page', answer, 1)),
    ...pages.map(({ url }): Wanted => ({ kind: 'page', url: new URL(url), answer: null, times: 0 })),
    // `.PNG` counts apart from `.png`, because rules often forget one of the two.
    ...someOfEach(
      loaded.filter(({ href }) => !known.has(href)),
      ASSET,
      () => ASSETS_EACH,
    ).flatMap((group) =>
      group.map((url, index): Wanted => ({ kind: 'asset', url, answer: null, times: index === 0 ? 1 : 0 })),
    ),
  ];
}

async function observe(required: Wanted, get: Site['pooled'], missing: NotFound) {
  const { kind, url, times } = required;
  const isHtml = kind === 'bundle' || kind === 'root';
  const accept = isHtml ? ACCEPT.navigate : ACCEPT.fetch;
  const answer = required.answer ?? (await get({ url, accept }));
  if (!isOk(answer)) return { file: null, cut: notReceived(answer) };
  // The target of a redirect has rules of its own; the bundle may be moved to the base by clean URLs.
  const isMoved = kind !== 'bundle' && answer.redirects.length > 0;
  if (isMoved || (!isHtml && missing.isMissing(answer))) return { file: null, cut: null };
  const again: Revalidation[] = [];
  let cut: NotReceived | null = null;
  const sent = validatorOf(answer);
  for (let time = 0; time < times; time++) {
    if (sent === null) break;
    const second = await get({ url: new URL(answer.url), accept, headers: { [sent.header]: sent.value } });
    if (second.kind === 'reply') again.push(revalidation(answer, sent.evidence, second));
    cut ??= notReceived(second);
  }
  return { file: cachedFile(required, answer, again), cut };
}

/** How a cache asks that has the reply: by its ETag, or by its date where it has none (RFC 9110, section 13.1). */
function validatorOf({ headers }: Reply) {
  const [etag, modified] = [headers.get('etag'), headers.get('last-modified')];
  const value = etag ?? modified;
  // A value that is not printable text cannot be sent back.
  if (value === null || !/^[\u0020-\u007e]+$/.test(value)) return null;
  return etag === null
    ? { header: 'if-modified-since', evidence: { ifModifiedSince: value }, value }
    : { header: 'if-none-match', evidence: { ifNoneMatch: value }, value };
}

function revalidation(reply: Reply, sent: Evidence, second: Reply) {
  const { status, headers, body } = second;
  return { sent, status, etag: headers.get('etag'), sameBytes: Buffer.compare(body, reply.body) === 0 };
}

function cachedFile({ kind, url }: Wanted, { headers }: Reply, again: readonly Revalidation[]) {
  const { source, seconds } = freshness(headers, 'browser');
  return {
    kind,
    path: url.pathname + url.search,
    headers,
    control: readCacheControl(headers.all('cache-control')),
    source,
    seconds,
    /** As the host sends it; `null`: nothing, or what caches guess. */
    declared: source === 'none' || source === 'heuristic' ? null : seconds,
    again,
  };
}
