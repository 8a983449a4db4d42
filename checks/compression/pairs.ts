/** Asks for files twice: as they are, and compressed. */
import type { Answer, NotFound, Reply, Site } from '../../src/check.ts';
import { mediaTypeOf } from '../../src/expect/media-type.ts';
import { ACCEPT } from '../../src/site/accept.ts';
import { loadedFiles, startFiles } from '../../src/site/loaded.ts';

/** A file in the two forms that a host has of it. */
export interface Pair {
  readonly path: string;
  readonly mediaType: string | null;
  /** Decoded bytes. */
  readonly bytes: number;
  /** The same of the other form. */
  readonly identityBytes: number;
  /** `Content-Encoding` when every coding was welcome, and when none was; `null`: none. */
  readonly encoding: string | null;
  readonly identityEncoding: string | null;
  readonly vary: string | null;
  readonly cacheControl: string | null;
  /** Whether both forms decode to the same bytes; `null` where the file itself changes from one request to the next. */
  readonly same: boolean | null;
}

/** What all clients can decode that send more than nothing; `identity` alone forbids all codings (RFC 9110, section 12.5.3). */
const CODINGS = 'gzip, br, zstd';
const IDENTITY = 'identity';

/** Files of one extension that are looked at: more of those that the bundle is made of, whose faults show at once. */
const EACH = { code: 20, other: 3 };
const CODE = /^\.(?:js|mjs|css|json)$/;
/** Pages that are looked at beside navigation and home page: the longest. */
const MORE_PAGES = 5;
const LOOKED_AT = /\.(?:js|mjs|css|json|svg|txt|png|jpe?g|gif|webp|avif|woff2?)$/i;

interface Wanted {
  readonly url: URL;
  readonly accept: string;
}

/** The files of a site that came in both forms, and how many requests were sent for them. */
export async function pairs(site: Site): Promise<{ readonly found: readonly Pair[]; readonly requests: number }> {
  const [files, missing] = await Promise.all([wanted(site), site.notFound()]);
  let requests = 0;
  const ask = async ({ url, accept }: Wanted, codings: string): Promise<Answer> => {
    requests++;
    return site.pooled({ url, accept, headers: { 'accept-encoding': codings } });
  };
  const found = await Promise.all(files.map((file) => pair(file, ask, missing)));
  return { found: found.filter((one) => one !== null), requests };
}

async function wanted(site: Site): Promise<readonly Wanted[]> {
  const [bundle, config, named, crawl, loaded] = await Promise.all([
    site.bundle(),
    site.config(),
    startFiles(site),
    site.crawl(),
    loadedFiles(site),
  ]);
  const starts = [config, ...named].filter((answer) => isFile(answer));
  const pages = [...crawl.pages.values()]
    .filter(({ ok }) => ok)
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, MORE_PAGES);
  const byExtension = Map.groupBy(loaded, ({ pathname }) => LOOKED_AT.exec(pathname)?.[0].toLowerCase() ?? '');
  byExtension.delete('');
  const urls = [
    ...starts.map(({ requestUrl }) => requestUrl),
    ...pages.map(({ url }) => url),
    ...[...byExtension].flatMap(([extension, group]) =>
      group.slice(0, CODE.test(extension) ? EACH.code : EACH.other).map(({ href }) => href),
    ),
  ];
  const fetched = [...new Set(urls)].map((href): Wanted => ({ url: new URL(href), accept: ACCEPT.fetch }));
  return isFile(bundle) ? [{ url: new URL(bundle.requestUrl), accept: ACCEPT.navigate }, ...fetched] : fetched;
}

function isFile(answer: Answer): answer is Reply {
  return answer.kind === 'reply' && answer.status === 200;
}

type Ask = (file: Wanted, codings: string) => Promise<Answer>;

async function pair(file: Wanted, ask: Ask, missing: NotFound): Promise<Pair | null> {
  const [plain, compressed] = await Promise.all([ask(file, IDENTITY), ask(file, CODINGS)]);
  if (!isFile(plain) || !isFile(compressed)) return null;
  // The bundle is what hosts send for missing files; everything else that looks like it is missing.
  if (file.accept === ACCEPT.fetch && missing.isMissing(compressed)) return null;
  return {
    path: file.url.pathname + file.url.search,
    mediaType: mediaTypeOf(compressed),
    bytes: compressed.body.length,
    identityBytes: plain.body.length,
    encoding: codingOf(compressed),
    identityEncoding: codingOf(plain),
    vary: compressed.headers.get('vary'),
    cacheControl: compressed.headers.get('cache-control'),
    same: isSame(plain, compressed) || (await differsForGood(file, ask, plain, compressed)),
  };
}

/** `null`: one of the forms has changed meanwhile, by a deploy or because the host makes it anew each time. */
async function differsForGood(file: Wanted, ask: Ask, plain: Reply, compressed: Reply): Promise<false | null> {
  const [plainAgain, compressedAgain] = await Promise.all([ask(file, IDENTITY), ask(file, CODINGS)]);
  const stable =
    isFile(plainAgain) && isFile(compressedAgain) && isSame(plain, plainAgain) && isSame(compressed, compressedAgain);
  return stable ? false : null;
}

function isSame(one: Reply, other: Reply): boolean {
  return Buffer.compare(one.body, other.body) === 0;
}

/** The content codings, in lower case; those that say nothing are left out. */
function codingOf({ headers }: Reply): string | null {
  const codings = (headers.get('content-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const real = codings.filter(
    (coding) => coding !== '' && coding !== 'identity' && coding !== 'none' && coding !== 'utf-8',
  );
  return real.length === 0 ? null : real.join(', ');
}
