import type { Answer, NotFound, ReadonlyHeaders, Reply, Site } from '../../src/check.ts';
import { notReceived, type NotReceived } from '../../src/expect/not-received.ts';
import { ACCEPT } from '../../src/site/settings.ts';
import { loadedFiles, startFiles } from '../../src/site/loaded.ts';

/** `bundle`: `index.html`; `root`: the base itself, which visitors ask for; `page`: Markdown and the agent index. */
export type CachedKind = 'bundle' | 'root' | 'config' | 'page' | 'asset';

export type Revalidation = NonNullable<ReturnType<typeof revalidation>>;

export interface CachedFile {
  readonly kind: CachedKind;
  readonly path: string;
  readonly headers: ReadonlyHeaders;
  /** What conditional requests gave; none where there is nothing to ask with, or no reply came. */
  readonly again: readonly Revalidation[];
}

const ASSET = /\.(?:svg|png|jpg|woff2|json)$/i;
const ASSETS_EACH = 3;
const MORE_PAGES = 3;
/** Servers behind one name often disagree about the ETag of the same file: the bundle is requested more than once. */
const BUNDLE_TIMES = 3;

interface Wanted {
  readonly kind: CachedKind;
  readonly url: URL;
  readonly answer: Answer | null;
  readonly times: number;
}

export async function cachedFiles(site: Site) {
  const [required, missing] = await Promise.all([requiredFiles(site), site.notFound()]);
  let requests = 0;
  const counted: Site['pooled'] = async (request) => {
    requests++;
    return site.pooled(request);
  };
  const observed = await Promise.all(required.map((one) => observe(one, counted, missing)));
  return {
    files: observed.flatMap(({ file }) => file ?? []),
    unseen: observed.flatMap(({ file, cut }) => (file === null ? (cut ?? []) : [])),
    partlyObserved: observed.flatMap(({ file, cut }) => (file === null ? [] : (cut ?? []))),
    wanted: required.length,
    requests,
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
  return [
    have('bundle', bundle, BUNDLE_TIMES),
    { kind: 'root', url: site.base, answer: null, times: 0 },
    have('config', config, 1),
    ...starts.map((answer) => have('page', answer, 1)),
    ...pages.map(({ url }): Wanted => ({ kind: 'page', url: new URL(url), answer: null, times: 0 })),
    ...assets(loaded.filter(({ href }) => !known.has(href))),
  ];
}

function have(kind: CachedKind, answer: Answer, times: number): Wanted {
  return { kind, url: new URL(answer.requestUrl), answer, times };
}

/** A few of each extension; `.PNG` counts apart from `.png`, because rules often forget one of the two. */
function assets(urls: readonly URL[]): readonly Wanted[] {
  const byExtension = Map.groupBy(urls, ({ pathname }) => ASSET.exec(pathname)?.[0] ?? '');
  byExtension.delete('');
  return [...byExtension.values()].flatMap((group) =>
    group
      .slice(0, ASSETS_EACH)
      .map((url, index): Wanted => ({ kind: 'asset', url, answer: null, times: index === 0 ? 1 : 0 })),
  );
}

async function observe(required: Wanted, get: Site['pooled'], missing: NotFound) {
  const { kind, url, times } = required;
  const isHtml = kind === 'bundle' || kind === 'root';
  const accept = isHtml ? ACCEPT.navigate : ACCEPT.fetch;
  const answer = required.answer ?? (await get({ url, accept }));
  if (answer.kind === 'no-reply' || answer.status !== 200) return { file: null, cut: notReceived(answer) };
  // The target of a redirect has rules of its own; the bundle may be moved to the base by clean URLs.
  if (kind !== 'bundle' && answer.redirects.length > 0) return { file: null, cut: null };
  if (!isHtml && missing.isMissing(answer)) return { file: null, cut: null };
  const again: Revalidation[] = [];
  let cut: NotReceived | null = null;
  for (let time = 0; time < times; time++) {
    const second = await askAgain(answer, new URL(answer.url), accept, get);
    if (second === null) break;
    const found = revalidation(answer, second);
    if (found !== null) again.push(found);
    cut ??= notReceived(second.answer);
  }
  return { file: { kind, path: url.pathname + url.search, headers: answer.headers, again }, cut };
}

type Second = NonNullable<Awaited<ReturnType<typeof askAgain>>>;

/** Asks as a cache does that has the reply: by its ETag, or by its date where it has none (RFC 9110, section 13.1). */
async function askAgain(reply: Reply, url: URL, accept: string, get: Site['pooled']) {
  const etag = reply.headers.get('etag');
  const modified = reply.headers.get('last-modified');
  const sent = etag === null ? 'if-modified-since' : 'if-none-match';
  const value = etag ?? modified;
  // A value that is not printable text cannot be sent back.
  if (value === null || !/^[\u0020-\u007e]+$/.test(value)) return null;
  return { sent, answer: await get({ url, accept, headers: { [sent]: value } }) };
}

function revalidation(reply: Reply, { sent, answer }: Second) {
  if (answer.kind === 'no-reply') return null;
  return {
    sent,
    status: answer.status,
    etag: answer.headers.get('etag'),
    sameBytes: Buffer.compare(answer.body, reply.body) === 0,
  };
}
